//! Where an expression is computed: periods, groups, filters and currency.
//!
//! A [`Frame`] is one such place; every answer has one value for each of its buckets and groups.
//! [`Frames`] keeps the frames of an evaluation and makes one from another: a window moves the
//! periods, `where` adds a filter, `total` drops groups. It reads the calendar and no rows.

mod arena;
mod frame;
mod groups;

pub(crate) use arena::{BucketRef, FrameId, Frames};
pub(crate) use frame::{Frame, Series, SnapshotAt};
pub(crate) use groups::{GroupKey, Groups, Part};
