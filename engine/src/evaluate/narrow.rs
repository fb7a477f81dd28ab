//! Frames for what is computed inside rows: one bucket, and a group for each row or none.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::frame::{Frame, Groups};
use crate::schema::SourceId;

impl Evaluator<'_> {
    /// The frame of one bucket with a group for each row of an entity.
    pub(super) fn entity_frame(&mut self, source: SourceId, frame: usize, bucket: usize) -> usize {
        let rows = self.data().map_or(0, |data| data.row_count(source));
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        let groups =
            self.entities.entry(source).or_insert_with(|| Rc::new(Groups::rows_of(source, rows)));
        let groups = Rc::clone(groups);
        self.narrow_frame(frame, bucket, groups)
    }

    /// The frame of one bucket without groups.
    pub(super) fn ungrouped_frame(&mut self, frame: usize, bucket: usize) -> usize {
        let groups = self.whole_groups();
        self.narrow_frame(frame, bucket, groups)
    }

    /// The one instance of "no groups", so that frames can be compared by it.
    pub(super) fn whole_groups(&self) -> Rc<Groups> {
        self.frames.first().map_or_else(Groups::whole, |first| {
            if first.groups.keys.is_empty() { Rc::clone(&first.groups) } else { Groups::whole() }
        })
    }

    fn narrow_frame(&mut self, frame: usize, bucket: usize, groups: Rc<Groups>) -> usize {
        let Some(outer) = self.frame(frame).cloned() else { return frame };
        let bucket = outer.buckets.get(bucket).copied().into_iter().collect();
        // Only the value above the row is converted, not what it is computed from.
        self.intern(Frame { buckets: bucket, groups, currency: None, ..outer })
    }
}
