//! Where an expression is computed: periods, groups, filters and currency.

use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::calendar::Period;
use crate::check::{Key, NodeId};
pub(crate) use crate::plan::Owner;
use crate::schema::SourceId;
use crate::types::{Currency, Reason, Value};

/// A place to compute in; every answer has one value for each bucket and group of it.
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
    pub(crate) state: Option<End>,
    /// Where the whole request starts, for `running`.
    pub(crate) request_start: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Under `opening`: the last state before the period; events cumulate from always.
    Start,
    /// Under `closing`: the last state before its end; events cumulate from always.
    AsOf,
    /// Under `per day`: the last state within the period; events are those of the period.
    Within,
}

impl End {
    /// The instant whose state is taken, where it is not the period's own.
    pub(super) const fn instant(self, bucket: &Period) -> Option<Timestamp> {
        match self {
            Self::Start => Some(bucket.start),
            Self::AsOf => Some(bucket.as_of),
            Self::Within => None,
        }
    }
}

/// A condition of a `(x where c)` above, for each source.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filter {
    pub(crate) owner: Owner,
    pub(crate) conditions: Vec<(SourceId, NodeId)>,
}

impl Frame {
    pub(crate) fn group_count(&self) -> usize {
        self.groups.tuples.len()
    }

    /// The instant whose state is taken, where it is not the period's own.
    pub(crate) fn state_at(&self, bucket: &Period) -> Option<Timestamp> {
        self.state?.instant(bucket)
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.buckets.len().saturating_mul(self.group_count())
    }
}

/// The groups of a frame. Without keys there is one, with an empty tuple.
#[derive(Debug, PartialEq)]
pub(crate) struct Groups {
    pub(crate) keys: Vec<GroupKey>,
    /// In order, without duplicates.
    pub(crate) tuples: Vec<Vec<Part>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GroupKey {
    /// A column for each source.
    Columns(Key),
    /// The row of an entity that the row leads to.
    RowOf(SourceId),
}

/// One part of a group's tuple, in an order of its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Null,
    Bool(bool),
    Number(Decimal),
    Text(Arc<str>),
    Date(Date),
    Instant(Timestamp),
    Row(u32),
}

impl Part {
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Bool(truth) => Self::Bool(*truth),
            Value::Number(number) => Self::Number(*number),
            Value::Text(text) => Self::Text(Arc::clone(text)),
            Value::Date(date) => Self::Date(*date),
            Value::DateTime(at) => Self::Instant(*at),
            Value::Missing(_) | Value::Period(_) | Value::Span(_) | Value::List(_) => Self::Null,
        }
    }

    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Null | Self::Row(_) => Value::missing(Reason::NullValue),
            Self::Bool(truth) => Value::Bool(*truth),
            Self::Number(number) => Value::Number(*number),
            Self::Text(text) => Value::Text(Arc::clone(text)),
            Self::Date(date) => Value::Date(*date),
            Self::Instant(at) => Value::DateTime(*at),
        }
    }
}

impl Groups {
    /// One group that holds everything.
    pub(crate) fn whole() -> Rc<Self> {
        Rc::new(Self::new(Vec::new(), vec![Vec::new()]))
    }

    /// Groups in the order of their tuples.
    pub(crate) fn new(keys: Vec<GroupKey>, mut tuples: Vec<Vec<Part>>) -> Self {
        tuples.sort_unstable();
        tuples.dedup();
        Self { keys, tuples }
    }

    /// One group for each row of an entity.
    pub(crate) fn rows_of(source: SourceId, rows: u32) -> Self {
        Self::new(
            vec![GroupKey::RowOf(source)],
            (0..rows).map(|row| vec![Part::Row(row)]).collect(),
        )
    }

    /// The place of a tuple, looked for at `near` first: tuples in order have places in order.
    pub(super) fn find_near(&self, tuple: &[Part], near: usize) -> Option<usize> {
        let is_near = self.tuples.get(near).is_some_and(|own| own.as_slice() == tuple);
        if is_near { Some(near) } else { self.find(tuple) }
    }

    pub(crate) fn find(&self, tuple: &[Part]) -> Option<usize> {
        self.tuples.binary_search_by(|own| own.as_slice().cmp(tuple)).ok()
    }

    /// The entity, if the groups are its rows.
    pub(crate) fn entity(&self) -> Option<SourceId> {
        match self.keys.as_slice() {
            [GroupKey::RowOf(source)] => Some(*source),
            _ => None,
        }
    }
}
