//! Atomic changes of several metrics.

use super::own_functions::declared;
use super::{Engine, Metric};
use crate::check::{Entry, Kind, MetricId, State, TypedNode, UseKinds, uses_by_kind};
use crate::diagnostics::{Code, Diagnostic, in_order};
use crate::evaluate::ComputedColumn;
use crate::schema::{FieldId, SourceId};
use crate::source::Span;
use crate::syntax::{is_predefined, parse};
use crate::types::Type;

/// A metric to add, or to replace the one with this index.
#[derive(Debug, Clone)]
pub(crate) struct Revision {
    pub(crate) index: Option<usize>,
    pub(crate) metric: Metric,
}

/// What a change breaks, with the findings; nothing if it is refused for another reason.
#[derive(Debug, Default)]
pub(crate) struct Broken {
    /// Metrics by index.
    pub(crate) metrics: Vec<(usize, Vec<Diagnostic>)>,
    /// Computed columns by name.
    pub(crate) columns: Vec<(String, Vec<Diagnostic>)>,
}

/// The metrics before a change.
struct PreviousState {
    count: usize,
    replaced: Vec<(usize, Entry, Metric)>,
    states: Vec<(usize, State)>,
    computed: Vec<ComputedColumn>,
}

impl Engine {
    /// Changes metrics, and rechecks them, their dependents (`affected`, by index) and computed
    /// columns. Returns the findings of the changed metrics.
    ///
    /// Rolls back if one of them does not check or `accepts` returns false.
    pub(crate) fn revise(
        &mut self,
        revisions: Vec<Revision>,
        affected: &[usize],
        accepts: impl FnOnce(&Self) -> bool,
    ) -> Result<Vec<Diagnostic>, Broken> {
        let mut before = PreviousState {
            count: self.metrics.len(),
            replaced: Vec::new(),
            states: Vec::new(),
            computed: self.computed.clone(),
        };
        let mut touched: Vec<usize> = Vec::new();
        for Revision { index, metric } in revisions {
            let (entry, _) = self.entry(&metric);
            let index = index.unwrap_or(self.metrics.len());
            touched.push(index);
            if let Some(own) = self.metrics.get_mut(index) {
                let own = std::mem::replace(own, metric);
                let known = self.library.replace(MetricId(index), entry);
                before.replaced.extend(known.map(|known| (index, known, own)));
            } else {
                self.library.push(entry);
                self.metrics.push(metric);
            }
        }
        for index in affected.iter().filter(|index| !touched.contains(index)) {
            if let Some(entry) = self.library.entries.get_mut(*index) {
                before.states.push((*index, std::mem::replace(&mut entry.state, State::Unchecked)));
            }
        }
        let findings = self.library.check_all(&self.schema, &self.limits);
        // A new metric may close a cycle of columns, which is a finding about the schema and refuses no metric.
        let is_edit = touched.iter().any(|index| *index < before.count);
        let mut columns = self.broken_columns();
        if !is_edit {
            columns.clear();
        }
        let broken = Broken { metrics: self.broken(&touched, affected, &findings), columns };
        if !broken.metrics.is_empty() || !broken.columns.is_empty() || !accepts(self) {
            self.undo(before);
            return Err(broken);
        }
        self.forget_compiled();
        let own = findings.into_iter().filter(|(id, _)| touched.contains(&id.0));
        Ok(in_order(own.map(|(_, finding)| finding).collect()))
    }

    /// Removes metrics that no others use, by index.
    pub(crate) fn withdraw(&mut self, leaves: impl Fn(usize) -> bool) {
        let (count, mut indices) = (self.metrics.len(), 0..);
        self.metrics.retain(|_| indices.next().is_some_and(|index| !leaves(index)));
        if self.metrics.len() < count {
            self.library.remove(leaves);
            self.library.check_all(&self.schema, &self.limits);
            self.check_computed();
            self.forget_compiled();
        }
    }

    /// Returns what a key already stands for, other than a metric.
    pub(crate) fn reserved(&self, key: &str) -> Option<&'static str> {
        if let Some(declared) = declared(&self.schema, key) {
            return Some(declared);
        }
        if is_predefined(key) {
            return Some("a name that every formula has");
        }
        self.library.function(key).map(|_| "a function")
    }

    /// Returns the positions where a metric's formula names others, by index and span.
    pub(crate) fn references(&self, index: usize) -> Vec<(usize, Span)> {
        let Some(checked) = self.library.checked(MetricId(index)) else { return Vec::new() };
        let nodes = checked.typed.nodes.iter();
        let named = nodes.filter_map(|node| {
            let Kind::Metric(id) = node.kind else { return None };
            Some((id.0, node.span))
        });
        let mut found: Vec<(usize, Span)> = named.collect();
        found.sort_by_key(|(index, span)| (*span, *index));
        found.dedup();
        found
    }

    /// Returns the metrics that a metric's formula uses, by index, with the kinds of use.
    pub(crate) fn uses(&self, index: usize) -> Vec<(usize, UseKinds)> {
        let checked = self.library.checked(MetricId(index));
        let kinds = checked.map(|checked| uses_by_kind(&checked.typed)).unwrap_or_default();
        let mut uses: Vec<_> = kinds.into_iter().map(|(id, kinds)| (id.0, kinds)).collect();
        // An unused `let` may still name a metric.
        for id in checked.map_or(&[][..], |checked| &checked.uses) {
            if !uses.iter().any(|(index, _)| *index == id.0) {
                uses.push((id.0, UseKinds::VALUE));
            }
        }
        uses
    }

    /// Returns the computed columns whose formulas name a metric, as `source.field`.
    pub(crate) fn columns_using(&self, index: usize) -> Vec<String> {
        let names = |node: &TypedNode| matches!(node.kind, Kind::Metric(id) if id.0 == index);
        let using = self.computed.iter().filter(|column| column.typed.nodes.iter().any(names));
        using.filter_map(|column| self.column_name((column.source, column.field))).collect()
    }

    fn column_name(&self, (source, field): (SourceId, FieldId)) -> Option<String> {
        let source = self.schema.source_at(source)?;
        Some(format!("{}.{}", source.name, source.fields.get(field.0)?.name))
    }

    /// Rechecks computed columns. Returns those that checked before and no longer do.
    fn broken_columns(&mut self) -> Vec<(String, Vec<Diagnostic>)> {
        let place = |column: &ComputedColumn| (column.source, column.field);
        let checked: Vec<_> = self.computed.iter().map(place).collect();
        let findings = self.check_computed();
        let broken = findings
            .into_iter()
            .filter(|(place, finding)| finding.is_error() && checked.contains(place));
        broken
            .filter_map(|(place, finding)| Some((self.column_name(place)?, vec![finding])))
            .collect()
    }

    /// Returns the type of a metric and its inputs.
    pub(crate) fn type_and_inputs(&self, index: usize) -> Option<(&Type, &[String])> {
        let checked = self.library.checked(MetricId(index))?;
        Some((&checked.ty, &checked.inputs))
    }

    fn broken(
        &self,
        touched: &[usize],
        affected: &[usize],
        findings: &[(MetricId, Diagnostic)],
    ) -> Vec<(usize, Vec<Diagnostic>)> {
        let mut broken: Vec<(usize, Vec<Diagnostic>)> = Vec::new();
        for index in touched.iter().chain(affected) {
            let Some(entry) = self.library.entries.get(*index) else { continue };
            let mut own: Vec<Diagnostic> = Vec::new();
            match &entry.state {
                State::Ready(checked) => {
                    let misfit = entry.declared.filter(|declared| !declared.fits(&checked.ty));
                    own.extend(misfit.map(|declared| {
                        let (wanted, given) = (declared.name(), &checked.ty);
                        let message = format!("declared {wanted}, the formula gives {given}");
                        Diagnostic::new(Code::E323, Span::new(0, entry.text.len()), message)
                            .help("change the declared type, or the formula")
                    }));
                }
                State::Broken | State::Unchecked => {
                    own.extend(parse(&entry.text, &self.limits).diagnostics);
                    let of_it = findings.iter().filter(|(id, _)| id.0 == *index);
                    own.extend(of_it.map(|(_, finding)| finding.clone()));
                }
            }
            if own.iter().any(Diagnostic::is_error) && !broken.iter().any(|(at, _)| at == index) {
                broken.push((*index, in_order(own)));
            }
        }
        broken
    }

    fn undo(&mut self, before: PreviousState) {
        self.forget_compiled();
        self.computed = before.computed;
        self.library.truncate(before.count);
        self.metrics.truncate(before.count);
        for (index, entry, metric) in before.replaced.into_iter().rev() {
            self.library.replace(MetricId(index), entry);
            if let Some(own) = self.metrics.get_mut(index) {
                *own = metric;
            }
        }
        for (index, state) in before.states {
            if let Some(entry) = self.library.entries.get_mut(index) {
                entry.state = state;
            }
        }
    }
}
