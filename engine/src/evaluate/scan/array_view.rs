//! The rows of a scan that belong to one bucket.

use super::vector::Vector;

/// A range of a scan's values and group numbers.
#[derive(Clone, Copy)]
pub(super) struct ArrayView<'s> {
    pub(super) value: Option<&'s Vector>,
    /// The group of each row; `None` if there is only one group.
    pub(super) groups: Option<&'s [u32]>,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) group_count: usize,
}

impl ArrayView<'_> {
    pub(super) fn positions(&self) -> std::ops::Range<usize> {
        self.from..self.to
    }

    pub(super) fn group(&self, position: usize) -> Option<usize> {
        match self.groups {
            None => Some(0),
            Some(groups) => {
                let group = usize::try_from(*groups.get(position)?).ok()?;
                (group < self.group_count).then_some(group)
            }
        }
    }

    /// The group of each row; `None` if there is only one group.
    pub(super) fn group_numbers(&self) -> Option<&[u32]> {
        self.groups.map(|groups| groups.get(self.positions()).unwrap_or_default())
    }
}
