//! The payment summary of an order.

use serde::Serialize;
use utoipa::ToSchema;

use crate::money::{Amount, Currency};

/// Where the money of an order stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SummaryView {
    paid_total: Amount,
    refunded_total: Amount,
    /// What it costs after returns.
    accounting_total: Amount,
    /// Part that store credit paid.
    credit_line_total: Amount,
    /// Paid less given back.
    transaction_total: Amount,
    /// What is still to be paid; below zero what is to be given back.
    pending_difference: Amount,
    /// Total after returns; zero for a canceled order.
    current_order_total: Amount,
    /// What it cost when it was placed.
    original_order_total: Amount,
}

/// The amounts of a summary, in minor units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    pub(super) total: i64,
    /// What came back, at its price.
    pub(super) returned: i64,
    pub(super) credit: i64,
    pub(super) paid: i64,
    pub(super) refunded: i64,
    pub(super) is_canceled: bool,
}

impl SummaryView {
    pub(super) fn of(sums: &Sums, currency: Currency) -> Self {
        let money = |minor: i64| currency.amount(minor);
        // Every one of these is between zero and an amount that was checked when it was written.
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
