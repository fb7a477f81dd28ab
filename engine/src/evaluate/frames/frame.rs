//! A frame: the context in which an expression is computed.

use std::rc::Rc;

use jiff::Timestamp;

use super::groups::Groups;
use crate::calendar::{Calendar, Period};
use crate::check::{Atom, NodeId};
use crate::plan::{NodeRef, Owner};
use crate::schema::{Coverage, SourceId};
use crate::types::{Currency, Value};

/// One value for each bucket and group of a frame, bucket by bucket.
pub(crate) type Series = Rc<Vec<Value>>;

/// The periods, groups, filters and currency under which an expression is computed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frame {
    pub(crate) buckets: Vec<Period>,
    pub(crate) groups: Rc<Groups>,
    pub(crate) filters: Vec<Filter>,
    /// The target currency of all amounts, if any.
    pub(crate) currency: Option<Currency>,
    /// Whether the period differs from the requested one, so that values of a record do not apply.
    pub(crate) shifted: bool,
    /// Set if the state of a snapshot is taken at a given time.
    pub(crate) state: Option<SnapshotAt>,
    /// The whole period of the request, for `running` and `overall`.
    pub(crate) request: Period,
    /// The present, or the end of the sources' coverage if that is earlier: no window sees anything
    /// later.
    pub(crate) known_until: Timestamp,
}

/// The time at which a snapshot's state is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SnapshotAt {
    /// Under `opening`: the last state before the period; events accumulate from the beginning.
    Start,
    /// Under `closing`: the last state before the period's end; events accumulate from the beginning.
    AsOf,
    /// Under `per day`: the last state within the period; only events of the period count.
    Within,
}

impl SnapshotAt {
    /// The instant of the state; `None` if the period's own state is used.
    pub(crate) const fn instant(self, bucket: &Period) -> Option<Timestamp> {
        match self {
            Self::Start => Some(bucket.start),
            Self::AsOf => Some(bucket.as_of),
            Self::Within => None,
        }
    }
}

/// Whether a source covers any part that a bucket looks at: its elapsed part, or everything before the state at its start.
pub(crate) fn covers(
    coverage: Coverage,
    (state, bucket): (Option<SnapshotAt>, &Period),
    calendar: &Calendar,
) -> bool {
    let first = calendar.start_of_day(coverage.first);
    let after = coverage.last.tomorrow().ok().and_then(|day| calendar.start_of_day(day));
    let (start, end) = match state {
        Some(SnapshotAt::Start) => (Timestamp::MIN, bucket.start),
        Some(SnapshotAt::AsOf | SnapshotAt::Within) | None => (bucket.start, bucket.as_of),
    };
    first.zip(after).is_some_and(|(first, after)| end > first && start < after)
}

/// The condition of a `(x where c)` around an expression, for each source below `x`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filter {
    pub(crate) owner: Owner,
    pub(crate) conditions: Vec<(SourceId, NodeId)>,
}

impl Frame {
    pub(crate) fn group_count(&self) -> usize {
        self.groups.tuples.len()
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.buckets.len().saturating_mul(self.group_count())
    }

    /// The instant of the state; `None` if the period's own state is used.
    pub(crate) fn state_at(&self, bucket: &Period) -> Option<Timestamp> {
        self.state?.instant(bucket)
    }

    /// Whether nothing of a bucket is known yet, nor the state at its start.
    pub(crate) fn is_unbegun(&self, bucket: &Period) -> bool {
        match self.state {
            Some(SnapshotAt::Start) => bucket.as_of < bucket.start,
            Some(SnapshotAt::AsOf | SnapshotAt::Within) | None => bucket.is_unbegun(),
        }
    }

    /// The filters on the rows of one source.
    pub(crate) fn filters_on(&self, source: SourceId) -> impl Iterator<Item = NodeRef> {
        self.filters.iter().flat_map(move |filter| {
            let own = filter.conditions.iter().filter(move |(of, _)| *of == source);
            own.map(|(_, id)| NodeRef { owner: filter.owner, id: *id })
        })
    }

    /// All conditions on the rows of an aggregate: its own, its population's, and the surrounding filters.
    pub(crate) fn conditions(&self, owner: Owner, atom: &Atom) -> Vec<NodeRef> {
        let own = atom.row_condition().map(|id| NodeRef { owner, id });
        self.standing_conditions(owner, atom).into_iter().chain(own).collect()
    }

    /// The conditions that also restrict the groups of an aggregate: its population's and the surrounding filters.
    pub(crate) fn standing_conditions(&self, owner: Owner, atom: &Atom) -> Vec<NodeRef> {
        let population = atom.population.map(|id| NodeRef { owner, id });
        population.into_iter().chain(self.filters_on(atom.source)).collect()
    }
}
