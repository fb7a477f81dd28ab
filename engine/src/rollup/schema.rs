//! The rollups that formulas need.

use std::collections::{BTreeMap, BTreeSet};

use super::conditions::Lookup;
use super::definition::RollupDefinition;
use super::strategy::{AtomSite, RollupLayout, RollupPlan, Strategy};
use crate::check::{Kind, NodeId, Typed, children};
use crate::evaluate::Owner;
use crate::schema::{Columns, FieldId, Schema, SourceId, same_name};
use crate::types::Currency;

/// The rollup definitions that formulas need, and the aggregates that still need the rows.
///
/// [`Engine::rollup_schema`](crate::Engine::rollup_schema) makes it; it is valid for that engine only.
#[derive(Debug, Clone)]
pub struct RollupSchema {
    pub(super) layout: RollupLayout,
    /// The zone of daily buckets.
    pub(super) zone: String,
    pub(super) formulas: Vec<Typed>,
    pub(super) plans: BTreeMap<RollupDefinition, RollupPlan>,
    gaps: Vec<Gap>,
    /// The sources and fields that folding reads, by definition.
    reads: Vec<(RollupDefinition, SourceFields)>,
}

/// Fields by source.
type SourceFields = Vec<(String, Vec<String>)>;

/// An aggregate that rollups do not answer, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// The index of the formula.
    pub formula: usize,
    /// The aggregate as written.
    pub aggregate: String,
    /// Why the rows must answer it.
    pub reason: String,
}

impl RollupSchema {
    pub(crate) fn derive(
        schema: &Schema,
        metrics: &[Option<&Typed>],
        formulas: &[&Typed],
        layout: RollupLayout,
    ) -> Self {
        let typed = |owner| match owner {
            Owner::Metric(index) => metrics.get(index).copied().flatten(),
            Owner::Formula(index) => formulas.get(index).copied(),
        };
        let lookup = Lookup { schema, typed: &typed };
        let mut made = Self {
            layout,
            zone: schema.store.calendar.zone_name().to_owned(),
            formulas: formulas.iter().copied().cloned().collect(),
            plans: BTreeMap::new(),
            gaps: Vec::new(),
            reads: Vec::new(),
        };
        for (index, formula) in formulas.iter().enumerate() {
            made.walk(&lookup, index, formula);
        }
        let reads = |plan: &RollupPlan| named(schema, &lookup.reads(plan));
        made.reads = made.plans.iter().map(|(key, plan)| (key.clone(), reads(plan))).collect();
        made.gaps.sort_unstable();
        made.gaps.dedup();
        made
    }

    fn walk(&mut self, lookup: &Lookup<'_>, index: usize, formula: &Typed) {
        type Filters = Vec<(Owner, SourceId, NodeId)>;
        type Place = (Owner, NodeId, Filters, Option<Currency>);
        let mut seen: BTreeSet<Place> = BTreeSet::new();
        let mut stack: Vec<Place> = vec![(Owner::Formula(index), formula.root, Vec::new(), None)];
        while let Some(place) = stack.pop() {
            if !seen.insert(place.clone()) {
                continue;
            }
            let (owner, id, filters, currency) = place;
            let Some(node) = lookup.node((owner, id)) else { continue };
            match &node.kind {
                Kind::Atom(atom) => {
                    let site = AtomSite { owner, id, atom, filters, currency };
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

    fn atom(&mut self, lookup: &Lookup<'_>, formula: usize, site: &AtomSite<'_>) {
        let mut plans = Vec::new();
        match lookup.strategy(site, &self.layout) {
            Ok(Strategy::Merge(ranged)) => plans.push(ranged.plan),
            Ok(Strategy::Difference { opened, closed }) => {
                plans.extend([opened.plan, closed.plan]);
            }
            Ok(Strategy::Intersection(plan, others)) => {
                plans.push(plan);
                plans.extend(others.into_iter().map(|other| other.plan));
            }
            Ok(Strategy::CountCondition(members, condition)) => {
                plans.push(members.plan);
                plans.extend(condition.leaves().into_iter().map(|leaf| leaf.ranged.plan.clone()));
            }
            Err(reason) => {
                let text = (lookup.typed)(site.owner).zip(lookup.node((site.owner, site.id)));
                let text = text.map_or("", |(typed, node)| node.span.slice(&typed.text));
                let aggregate = text.split_whitespace().collect::<Vec<_>>().join(" ");
                self.gaps.push(Gap { formula, aggregate, reason });
                return;
            }
        }
        let (source, date) = (site.atom.source, site.atom.date.as_ref());
        if !self.layout.dimensions.is_empty() {
            // A request by group first asks for the groups that have rows.
            plans.extend(lookup.presence(source, date, &self.layout, &site.standing()));
        }
        plans.extend(lookup.presence(source, date, &self.layout, &[]));
        for plan in plans {
            self.plans.entry(plan.definition.clone()).or_insert(plan);
        }
    }

    /// Returns the schema with only the definitions over some sources, by name: to fold changed rows
    /// without the rows they link to.
    #[must_use]
    pub fn over(&self, sources: &[&str]) -> Self {
        let mut own = self.clone();
        own.plans
            .retain(|definition, _| sources.iter().any(|name| same_name(name, &definition.source)));
        own
    }

    /// Returns the schema with only the definitions that a program chooses, for example to fold the
    /// rows that one change touches.
    #[must_use]
    pub fn only(&self, mut chosen: impl FnMut(&RollupDefinition) -> bool) -> Self {
        let mut own = self.clone();
        own.plans.retain(|definition, _| chosen(definition));
        own
    }

    /// Returns the sources whose rows are folded or linked to, with the fields that folding reads
    /// of each.
    pub fn reads(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let own = self.reads.iter().filter(|(definition, _)| self.plans.contains_key(definition));
        for (source, fields) in own.flat_map(|(_, reads)| reads) {
            found.entry(source).or_default().extend(fields.iter().map(String::as_str));
        }
        found
    }

    /// Returns the definitions in order, without duplicates.
    pub fn iter(&self) -> impl Iterator<Item = &RollupDefinition> {
        self.plans.keys()
    }

    /// Returns the number of definitions.
    pub fn len(&self) -> usize {
        self.plans.len()
    }

    /// Returns whether no formula needs a rollup.
    pub fn is_empty(&self) -> bool {
        self.plans.is_empty()
    }

    /// Returns the aggregates that rollups do not answer, by formula. A formula without a gap reads
    /// no rows where its periods begin and end with whole buckets.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }
}

/// Returns the names of columns, by source.
fn named(schema: &Schema, columns: &Columns) -> SourceFields {
    let of = |(source, fields): (&SourceId, &BTreeSet<FieldId>)| {
        let source = schema.source_at(*source)?;
        let names = fields.iter().filter_map(|field| source.fields.get(field.0));
        Some((source.name.clone(), names.map(|field| field.name.clone()).collect()))
    };
    columns.fields.iter().filter_map(of).collect()
}
