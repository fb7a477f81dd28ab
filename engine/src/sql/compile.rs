//! Compilation of row expressions to SQL: columns behind links, integer arithmetic, constants of
//! buckets.

use rust_decimal::Decimal;

use super::binding::Storage;
use super::database::Database;
use super::dialect::quoted;
use super::query::BoundValue;
use super::statement::Statement;
use super::term::{
    CompileFailure, Compiled, Number, NumberForm, SEVERAL_CURRENCIES, Term, integers,
};
use crate::check::{Arithmetic, Kind, NodeId, children};
use crate::evaluate::{
    BucketRef, Evaluation, FrameId, MAX_PRODUCT_SCALE, NodeRef, Owner, may_mix_currencies,
};
use crate::schema::{LinkId, Path, Schema, SourceId};
use crate::types::Value;

/// A source in FROM, with the tables of its links.
#[derive(Debug, Clone)]
pub(super) struct FromClause {
    pub(super) source: SourceId,
    joins: Vec<(Vec<LinkId>, String)>,
    /// Joins with aggregates inside rows.
    pub(super) rows: Vec<String>,
}

impl FromClause {
    pub(super) const fn new(source: SourceId) -> Self {
        Self { source, joins: Vec::new(), rows: Vec::new() }
    }
}

/// The context in which constants of a row expression are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowContext {
    pub(super) owner: Owner,
    /// A frame without groups.
    pub(super) frame: FrameId,
}

/// Compiles the parts of one statement.
#[derive(Debug)]
pub(super) struct Compiler<'c, 'a> {
    pub(super) evaluation: &'c mut dyn Evaluation<'a>,
    pub(super) database: &'c Database<'c>,
    pub(super) statement: Statement,
    /// The buckets of the frame that the statement covers.
    pub(super) buckets: Vec<usize>,
    pub(super) depth: usize,
}

impl<'c, 'a> Compiler<'c, 'a> {
    /// Creates a compiler of one statement for some buckets of a frame.
    pub(super) fn new(
        database: &'c Database<'c>,
        evaluation: &'c mut dyn Evaluation<'a>,
        buckets: Vec<usize>,
    ) -> Self {
        let statement = Statement::new(database.dialect, buckets.len());
        Self { evaluation, database, statement, buckets, depth: 0 }
    }
}

impl<'a> Compiler<'_, 'a> {
    pub(super) fn schema(&self) -> &'a Schema {
        self.evaluation.context().schema
    }

    pub(super) fn kind(&self, owner: Owner, id: NodeId) -> Option<&'a Kind> {
        self.evaluation.context().kind(NodeRef { owner, id })
    }

    /// Returns the quoted table of a source, or a subquery of the rows that belong to the source.
    pub(super) fn table(&mut self, source: SourceId) -> Compiled<String> {
        let table = self.database.binding.table(source).ok_or_else(|| unbound("a source"))?;
        let name = quoted(&table.name);
        let Some((column, text)) = &table.only else { return Ok(name) };
        let value = self.statement.value(BoundValue::Text(text.clone()));
        Ok(format!("(SELECT * FROM {name} WHERE {} = {value})", quoted(column)))
    }

    /// Writes `FROM …` with the joins needed by the expressions so far.
    pub(super) fn from(&mut self, from: &FromClause, per_bucket: bool) -> Compiled<String> {
        let table = self.table(from.source)?;
        let buckets = if per_bucket { "b CROSS JOIN " } else { "" };
        let mut text = format!("FROM {buckets}{table} AS t");
        for (path, alias) in &from.joins {
            text.push_str(&self.join(from, path, alias)?);
        }
        for join in &from.rows {
            text.push('\n');
            text.push_str(join);
        }
        Ok(text)
    }

    fn join(&mut self, from: &FromClause, path: &[LinkId], alias: &str) -> Compiled<String> {
        let missing = || unbound("a link");
        let (last, before) = path.split_last().ok_or_else(missing)?;
        let holder = self.end_of(from.source, before).ok_or_else(missing)?;
        let link = self.schema().source_at(holder).and_then(|source| source.links.get(last.0));
        let link = link.ok_or_else(missing)?;
        let key = self.schema().source_at(link.target).and_then(|target| target.key);
        let key = key.ok_or_else(missing)?;
        let binding = &self.database.binding;
        let own = binding.column(holder, link.by).ok_or_else(missing)?;
        let theirs = binding.column(link.target, key).ok_or_else(missing)?;
        if own.storage != theirs.storage {
            return Err(CompileFailure::Stream("a link between columns of different storage"));
        }
        let from_alias = alias_of(from, before).ok_or_else(missing)?;
        let (theirs, own) = (quoted(&theirs.name), quoted(&own.name));
        let table = self.table(link.target)?;
        Ok(format!("\nLEFT JOIN {table} AS {alias} ON {alias}.{theirs} = {from_alias}.{own}"))
    }

    /// Returns the source at the end of links.
    pub(super) fn end_of(&self, source: SourceId, links: &[LinkId]) -> Option<SourceId> {
        let mut at = source;
        for link in links {
            at = self.schema().source_at(at)?.links.get(link.0)?.target;
        }
        Some(at)
    }

    /// Compiles a column, direct or behind links.
    pub(super) fn column(&mut self, from: &mut FromClause, path: &Path) -> Compiled<Term> {
        let end = self.end_of(from.source, &path.links).ok_or_else(|| unbound("a link"))?;
        let column = self.database.binding.column(end, path.field);
        let column = column.ok_or_else(|| unbound("a field"))?;
        let (name, storage) = (quoted(&column.name), column.storage);
        for length in 1..=path.links.len() {
            let part = path.links.get(..length).unwrap_or_default();
            if alias_of(from, part).is_none() {
                let alias = format!("j{}", from.joins.len().saturating_add(1));
                from.joins.push((part.to_vec(), alias));
            }
        }
        let alias = alias_of(from, &path.links).unwrap_or_default();
        Ok(Term::column(format!("{alias}.{name}"), storage))
    }

    /// Compiles a row expression.
    pub(super) fn term(
        &mut self,
        from: &mut FromClause,
        at: RowContext,
        id: NodeId,
    ) -> Compiled<Term> {
        let shape = self.evaluation.context().shape(NodeRef { owner: at.owner, id });
        if shape.is_none_or(|shape| !shape.by_row) {
            return Ok(self.constant(from, at, id));
        }
        let Some(kind) = self.kind(at.owner, id) else { return Err(unbound("a node")) };
        if let Kind::Arithmetic(..) | Kind::Compare(..) | Kind::InList(..) = kind
            && may_mix_currencies(self.evaluation.context(), at.owner, &children(kind))
        {
            return Err(SEVERAL_CURRENCIES);
        }
        match kind {
            Kind::Column(path) => self.column(from, path),
            Kind::Shared(inner) => self.term(from, at, *inner),
            Kind::PerRow(inner) => self.per_row(from, at, *inner),
            Kind::Arithmetic(op, left, right) => {
                let left = self.term(from, at, *left)?;
                let right = self.term(from, at, *right)?;
                self.arithmetic(*op, left, right)
            }
            Kind::Negate(operand) => match self.term(from, at, *operand)? {
                Term::Number(number)
                    if number.form != NumberForm::Seconds && number.beside.is_zero() =>
                {
                    let text = format!("(-{})", number.wide(self.statement.dialect()));
                    let (form, is_wide) = (NumberForm::Decimals, true);
                    Ok(Term::Number(Number { text, is_wide, form, ..number }))
                }
                _ => Err(CompileFailure::Stream("a sign")),
            },
            Kind::Case(..) => Err(CompileFailure::Stream("`if` or `case` over rows")),
            Kind::Default(..) => Err(CompileFailure::Stream("`default` over rows")),
            Kind::Concat(..) => Err(CompileFailure::Stream("joined texts")),
            Kind::Call(spec, _) => Err(CompileFailure::Stream(spec.name)),
            Kind::IsError(_) => Err(CompileFailure::Stream("`is_error` over rows")),
            _ => self.condition(from, at, id).map(Term::Truth),
        }
    }

    fn constant(&mut self, from: &FromClause, at: RowContext, id: NodeId) -> Term {
        let values = self.buckets.clone().into_iter().map(|bucket| {
            let node = NodeRef { owner: at.owner, id };
            let at = BucketRef { frame: at.frame, bucket };
            self.evaluation.row_constant(node, from.source, at)
        });
        Term::Constant(values.collect())
    }

    fn arithmetic(&mut self, op: Arithmetic, left: Term, right: Term) -> Compiled<Term> {
        match op {
            Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply => {
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                self.numbers(op, &left, &right).map(Term::Number)
            }
            Arithmetic::Between => self.between(left, right),
            Arithmetic::Divide => Err(CompileFailure::Stream("a division for each row")),
            Arithmetic::Power => Err(CompileFailure::Stream("a power for each row")),
            Arithmetic::Shift | Arithmetic::ShiftBack => {
                Err(CompileFailure::Stream("a date moved for each row"))
            }
        }
    }

    /// Compiles an operand of arithmetic; a constant becomes an integer.
    fn operand(&mut self, term: Term) -> Compiled<Number> {
        match term {
            Term::Number(number)
                if number.form == NumberForm::Scaled && number.beside.is_zero() =>
            {
                Ok(number)
            }
            Term::Constant(values) => {
                let numbers: Option<Vec<Decimal>> =
                    values.iter().map(|value| Some(value.as_number()?.normalize())).collect();
                let numbers = numbers.ok_or(CompileFailure::Stream("arithmetic with no value"))?;
                let scale = numbers.first().map_or(0, Decimal::scale);
                let integer = |number: &Decimal| {
                    let is_alike = number.scale() == scale;
                    i64::try_from(number.mantissa()).ok().filter(|_| is_alike).map(Some)
                };
                let whole: Option<Vec<Option<i64>>> = numbers.iter().map(integer).collect();
                let whole = whole.ok_or(CompileFailure::Stream("numbers of many digits"))?;
                Ok(Number::column(integers(&mut self.statement, whole), scale))
            }
            _ => Err(CompileFailure::Stream("arithmetic on what is no plain number")),
        }
    }

    fn numbers(&mut self, op: Arithmetic, left: &Number, right: &Number) -> Compiled<Number> {
        let dialect = self.statement.dialect();
        let (left, right, scale, sign) = if op == Arithmetic::Multiply {
            (left.clone(), right.clone(), left.scale.saturating_add(right.scale), "*")
        } else {
            let scale = left.scale.max(right.scale);
            let sign = if op == Arithmetic::Add { "+" } else { "-" };
            let left = left.at_scale(scale, &mut self.statement)?;
            (left, right.at_scale(scale, &mut self.statement)?, scale, sign)
        };
        // The evaluator computes finer numbers as decimals.
        if scale > MAX_PRODUCT_SCALE {
            return Err(CompileFailure::Stream("numbers of many digits"));
        }
        let text = format!("({} {sign} {})", left.wide(dialect), right.wide(dialect));
        Ok(Number { text, scale, is_wide: true, form: NumberForm::Scaled, beside: Decimal::ZERO })
    }

    /// Compiles the difference of two instants or two days, in microseconds.
    fn between(&mut self, left: Term, right: Term) -> Compiled<Term> {
        let (later, rest_later) = self.moment(left)?;
        let (earlier, rest_earlier) = self.moment(right)?;
        let beside = rest_later.checked_sub(rest_earlier).unwrap_or(Decimal::ZERO);
        Ok(Term::Number(Number {
            text: format!("({later} - {earlier})"),
            scale: 6,
            is_wide: false,
            form: NumberForm::Seconds,
            beside,
        }))
    }

    /// Compiles an instant in microseconds, with the remainder below a microsecond.
    fn moment(&mut self, term: Term) -> Compiled<(String, Decimal)> {
        match term {
            Term::Instant(text, unit) => Ok((self.micros(&text, unit), Decimal::ZERO)),
            Term::Constant(values) => {
                let mut at = Vec::with_capacity(values.len());
                let mut beside = Vec::with_capacity(values.len());
                for value in values {
                    let Value::DateTime(instant) = value else {
                        return Err(CompileFailure::Stream("days among instants"));
                    };
                    let nanoseconds = instant.as_nanosecond();
                    at.push(Some(instant.as_microsecond()));
                    let micros = i128::from(instant.as_microsecond()).saturating_mul(1_000);
                    let rest = nanoseconds.saturating_sub(micros);
                    beside.push(Decimal::try_from_i128_with_scale(rest, 9).unwrap_or_default());
                }
                let rest = beside.first().copied().unwrap_or_default();
                if beside.iter().any(|other| *other != rest) {
                    return Err(CompileFailure::Stream("instants finer than a microsecond"));
                }
                Ok((integers(&mut self.statement, at), rest))
            }
            _ => Err(CompileFailure::Stream("days among instants")),
        }
    }

    /// Returns the storage of the field at the end of a path.
    pub(super) fn storage(&self, source: SourceId, path: &Path) -> Option<Storage> {
        let end = self.end_of(source, &path.links)?;
        self.database.binding.column(end, path.field).map(|column| column.storage)
    }
}

fn alias_of(from: &FromClause, links: &[LinkId]) -> Option<String> {
    if links.is_empty() {
        return Some("t".to_owned());
    }
    from.joins.iter().find(|(path, _)| path == links).map(|(_, alias)| alias.clone())
}

/// The failure for a name that the binding lacks.
pub(super) fn unbound(what: &str) -> CompileFailure {
    CompileFailure::fail(&format!("{what} has no place in the database"))
}
