//! The monthly recurring revenue of a subscription.

use super::anchor::{Interval, Unit};
use super::subscription::Subscription;
use crate::proportion::{OutOfRange, multiply, portion, sum};

/// Returns what its items bring in a month at their prices, rounded once: a month has 365 / 12 days.
pub(super) fn monthly(subscription: &Subscription) -> Result<i64, OutOfRange> {
    let prices: Vec<i64> = subscription
        .items
        .iter()
        .map(|item| multiply(item.unit_price_minor, item.quantity))
        .collect::<Result<_, _>>()?;
    per_month(sum(prices)?, subscription.interval())
}

fn per_month(amount_minor: i64, interval: Interval) -> Result<i64, OutOfRange> {
    let Interval { unit, count } = interval;
    match unit {
        Unit::Day => portion(amount_minor, 365, multiply(12, count)?),
        Unit::Week => portion(amount_minor, 365, multiply(12 * 7, count)?),
        Unit::Month => portion(amount_minor, 1, count),
        Unit::Year => portion(amount_minor, 1, multiply(12, count)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_a_twelfth_of_365_days() {
        for (amount, unit, count, monthly) in [
            (1_000, Unit::Day, 1, 30_417),
            (1_000, Unit::Week, 2, 2_173),
            (1_000, Unit::Month, 1, 1_000),
            (1_000, Unit::Month, 3, 333),
            (1_000, Unit::Year, 1, 83),
            (0, Unit::Year, 1, 0),
        ] {
            let interval = Interval { unit, count };
            assert_eq!(per_month(amount, interval), Ok(monthly), "{amount} each {interval:?}");
        }
    }
}
