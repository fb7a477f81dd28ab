//! The cycles ahead of a subscription in responses, with what they will cost.

use serde::Serialize;

use super::error::SubscriptionError;
use super::schedule::{self, Ahead};
use super::subscription::{Item, Subscription};
use super::{billing, queries};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::money::Amount;

/// Cycles ahead that a subscription shows.
const UPCOMING: i64 = 6;

/// What a cycle costs.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SubscriptionTotals)]
pub(super) struct TotalsView {
    subtotal: Amount,
    discount_total: Amount,
    shipping_total: Amount,
    tax_total: Amount,
    total: Amount,
}

/// A cycle ahead.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = UpcomingCycle)]
pub(super) struct UpcomingView {
    cycle: i64,
    at: Timestamp,
    /// Its cost with current taxes and shipping prices, before credit; null if it cannot be shipped.
    total: Option<Amount>,
    skipped: bool,
}

/// Returns the cost of the next cycle, which the billing function computes, and the next cycles. A subscription that has
/// ended has neither.
pub(super) fn read(
    tx: &Tx<'_>,
    subscription: &Subscription,
) -> Result<(Option<TotalsView>, Vec<UpcomingView>), SubscriptionError> {
    let mut upcoming = Vec::new();
    if subscription.status.is_final() {
        return Ok((None, upcoming));
    }
    let skipped = queries::skipped_after(tx, &subscription.id, subscription.cycle)?;
    let totals_of = |cycle: Ahead| {
        let bill = billing::compute(tx, subscription, cycle.number, cycle.due_at);
        bill.ok().map(|bill| bill.cart.totals)
    };
    let once = subscription.next_shipping_address.as_ref();
    let once = once.map(|_| billing::next(tx, subscription)).transpose()?.map(|(number, _)| number);
    let mut previous = schedule::next(subscription, &skipped)?;
    let mut totals = totals_of(previous);
    let currency = subscription.currency;
    let next_totals = totals.map(|totals| TotalsView {
        subtotal: currency.amount(totals.items.subtotal),
        discount_total: currency.amount(totals.all.discount_total),
        shipping_total: currency.amount(totals.shipping.total),
        tax_total: currency.amount(totals.all.tax_total),
        total: currency.amount(totals.all.total),
    });
    for coming in schedule::coming(subscription, &skipped, UPCOMING) {
        let (cycle, is_skipped) = coming?;
        if !is_skipped {
            if is_another_bill(subscription, once, previous, cycle) {
                totals = totals_of(cycle);
            }
            previous = cycle;
        }
        upcoming.push(UpcomingView {
            cycle: cycle.number,
            at: cycle.due_at,
            total: if is_skipped {
                Some(currency.amount(0))
            } else {
                totals.map(|totals| currency.amount(totals.all.total))
            },
            skipped: is_skipped,
        });
    }
    Ok((next_totals, upcoming))
}

/// Returns whether a cycle is billed for different items, or to a different address, than the preceding one; `once` is
/// the number of the cycle with a one-time address.
fn is_another_bill(
    subscription: &Subscription,
    once: Option<i64>,
    before: Ahead,
    cycle: Ahead,
) -> bool {
    let is_moved = (Some(before.number) == once) != (Some(cycle.number) == once);
    let is_replaced =
        |item: &Item| item.next_at(before.due_at).is_some() != item.next_at(cycle.due_at).is_some();
    is_moved || subscription.items.iter().any(is_replaced)
}
