//! The payment summary of an order.

use serde::Serialize;
use utoipa::ToSchema;

use crate::money::{Amount, Currency};

/// The payment summary of an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SummaryView {
    paid_total: Amount,
    refunded_total: Amount,
    /// The total after returns.
    accounting_total: Amount,
    /// The amount paid with store credit.
    credit_line_total: Amount,
    /// The amount paid less the amount refunded.
    transaction_total: Amount,
    /// The amount due; negative if the store owes money.
    pending_difference: Amount,
    /// Total after returns; zero for a canceled order.
    current_order_total: Amount,
    /// The total when it was placed.
    original_order_total: Amount,
}

/// The amounts of a summary, in minor units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    pub(super) total: i64,
    /// The total of the returned items.
    pub(super) returned: i64,
    pub(super) credit: i64,
    pub(super) paid: i64,
    pub(super) refunded: i64,
    pub(super) is_canceled: bool,
}

impl SummaryView {
    pub(super) fn of(sums: &Sums, currency: Currency) -> Self {
        let money = |minor: i64| currency.amount(minor);
        // All of these are between zero and an amount that was checked when it was written.
        let current = if sums.is_canceled { 0 } else { sums.total.saturating_sub(sums.returned) };
        let moved = sums.paid.saturating_sub(sums.refunded);
        Self {
            paid_total: money(sums.paid),
            refunded_total: money(sums.refunded),
            accounting_total: money(current),
            credit_line_total: money(sums.credit),
            transaction_total: money(moved),
            pending_difference: money(current.saturating_sub(moved)),
            current_order_total: money(current),
            original_order_total: money(sums.total),
        }
    }
}
