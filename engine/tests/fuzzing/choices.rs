//! Bytes as choices. Where the bytes end, every choice is the first, which is the smallest.

#![expect(clippy::arithmetic_side_effects, reason = "counts are above zero")]

/// Choices that are left.
#[derive(Debug)]
pub(super) struct Choices<'b>(pub(super) &'b [u8]);

impl Choices<'_> {
    pub(super) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `count`.
    pub(super) fn below(&mut self, count: u8) -> i32 {
        i32::from(self.byte() % count)
    }
}
