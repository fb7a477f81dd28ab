//! A place to compute in.

use std::rc::Rc;

use jiff::Timestamp;

use super::groups::Groups;
use crate::calendar::Period;
use crate::check::{AggregateFunction, Atom, NodeId};
use crate::plan::{NodeRef, Owner};
use crate::schema::SourceId;
use crate::types::{Currency, Value};

/// One value for each bucket and group of a frame, bucket by bucket.
pub(crate) type Series = Rc<Vec<Value>>;

/// Periods, groups, filters and currency that an expression is computed under.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frame {
    pub(crate) buckets: Vec<Period>,
    pub(crate) groups: Rc<Groups>,
    pub(crate) filters: Vec<Filter>,
    /// The currency every amount is converted to, if any.
    pub(crate) currency: Option<Currency>,
    /// Whether the period is another than the one asked for, so that values of a record do not apply.
    pub(crate) shifted: bool,
    /// Set where a snapshot's state is taken at one time.
    pub(crate) state: Option<SnapshotAt>,
    /// Where the whole request starts, for `running`.
    pub(crate) request_start: Timestamp,
}

/// When the state of a snapshot is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SnapshotAt {
    /// Under `opening`: the last state before the period; events cumulate from always.
    Start,
    /// Under `closing`: the last state before its end; events cumulate from always.
    AsOf,
    /// Under `per day`: the last state within the period; events are those of the period.
    Within,
}

impl SnapshotAt {
    /// The instant whose state is taken; `None` where it is the period's own.
    pub(crate) const fn instant(self, bucket: &Period) -> Option<Timestamp> {
        match self {
            Self::Start => Some(bucket.start),
            Self::AsOf => Some(bucket.as_of),
            Self::Within => None,
        }
    }
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

    /// The instant whose state is taken; `None` where it is the period's own.
    pub(crate) fn state_at(&self, bucket: &Period) -> Option<Timestamp> {
        self.state?.instant(bucket)
    }

    /// The filters on the rows of one source.
    pub(crate) fn filters_on(&self, source: SourceId) -> impl Iterator<Item = NodeRef> {
        self.filters.iter().flat_map(move |filter| {
            let own = filter.conditions.iter().filter(move |(of, _)| *of == source);
            own.map(|(_, id)| NodeRef { owner: filter.owner, id: *id })
        })
    }

    /// Everything that narrows the rows of an aggregate: its own condition, its population, and the
    /// filters around it.
    pub(crate) fn conditions(&self, owner: Owner, atom: &Atom) -> Vec<NodeRef> {
        // What `share_of` counts does not narrow what it is a share of.
        let counted = atom.function == AggregateFunction::ShareOf && atom.value.is_none();
        let own = atom.condition.filter(|_| !counted).map(|id| NodeRef { owner, id });
        self.standing_conditions(owner, atom).into_iter().chain(own).collect()
    }

    /// What narrows the groups of an aggregate too: its population and the filters around it.
    pub(crate) fn standing_conditions(&self, owner: Owner, atom: &Atom) -> Vec<NodeRef> {
        let population = atom.population.map(|id| NodeRef { owner, id });
        population.into_iter().chain(self.filters_on(atom.source)).collect()
    }
}
