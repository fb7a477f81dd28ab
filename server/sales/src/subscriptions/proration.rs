//! The cost of a change within a paid period.
//!
//! The part of a price `p` that is used up at `t` of a period `[s, e)` is `p (t - s) / (e - s)`, rounded once to a minor
//! unit, half away from zero. Differences of such parts add up: a chain of changes at one price costs exactly that price.

use crate::clock::Timestamp;
use crate::proportion::{OutOfRange, add, portion, subtract};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub start: Timestamp,
    pub end: Timestamp,
}

impl Period {
    /// Returns the part of an amount for the whole period that is not used up at a time.
    pub fn unused(self, at: Timestamp, amount_minor: i64) -> Result<i64, OutOfRange> {
        let at = at.clamp(self.start, self.end);
        let passed = subtract(at.as_millis(), self.start.as_millis())?;
        let whole = subtract(self.end.as_millis(), self.start.as_millis())?;
        if whole == 0 {
            Ok(0)
        } else {
            subtract(amount_minor, portion(amount_minor, passed, whole)?)
        }
    }
}

/// The price of a whole period, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// With tax.
    pub total_minor: i64,
    pub tax_minor: i64,
}

/// The amounts of a change, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proration {
    /// The unused part of the old price, with tax.
    pub credit_minor: i64,
    pub credit_tax_minor: i64,
    /// The part of the new price for the rest of the period, with tax.
    pub charge_minor: i64,
    pub charge_tax_minor: i64,
    /// The part of the credit that refunds of earlier changes have already given back.
    pub refunded_minor: i64,
    /// The charge less the rest of the credit; negative if the customer gets money.
    pub net_minor: i64,
}

impl Proration {
    /// Limits the credit to what was paid for the rest of the period: `unpaid_minor` of its price was a discount, or is refunded.
    pub fn limited(self, unpaid_minor: i64) -> Result<Self, OutOfRange> {
        let most_minor = subtract(self.credit_minor, unpaid_minor)?.max(0);
        let net_minor = self.net_minor.max(subtract(0, most_minor)?);
        if net_minor == self.net_minor {
            return Ok(self);
        }
        let credit_minor = subtract(self.charge_minor, net_minor)?;
        let credit_tax_minor =
            portion(self.credit_tax_minor, credit_minor, self.credit_minor.max(1))?;
        Ok(Self { credit_minor, credit_tax_minor, net_minor, ..self })
    }

    /// Gives back nothing that was refunded already: `refunded_minor` of the charges of earlier changes within the period.
    pub fn less_refunds(self, refunded_minor: i64) -> Result<Self, OutOfRange> {
        let refunded_minor = refunded_minor.min(subtract(0, self.net_minor)?).max(0);
        Ok(Self { refunded_minor, net_minor: add(self.net_minor, refunded_minor)?, ..self })
    }

    /// Returns the credit that no refund has given back.
    pub fn credited_minor(&self) -> Result<i64, OutOfRange> {
        subtract(self.credit_minor, self.refunded_minor)
    }
}

/// Returns the cost of changing from one price to another at `at`, an instant within the period. Taxes are divided like
/// prices, so that they add up as well.
pub fn change(
    period: Period,
    at: Timestamp,
    old: Price,
    new: Price,
) -> Result<Proration, OutOfRange> {
    let unused = |price_minor: i64| period.unused(at, price_minor);
    let (credit_minor, charge_minor) = (unused(old.total_minor)?, unused(new.total_minor)?);
    Ok(Proration {
        credit_minor,
        credit_tax_minor: unused(old.tax_minor)?,
        charge_minor,
        charge_tax_minor: unused(new.tax_minor)?,
        refunded_minor: 0,
        net_minor: subtract(charge_minor, credit_minor)?,
    })
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

    /// A price with a tax of 20 %.
    fn price(total_minor: i64) -> Price {
        Price { total_minor, tax_minor: portion(total_minor, 1, 6).unwrap() }
    }

    #[test]
    fn a_swap_in_the_middle_credits_the_rest_and_charges_the_rest() {
        let at = at("2026-02-10T15:30:00.000Z");
        let change = change(february(), at, price(3_000), price(4_500)).unwrap();
        assert_eq!(
            change,
            Proration {
                credit_minor: 1_900,
                // 183 of 500 and 275 of 750 are used up.
                credit_tax_minor: 317,
                charge_minor: 2_849,
                charge_tax_minor: 475,
                refunded_minor: 0,
                net_minor: 949,
            }
        );
    }

    #[test]
    fn no_more_is_given_back_than_was_paid_for_the_rest() {
        let down = change(february(), at("2026-02-14T09:00:00.000Z"), price(3_000), price(1_200));
        let down = down.unwrap();
        // Half of the period is left.
        assert_eq!((down.credit_minor, down.charge_minor, down.net_minor), (1_500, 600, -900));
        for (unpaid_minor, credit_minor, credit_tax_minor) in
            [(0, 1_500, 250), (600, 1_500, 250), (1_000, 1_100, 183), (3_000, 600, 100)]
        {
            let limited = down.limited(unpaid_minor).unwrap();
            let expected =
                Proration { credit_minor, credit_tax_minor, net_minor: 600 - credit_minor, ..down };
            assert_eq!(limited, expected, "{unpaid_minor}");
        }
        let up = change(february(), at("2026-02-14T09:00:00.000Z"), price(1_200), price(3_000));
        assert_eq!(up.unwrap().limited(1_200), up, "what is charged is the difference");
    }

    #[test]
    fn what_a_refund_gave_back_is_not_given_back_again() {
        let at = at("2026-02-14T09:00:00.000Z");
        let down = change(february(), at, price(3_000), price(1_200)).unwrap();
        for (refunded_minor, deducted_minor) in [(0, 0), (300, 300), (900, 900), (1_000, 900)] {
            let less = down.less_refunds(refunded_minor).unwrap();
            let expected = (deducted_minor, deducted_minor - 900, Ok(1_500 - deducted_minor));
            let amounts = (less.refunded_minor, less.net_minor, less.credited_minor());
            assert_eq!(amounts, expected, "{refunded_minor}");
        }
        let up = change(february(), at, price(1_200), price(3_000)).unwrap();
        assert_eq!(up.less_refunds(300), Ok(up), "what is charged is the difference");
    }

    proptest! {
        #[test]
        fn a_chain_of_changes_at_one_price_costs_nothing_and_there_and_back_too(
            one in 0_i64..10_000_000, other in 0_i64..10_000_000, share in 0_i64..1_000,
        ) {
            let period = february();
            let when = period.start.plus_ms(portion(2_419_200_000, share, 1_000).unwrap());
            let (one, other) = (price(one), price(other));
            let there = change(period, when, one, other).unwrap();
            let back = change(period, when, other, one).unwrap();
            prop_assert_eq!(there.net_minor, back.net_minor.saturating_neg());
            prop_assert_eq!(there.credit_tax_minor, back.charge_tax_minor);
            prop_assert_eq!(change(period, when, one, one).unwrap().net_minor, 0);
        }
    }
}
