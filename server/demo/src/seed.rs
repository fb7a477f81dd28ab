//! Numbers that look random and are the same every time: what a demo store makes up, it makes up from these.

/// A stream of numbers that depends on what it is for and on a key, and on nothing else.
#[derive(Debug, Clone)]
pub(super) struct Seed(u64);

/// What keeps neighbouring states apart.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Seed {
    /// The stream for a purpose and a key, such as the price of product 7.
    pub(super) fn of(purpose: &str, key: u64) -> Self {
        let state = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(state ^ key.wrapping_mul(STEP))
    }

    /// The next 64 bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The random part of an id.
    pub(super) fn id(&mut self) -> u128 {
        let (high, low) = (u128::from(self.bits()), u128::from(self.bits()));
        // An id has room for 80 bits.
        (high << 16 ^ low) & 0xffff_ffff_ffff_ffff_ffff
    }

    /// The random parts of ids that sort as they are made.
    pub(super) fn ids(mut self) -> impl FnMut() -> u128 {
        let mut count = 0_u128;
        move || {
            count = count.wrapping_add(1);
            count << 48 | u128::from(self.bits() >> 16)
        }
    }

    /// A whole number from `low` to `high`, both included; `low` when they are the wrong way round.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = high.saturating_sub(low).saturating_add(1);
        let span = u64::try_from(span).unwrap_or(1).max(1);
        let part = self.bits().checked_rem(span).unwrap_or(0);
        low.saturating_add(i64::try_from(part).unwrap_or(0))
    }

    /// One of the items; none of none.
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
