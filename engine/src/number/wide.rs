//! A 256-bit unsigned integer, which holds an exact result before rounding.

/// A 256-bit unsigned integer. The derived order compares `high` first, so that must stay the first field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct U256 {
    /// The upper 128 bits.
    pub(super) high: u128,
    /// The lower 128 bits.
    pub(super) low: u128,
}

/// The exponent of the largest power of ten in 64 bits: 10^19.
const CHUNK_DIGITS: u32 = 19;

/// Returns 10 to the power of `digits`; `None` above 10^38, the largest in 128 bits.
pub(super) const fn power_of_ten(digits: u32) -> Option<u128> {
    10_u128.checked_pow(digits)
}

/// Returns the number of decimal digits; zero has none.
pub(super) fn digit_count(number: u128) -> u32 {
    number.checked_ilog10().map_or(0, |log| log.saturating_add(1))
}

impl U256 {
    pub(super) const ZERO: Self = Self { high: 0, low: 0 };

    pub(super) fn product(left: u128, right: u128) -> Self {
        let (low, high) = left.carrying_mul(right, 0);
        Self { high, low }
    }

    pub(super) const fn is_zero(self) -> bool {
        self.high == 0 && self.low == 0
    }

    pub(super) fn checked_add(self, other: Self) -> Option<Self> {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.checked_add(other.high)?.checked_add(u128::from(carry))?;
        Some(Self { high, low })
    }

    /// Returns the difference; `None` if it is negative.
    pub(super) fn checked_sub(self, other: Self) -> Option<Self> {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self.high.checked_sub(other.high)?.checked_sub(u128::from(borrow))?;
        Some(Self { high, low })
    }

    /// Returns the product; `None` above 256 bits.
    pub(super) fn checked_mul(self, factor: u128) -> Option<Self> {
        let lower = Self::product(self.low, factor);
        let upper = Self::product(self.high, factor);
        if upper.high != 0 {
            return None;
        }
        Some(Self { high: lower.high.checked_add(upper.low)?, low: lower.low })
    }

    /// Returns the product with 10^`digits`; `None` above 256 bits.
    pub(super) fn scaled_up(self, digits: u32) -> Option<Self> {
        if self.is_zero() {
            return Some(self);
        }
        let mut left = digits;
        let mut product = self;
        while left > 0 {
            let step = left.min(CHUNK_DIGITS);
            product = product.checked_mul(power_of_ten(step)?)?;
            left = left.saturating_sub(step);
        }
        Some(product)
    }

    /// Returns quotient and remainder for a non-zero 64-bit divisor.
    fn divide_small(self, divisor: u64) -> (Self, u128) {
        const HALF: u32 = 64;
        const MASK: u128 = 0xffff_ffff_ffff_ffff;
        let divisor = u128::from(divisor);
        let mut remainder = 0_u128;
        let mut step = |limb: u128| {
            // The remainder is below 2^64, so the shift loses nothing.
            let part = remainder << HALF | limb;
            let quotient = part.checked_div(divisor).unwrap_or(0);
            remainder = part.checked_rem(divisor).unwrap_or(0);
            quotient
        };
        let high = step(self.high >> HALF) << HALF | step(self.high & MASK);
        let low = step(self.low >> HALF) << HALF | step(self.low & MASK);
        (Self { high, low }, remainder)
    }

    /// Divides by 10^`digits`, rounding down; the flag tells whether a remainder was lost.
    pub(super) fn scaled_down(self, digits: u32) -> (Self, bool) {
        let mut left = digits;
        let mut quotient = self;
        let mut lost = false;
        while left > 0 && !quotient.is_zero() {
            let step = left.min(CHUNK_DIGITS);
            let divisor = 10_u64.checked_pow(step).unwrap_or(u64::MAX);
            let (next, remainder) = quotient.divide_small(divisor);
            lost |= remainder != 0;
            quotient = next;
            left = left.saturating_sub(step);
        }
        (quotient, lost)
    }

    /// Divides by 10^`digits`, at least one digit, half-even; the result must fit in 128 bits.
    /// `has_more` tells that the true number is slightly larger.
    pub(super) fn rounded(self, digits: u32, has_more: bool) -> u128 {
        let (kept, lost) = self.scaled_down(digits.saturating_sub(1));
        let (kept, last_digit) = kept.divide_small(10);
        let beyond_half = lost || has_more;
        let rounds_up = last_digit > 5 || (last_digit == 5 && (beyond_half || kept.low & 1 == 1));
        kept.low.saturating_add(u128::from(rounds_up))
    }

    /// Returns the number of decimal digits; zero has none.
    pub(super) fn digit_count(self) -> u32 {
        let mut count = 0_u32;
        let mut rest = self;
        while rest.high != 0 {
            rest = rest.divide_small(10_000_000_000_000_000_000).0;
            count = count.saturating_add(CHUNK_DIGITS);
        }
        count.saturating_add(digit_count(rest.low))
    }

    fn bit_count(self) -> u32 {
        match self.high {
            0 => 128_u32.saturating_sub(self.low.leading_zeros()),
            high => 256_u32.saturating_sub(high.leading_zeros()),
        }
    }

    /// Shifts to the left; bits above the top are lost.
    pub(super) fn shifted_left(self, bits: u32) -> Self {
        match bits {
            0 => self,
            1..=127 => {
                let carried = self.low >> 128_u32.saturating_sub(bits);
                Self { high: self.high << bits | carried, low: self.low << bits }
            }
            _ => {
                let high = self.low.checked_shl(bits.saturating_sub(128)).unwrap_or(0);
                Self { high, low: 0 }
            }
        }
    }

    /// Shifts to the right; bits below the bottom are lost.
    pub(super) fn shifted_right(self, bits: u32) -> Self {
        match bits {
            0 => self,
            1..=127 => {
                let carried = self.high << 128_u32.saturating_sub(bits);
                Self { high: self.high >> bits, low: self.low >> bits | carried }
            }
            _ => {
                let low = self.high.checked_shr(bits.saturating_sub(128)).unwrap_or(0);
                Self { high: 0, low }
            }
        }
    }

    /// Returns quotient and remainder, bit by bit; `None` for a division by zero.
    pub(super) fn divide(self, divisor: Self) -> Option<(Self, Self)> {
        if divisor.is_zero() {
            return None;
        }
        let mut quotient = Self::ZERO;
        let mut remainder = self;
        let excess = self.bit_count().saturating_sub(divisor.bit_count());
        for shift in (0..=excess).rev() {
            quotient = quotient.shifted_left(1);
            if let Some(rest) = remainder.checked_sub(divisor.shifted_left(shift)) {
                remainder = rest;
                quotient.low |= 1;
            }
        }
        Some((quotient, remainder))
    }

    /// Returns the square root rounded down; the flag tells whether a remainder was lost.
    pub(super) fn square_root(self) -> (Self, bool) {
        let mut root = Self::ZERO;
        let mut rest = self;
        for bit in (0..128_u32).rev() {
            // Adding 2^bit to the root adds 2^bit * (2 * root + 2^bit) to its square.
            let place = Self { high: 0, low: 1 }.shifted_left(bit);
            let Some(sum) = root.shifted_left(1).checked_add(place) else { continue };
            if sum.bit_count().saturating_add(bit) > 256 {
                continue;
            }
            if let Some(left) = rest.checked_sub(sum.shifted_left(bit)) {
                rest = left;
                root.low |= place.low;
            }
        }
        (root, !rest.is_zero())
    }
}

impl From<u128> for U256 {
    fn from(low: u128) -> Self {
        Self { high: 0, low }
    }
}
