//! Frames: the periods, groups, filters and currency under which an expression is computed.
//!
//! Every answer has one value for each bucket and group of its [`Frame`]. [`Frames`] holds the frames of an
//! evaluation and derives one from another: a window moves the periods, `where` adds a filter, `total` drops
//! groups. It reads the calendar and no rows.

mod arena;
mod frame;
mod groups;

pub(crate) use arena::{BucketRef, FrameId, Frames};
pub(crate) use frame::{Frame, Series, SnapshotAt, covers};
pub(crate) use groups::{GroupKey, GroupValue, Groups};
