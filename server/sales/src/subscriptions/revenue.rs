//! The monthly recurring revenue of a subscription.

use super::anchor::{Interval, Unit};
use super::billing;
use super::error::SubscriptionError;
use super::subscription::Subscription;
use crate::database::Tx;
use crate::proportion::{OutOfRange, multiply, portion, sum};

/// Returns the monthly revenue of its items at their prices without tax, rounded once: a month has 365 / 12
/// days.
pub(super) fn monthly(tx: &Tx<'_>, subscription: &Subscription) -> Result<i64, SubscriptionError> {
    let is_net = !subscription.items.iter().any(|item| item.is_tax_inclusive);
    let untaxed = if is_net { None } else { billing::items_without_tax(tx, subscription)? };
    let amount_minor = match untaxed {
        Some(untaxed_minor) => untaxed_minor,
        None => at_prices(subscription)?,
    };
    Ok(per_month(amount_minor, subscription.interval())?)
}

fn at_prices(subscription: &Subscription) -> Result<i64, OutOfRange> {
    let prices = subscription.items.iter();
    let prices = prices.map(|item| multiply(item.unit_price_minor, item.quantity));
    sum(prices.collect::<Result<Vec<i64>, _>>()?)
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
