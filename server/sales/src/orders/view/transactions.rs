//! The views of the money that moved for an order.

use serde::Serialize;

use super::OrderView;
use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::{self, OrderId, OrderTransactionId};
use crate::money::{Amount, Currency};
use crate::payments;

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
