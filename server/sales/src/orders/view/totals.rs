//! The payment summary of an order, and the money that moved for it.

use serde::Serialize;

use super::OrderView;
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::{self, OrderId, OrderTransactionId};
use crate::money::{Amount, Currency};
use crate::payments;

/// The payment summary of an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SummaryView {
    paid_total: Amount,
    refunded_total: Amount,
    /// Equal to `current_order_total`.
    accounting_total: Amount,
    /// The amount paid with store credit.
    credit_line_total: Amount,
    /// The amount paid less the amount refunded.
    transaction_total: Amount,
    /// The amount due; negative if the store owes money. A refund that the store did not owe does not become due
    /// again, and later returns are owed in full.
    pending_difference: Amount,
    /// The total after returns and further refunds; zero for a canceled order.
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
    /// The refunds that were not owed.
    pub(super) goodwill: i64,
    pub(super) is_canceled: bool,
}

impl Sums {
    /// Returns the amount due of an uncanceled order; negative if the store owes it. A refund settles what the store
    /// owes, and does not make anything due.
    fn pending(&self) -> i64 {
        let unsettled = self.total.saturating_sub(self.returned).saturating_sub(self.paid);
        let after_refunds = unsettled.saturating_add(self.refunded.saturating_sub(self.goodwill));
        match (unsettled, after_refunds) {
            (..0, ..0) => after_refunds,
            (..0, _) => 0,
            (due, _) => due,
        }
    }
}

impl SummaryView {
    pub(super) fn of(sums: &Sums, currency: Currency) -> Self {
        let money = |minor: i64| currency.amount(minor);
        // All of these are between zero and an amount that was checked when it was written.
        let moved = sums.paid.saturating_sub(sums.refunded);
        let current = if sums.is_canceled { 0 } else { sums.pending().saturating_add(moved) };
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

/// A capture or a refund of an order.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[schema(as = OrderTransaction)]
#[resource(name = "transaction")]
pub struct TransactionView {
    id: OrderTransactionId,
    order_id: OrderId,
    currency_code: Currency,
    /// Negative for a refund.
    amount: Amount,
    /// `capture`, `refund` or `store_credit_refund`.
    #[schema(example = "capture")]
    reference: String,
    /// The capture, the refund, or the transaction of the store credit account.
    #[schema(example = "capt_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    reference_id: String,
    created_at: Timestamp,
    /// The same as `created_at`: transactions never change.
    updated_at: Timestamp,
    /// Always null.
    deleted_at: Option<Timestamp>,
}

/// Attaches their transactions to orders, oldest first, by one statement.
pub(crate) fn attach_transactions(tx: &Tx<'_>, orders: &mut [OrderView]) -> Result<(), Error> {
    let ids = ids::list(orders.iter().map(|order| &order.id));
    for transaction in payments::transactions_of(tx, &ids)? {
        let owner = orders.iter_mut().find(|order| order.id == transaction.order_id);
        if let Some(order) = owner {
            order.transactions.push(TransactionView {
                id: transaction.id,
                order_id: transaction.order_id,
                currency_code: order.currency_code,
                amount: order.currency_code.amount(transaction.amount_minor),
                reference: transaction.reference,
                reference_id: transaction.reference_id,
                created_at: transaction.created_at,
                updated_at: transaction.created_at,
                deleted_at: None,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refund_settles_what_the_store_owes_and_makes_nothing_due() {
        let order = Sums {
            total: 100,
            returned: 0,
            credit: 0,
            paid: 100,
            refunded: 0,
            goodwill: 0,
            is_canceled: false,
        };
        for (what, sums, pending) in [
            ("paid", order, 0),
            ("not paid", Sums { paid: 0, ..order }, 100),
            ("partly paid", Sums { paid: 40, ..order }, 60),
            ("returned", Sums { returned: 30, ..order }, -30),
            ("returned and refunded in part", Sums { returned: 30, refunded: 10, ..order }, -20),
            ("returned and refunded", Sums { returned: 30, refunded: 30, ..order }, 0),
            ("refunded more than returned", Sums { returned: 30, refunded: 45, ..order }, 0),
            ("refunded only", Sums { refunded: 100, ..order }, 0),
            (
                "refunded without owing it, then returned",
                Sums { returned: 30, refunded: 5, goodwill: 5, ..order },
                -30,
            ),
            (
                "refunded more than returned, then returned",
                Sums { returned: 50, refunded: 45, goodwill: 15, ..order },
                -20,
            ),
            ("returned what is not paid", Sums { paid: 40, returned: 30, ..order }, 30),
            (
                "paid by credit, returned and refunded",
                Sums { total: 80, paid: 80, returned: 100, refunded: 100, ..order },
                0,
            ),
        ] {
            assert_eq!(sums.pending(), pending, "{what}");
        }
    }
}
