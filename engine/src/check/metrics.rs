//! Metrics by key, with their formulas and the results of checking.

use std::collections::{BTreeMap, BTreeSet};

use super::typed::{AggregateFunction, Kind, MetricId};
use super::{Checked, Environment};
use crate::diagnostics::{Code, Diagnostic, nearest};
use crate::functions::FunctionSpec;
use crate::schema::{Schema, SourceId, folded, same_name};
use crate::source::Span;
use crate::syntax::{Expr, Ident, Limits};
use crate::types::{DeclaredType, Flavour};

/// The conjuncts of a condition in canonical text, each relative to the source that it concerns.
pub(crate) type Conditions = BTreeSet<(SourceId, String)>;

#[derive(Debug, Clone, Default)]
pub(crate) struct Metrics {
    pub(crate) entries: Vec<Entry>,
    /// The first metric of each key and of each title, normalized by [`folded`].
    keys: BTreeMap<String, MetricId>,
    titles: BTreeMap<String, MetricId>,
    pub(crate) populations: Vec<PopulationText>,
    /// The functions that the program has added to those of the language.
    pub(crate) functions: Vec<&'static FunctionSpec>,
}

#[derive(Debug, Clone)]
pub(crate) struct PopulationText {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The tree; `None` if the text could not be parsed.
    pub(crate) expr: Option<Expr>,
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) title: Option<String>,
    pub(crate) text: String,
    /// The tree; `None` if the text could not be parsed.
    pub(crate) expr: Option<Expr>,
    /// Whether parsing found errors, though there may be a repaired tree.
    pub(crate) refused: bool,
    /// The declared type, which the name in a hole must produce.
    pub(crate) declared: Option<DeclaredType>,
    pub(crate) state: State,
}

/// The progress of checking a metric.
#[derive(Debug, Clone)]
pub(crate) enum State {
    Unchecked,
    Broken,
    Ready(Box<Checked>),
}

impl Metrics {
    /// Without metrics, with functions of the program.
    pub(crate) fn with_functions(functions: Vec<&'static FunctionSpec>) -> Self {
        Self { functions, ..Self::default() }
    }

    /// Appends a metric.
    pub(crate) fn push(&mut self, entry: Entry) {
        let id = MetricId(self.entries.len());
        self.keys.entry(folded(&entry.key).into_owned()).or_insert(id);
        if let Some(title) = &entry.title {
            self.titles.entry(folded(title).into_owned()).or_insert(id);
        }
        self.entries.push(entry);
    }

    /// Replaces a metric and returns the old one.
    pub(crate) fn replace(&mut self, id: MetricId, entry: Entry) -> Option<Entry> {
        let slot = self.entries.get_mut(id.0)?;
        let before = std::mem::replace(slot, entry);
        if (&before.key, &before.title) != (&slot.key, &slot.title) {
            self.index();
        }
        Some(before)
    }

    /// Removes all metrics from an index on.
    pub(crate) fn truncate(&mut self, count: usize) {
        if count < self.entries.len() {
            self.entries.truncate(count);
            self.index();
        }
    }

    /// Removes metrics by index. The ids of later metrics change, so all are rechecked.
    pub(crate) fn remove(&mut self, leaves: impl Fn(usize) -> bool) {
        let mut indices = 0..;
        self.entries.retain(|_| indices.next().is_some_and(|index| !leaves(index)));
        for entry in &mut self.entries {
            entry.state = State::Unchecked;
        }
        self.index();
    }

    fn index(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        (self.keys, self.titles) = (BTreeMap::new(), BTreeMap::new());
        self.entries.reserve(entries.len());
        for entry in entries {
            self.push(entry);
        }
    }

    pub(crate) fn find(&self, key: &str) -> Option<MetricId> {
        if self.keys.is_empty() {
            return None;
        }
        self.keys.get(&*folded(key)).copied()
    }

    /// Returns the function with this name or alias, of the language or of the program.
    pub(crate) fn function(&self, name: &str) -> Option<&'static FunctionSpec> {
        let own = || self.functions.iter().copied().find(|spec| spec.is_named(name));
        crate::functions::find(name).or_else(own)
    }

    /// Returns the metric that a name in a formula refers to: by key, or in brackets also by
    /// display name.
    pub(crate) fn named(&self, name: &Ident) -> Option<MetricId> {
        let by_key = self.find(&name.name);
        if by_key.is_some() || !name.bracketed {
            return by_key;
        }
        self.titled(&name.name)
    }

    pub(crate) fn titled(&self, title: &str) -> Option<MetricId> {
        self.titles.get(&*folded(title)).copied()
    }

    /// Returns the key of the metric whose title is nearest to a misspelt one, if any is close.
    pub(crate) fn titled_nearly(&self, title: &str) -> Option<&str> {
        let wrong = folded(title);
        let near = nearest(&wrong, self.titles.keys().map(String::as_str))?;
        self.entry(*self.titles.get(near)?).map(|entry| entry.key.as_str())
    }

    /// Changes the key of a metric; the new key must be free.
    pub(crate) fn rename(&mut self, id: MetricId, key: &str) {
        let Some(entry) = self.entries.get_mut(id.0) else { return };
        let old = folded(&entry.key).into_owned();
        key.clone_into(&mut entry.key);
        if self.keys.get(&old) == Some(&id) {
            self.keys.remove(&old);
        }
        self.keys.entry(folded(key).into_owned()).or_insert(id);
    }

    pub(crate) fn population(&self, name: &str) -> Option<&PopulationText> {
        self.populations.iter().find(|population| same_name(&population.name, name))
    }

    pub(crate) fn entry(&self, id: MetricId) -> Option<&Entry> {
        self.entries.get(id.0)
    }

    pub(crate) fn checked(&self, id: MetricId) -> Option<&Checked> {
        match &self.entry(id)?.state {
            State::Ready(checked) => Some(checked),
            State::Unchecked | State::Broken => None,
        }
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.key.as_str())
    }

    /// Returns a metric that counts rows of the source, with these conditions and no others if they
    /// are given.
    pub(super) fn first_count(&self, rows: &str, conditions: Option<&Conditions>) -> Option<&str> {
        let counts = |entry: &&Entry| {
            let State::Ready(checked) = &entry.state else { return false };
            let is_count = matches!(
                checked.ty.unit().map(|unit| &unit.flavour),
                Some(Flavour::Count(Some(entity))) if **entity == *rows
            );
            // A mean of counts is a count too, and reads the same rows.
            let root = checked.typed.nodes.get(checked.typed.root.0);
            let is_plain = root.is_some_and(|root| matches!(root.kind, Kind::Atom(_)));
            let [atom] = checked.atoms.as_slice() else { return false };
            is_count
                && is_plain
                && atom.function == AggregateFunction::Count
                && conditions.is_none_or(|own| atom.conditions == *own)
        };
        self.entries.iter().find(counts).map(|entry| entry.key.as_str())
    }

    /// Checks every unchecked metric, dependencies first.
    ///
    /// Each finding comes with its metric. Each metric is visited a small fixed number of times,
    /// without recursion, so chains may be long.
    pub(crate) fn check_all(
        &mut self,
        schema: &Schema,
        limits: &Limits,
    ) -> Vec<(MetricId, Diagnostic)> {
        let mut findings = Vec::new();
        for index in 0..self.entries.len() {
            // Pending metrics, each with whether its dependencies lie above it: only such metrics form a path.
            let mut open = vec![(MetricId(index), false)];
            while let Some((id, _)) = open.last().copied() {
                let unchecked =
                    self.entry(id).is_some_and(|entry| matches!(entry.state, State::Unchecked));
                if !unchecked {
                    open.pop();
                    continue;
                }
                let (mut found, needs) = self.check_one(id, schema, limits, findings.len());
                if let Some((_, leads)) = open.last_mut() {
                    *leads = true;
                }
                let path = || open.iter().filter(|(_, leads)| *leads).map(|(id, _)| *id);
                if let Some(back) = needs.iter().copied().find(|need| path().any(|id| id == *need))
                {
                    let path: Vec<MetricId> = path().collect();
                    found.push(self.cycle(&path, back));
                } else if !needs.is_empty() {
                    open.extend(needs.into_iter().map(|need| (need, false)));
                    continue;
                }
                findings.extend(found.into_iter().map(|finding| (id, finding)));
                open.pop();
            }
        }
        findings
    }

    /// Checks one metric, after so many findings. Returns its findings and the metrics to be checked
    /// first.
    fn check_one(
        &mut self,
        id: MetricId,
        schema: &Schema,
        limits: &Limits,
        findings_before: usize,
    ) -> (Vec<Diagnostic>, Vec<MetricId>) {
        let Some(entry) = self.entry(id) else { return (Vec::new(), Vec::new()) };
        let Some(expr) = &entry.expr else {
            self.settle(id, State::Broken);
            return (Vec::new(), Vec::new());
        };
        let env = Environment {
            schema,
            metrics: self,
            limits,
            own_key: Some(&entry.key),
            declared: entry.declared,
            findings_before,
        };
        let report = env.check(expr, &entry.text);
        if !report.needs.is_empty() {
            return (Vec::new(), report.needs);
        }
        let checked = report.checked.filter(|_| !entry.refused);
        let state = checked.map_or(State::Broken, |checked| State::Ready(Box::new(checked)));
        self.settle(id, state);
        (report.findings, Vec::new())
    }

    fn settle(&mut self, id: MetricId, state: State) {
        if let Some(entry) = self.entries.get_mut(id.0) {
            entry.state = state;
        }
    }

    /// Returns the path of uses between two checked metrics: `a → b → c`.
    pub(super) fn way(&self, from: MetricId, to: &str) -> Option<String> {
        let mut paths = vec![vec![from]];
        let mut seen = BTreeSet::from([from]);
        while let Some(path) = paths.pop() {
            let last = *path.last()?;
            if self.entry(last).is_some_and(|entry| same_name(&entry.key, to)) {
                let keys = path.iter().filter_map(|id| self.entry(*id));
                return Some(keys.map(|entry| entry.key.as_str()).collect::<Vec<_>>().join(" → "));
            }
            let uses = self.checked(last).map_or(&[][..], |checked| &checked.uses);
            for next in uses.iter().rev().filter(|id| seen.insert(**id)) {
                paths.push(path.iter().copied().chain([*next]).collect());
            }
        }
        None
    }

    /// Reports a circular reference and rejects its metric.
    fn cycle(&mut self, path: &[MetricId], back_to: MetricId) -> Diagnostic {
        let from = path.iter().position(|id| *id == back_to).unwrap_or(0);
        let around = path.get(from..).unwrap_or_default().iter().chain([&back_to]);
        let keys: Vec<_> =
            around.filter_map(|id| self.entry(*id)).map(|entry| entry.key.clone()).collect();
        let last = path.last().copied().unwrap_or(back_to);
        let span = self.use_of(last, back_to);
        self.settle(last, State::Broken);
        let message = format!("it would use itself: {}", keys.join(" → "));
        Diagnostic::new(Code::E601, span, message).help("take one of these uses out")
    }

    /// Returns the position where one metric's formula names another.
    fn use_of(&self, from: MetricId, named: MetricId) -> Span {
        let Some(expr) = self.entry(from).and_then(|entry| entry.expr.as_ref()) else {
            return Span::default();
        };
        expr.nodes
            .iter()
            .find_map(|node| match &node.kind {
                crate::syntax::ExprKind::Path(path) => {
                    let [name] = path.as_slice() else { return None };
                    (self.named(name) == Some(named)).then_some(node.span)
                }
                _ => None,
            })
            .unwrap_or_default()
    }
}
