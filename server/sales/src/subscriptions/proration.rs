//! What a change within a paid period costs.
//!
//! The part of a price `p` that is used up at `t` of a period `[s, e)` is `p (t - s) / (e - s)`, rounded once to a minor
//! unit, half away from zero. Differences of such parts add up: a chain of changes at one price costs exactly that price.

use crate::clock::Timestamp;
use crate::proportion::{OutOfRange, portion, subtract};

/// A paid period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub start: Timestamp,
    pub end: Timestamp,
}

/// The amounts of a change, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proration {
    /// The unused part of the old price.
    pub credit_minor: i64,
    /// The part of the new price for the rest of the period.
    pub charge_minor: i64,
    /// The charge less the credit; negative if the customer gets money.
    pub net_minor: i64,
}

/// Returns what it costs to change from one price of a whole period to another at `at`, a time within the period.
///
/// # Errors
/// If an amount is out of range.
pub fn change(period: Period, at: Timestamp, prices: (i64, i64)) -> Result<Proration, OutOfRange> {
    let (old_minor, new_minor) = prices;
    let credit_minor = subtract(old_minor, used(period, at, old_minor)?)?;
    let charge_minor = subtract(new_minor, used(period, at, new_minor)?)?;
    Ok(Proration { credit_minor, charge_minor, net_minor: subtract(charge_minor, credit_minor)? })
}

/// Returns the part of a price that is used up at a time.
fn used(period: Period, at: Timestamp, price_minor: i64) -> Result<i64, OutOfRange> {
    let at = at.clamp(period.start, period.end);
    let passed = subtract(at.as_millis(), period.start.as_millis())?;
    let whole = subtract(period.end.as_millis(), period.start.as_millis())?;
    if whole == 0 { Ok(price_minor) } else { portion(price_minor, passed, whole) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn february() -> Period {
        Period { start: at("2026-01-31T09:00:00.000Z"), end: at("2026-02-28T09:00:00.000Z") }
    }

    #[test]
    fn a_swap_in_the_middle_credits_the_rest_and_charges_the_rest() {
        let change = change(february(), at("2026-02-10T15:30:00.000Z"), (3_000, 4_500)).unwrap();
        assert_eq!(change, Proration { credit_minor: 1_900, charge_minor: 2_849, net_minor: 949 });
    }

    proptest! {
        #[test]
        fn a_chain_of_changes_at_one_price_costs_nothing_and_there_and_back_too(
            price in 0_i64..10_000_000, other in 0_i64..10_000_000, share in 0_i64..1_000,
        ) {
            let period = february();
            let when = period.start.plus_ms(portion(2_419_200_000, share, 1_000).unwrap());
            let there = change(period, when, (price, other)).unwrap();
            let back = change(period, when, (other, price)).unwrap();
            prop_assert_eq!(there.net_minor, back.net_minor.saturating_neg());
            prop_assert_eq!(change(period, when, (price, price)).unwrap().net_minor, 0);
        }
    }
}
