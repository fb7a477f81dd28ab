//! Strategies: how an aggregate of a formula is answered from rollups.

use super::bucket::Granularity;
use super::conditions::{Lookup, TimeCondition};
use super::definition::{AggregateKind, RollupDefinition};
use crate::check::{AggregateFunction, Atom, PeriodPart, Window};
use crate::evaluate::NodeRef;
use crate::schema::{Path, SourceId};
use crate::types::Currency;

/// The layout of rollups: bucket size, dimensions, sketches or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RollupLayout {
    pub(crate) granularity: Granularity,
    pub(crate) approximate: bool,
    /// Dimension names with the column of each source that has one.
    pub(crate) dimensions: Vec<(String, Vec<(SourceId, Path)>)>,
}

impl RollupLayout {
    pub(super) fn dimensions_of(&self, source: SourceId) -> Vec<(&str, &Path)> {
        let own = self.dimensions.iter().filter_map(|(name, columns)| {
            let (_, path) = columns.iter().find(|(of, _)| *of == source)?;
            Some((name.as_str(), path))
        });
        own.collect()
    }
}

/// An aggregate at its place in a formula.
pub(super) struct AtomSite<'s> {
    pub(super) node: NodeRef,
    pub(super) atom: &'s Atom,
    /// The enclosing filters, each with the source that it narrows.
    pub(super) filters: Vec<(SourceId, NodeRef)>,
    /// The currency that amounts are converted to.
    pub(super) currency: Option<Currency>,
}

impl AtomSite<'_> {
    /// Returns the population and the enclosing filters, which narrow groups too.
    pub(super) fn standing(&self) -> Vec<NodeRef> {
        let population = self.atom.population.map(|id| NodeRef { id, ..self.node });
        let own = self.filters.iter().filter(|(source, _)| *source == self.atom.source);
        population.into_iter().chain(own.map(|(_, node)| *node)).collect()
    }

    /// Returns all conditions on its rows.
    pub(super) fn conditions(&self) -> Vec<NodeRef> {
        let own = self.atom.row_condition().map(|id| NodeRef { id, ..self.node });
        self.standing().into_iter().chain(own).collect()
    }
}

/// The event time of rows, as columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EventTimeColumns {
    Never,
    By(Path),
    Later(Path, Path),
}

impl EventTimeColumns {
    /// Returns the event time of rows that are dated by at most one column.
    pub(super) fn of(date: Option<&Path>) -> Self {
        date.cloned().map_or(Self::Never, Self::By)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        let (first, second) = match self {
            Self::Never => (None, None),
            Self::By(path) => (Some(path), None),
            Self::Later(opened, closed) => (Some(opened), Some(closed)),
        };
        first.into_iter().chain(second)
    }
}

/// The value that a row contributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Measure {
    Rows,
    /// The value of the atom at this node, converted to the store's currency if there are several.
    Value(NodeRef),
    /// Whether a condition holds.
    Truth(NodeRef),
    Column(Path),
}

/// A rollup definition, resolved to columns and nodes: how rows are folded, and which residual
/// conditions filter its dimension keys on reading.
#[derive(Debug, Clone)]
pub(super) struct RollupPlan {
    pub(super) definition: RollupDefinition,
    pub(super) source: SourceId,
    pub(super) event_time: EventTimeColumns,
    pub(super) measure: Measure,
    pub(super) conditions: Vec<NodeRef>,
    /// Conditions on dimensions alone, which are evaluated on reading.
    pub(super) residual: Vec<NodeRef>,
    pub(super) dimensions: Vec<Path>,
    pub(super) currency: Option<Path>,
    /// The currency that amounts of several are converted to.
    pub(super) target: Option<Currency>,
    /// Whether the same rows give a different rollup in another zone.
    pub(super) is_zoned: bool,
}

/// The time from which an answer takes its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeRange {
    /// That of the frame: the period, or one instant of a snapshot.
    Frame,
    /// The elapsed part of the period, for rows without a date of their own.
    Elapsed,
    /// Between two boundaries of the period; `None` is open.
    Between(Option<PeriodPart>, Option<PeriodPart>),
}

/// A rollup plan with the time from which an answer takes its rows.
#[derive(Debug, Clone)]
pub(super) struct RangedPlan {
    pub(super) plan: RollupPlan,
    pub(super) range: TimeRange,
}

/// A condition over the rows of an entity.
#[derive(Debug, Clone)]
pub(super) enum CountCondition {
    All(Vec<CountCondition>),
    Any(Vec<CountCondition>),
    Not(Box<CountCondition>),
    Count(Box<CountLeaf>),
}

/// A comparison of the number of rows that link to a key, in some period.
#[derive(Debug, Clone)]
pub(super) struct CountLeaf {
    pub(super) ranged: RangedPlan,
    /// The windows around the count, outermost first.
    pub(super) windows: Vec<Window>,
    pub(super) predicate: CountPredicate,
}

/// The counts for which a comparison is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CountPredicate {
    /// Whether it holds for no row, for one row, for more rows.
    pub(super) counts: [bool; 3],
    /// Whether it holds for a null, where the source does not cover the period.
    pub(super) unknown: bool,
}

/// How an aggregate is answered.
#[derive(Debug, Clone)]
pub(super) enum Strategy {
    /// Finishes merged partials of one rollup.
    Merge(RangedPlan),
    /// Subtracts the rows closed by a boundary of the period from those opened before it.
    Difference { opened: Box<RangedPlan>, closed: Box<RangedPlan> },
    /// Intersects a set of keys with others.
    Intersection(RollupPlan, Vec<RangedPlan>),
    /// Counts the rows of an entity that meet a condition on the number of rows linked to them.
    CountCondition(RangedPlan, Box<CountCondition>),
}

/// The reason why rollups do not answer, for users.
pub(super) type DeclineReason = String;

/// Why the rows must answer where a condition has an aggregate for each row.
pub(super) const PER_ROW: &str = "an aggregate for each row needs the rows";
/// Why the rows must answer where a condition compares a date with the period in another way than days do.
pub(super) const UNKEPT: &str =
    "a condition compares with the period in a way that days do not keep";

impl Lookup<'_> {
    /// Returns the strategy for an aggregate, or the reason why the rows must answer.
    pub(super) fn strategy(&self, site: &AtomSite<'_>) -> Result<Strategy, DeclineReason> {
        let conjuncts = self.conjuncts(&site.conditions());
        let (per_row, direct): (Vec<_>, Vec<_>) =
            conjuncts.into_iter().partition(|at| self.has_row_aggregate(*at));
        let mut timed = Vec::new();
        let mut fixed = Vec::new();
        for at in direct {
            match self.time_condition(at) {
                Some(found) => timed.push(found),
                None => fixed.push(at),
            }
        }
        if !per_row.is_empty() {
            let plan = self.members(site, &fixed)?;
            let members = self.ranged(site, plan, &timed)?;
            let condition = self.conjunction(site, &per_row)?;
            return Ok(Strategy::CountCondition(members, Box::new(condition)));
        }
        let plan = self.plan(site, &fixed)?;
        match timed.as_slice() {
            [TimeCondition::Before(opened, part), TimeCondition::Open(closed, other)]
            | [TimeCondition::Open(closed, other), TimeCondition::Before(opened, part)]
                if part == other && site.atom.date.is_none() =>
            {
                // The opened and the closed rows may have different currencies.
                if plan.currency.is_some() {
                    return Err("amounts kept apart by currency need the rows".to_owned());
                }
                let (opened, closed) = ((*opened).clone(), (*closed).clone());
                let begun = self.dated(plan.clone(), EventTimeColumns::By(opened.clone()))?;
                let ended = self.dated(plan, EventTimeColumns::Later(opened, closed))?;
                let range = TimeRange::Between(None, Some(*part));
                match begun.definition.kind {
                    AggregateKind::SumCount => Ok(Strategy::Difference {
                        opened: Box::new(RangedPlan { plan: begun, range }),
                        closed: Box::new(RangedPlan { plan: ended, range }),
                    }),
                    _ => Err("only sums and counts can be told for rows that run".to_owned()),
                }
            }
            timed if site.atom.date.is_some() && !timed.is_empty() => {
                self.intersection(site, plan, timed)
            }
            timed => Ok(Strategy::Merge(self.ranged(site, plan, timed)?)),
        }
    }

    /// Creates a plan that counts rows, ignoring the aggregate's own condition. The counts tell which groups
    /// have rows, and which days a snapshot has.
    pub(super) fn presence(
        &self,
        source: SourceId,
        date: Option<&Path>,
        conditions: &[NodeRef],
    ) -> Result<RollupPlan, DeclineReason> {
        let mut plan = self.start(source, AggregateKind::SumCount);
        self.narrow(&mut plan, &self.conjuncts(conditions))?;
        self.dated(plan, EventTimeColumns::of(date))
    }

    /// Creates a plan of the keys of the counted rows of an entity or event.
    fn members(&self, site: &AtomSite<'_>, fixed: &[NodeRef]) -> Result<RollupPlan, DeclineReason> {
        if site.atom.function != AggregateFunction::Count || site.atom.value.is_some() {
            return Err(PER_ROW.to_owned());
        }
        let mut plan = self.keys(site.atom.source)?;
        self.narrow(&mut plan, fixed)?;
        Ok(plan)
    }

    /// Adds an event time and a range to a plan, for rows that a condition may place in the period.
    fn ranged(
        &self,
        site: &AtomSite<'_>,
        plan: RollupPlan,
        timed: &[TimeCondition<'_>],
    ) -> Result<RangedPlan, DeclineReason> {
        let (date, range) = match (timed, &site.atom.date) {
            ([], date) => (date.as_ref(), TimeRange::Frame),
            ([only], None) if let Some(range) = only.range() => (Some(only.path()), range),
            (
                [TimeCondition::From(path, from), TimeCondition::Before(other, to)]
                | [TimeCondition::Before(other, to), TimeCondition::From(path, from)],
                None,
            ) if path == other => (Some(*path), TimeRange::Between(Some(*from), Some(*to))),
            _ => return Err(UNKEPT.to_owned()),
        };
        Ok(RangedPlan { plan: self.dated(plan, EventTimeColumns::of(date))?, range })
    }

    /// Returns the strategy for keys of rows whose linked rows a condition places in time, such as
    /// buyers who had ordered before.
    fn intersection(
        &self,
        site: &AtomSite<'_>,
        plan: RollupPlan,
        timed: &[TimeCondition<'_>],
    ) -> Result<Strategy, DeclineReason> {
        let value = site.atom.value.map(|id| NodeRef { id, ..site.node });
        let counted = value.and_then(|at| self.column(at)).filter(|path| path.links.is_empty());
        let table = self.schema.source_at(plan.source);
        let mut sets = Vec::with_capacity(timed.len());
        for timed in timed {
            let path = timed.path();
            let link = match path.links.as_slice() {
                [link] => table.and_then(|table| table.links.get(link.0)),
                _ => None,
            };
            let own = counted.filter(|_| plan.definition.kind == AggregateKind::DistinctSet);
            let link = link.filter(|link| own.is_some_and(|own| own.field == link.by));
            let link = link.ok_or(UNKEPT)?;
            let keys = self.keys(link.target)?;
            if keys.definition.keys_of != plan.definition.keys_of {
                return Err(UNKEPT.to_owned());
            }
            let range = timed.range().ok_or(UNKEPT)?;
            let plan = self.dated(keys, EventTimeColumns::By(Path::field(path.field)))?;
            sets.push(RangedPlan { plan, range });
        }
        let event_time = EventTimeColumns::of(site.atom.date.as_ref());
        Ok(Strategy::Intersection(self.dated(plan, event_time)?, sets))
    }
}
