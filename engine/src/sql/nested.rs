//! Aggregates inside the row of an entity: a grouped subquery joined by the entity's key.

use super::compile::{Compiler, FromClause, RowContext, unbound};
use super::dialect::quoted;
use super::measure::column;
use super::ranges::{self, BucketRows};
use super::source::converted;
use super::term::{CompileFailure, Compiled, Number, NumberForm, Term, truths};
use crate::check::{AggregateFunction, Atom, Kind, NodeId};
use crate::evaluate::{FrameId, Owner};
use crate::schema::{Path, SourceId, link_chain};

/// Limit: nesting of aggregates inside rows.
const MAX_ROW_NESTING: usize = 8;

/// A compiled aggregate.
struct AggregateText {
    text: String,
    /// The type of its value.
    value: Term,
    is_zero_without_rows: bool,
}

/// An aggregate and its frame.
struct InnerAggregate<'a> {
    owner: Owner,
    atom: &'a Atom,
    frame: FrameId,
}

impl<'a> Compiler<'_, 'a> {
    /// Compiles an aggregate over the rows that link to each row.
    pub(super) fn per_row(
        &mut self,
        from: &mut FromClause,
        at: RowContext,
        id: NodeId,
    ) -> Compiled<Term> {
        if self.depth >= MAX_ROW_NESTING {
            return Err(CompileFailure::Stream("aggregates inside rows, nested deep"));
        }
        self.depth = self.depth.saturating_add(1);
        let compiled = self.linked_rows(from, at, id);
        self.depth = self.depth.saturating_sub(1);
        compiled
    }

    fn linked_rows(&mut self, from: &mut FromClause, at: RowContext, id: NodeId) -> Compiled<Term> {
        let frame = self.evaluation.frames_mut().of_rows(at.frame);
        let inner = self.inner(at.owner, id, frame)?;
        converted(self.evaluation, (inner.owner, inner.atom), inner.frame)?;
        let ranges = ranges::of(self, inner.atom, inner.frame)?;
        let known: Vec<bool> = self
            .buckets
            .iter()
            .map(|bucket| ranges.get(*bucket).is_some_and(BucketRows::has_answers))
            .collect();
        let (table, per_bucket, aggregate) = self.grouped(&inner, from.source, &ranges)?;
        let key = self.schema().source_at(from.source).and_then(|source| source.key);
        let key = key.and_then(|key| self.database.binding.column(from.source, key));
        let key = quoted(&key.ok_or_else(|| unbound("a key"))?.name);
        let bucket = if per_bucket { format!(" AND {table}.i = b.i") } else { String::new() };
        let join = format!("LEFT JOIN {table} ON {table}.k = t.{key}{bucket}");
        if !from.rows.contains(&join) {
            from.rows.push(join);
        }
        let found = format!("{table}.n");
        let text =
            if aggregate.is_zero_without_rows { format!("coalesce({found}, 0)") } else { found };
        let known = truths(&mut self.statement, &known);
        let text =
            if known == "TRUE" { text } else { format!("CASE WHEN {known} THEN {text} END") };
        Ok(with_text(aggregate.value, text))
    }

    /// Returns the single aggregate below a node, with surrounding windows and filters applied to
    /// its frame.
    fn inner(&mut self, owner: Owner, id: NodeId, frame: FrameId) -> Compiled<InnerAggregate<'a>> {
        let (mut owner, mut id, mut frame) = (owner, id, frame);
        loop {
            match self.kind(owner, id) {
                Some(Kind::Atom(atom)) => return Ok(InnerAggregate { owner, atom, frame }),
                Some(Kind::Shared(inner) | Kind::Placeholder(_, inner)) => id = *inner,
                Some(Kind::Window(window, inner)) => {
                    let moved = self.evaluation.frames_mut().window(*window, frame);
                    frame = moved.ok_or(CompileFailure::Stream("a window out of time"))?;
                    id = *inner;
                }
                Some(Kind::Scoped { value, conditions }) => {
                    frame = self.evaluation.frames_mut().scoped(owner, conditions, frame);
                    id = *value;
                }
                Some(Kind::Metric(metric)) => {
                    owner = Owner::Metric(metric.0);
                    let typed = self.evaluation.typed(owner);
                    id = typed.ok_or(CompileFailure::Stream("a metric that does not check"))?.root;
                }
                _ => return Err(CompileFailure::Stream("arithmetic on aggregates inside a row")),
            }
        }
    }

    /// Compiles the subquery of answers by key. Returns its name, whether it has one row per
    /// bucket, and the aggregate.
    fn grouped(
        &mut self,
        inner: &InnerAggregate<'_>,
        entity: SourceId,
        ranges: &[BucketRows],
    ) -> Compiled<(String, bool, AggregateText)> {
        let InnerAggregate { owner, atom, frame } = *inner;
        let mut from = FromClause::new(atom.source);
        let place = RowContext { owner, frame };
        let key = self.key_to(&mut from, entity)?;
        let conditions = self.row_conditions(&mut from, (owner, atom, frame), ranges)?;
        let value = atom.value.map(|value| self.term(&mut from, place, value)).transpose()?;
        let aggregate = self.aggregate(atom.function, value)?;
        let filter = where_all(&conditions);
        let uses_bucket = [&key, &filter, &aggregate.text].iter().any(|text| text.contains("b.c"))
            || from.rows.iter().any(|join| join.contains("b.i"));
        let per_bucket = uses_bucket && self.statement.is_per_bucket();
        let tables = self.from(&from, per_bucket)?;
        let (bucket, by) = if per_bucket { ("b.i AS i, ", "b.i, ") } else { ("", "") };
        let body = format!(
            "SELECT {bucket}{key} AS k, {} AS n\n{tables}{filter}\nGROUP BY {by}{key}",
            aggregate.text
        );
        Ok((self.statement.table(body), per_bucket, aggregate))
    }

    /// Returns the column with the key of the entity that a row links to.
    fn key_to(&mut self, from: &mut FromClause, entity: SourceId) -> Compiled<String> {
        let lost = CompileFailure::Stream("an aggregate over rows that are not linked");
        let chain = link_chain(self.schema(), from.source, entity).ok_or(lost.clone())?;
        let path = if let Some((end, before)) = chain.split_last() {
            let holder = self.end_of(from.source, before).ok_or(lost.clone())?;
            let link = self.schema().source_at(holder).and_then(|at| at.links.get(end.0));
            Path { links: before.to_vec(), field: link.ok_or(lost.clone())?.by }
        } else {
            let key = self.schema().source_at(entity).and_then(|source| source.key);
            Path::field(key.ok_or(lost.clone())?)
        };
        let term = self.column(from, &path)?;
        term.nullable().map(str::to_owned).ok_or(lost)
    }

    fn aggregate(
        &self,
        function: AggregateFunction,
        value: Option<Term>,
    ) -> Compiled<AggregateText> {
        let dialect = self.statement.dialect();
        let counted = |text: String| AggregateText {
            text,
            value: Term::Number(Number::column(String::new(), 0)),
            is_zero_without_rows: true,
        };
        match (function, value) {
            (AggregateFunction::Count, None | Some(Term::Truth(_))) => {
                Ok(counted("count(*)".to_owned()))
            }
            (AggregateFunction::Count, Some(value)) => {
                Ok(counted(format!("count({})", column(&value)?)))
            }
            (AggregateFunction::CountDistinct, Some(value)) => {
                Ok(counted(format!("count(DISTINCT {})", column(&value)?)))
            }
            (AggregateFunction::Sum, Some(Term::Number(number)))
                if number.form == NumberForm::Scaled
                    && !(number.is_wide && dialect.words().sums_in_halves()) =>
            {
                let text = format!("sum({})", number.wide(dialect));
                let value = Term::Number(Number { is_wide: true, ..number });
                Ok(AggregateText { text, value, is_zero_without_rows: true })
            }
            (AggregateFunction::Minimum | AggregateFunction::Maximum, Some(value)) => {
                let word = if function == AggregateFunction::Minimum { "min" } else { "max" };
                let text = match &value {
                    Term::Number(number) if number.form == NumberForm::Scaled => &number.text,
                    Term::Instant(text, _) | Term::Day(text) => text,
                    _ => return Err(CompileFailure::Stream("extremes of what is no number")),
                };
                let text = format!("{word}({text})");
                Ok(AggregateText { text, value, is_zero_without_rows: false })
            }
            _ => Err(CompileFailure::Stream("an average, position or spread inside a row")),
        }
    }
}

/// Returns `WHERE …`, or an empty string without conditions.
pub(super) fn where_all(conditions: &[String]) -> String {
    if conditions.is_empty() {
        return String::new();
    }
    format!("\nWHERE {}", conditions.join("\n  AND "))
}

/// Replaces the text of a term by a joined column.
fn with_text(term: Term, text: String) -> Term {
    match term {
        Term::Number(number) => Term::Number(Number { text, form: NumberForm::Decimals, ..number }),
        Term::Instant(_, unit) => Term::Instant(text, unit),
        Term::Day(_) => Term::Day(text),
        other => other,
    }
}
