//! Random numbers that are the same in every run.

/// A sequence of them.
#[derive(Debug)]
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    /// Returns a number from 0 up to, but excluding, `limit`.
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 33)
            .ok()
            .and_then(|bits| bits.checked_rem(limit))
            .unwrap_or_default()
    }
}
