//! Filters and keys for metrics: one condition or column for each source below.

use std::sync::Arc;

use super::calls::is_word;
use super::checker::{Checker, Outcome, Scope};
use super::describe::{describe, listed};
use super::names::Lead;
use super::populations::sources_below;
use super::typed::{Key, Kind, Level, NodeId, RowKey};
use crate::diagnostics::{Code, Diagnostic, nearest};
use crate::functions::FunctionSpec;
use crate::schema::{Path, SourceId, same_name};
use crate::source::Span;
use crate::syntax::{Call, ExprId, ExprKind, Ident};
use crate::types::Type;

impl Checker<'_> {
    /// `(x where c)`
    pub(super) fn scoped(
        &mut self,
        value: ExprId,
        condition: ExprId,
        span: Span,
        scope: Scope,
    ) -> Outcome {
        self.of_whole(span, scope, |checker, whole| {
            let value = checker.check(value, Scope::Whole(whole))?;
            checker.scoped_by(value, &[condition], span)
        })
    }

    pub(super) fn scoped_by(
        &mut self,
        value: NodeId,
        conditions: &[ExprId],
        span: Span,
    ) -> Outcome {
        let sources = sources_below(&self.nodes, value, self.metrics());
        if sources.is_empty() {
            let place = self.span(value);
            let message = "there are no rows here to narrow";
            let help = "`where` narrows aggregates and the metrics made of them";
            return self.refuse(Diagnostic::new(Code::E401, place, message).help(help));
        }
        for condition in conditions {
            self.require_names(*condition, &sources)?;
        }
        let mut typed = Vec::with_capacity(sources.len());
        for (index, source) in sources.iter().enumerate() {
            let before = self.findings.len();
            let condition = self.row_conditions(conditions, *source);
            // Reports a finding once, not once for each source.
            if index > 0 && condition.is_some() {
                self.findings.truncate(before);
            }
            typed.push((*source, condition??));
        }
        let ty = self.ty(value).clone();
        let kind = Kind::Scoped { value, conditions: typed };
        Some(self.add(span, ty, Level::Aggregate, kind))
    }

    /// Rejects a name that one of the sources lacks.
    fn require_names(&mut self, condition: ExprId, sources: &[SourceId]) -> Option<()> {
        let mut stack = vec![condition];
        let mut sound = Some(());
        while let Some(id) = stack.pop() {
            let node = self.expr.node(id)?;
            match &node.kind {
                ExprKind::Path(path) => {
                    if !self.is_known(path) && !self.column_everywhere(path, sources) {
                        sound = self.refuse_dimension(path, node.span, sources);
                    }
                }
                ExprKind::Call(call) => match self.metrics().function(&call.name.name) {
                    // Its condition is one on its own rows.
                    Some(spec) if spec.behaviour.is_aggregate() => {}
                    Some(spec) => stack.extend(values_of(call, spec)),
                    None => stack.extend(node.kind.children()),
                },
                // Its condition is one on the rows below its value.
                ExprKind::Scoped(value, _) => stack.push(*value),
                kind => stack.extend(kind.children()),
            }
        }
        sound
    }

    /// Returns whether a name means the same for every source.
    fn is_known(&self, path: &[Ident]) -> bool {
        let [name] = path else { return false };
        ["period", "period_start", "period_end"].iter().any(|word| same_name(word, &name.name))
            || self.lets.iter().any(|bound| same_name(&bound.name, &name.name))
    }

    fn column_everywhere(&self, path: &[Ident], sources: &[SourceId]) -> bool {
        sources.iter().all(|source| self.column_of(path, *source).is_some())
    }

    /// Resolves a name in a source: as a shared dimension, otherwise as its own field or link.
    fn column_of(&self, path: &[Ident], source: SourceId) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        if rest.is_empty()
            && let Some(dimension) = self.schema().dimension(&first.name)
            && let Some((_, column)) = dimension.columns.iter().find(|(of, _)| *of == source)
        {
            return Some(column.clone());
        }
        if let Lead::Field(field) = self.follow(source, path) {
            return Some(field);
        }
        let named = self.rows_named(&first.name).is_some_and(|(named, _)| named == source);
        match self.follow(source, rest) {
            Lead::Field(field) if named => Some(field),
            Lead::Field(_) | Lead::Unknown(..) => None,
        }
    }

    fn refuse_dimension<T>(
        &mut self,
        path: &[Ident],
        span: Span,
        sources: &[SourceId],
    ) -> Option<T> {
        let text = span.slice(self.text);
        let lacking: Vec<_> = sources
            .iter()
            .filter(|source| self.column_of(path, **source).is_none())
            .map(|source| self.source_name(*source))
            .collect();
        let elsewhere: Vec<_> = (0..self.schema().sources.len())
            .map(SourceId)
            .filter(|source| self.column_of(path, *source).is_some())
            .map(|source| self.source_name(source))
            .collect();
        let shared: Vec<_> = self
            .schema()
            .dimensions
            .iter()
            .filter(|dimension| {
                sources.iter().all(|source| dimension.columns.iter().any(|(of, _)| of == source))
            })
            .map(|dimension| dimension.name.as_str())
            .collect();
        let here = if shared.is_empty() {
            "they share no dimension".to_owned()
        } else {
            format!("they share {}", listed(&shared))
        };
        let lacking = listed(&lacking);
        let message = if elsewhere.is_empty() {
            format!("`{text}` is not a dimension of {lacking}")
        } else {
            format!("`{text}` is known for {}, not for {lacking}", listed(&elsewhere))
        };
        let mut finding = Diagnostic::new(Code::E420, span, message);
        finding = match nearest(text, shared.iter().copied()) {
            Some(near) => finding
                .help(format!("did you mean `{near}`? {here}"))
                .suggest(crate::diagnostics::Suggestion::replace(span, near)),
            None => finding.help(here),
        };
        self.refuse(finding)
    }

    /// Checks the whole text as an expression of the rows of each of these sources.
    pub(super) fn key_expression(&mut self, sources: &[SourceId]) -> Option<RowKey> {
        let root = self.expr.root?;
        let span = self.expr.span(root);
        self.require_rows(sources, span)?;
        self.require_names(root, sources)?;
        let mut roots: Vec<(SourceId, NodeId)> = Vec::with_capacity(sources.len());
        for source in sources {
            roots.push((*source, self.check(root, Scope::Row(*source))?));
        }
        let is_of_row = |kind: &Kind| {
            !matches!(kind, Kind::PerRow(_) | Kind::Outer(_) | Kind::CurrentPeriod(_))
        };
        if !self.nodes.iter().all(|node| is_of_row(&node.kind)) {
            let message = "rows are grouped by what they hold themselves";
            let help = "leave out aggregates, metrics and the period";
            return self.refuse(Diagnostic::new(Code::E404, span, message).help(help));
        }
        let (_, first) = *roots.first()?;
        if matches!(self.ty(first), Type::Period | Type::List(_) | Type::Null) {
            let message = format!("{} is nothing to group by", describe(self.ty(first)));
            return self.refuse(Diagnostic::new(Code::E420, span, message));
        }
        Some(RowKey { typed: self.typed(first), roots })
    }

    /// Rejects a key where nothing reads rows, from which the groups would come.
    fn require_rows(&mut self, sources: &[SourceId], key: Span) -> Option<()> {
        if !sources.is_empty() {
            return Some(());
        }
        let message = "there are no rows here to group";
        let help = "groups come from rows: group a formula that has an aggregate";
        self.refuse(Diagnostic::new(Code::E401, key, message).help(help))
    }

    /// Resolves a key by its name or path for these sources.
    pub(super) fn key_for(&mut self, path: &[Ident], sources: &[SourceId]) -> Option<Key> {
        let first = path.first()?;
        let span = first.span.to(path.last().map_or(first.span, |last| last.span));
        self.require_rows(sources, span)?;
        if !self.column_everywhere(path, sources) {
            return self.refuse_dimension(path, span, sources);
        }
        let columns = sources
            .iter()
            .filter_map(|source| Some((*source, self.column_of(path, *source)?)))
            .collect();
        Some(Key { name: Arc::from(span.slice(self.text).to_lowercase()), columns })
    }

    /// Resolves a key of `per`, `total` or `rank` to a column for each source below.
    pub(super) fn key(&mut self, path: &[Ident], below: NodeId) -> Option<Key> {
        let sources = sources_below(&self.nodes, below, self.metrics());
        self.key_for(path, &sources)
    }
}

/// Returns the arguments that are values, and not words such as `month` in `start_of(x, month)`.
fn values_of<'c>(call: &'c Call, spec: &'static FunctionSpec) -> impl Iterator<Item = ExprId> + 'c {
    let takes_word = |place: usize, name: Option<&Ident>| {
        let parameter = match name {
            Some(name) => spec.parameters.iter().find(|own| same_name(own.name, &name.name)),
            None => spec.parameters.get(place),
        };
        parameter.is_some_and(|parameter| is_word(parameter.kind))
    };
    let arguments = call.arguments.iter().enumerate();
    let values = arguments.filter(move |(place, own)| !takes_word(*place, own.name.as_ref()));
    values.map(|(_, argument)| argument.value)
}
