//! Calls that make one value of many rows: which rows, what is aggregated, in which unit.

#![expect(
    clippy::option_option,
    reason = "none is a finding made already, some none a clause that was not written"
)]

use std::sync::Arc;

use super::checker::{Checker, Outcome, Scope, Whole};
use super::describe::describe;
use super::names::Lead;
use super::typed::{AggregateFunction, Atom, Comparison, Kind, Level, NodeId};
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::functions::FunctionSpec;
use crate::schema::{DataType, Path, SourceId, SourceKind};
use crate::source::Span;
use crate::syntax::{Argument, Call, ExprId, ExprKind, Ident};
use crate::types::{Currency, CurrencyOf, Flavour, Type, Unit, Value};

/// The rows an aggregate runs over.
pub(super) struct Rows<'a> {
    pub(super) source: SourceId,
    pub(super) population: Option<&'a str>,
    /// Whether the argument names the rows themselves and no value of them.
    pub(super) bare: bool,
}

/// An aggregate call being checked.
pub(super) struct Aggregation<'c> {
    pub(super) spec: &'static FunctionSpec,
    pub(super) function: AggregateFunction,
    pub(super) call: &'c Call,
    pub(super) span: Span,
    pub(super) whole: Whole,
}

impl<'a> Checker<'a> {
    pub(super) fn aggregate(&mut self, aggregation: &Aggregation<'_>) -> Outcome {
        let Aggregation { spec, function, call, span, whole } = aggregation;
        let (first, rest) = self.aggregate_arguments(aggregation)?;
        if !first.per.is_empty() {
            return self.per(aggregation, first, rest);
        }
        let Some(rows) = self.rows_of(first.value) else {
            return self.aggregate_of_whole(aggregation, first, rest);
        };
        if let Some(below) = whole.below {
            self.require_link(rows.source, below, *span)?;
        }
        let value = if rows.bare {
            self.bare_rows(aggregation, &rows).map(|()| None)
        } else {
            self.row_value(aggregation, first.value, rows.source).map(Some)
        };
        let condition = self.row_conditions(&first.conditions, rows.source);
        let population = self.population(rows.population, *span);
        let date = self.date_of(first.dated_by.as_deref(), rows.source);
        let fraction = self.fraction(spec, rest, *span);
        let kind = self.schema().source_at(rows.source)?.kind;
        let adds = matches!(
            function,
            AggregateFunction::Sum | AggregateFunction::Count | AggregateFunction::CountDistinct
        );
        if kind == SourceKind::Snapshot && adds && !whole.at_one_time {
            return self.refuse_snapshot(call, *span, rows.source);
        }
        let (value, condition, population) = (value?, condition?, population?);
        let (date, fraction) = (date?, fraction?);
        if let Some(value) = value {
            self.narrow_currency(value, rows.source, [condition, population]);
        }
        let ty = self.aggregate_type(*function, value, rows.source);
        let atom = Atom {
            function: *function,
            source: rows.source,
            value,
            condition,
            population,
            date,
            fraction,
        };
        Some(self.add(*span, ty, Level::Aggregate, Kind::Atom(Box::new(atom))))
    }

    /// The value's argument, and what follows it: `percentile` has a fraction.
    fn aggregate_arguments<'c>(
        &mut self,
        aggregation: &Aggregation<'c>,
    ) -> Option<(&'c Argument, &'c [Argument])> {
        let Aggregation { spec, function, call, span, .. } = aggregation;
        let wanted =
            if *function == AggregateFunction::Percentile { spec.parameters.len() } else { 1 };
        let given = call.arguments.len();
        let split = call.arguments.split_first();
        match split {
            Some(split) if given == wanted.max(1) => Some(split),
            Some(_) | None => {
                let message = super::calls::takes(spec.name, wanted, given);
                let finding = Diagnostic::new(Code::E207, *span, message);
                self.refuse(finding.help(format!("call it: {}", spec.signature)));
                None
            }
        }
    }

    /// Finds the rows by the first path that starts with a source, a population or a placeholder.
    pub(super) fn rows_of(&self, value: ExprId) -> Option<Rows<'a>> {
        if let ExprKind::Path(path) = &self.expr.node(value)?.kind
            && let [name] = path.as_slice()
            && !self.is_taken(name)
            && let Some((source, population)) = self.rows_named(&name.name)
        {
            return Some(Rows { source, population, bare: true });
        }
        let mut stack = vec![value];
        while let Some(id) = stack.pop() {
            match &self.expr.node(id)?.kind {
                ExprKind::Path(path) => {
                    if let Some(rows) = self.rows_of_path(path) {
                        return Some(rows);
                    }
                }
                // An aggregate inside has rows of its own.
                ExprKind::Call(call) if Self::is_aggregate(call) => {}
                kind => stack.extend(kind.children().into_iter().rev()),
            }
        }
        None
    }

    fn is_aggregate(call: &Call) -> bool {
        use crate::functions::Behaviour;
        let behaviour = crate::functions::find(&call.name.name).map(|spec| spec.behaviour);
        match behaviour {
            // `max(a, b)` is the larger of two values.
            Some(Behaviour::Aggregate(_)) => {
                call.arguments.len() == 1
                    || !["min", "max"].iter().any(|name| call.name.name.eq_ignore_ascii_case(name))
            }
            Some(Behaviour::Window(_)) => true,
            Some(Behaviour::Scalar(_) | Behaviour::Special(_)) | None => false,
        }
    }

    /// Outside aggregates a `let`, a metric or a placeholder hides a source of the same name.
    fn is_taken(&self, name: &Ident) -> bool {
        self.lets.iter().any(|bound| crate::schema::same_name(&bound.name, &name.name))
            || self.schema().placeholder(&name.name).is_some()
                && self.schema().source(&name.name).is_none()
    }

    fn rows_of_path(&self, path: &[Ident]) -> Option<Rows<'a>> {
        let (first, rest) = path.split_first()?;
        if rest.is_empty() {
            if self.metrics().named(first).is_some() {
                return None;
            }
            let source = self.schema().placeholder(&first.name)?.source;
            return Some(Rows { source, population: None, bare: false });
        }
        let (source, population) = self.rows_named(&first.name)?;
        Some(Rows { source, population, bare: false })
    }

    fn bare_rows(&mut self, aggregation: &Aggregation<'_>, rows: &Rows<'_>) -> Option<()> {
        let Aggregation { spec, function, call, span, .. } = aggregation;
        match function {
            AggregateFunction::Count => Some(()),
            AggregateFunction::ShareOf => {
                let conditioned =
                    call.arguments.iter().any(|argument| !argument.conditions.is_empty());
                if conditioned {
                    return Some(());
                }
                let message = "a share needs the condition whose share it is";
                let help = format!("call it: {}", spec.signature);
                self.refuse(Diagnostic::new(Code::E207, *span, message).help(help));
                None
            }
            AggregateFunction::Sum
            | AggregateFunction::CountDistinct
            | AggregateFunction::Average
            | AggregateFunction::Percentile
            | AggregateFunction::StandardDeviation
            | AggregateFunction::Minimum
            | AggregateFunction::Maximum
            | AggregateFunction::First
            | AggregateFunction::Last => {
                let source = self.source_name(rows.source);
                let message = format!("`{}` needs a field, `{source}` is a set of rows", spec.name);
                let place =
                    call.arguments.first().map_or(*span, |first| self.expr.span(first.value));
                let help = format!("count({source}), or {}({source}.…)", spec.name);
                self.refuse(Diagnostic::new(Code::E350, place, message).help(help));
                None
            }
        }
    }

    fn row_value(
        &mut self,
        aggregation: &Aggregation<'_>,
        value: ExprId,
        source: SourceId,
    ) -> Outcome {
        let place = self.expr.span(value);
        let node = self.check(value, Scope::Row(source))?;
        let node = self.as_duration(node)?;
        let fits = match aggregation.function {
            AggregateFunction::Count
            | AggregateFunction::CountDistinct
            | AggregateFunction::First
            | AggregateFunction::Last => true,
            AggregateFunction::Minimum | AggregateFunction::Maximum => {
                matches!(self.ty(node), Type::Quantity(_) | Type::Date | Type::DateTime)
            }
            AggregateFunction::ShareOf => *self.ty(node) == Type::Bool,
            AggregateFunction::Sum
            | AggregateFunction::Average
            | AggregateFunction::Percentile
            | AggregateFunction::StandardDeviation => matches!(self.ty(node), Type::Quantity(_)),
        };
        if fits {
            return Some(node);
        }
        let what = match self.ty(node) {
            Type::Text => "text".to_owned(),
            other => describe(other),
        };
        let rows = self.source_name(source);
        let field = place.slice(self.text).rsplit('.').next().unwrap_or_default();
        let message = format!("`{}` needs numbers, this is {what}", aggregation.spec.name);
        let help = format!("to count rows by it: count({rows} where {field} = …)");
        self.refuse(Diagnostic::new(Code::E350, place, message).help(help))
    }

    /// `where currency_code = 'EUR'` makes money of each row's currency money in EUR.
    fn narrow_currency(
        &mut self,
        value: NodeId,
        source: SourceId,
        conditions: [Option<NodeId>; 2],
    ) {
        let mixed = self
            .unit(value)
            .is_some_and(|unit| unit.money == 1 && unit.currency == CurrencyOf::Mixed);
        let Some(column) = self.currency_column(value, source).filter(|_| mixed) else { return };
        let mut stack: Vec<NodeId> = conditions.into_iter().flatten().collect();
        while let Some(id) = stack.pop() {
            let (left, right) = match self.node(id).kind {
                Kind::And(left, right) => {
                    stack.extend([left, right]);
                    continue;
                }
                Kind::Compare(Comparison::Equal, left, right) => (left, right),
                _ => continue,
            };
            let names =
                |id: NodeId| matches!(&self.node(id).kind, Kind::Column(path) if *path == column);
            let (column_side, text_side) = if names(left) { (left, right) } else { (right, left) };
            let Kind::Constant(Value::Text(code)) = &self.node(text_side).kind else { continue };
            let currency = Currency::from_code(&code.to_ascii_uppercase());
            if let Some(currency) = currency.filter(|_| names(column_side))
                && let Some(node) = self.nodes.get_mut(value.0)
            {
                node.ty = Type::Quantity(Unit::money(CurrencyOf::Fixed(currency)));
                return;
            }
        }
    }

    /// The column that holds the currency of a mixed amount.
    fn currency_column(&self, value: NodeId, source: SourceId) -> Option<Path> {
        let mut stack = vec![value];
        while let Some(id) = stack.pop() {
            let kind = &self.node(id).kind;
            if let Kind::Column(path) = kind
                && let Some((_, field)) = self.schema().field_at(source, path)
                && let DataType::MoneyBy { currency, .. } = field.data_type
            {
                return Some(Path { links: path.links.clone(), field: currency });
            }
            stack.extend(super::children(kind));
        }
        None
    }

    /// The `where` clauses joined by `and`. The outer option is `None` after a finding.
    pub(super) fn row_conditions(
        &mut self,
        conditions: &[ExprId],
        source: SourceId,
    ) -> Option<Option<NodeId>> {
        let mut joined = None;
        let mut sound = true;
        for condition in conditions {
            match self.condition(*condition, Scope::Row(source)) {
                Some(node) => joined = Some(self.both(joined, node)),
                None => sound = false,
            }
        }
        sound.then_some(joined)
    }

    /// A population's standing condition, read from where it is declared.
    fn population(&mut self, name: Option<&str>, span: Span) -> Option<Option<NodeId>> {
        let Some(name) = name else { return Some(None) };
        let population = self.metrics().population(name)?;
        let expr = population.expr.as_ref()?;
        let (own_expr, own_text, own_span) = (self.expr, self.text, self.borrowed);
        (self.expr, self.text) = (expr, &population.text);
        self.borrowed = Some(own_span.unwrap_or(span));
        let source = self.schema().population(name)?.source;
        let condition = expr.root.and_then(|root| self.condition(root, Scope::Row(source)));
        (self.expr, self.text, self.borrowed) = (own_expr, own_text, own_span);
        if let Some(condition) = condition {
            Some(Some(condition))
        } else {
            let message = format!("the population `{name}` has errors of its own");
            self.refuse(
                Diagnostic::new(Code::E602, span, message).help("mend its condition first"),
            );
            None
        }
    }

    pub(super) fn both(&mut self, joined: Option<NodeId>, node: NodeId) -> NodeId {
        let Some(before) = joined else { return node };
        let span = self.span(before).to(self.span(node));
        let level = self.joint_level([before, node]);
        self.add(span, Type::Bool, level, Kind::And(before, node))
    }

    /// What places a row in time: the path after `dated by`, or the source's own.
    fn date_of(&mut self, dated_by: Option<&[Ident]>, source: SourceId) -> Option<Option<Path>> {
        let Some(path) = dated_by else {
            let table = self.schema().source_at(source)?;
            return Some(table.date.clone());
        };
        let (first, rest) = path.split_first()?;
        let qualified = self.rows_named(&first.name).is_some_and(|(named, _)| named == source);
        let path = if qualified && !rest.is_empty() { rest } else { path };
        let span = first.span.to(path.last().map_or(first.span, |last| last.span));
        match self.follow(source, path) {
            Lead::Unknown(index, at) => {
                self.unknown_field(path.get(index)?, at);
                None
            }
            Lead::Field(field) => {
                let (_, declared) = self.schema().field_at(source, &field)?;
                let ty = declared.data_type.to_type(self.schema().store.currency);
                if matches!(ty, Type::Date | Type::DateTime) {
                    return Some(Some(field));
                }
                let message =
                    format!("rows are placed in time by a date, this is {}", describe(&ty));
                let dates = self.date_fields(source);
                self.refuse(Diagnostic::new(Code::E421, span, message).help(dates));
                None
            }
        }
    }

    /// The fields that can place a row in time, for a help line.
    fn date_fields(&self, source: SourceId) -> String {
        let Some(table) = self.schema().source_at(source) else { return String::new() };
        let is_date =
            |data_type: &DataType| matches!(data_type, DataType::Date | DataType::DateTime);
        let dates: Vec<_> = table
            .fields
            .iter()
            .filter(|field| is_date(&field.data_type))
            .map(|field| field.name.as_str())
            .collect();
        if dates.is_empty() {
            return format!(
                "`{}` has no date of its own; a linked source may have one",
                table.name
            );
        }
        format!("dates of `{}`: {}", table.name, dates.join(", "))
    }

    /// The second argument of `percentile`, a fraction from 0% to 100%; a half for `median`.
    pub(super) fn fraction(
        &mut self,
        spec: &'static FunctionSpec,
        rest: &[Argument],
        span: Span,
    ) -> Option<Option<NodeId>> {
        if spec.name == "median" {
            let half = Value::Number(rust_decimal::Decimal::new(5, 1));
            return Some(Some(self.constant(span, Type::Quantity(Unit::PERCENT), half)));
        }
        let Some(argument) = rest.first() else { return Some(None) };
        let node = self.check(argument.value, Scope::Whole(Whole::default()))?;
        let number = match &self.node(node).kind {
            Kind::Constant(value) => value.as_number(),
            _ => None,
        };
        let range = rust_decimal::Decimal::ZERO..=rust_decimal::Decimal::ONE;
        if number.is_some_and(|number| range.contains(&number)) {
            return Some(Some(node));
        }
        let place = self.expr.span(argument.value);
        let message = "the position is a constant from 0% to 100%";
        self.refuse(Diagnostic::new(Code::E208, place, message).help("for example 90%"));
        None
    }

    fn refuse_snapshot(&mut self, call: &Call, span: Span, source: SourceId) -> Outcome {
        let rows = self.source_name(source);
        let text = span.slice(self.text);
        let message =
            format!("`{rows}` holds the same things again each day, so days cannot be added");
        self.refuse(
            Diagnostic::new(Code::E410, call.name.span, message)
                .help(format!(
                    "take the last day, closing({text}), or the usual one, avg({text} per day)"
                ))
                .suggest(Suggestion::replace(span, format!("closing({text})"))),
        )
    }

    /// The type of the aggregate's answer.
    fn aggregate_type(
        &self,
        function: AggregateFunction,
        value: Option<NodeId>,
        source: SourceId,
    ) -> Type {
        let rows = self.source_name(source);
        match function {
            AggregateFunction::Count => Type::Quantity(Unit::count(rows)),
            AggregateFunction::CountDistinct => {
                let entity = match value.map(|value| &self.node(value).kind) {
                    Some(Kind::Column(path)) => self.entity_of(source, path),
                    Some(_) | None => rows,
                };
                Type::Quantity(Unit::count(entity))
            }
            AggregateFunction::ShareOf => Type::Quantity(Unit::PERCENT),
            AggregateFunction::Sum
            | AggregateFunction::Average
            | AggregateFunction::Percentile
            | AggregateFunction::StandardDeviation
            | AggregateFunction::Minimum
            | AggregateFunction::Maximum
            | AggregateFunction::First
            | AggregateFunction::Last => {
                let ty = value.map_or(Type::NUMBER, |value| self.ty(value).clone());
                unliteral(ty)
            }
        }
    }

    /// The aggregate a bare placeholder means.
    pub(super) fn default_aggregate(
        &mut self,
        function: &str,
        source: SourceId,
        column: NodeId,
        (span, whole): (Span, Whole),
    ) -> Outcome {
        use crate::functions::Behaviour;
        let spec = crate::functions::find(function)?;
        let Behaviour::Aggregate(function) = spec.behaviour else { return None };
        if let Some(below) = whole.below {
            self.require_link(source, below, span)?;
        }
        let fraction = self.fraction(spec, &[], span)?;
        let ty = self.aggregate_type(function, Some(column), source);
        let date = self.schema().source_at(source)?.date.clone();
        let atom = Atom {
            function,
            source,
            value: Some(column),
            condition: None,
            population: None,
            date,
            fraction,
        };
        Some(self.add(span, ty, Level::Aggregate, Kind::Atom(Box::new(atom))))
    }

    /// An aggregate of something that has one value already, or of a list.
    fn aggregate_of_whole(
        &mut self,
        aggregation: &Aggregation<'_>,
        first: &Argument,
        rest: &[Argument],
    ) -> Outcome {
        let Aggregation { spec, function, span, whole, .. } = aggregation;
        let place = self.expr.span(first.value);
        let before = self.findings.len();
        let inner = self.check(first.value, Scope::Whole(*whole));
        if self.findings.len() > before || inner.is_none() {
            return None;
        }
        let inner = inner?;
        if let Type::List(item) = self.ty(inner).clone() {
            self.fraction(spec, rest, *span)?;
            let ty =
                if *function == AggregateFunction::Count { Type::NUMBER } else { (*item).clone() };
            let level = self.level(inner);
            return Some(self.add(*span, ty, level, Kind::ListAggregate(*function, inner)));
        }
        let text = place.slice(self.text);
        let by_day = format!("{}({text} per day)", spec.name);
        let column = self.sole_column_text(inner);
        let message = format!("`{}` needs many values, this is one", spec.name);
        let help = match column {
            Some(column) => {
                format!("take it of the rows, {}({column}), or of the days, {by_day}", spec.name)
            }
            None => format!("take it of the days: {by_day}"),
        };
        self.refuse(
            Diagnostic::new(Code::E403, place, message)
                .help(help)
                .suggest(Suggestion::replace(*span, by_day)),
        )
    }

    fn sole_column_text(&self, id: NodeId) -> Option<&'a str> {
        let Kind::Atom(atom) = &self.node(id).kind else { return None };
        Some(self.span(atom.value?).slice(self.text))
    }

    /// Refuses an aggregate whose rows do not lead to the row it is computed for.
    pub(super) fn require_link(&mut self, from: SourceId, to: SourceId, span: Span) -> Option<()> {
        if from == to || crate::schema::link_chain(self.schema(), from, to).is_some() {
            return Some(());
        }
        let (rows, row) = (self.source_name(from), self.source_name(to));
        let message = format!("a row of `{rows}` is not linked to one row of `{row}`");
        let between = self.schema().sources.iter().enumerate().find(|(index, _)| {
            let via = SourceId(*index);
            let leads = |target| crate::schema::link_chain(self.schema(), via, target).is_some();
            via != from && leads(from) && leads(to)
        });
        let finding = Diagnostic::new(Code::E411, span, message);
        let finding = match between {
            Some((_, via)) => {
                let text = format!("count({})", via.name);
                finding
                    .help(format!("rows of `{}` link to both: {text}", via.name))
                    .suggest(Suggestion::replace(span, text))
            }
            None => finding.help(format!("aggregate something that links to `{row}`")),
        };
        self.refuse(finding);
        None
    }
}

/// A literal's aggregate is a plain number.
pub(super) fn unliteral(ty: Type) -> Type {
    match ty {
        Type::Quantity(unit) if unit.flavour == Flavour::Literal => Type::NUMBER,
        Type::List(item) => Type::List(Arc::clone(&item)),
        other => other,
    }
}
