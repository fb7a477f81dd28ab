//! From formulas to the definitions that answer them.

use std::collections::{BTreeMap, BTreeSet};

use super::conditions::Lookup;
use super::definition::StateDefinition;
use super::shape::{Draft, Keying, Plan, Site};
use crate::check::{Kind, NodeId, Typed, children};
use crate::evaluate::Owner;
use crate::schema::{Columns, FieldId, Schema, SourceId, same_name};
use crate::types::Currency;

/// The states that formulas need, and what of them needs the rows all the same.
///
/// Made by [`Engine::states`](crate::Engine::states); it belongs to the engine that made it.
#[derive(Debug, Clone)]
pub struct Definitions {
    pub(super) keying: Keying,
    /// The zone that days are of.
    pub(super) zone: String,
    pub(super) formulas: Vec<Typed>,
    pub(super) drafts: BTreeMap<StateDefinition, Draft>,
    gaps: Vec<Gap>,
    /// By source the fields that each draft reads.
    reads: BTreeMap<StateDefinition, BTreeMap<String, BTreeSet<String>>>,
}

/// An aggregate that states do not answer, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// The formula by its index among those that were asked.
    pub formula: usize,
    /// The aggregate as it is written.
    pub aggregate: String,
    /// Why the rows must answer it.
    pub reason: String,
}

impl Definitions {
    pub(crate) fn derive(
        schema: &Schema,
        metrics: &[Option<&Typed>],
        formulas: &[&Typed],
        keying: Keying,
    ) -> Self {
        let typed = |owner| match owner {
            Owner::Metric(index) => metrics.get(index).copied().flatten(),
            Owner::Asked(index) => formulas.get(index).copied(),
        };
        let lookup = Lookup { schema, typed: &typed };
        let mut made = Self {
            keying,
            zone: schema.store.calendar.zone_name().to_owned(),
            formulas: formulas.iter().copied().cloned().collect(),
            drafts: BTreeMap::new(),
            gaps: Vec::new(),
            reads: BTreeMap::new(),
        };
        for (index, formula) in formulas.iter().enumerate() {
            made.walk(&lookup, index, formula);
        }
        let reads = |draft: &Draft| named(schema, &lookup.reads(draft));
        made.reads = made.drafts.iter().map(|(key, draft)| (key.clone(), reads(draft))).collect();
        made.gaps.sort_unstable();
        made.gaps.dedup();
        made
    }

    fn walk(&mut self, lookup: &Lookup<'_>, index: usize, formula: &Typed) {
        type Filters = Vec<(Owner, SourceId, NodeId)>;
        type Place = (Owner, NodeId, Filters, Option<Currency>);
        let mut seen: BTreeSet<Place> = BTreeSet::new();
        let mut stack: Vec<Place> = vec![(Owner::Asked(index), formula.root, Vec::new(), None)];
        while let Some(place) = stack.pop() {
            if !seen.insert(place.clone()) {
                continue;
            }
            let (owner, id, filters, currency) = place;
            let Some(node) = lookup.node((owner, id)) else { continue };
            match &node.kind {
                Kind::Atom(atom) => {
                    let site = Site { owner, id, atom, filters, currency };
                    self.atom(lookup, index, &site);
                }
                Kind::Metric(metric) => {
                    let owner = Owner::Metric(metric.0);
                    let root = (lookup.typed)(owner).map(|typed| typed.root);
                    stack.extend(root.map(|root| (owner, root, filters, currency)));
                }
                Kind::Scoped { value, conditions } => {
                    let mut inner = filters;
                    inner.extend(conditions.iter().map(|(source, id)| (owner, *source, *id)));
                    stack.push((owner, *value, inner, currency));
                }
                Kind::Convert { value, to } => {
                    stack.push((owner, *value, filters, currency.or(Some(*to))));
                }
                kind => {
                    let below = children(kind).into_iter();
                    stack.extend(below.map(|child| (owner, child, filters.clone(), currency)));
                }
            }
        }
    }

    fn atom(&mut self, lookup: &Lookup<'_>, formula: usize, site: &Site<'_>) {
        let mut drafts = Vec::new();
        match lookup.plan(site, &self.keying) {
            Ok(Plan::Over(draft, _)) => drafts.push(draft),
            Ok(Plan::Running(both, _)) => drafts.extend([both.0, both.1]),
            Ok(Plan::Also(draft, others)) => {
                drafts.push(draft);
                drafts.extend(others.into_iter().map(|(draft, _)| draft));
            }
            Ok(Plan::Among(draft, _, tree)) => {
                drafts.push(draft);
                drafts.extend(tree.leaves().into_iter().map(|leaf| leaf.draft.clone()));
            }
            Err(reason) => {
                let text = (lookup.typed)(site.owner).zip(lookup.node((site.owner, site.id)));
                let text = text.map_or("", |(typed, node)| node.span.slice(&typed.text));
                let aggregate = text.split_whitespace().collect::<Vec<_>>().join(" ");
                self.gaps.push(Gap { formula, aggregate, reason });
                return;
            }
        }
        let rows = (site.atom.source, site.atom.date.as_ref());
        if !self.keying.dimensions.is_empty() {
            // Requests by group ask which groups there are.
            drafts.extend(lookup.presence(rows, &self.keying, &site.standing()));
        }
        drafts.extend(lookup.presence(rows, &self.keying, &[]));
        for draft in drafts {
            self.drafts.entry(draft.definition.clone()).or_insert(draft);
        }
    }

    /// Those over rows of some sources, by name: to fold what changed without what it links to.
    #[must_use]
    pub fn over(&self, sources: &[&str]) -> Self {
        let mut own = self.clone();
        own.drafts
            .retain(|definition, _| sources.iter().any(|name| same_name(name, &definition.source)));
        own
    }

    /// Those that a program chooses, as to fold what one change touches.
    #[must_use]
    pub fn only(&self, mut chosen: impl FnMut(&StateDefinition) -> bool) -> Self {
        let mut own = self.clone();
        own.drafts.retain(|definition, _| chosen(definition));
        own
    }

    /// The sources whose rows are folded or linked to, with the fields that are read of each: what
    /// rows must be given with.
    pub fn reads(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let own = self.reads.iter().filter(|(definition, _)| self.drafts.contains_key(*definition));
        for (source, fields) in own.flat_map(|(_, reads)| reads) {
            found.entry(source).or_default().extend(fields.iter().map(String::as_str));
        }
        found
    }

    /// The definitions, each once, in order.
    pub fn iter(&self) -> impl Iterator<Item = &StateDefinition> {
        self.drafts.keys()
    }

    /// How many definitions there are.
    pub fn len(&self) -> usize {
        self.drafts.len()
    }

    /// Whether no formula needs a state.
    pub fn is_empty(&self) -> bool {
        self.drafts.is_empty()
    }

    /// What states do not answer, by formula. A formula without a gap reads no rows where its
    /// periods begin and end with whole cells.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }
}

/// Columns by name.
fn named(schema: &Schema, columns: &Columns) -> BTreeMap<String, BTreeSet<String>> {
    let of = |(source, fields): (&SourceId, &BTreeSet<FieldId>)| {
        let source = schema.source_at(*source)?;
        let names = fields.iter().filter_map(|field| source.fields.get(field.0));
        Some((source.name.clone(), names.map(|field| field.name.clone()).collect()))
    };
    columns.fields.iter().filter_map(of).collect()
}
