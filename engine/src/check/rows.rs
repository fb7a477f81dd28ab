//! The rows that an aggregate reads, and whether they link to the row it is computed for.

use super::checker::Checker;
use crate::diagnostics::{Code, Diagnostic, Suggestion};
use crate::schema::SourceId;
use crate::source::Span;
use crate::syntax::{Call, ExprId, ExprKind, Ident};

impl<'a> Checker<'a> {
    /// Finds the rows by the first path that starts with a source, a population or a placeholder.
    pub(super) fn rows_of(&self, value: ExprId) -> Option<Rows<'a>> {
        if let ExprKind::Path(path) = &self.expr.node(value)?.kind
            && let [name] = path.as_slice()
            && !self.is_shadowed(name)
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
                // A nested aggregate has its own rows.
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
            Some(Behaviour::WeightedAverage | Behaviour::Window(_) | Behaviour::Buckets(_)) => true,
            Some(Behaviour::Scalar(_) | Behaviour::Special(_)) | None => false,
        }
    }

    /// Returns whether a `let` shadows the rows of this name, or a placeholder shadows a population.
    fn is_shadowed(&self, name: &Ident) -> bool {
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

    /// Rejects an aggregate in a row of its own source, where it has only this row, and one whose rows
    /// do not link to the row.
    pub(super) fn require_below(&mut self, from: SourceId, to: SourceId, span: Span) -> Option<()> {
        if from != to {
            return self.require_link(from, to, span);
        }
        let (rows, text) = (self.source_name(from), span.slice(self.text));
        let message = format!("in a row of `{rows}`, an aggregate of `{rows}` has only that row");
        let help = format!("for all rows, name it before the formula: let all = {text};");
        self.refuse(Diagnostic::new(Code::E404, span, message).help(help))
    }

    /// Rejects an aggregate whose rows do not link to the row it is computed for.
    fn require_link(&mut self, from: SourceId, to: SourceId, span: Span) -> Option<()> {
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
                    .suggest(Suggestion::replace(span, text).among_others())
            }
            None => finding.help(format!("aggregate something that links to `{row}`")),
        };
        self.refuse(finding)
    }
}

pub(super) struct Rows<'a> {
    pub(super) source: SourceId,
    pub(super) population: Option<&'a str>,
    /// Whether the argument names the rows themselves rather than a value in them.
    pub(super) bare: bool,
}
