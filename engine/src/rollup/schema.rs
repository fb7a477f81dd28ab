//! The rollups that formulas need, and the options that they are made with.

use std::collections::{BTreeMap, BTreeSet};

use super::bucket::Granularity;
use super::conditions::Lookup;
use super::definition::RollupDefinition;
use super::strategy::{AtomSite, RollupLayout, RollupPlan, Strategy};
use crate::check::{Kind, Typed, children};
use crate::evaluate::{NodeRef, Owner};
use crate::schema::{Columns, FieldId, Schema, SourceId, same_name};
use crate::source::one_line;
use crate::types::Currency;

/// Options of rollups: bucket size, dimensions, and quantile sketches for percentiles or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollupOptions {
    pub(crate) granularity: Granularity,
    pub(crate) dimensions: Vec<String>,
    pub(crate) approximate: bool,
}

impl RollupOptions {
    /// Creates options for daily or hourly buckets without dimensions, exact.
    pub const fn new(granularity: Granularity) -> Self {
        Self { granularity, dimensions: Vec::new(), approximate: false }
    }

    /// Adds a shared dimension, by which requests can filter and group. Each dimension multiplies the
    /// partial aggregates by the number of values that occur together.
    #[must_use]
    pub fn by(mut self, dimension: &str) -> Self {
        self.dimensions.push(dimension.to_owned());
        self
    }

    /// Adds a quantile sketch for each percentile, exact to 1 %. Only a reader that answers
    /// [`approximately`](super::RollupReader::approximately) reads it.
    #[must_use]
    pub const fn with_sketches(mut self) -> Self {
        self.approximate = true;
        self
    }
}

/// The rollup definitions that formulas need, and the aggregates that still need the rows.
///
/// [`Engine::rollup_schema`](crate::Engine::rollup_schema) makes it; it is valid for that engine only.
#[derive(Debug, Clone)]
pub struct RollupSchema {
    pub(super) layout: RollupLayout,
    /// The zone of daily buckets.
    pub(super) zone: String,
    pub(super) formulas: Vec<Typed>,
    /// By definition, with the sources and fields that folding reads.
    pub(super) plans: BTreeMap<RollupDefinition, (RollupPlan, SourceFields)>,
    gaps: Vec<Gap>,
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
        layout: &RollupLayout,
    ) -> Self {
        let typed = |owner| match owner {
            Owner::Metric(index) => metrics.get(index).copied().flatten(),
            Owner::Formula(index) => formulas.get(index).copied(),
        };
        let lookup = Lookup { schema, typed: &typed, layout };
        let mut made = Self {
            layout: layout.clone(),
            zone: schema.store.calendar.zone_name().to_owned(),
            formulas: formulas.iter().copied().cloned().collect(),
            plans: BTreeMap::new(),
            gaps: Vec::new(),
        };
        for (index, formula) in formulas.iter().enumerate() {
            made.walk(&lookup, index, formula);
        }
        made.gaps.sort_unstable();
        made.gaps.dedup();
        made
    }

    fn walk(&mut self, lookup: &Lookup<'_>, index: usize, formula: &Typed) {
        type Place = (NodeRef, Vec<(SourceId, NodeRef)>, Option<Currency>);
        let mut seen: BTreeSet<Place> = BTreeSet::new();
        let root = NodeRef { owner: Owner::Formula(index), id: formula.root };
        let mut stack: Vec<Place> = vec![(root, Vec::new(), None)];
        while let Some(place) = stack.pop() {
            if !seen.insert(place.clone()) {
                continue;
            }
            let (node, filters, currency) = place;
            let below = |id| NodeRef { id, ..node };
            match lookup.node(node).map(|node| &node.kind) {
                None => {}
                Some(Kind::Atom(atom)) => {
                    let site = AtomSite { node, atom, filters, currency };
                    self.atom(lookup, index, &site);
                }
                Some(Kind::Metric(metric)) => {
                    let owner = Owner::Metric(metric.0);
                    let root = (lookup.typed)(owner).map(|typed| NodeRef { owner, id: typed.root });
                    stack.extend(root.map(|root| (root, filters, currency)));
                }
                Some(Kind::Scoped { value, conditions }) => {
                    let mut inner = filters;
                    inner.extend(conditions.iter().map(|(source, id)| (*source, below(*id))));
                    stack.push((below(*value), inner, currency));
                }
                Some(Kind::Convert { value, to }) => {
                    stack.push((below(*value), filters, currency.or(Some(*to))));
                }
                Some(kind) => {
                    let children = children(kind).into_iter();
                    stack.extend(children.map(|id| (below(id), filters.clone(), currency)));
                }
            }
        }
    }

    fn atom(&mut self, lookup: &Lookup<'_>, formula: usize, site: &AtomSite<'_>) {
        let mut plans = Vec::new();
        match lookup.strategy(site) {
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
                let text = (lookup.typed)(site.node.owner).zip(lookup.node(site.node));
                let text = text.map_or("", |(typed, node)| node.span.slice(&typed.text));
                self.gaps.push(Gap { formula, aggregate: one_line(text), reason });
                return;
            }
        }
        let (source, date) = (site.atom.source, site.atom.date.as_ref());
        if !lookup.layout.dimensions.is_empty() {
            // A request by group first asks for the groups that have rows.
            plans.extend(lookup.presence(source, date, &site.standing()));
        }
        plans.extend(lookup.presence(source, date, &[]));
        for plan in plans {
            self.plans.entry(plan.definition.clone()).or_insert_with(|| {
                let reads = named(lookup.schema, &lookup.reads(&plan));
                (plan, reads)
            });
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
        for (source, fields) in self.plans.values().flat_map(|(_, reads)| reads) {
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
