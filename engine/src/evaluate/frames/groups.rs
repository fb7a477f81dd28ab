//! The groups of a frame: the grouping keys and the tuples of their values.

use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::check::Key;
use crate::plan::NodeRef;
use crate::schema::SourceId;
use crate::types::{Reason, Value};

/// The groups of a frame. Without keys there is one group, with an empty tuple.
#[derive(Debug, PartialEq)]
pub(crate) struct Groups {
    pub(crate) keys: Vec<GroupKey>,
    /// In order, without duplicates.
    pub(crate) tuples: Vec<Vec<GroupValue>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GroupKey {
    /// A dimension: one column in each source.
    Columns(Key),
    /// An expression of the row: its root for each source.
    Expression { name: Arc<str>, roots: Vec<(SourceId, NodeRef)> },
    /// The entity row that the row links to.
    RowOf(SourceId),
}

/// One value of a group's tuple, with a total order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GroupValue {
    Null,
    Bool(bool),
    Number(Decimal),
    Text(Arc<str>),
    Date(Date),
    Instant(Timestamp),
    Row(u32),
}

impl GroupValue {
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
    /// A single group of all rows.
    pub(crate) fn whole() -> Rc<Self> {
        Rc::new(Self::new(Vec::new(), vec![Vec::new()]))
    }

    /// Groups, sorted by tuple.
    pub(crate) fn new(keys: Vec<GroupKey>, mut tuples: Vec<Vec<GroupValue>>) -> Self {
        tuples.sort_unstable();
        tuples.dedup();
        Self { keys, tuples }
    }

    /// Whether the keys include the rows of an entity.
    pub(crate) fn is_by_row(&self) -> bool {
        self.keys.iter().any(|key| matches!(key, GroupKey::RowOf(_)))
    }

    /// One group for each row of an entity.
    pub(crate) fn rows_of(source: SourceId, rows: u32) -> Self {
        Self::new(
            vec![GroupKey::RowOf(source)],
            (0..rows).map(|row| vec![GroupValue::Row(row)]).collect(),
        )
    }

    /// The index of a tuple, tried at `near` first because sorted tuples have sorted indices.
    pub(crate) fn find_near(&self, tuple: &[GroupValue], near: usize) -> Option<usize> {
        let is_near = self.tuples.get(near).is_some_and(|own| own.as_slice() == tuple);
        if is_near { Some(near) } else { self.find(tuple) }
    }

    pub(crate) fn find(&self, tuple: &[GroupValue]) -> Option<usize> {
        self.tuples.binary_search_by(|own| own.as_slice().cmp(tuple)).ok()
    }

    /// The entity, if the groups are its rows.
    pub(crate) fn entity(&self) -> Option<SourceId> {
        match self.keys.as_slice() {
            [GroupKey::RowOf(source)] => Some(*source),
            _ => None,
        }
    }

    /// The indices of the keys that a total with `keep` retains.
    pub(crate) fn kept_keys(&self, keep: &[Key]) -> Vec<usize> {
        let keys = self.keys.iter().enumerate();
        keys.filter(|(_, key)| key.is_kept(keep)).map(|(index, _)| index).collect()
    }
}

impl GroupKey {
    /// Whether a total with `keep` retains this key.
    pub(crate) fn is_kept(&self, keep: &[Key]) -> bool {
        match self {
            Self::Columns(own) => keep.iter().any(|kept| kept.name == own.name),
            Self::Expression { name, .. } => keep.iter().any(|kept| kept.name == *name),
            Self::RowOf(_) => true,
        }
    }

    /// The root of an expression for a source.
    pub(crate) fn root(&self, source: SourceId) -> Option<NodeRef> {
        let Self::Expression { roots, .. } = self else { return None };
        roots.iter().find(|(of, _)| *of == source).map(|(_, root)| *root)
    }
}
