//! Where an expression is computed: periods, groups, filters and currency.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::calendar::Period;
use crate::check::{Key, NodeId};
use crate::schema::SourceId;
use crate::types::{Currency, Reason, Value};

/// Which formula a node belongs to: a metric, or one of those asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// A metric of the engine, by index.
    Metric(usize),
    /// A formula of the request, by index.
    Asked(usize),
}

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
        match self.state? {
            End::Start => Some(bucket.start),
            End::AsOf => Some(bucket.as_of),
            End::Within => None,
        }
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.buckets.len().saturating_mul(self.group_count())
    }
}

/// The groups of a frame. Without keys there is one, with an empty tuple.
#[derive(Debug, PartialEq)]
pub(crate) struct Groups {
    pub(crate) keys: Vec<GroupKey>,
    pub(crate) tuples: Vec<Vec<Part>>,
    index: BTreeMap<Vec<Part>, usize>,
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
        let index =
            tuples.iter().enumerate().map(|(index, tuple)| (tuple.clone(), index)).collect();
        Self { keys, tuples, index }
    }

    /// One group for each row of an entity.
    pub(crate) fn rows_of(source: SourceId, rows: u32) -> Self {
        Self::new(
            vec![GroupKey::RowOf(source)],
            (0..rows).map(|row| vec![Part::Row(row)]).collect(),
        )
    }

    pub(crate) fn find(&self, tuple: &[Part]) -> Option<usize> {
        self.index.get(tuple).copied()
    }

    /// The entity, if the groups are its rows.
    pub(crate) fn entity(&self) -> Option<SourceId> {
        match self.keys.as_slice() {
            [GroupKey::RowOf(source)] => Some(*source),
            _ => None,
        }
    }
}
