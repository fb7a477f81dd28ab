//! The cycles ahead of a subscription in responses, with what they will cost.

use serde::Serialize;

use super::billing::Totals;
use super::error::SubscriptionError;
use super::subscription::Subscription;
use super::{queries, schedule};
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
    let mut totals = Totals::new(tx)?;
    let next = schedule::next(subscription, &skipped)?;
    let currency = subscription.currency;
    let next_totals = totals.of(tx, subscription, next.number, next.due_at)?;
    let next_totals = next_totals.map(|totals| TotalsView {
        subtotal: currency.amount(totals.items.subtotal),
        discount_total: currency.amount(totals.all.discount_total),
        shipping_total: currency.amount(totals.shipping.total),
        tax_total: currency.amount(totals.all.tax_total),
        total: currency.amount(totals.all.total),
    });
    for coming in schedule::coming(subscription, &skipped, UPCOMING) {
        let (cycle, is_skipped) = coming?;
        let total_minor = if is_skipped {
            Some(0)
        } else {
            let totals = totals.of(tx, subscription, cycle.number, cycle.due_at)?;
            totals.map(|totals| totals.all.total)
        };
        upcoming.push(UpcomingView {
            cycle: cycle.number,
            at: cycle.due_at,
            total: total_minor.map(|minor| currency.amount(minor)),
            skipped: is_skipped,
        });
    }
    Ok((next_totals, upcoming))
}
