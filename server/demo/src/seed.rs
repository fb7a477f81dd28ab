//! Deterministic pseudo-random numbers, from which the demo store generates its made-up data.

/// A stream of numbers that depends only on a purpose and a key.
#[derive(Debug, Clone)]
pub(super) struct Seed(u64);

/// The increment between states.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Seed {
    /// Returns the stream for a purpose and a key, such as the price of product 7.
    pub(super) fn of(purpose: &str, key: u64) -> Self {
        let state = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(state ^ key.wrapping_mul(STEP))
    }

    /// Returns the stream for a purpose and a text, such as the parcel of order 536365.
    pub(super) fn of_text(purpose: &str, text: &str) -> Self {
        let key =
            text.bytes().fold(0_u64, |key, byte| key.wrapping_mul(31).wrapping_add(byte.into()));
        Self::of(purpose, key)
    }

    /// Returns the next 64 bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns the random part of an id.
    pub(super) fn id(&mut self) -> u128 {
        let (high, low) = (u128::from(self.bits()), u128::from(self.bits()));
        // An id has 80 random bits.
        (high << 16 ^ low) & 0xffff_ffff_ffff_ffff_ffff
    }

    /// Returns the random parts of ids that sort in the order of their creation.
    pub(super) fn ids(mut self) -> impl FnMut() -> u128 {
        let mut count = 0_u128;
        move || {
            count = count.wrapping_add(1);
            count << 48 | u128::from(self.bits() >> 16)
        }
    }

    /// Returns a number from `low` to `high`, both inclusive; `low` if `high` is lower.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = high.saturating_sub(low).saturating_add(1);
        let span = u64::try_from(span).unwrap_or(1).max(1);
        let part = self.bits().checked_rem(span).unwrap_or(0);
        low.saturating_add(i64::try_from(part).unwrap_or(0))
    }

    /// Returns one of the items; none if there are no items.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let count = u64::try_from(items.len()).ok()?;
        let index = self.bits().checked_rem(count)?;
        items.get(usize::try_from(index).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::Seed;

    #[test]
    fn the_same_purpose_and_key_give_the_same_numbers_and_others_give_others() {
        let first = |purpose, key| Seed::of(purpose, key).bits();
        assert_eq!(first("price", 7), first("price", 7));
        assert_ne!(first("price", 7), first("price", 8));
        assert_ne!(first("price", 7), first("cost", 7));
    }

    #[test]
    fn a_number_is_within_its_bounds() {
        let mut seed = Seed::of("bounds", 1);
        for _ in 0..1_000 {
            assert!((45..=70).contains(&seed.between(45, 70)));
        }
        assert_eq!(seed.between(3, 3), 3);
        assert_eq!(seed.between(3, 1), 3);
        assert_eq!(seed.pick::<u8>(&[]), None);
    }
}
