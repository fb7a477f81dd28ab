//! Name resolution.

use std::sync::Arc;

use super::checker::{Checker, Outcome, Scope, Whole};
use super::typed::{Kind, Level, PeriodPart};
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::schema::{FieldId, Path, Placeholder, SourceId, same_name};
use crate::source::Span;
use crate::syntax::Ident;
use crate::types::{Type, Value};

/// The target of a path from a source.
pub(super) enum Lead {
    Field(Path),
    /// None: the name at this index is unknown in this source.
    Unknown(usize, SourceId),
}

impl<'a> Checker<'a> {
    pub(super) fn path(&mut self, path: &[Ident], span: Span, scope: Scope) -> Outcome {
        match scope {
            Scope::Row(source) => self.row_path(path, span, source),
            Scope::Whole(whole) => self.whole_path(path, span, whole),
        }
    }

    /// Follows a path from a source; a path that ends on a link stands for the key it holds.
    pub(super) fn follow(&self, source: SourceId, path: &[Ident]) -> Lead {
        let mut at = source;
        let mut links = Vec::new();
        for (index, ident) in path.iter().enumerate() {
            let last = index.saturating_add(1) == path.len();
            let Some(table) = self.schema().source_at(at) else { break };
            if last && let Some(field) = table.field(&ident.name) {
                return Lead::Field(Path { links, field });
            }
            let Some(link) = table.link(&ident.name) else { return Lead::Unknown(index, at) };
            let Some(target) = table.links.get(link.0) else { break };
            if last {
                return Lead::Field(Path { links, field: target.by });
            }
            links.push(link);
            at = target.target;
        }
        Lead::Unknown(0, source)
    }

    /// Resolves a path inside an aggregate: a field, a link, a `let`, a metric, in this order.
    fn row_path(&mut self, path: &[Ident], span: Span, source: SourceId) -> Outcome {
        if let Lead::Field(field) = self.follow(source, path) {
            return self.column(source, field, span);
        }
        let (first, rest) = path.split_first()?;
        if let Some((named, _)) = self.rows_named(&first.name)
            && !rest.is_empty()
        {
            return self.qualified_path(path, named, source, span);
        }
        if let Some(dimension) = self.schema().dimension(&first.name)
            && rest.is_empty()
        {
            let column = dimension.columns.iter().find(|(of, _)| *of == source);
            if let Some((_, column)) = column {
                return self.column(source, column.clone(), span);
            }
        }
        if rest.is_empty() {
            if let Some(found) = self.predefined(&first.name, span) {
                return Some(found);
            }
            if let Some(bound) = self.bound(&first.name) {
                return self.lifted(bound?, span, source, true);
            }
            if let Some(placeholder) = self.schema().placeholder(&first.name)
                && placeholder.source == source
            {
                return self.column(source, placeholder.field.clone(), span);
            }
            let whole = Whole { below: Some(source), at_one_time: false };
            if let Some(found) = self.whole_name(first, span, whole) {
                return self.lifted(found?, span, source, false);
            }
        }
        self.unknown_in_row(path, source)
    }

    /// Resolves `orders.total` inside an aggregate, over orders or over another source.
    fn qualified_path(
        &mut self,
        path: &[Ident],
        named: SourceId,
        source: SourceId,
        span: Span,
    ) -> Outcome {
        let (first, rest) = path.split_first()?;
        if named == source {
            return match self.follow(source, rest) {
                Lead::Field(field) => self.column(source, field, span),
                Lead::Unknown(index, at) => self.unknown_field(rest.get(index)?, at),
            };
        }
        let here = self.source_name(source);
        let there = self.source_name(named);
        let mut finding = Diagnostic::new(
            Code::E412,
            span,
            format!("rows of `{here}` are mixed with rows of `{there}`"),
        );
        let link = self.schema().source_at(source).and_then(|table| {
            table.links.iter().find(|link| link.target == named).map(|link| link.name.clone())
        });
        finding = match link {
            Some(link) => {
                let tail: Vec<_> = rest.iter().map(|ident| &*ident.name).collect();
                let linked = format!("{here}.{link}.{}", tail.join("."));
                finding
                    .help(format!(
                        "through the link it is `{linked}`, which repeats for every row of `{here}`"
                    ))
                    .suggest(Suggestion::replace(span, linked).among_others())
            }
            None => finding.help(format!("aggregate `{}` on its own", first.name)),
        };
        self.refuse(finding)
    }

    pub(super) fn source_name(&self, source: SourceId) -> &'a str {
        self.schema().source_at(source).map_or("", |source| source.name.as_str())
    }

    /// Returns the source with this name, or the source of the population with this name.
    pub(super) fn rows_named(&self, name: &str) -> Option<(SourceId, Option<&'a str>)> {
        if let Some(source) = self.schema().source(name) {
            return Some((source, None));
        }
        let population = self.schema().population(name)?;
        Some((population.source, Some(&population.name)))
    }

    pub(super) fn column(&mut self, source: SourceId, path: Path, span: Span) -> Outcome {
        let (_, field) = self.schema().field_at(source, &path)?;
        let ty = field.data_type.to_type(self.schema().store.currency);
        Some(self.add(span, ty, Level::Row(source), Kind::Column(path)))
    }

    /// Lifts an aggregate-level value to rows: computed for each row, or taken from outside.
    pub(super) fn lifted(
        &mut self,
        node: super::NodeId,
        span: Span,
        source: SourceId,
        outside: bool,
    ) -> Outcome {
        if self.level(node) != Level::Aggregate {
            return Some(node);
        }
        let message = "a row has no buckets to compare";
        let help = "compare the result of an aggregate, or use a window such as `previous`";
        self.refuse_buckets(node, message, help)?;
        let ty = self.ty(node).clone();
        let kind = if outside { Kind::Outer(node) } else { Kind::PerRow(node) };
        Some(self.add(span, ty, Level::Row(source), kind))
    }

    fn bound(&self, name: &str) -> Option<Outcome> {
        self.lets.iter().rev().find(|bound| same_name(&bound.name, name)).map(|bound| bound.node)
    }

    fn predefined(&mut self, name: &str, span: Span) -> Outcome {
        let is = |part: &str| part.eq_ignore_ascii_case(name);
        let (part, ty) = match name.len() {
            6 if is("period") => (PeriodPart::Whole, Type::Period),
            10 if is("period_end") => (PeriodPart::End, Type::DateTime),
            12 if is("period_start") => (PeriodPart::Start, Type::DateTime),
            _ => return None,
        };
        // The period is the same for all rows, so it fits every scope.
        Some(self.add(span, ty, Level::Constant, Kind::CurrentPeriod(part)))
    }

    /// Resolves a path outside aggregates: a `let`, a metric, a placeholder, an input, and last a
    /// source.
    fn whole_path(&mut self, path: &[Ident], span: Span, whole: Whole) -> Outcome {
        let (first, rest) = path.split_first()?;
        if !rest.is_empty() {
            return self.row_path_outside(path, span);
        }
        if let Some(found) = self.predefined(&first.name, span) {
            return Some(found);
        }
        if let Some(bound) = self.bound(&first.name) {
            return bound;
        }
        if let Some(found) = self.whole_name(first, span, whole) {
            return found;
        }
        if let Some((source, _)) = self.rows_named(&first.name) {
            return self.refuse_rows(first, source);
        }
        self.unknown_name(first)
    }

    /// Resolves a metric, a placeholder or an input; `None` for any other name.
    fn whole_name(&mut self, name: &Ident, span: Span, whole: Whole) -> Option<Outcome> {
        if let Some(metric) = self.metrics().named(name) {
            return Some(self.metric(metric, name, span, whole));
        }
        if let Some(placeholder) = self.schema().placeholder(&name.name) {
            return Some(self.placeholder(placeholder, span, whole));
        }
        let input = self.schema().input(&name.name)?;
        let same = *input.name == *name.name;
        let name = if same { Arc::clone(&name.name) } else { Arc::from(input.name.as_str()) };
        Some(Some(self.add(span, input.ty.clone(), Level::Aggregate, Kind::Input(name))))
    }

    fn metric(&mut self, id: super::MetricId, name: &Ident, span: Span, whole: Whole) -> Outcome {
        let entry = self.metrics().entry(id)?;
        if let Some(own) = self.env.own_key
            && let Some(path) = self.metrics().way(id, own)
        {
            let own = if same_name(own, &entry.key) { &entry.key } else { own };
            let message = format!("saved as `{own}`, it would use itself: {own} → {path}");
            return self.refuse(
                Diagnostic::new(Code::E601, name.span, message)
                    .help("use another metric, or save it under another key"),
            );
        }
        match &entry.state {
            super::State::Unchecked => {
                self.needs.push(id);
                None
            }
            super::State::Broken => {
                let message = format!("the metric `{}` has errors of its own", entry.key);
                let help = "fix its formula first; its errors are reported there";
                self.refuse(Diagnostic::new(Code::E602, name.span, message).help(help))
            }
            super::State::Ready(checked) => {
                if let Some(below) = whole.below {
                    for atom in &checked.atoms {
                        // A comparison of buckets is rejected as such.
                        if atom.source != below || !checked.typed.is_over_buckets {
                            self.require_below(atom.source, below, span)?;
                        }
                    }
                }
                self.is_over_buckets |= checked.typed.is_over_buckets;
                self.knows_request_end |= checked.typed.knows_request_end;
                self.knows_present |= checked.typed.knows_present;
                let level = Level::Aggregate;
                Some(self.add(span, checked.ty.clone(), level, Kind::Metric(id)))
            }
        }
    }

    fn placeholder(&mut self, placeholder: &Placeholder, span: Span, whole: Whole) -> Outcome {
        let key: Arc<str> = Arc::from(placeholder.key.to_lowercase().as_str());
        let (_, field) = self.schema().field_at(placeholder.source, &placeholder.field)?;
        let Some(function) = &placeholder.aggregation else {
            let ty = field.data_type.to_type(self.schema().store.currency);
            return Some(self.add(span, ty, Level::Aggregate, Kind::Input(key)));
        };
        let column = self.column(placeholder.source, placeholder.field.clone(), span)?;
        let atom = self.default_aggregate(function, placeholder.source, column, (span, whole))?;
        let ty = self.ty(atom).clone();
        Some(self.add(span, ty, Level::Aggregate, Kind::Placeholder(key, atom)))
    }

    /// Fills `?` with the name on trial, or records it as a hole to report.
    pub(super) fn fill_hole(&mut self, span: Span, scope: Scope) -> Outcome {
        self.holes.push(span);
        let name = self.hole?;
        let ident = Ident { name: Arc::from(name), bracketed: false, span };
        self.path(&[ident], span, scope)
    }

    /// Returns the entity counted by a distinct count of this column.
    pub(super) fn entity_of(&self, source: SourceId, path: &Path) -> &'a str {
        let at = self.schema().target(source, &path.links);
        let table = at.and_then(|at| self.schema().source_at(at));
        let Some(table) = table else { return "" };
        let linked = table.links.iter().find(|link| link.by == path.field);
        if let Some(link) = linked {
            return self.source_name(link.target);
        }
        if table.key == Some(path.field) {
            return &table.name;
        }
        let FieldId(index) = path.field;
        table.fields.get(index).map_or("", |field| field.name.as_str())
    }

    pub(super) fn text_constant(&mut self, span: Span, text: &str) -> super::NodeId {
        self.constant(span, Type::Text, Value::text(text))
    }
}
