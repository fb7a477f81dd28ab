//! Credit on orders: goodwill credit from the store, and refunds to store credit.

use serde_json::json;

use super::{record_change, record_event};
use crate::credit::account::Account;
use crate::credit::{self, CreditError, NewEntry, STORE_CREDIT, SUBSCRIPTION_CREDIT};
use crate::database::{Missing, Table as _, Tx};
use crate::http::{Refusal, Text, request};
use crate::ids::{self, CreditAccountId, OrderCreditLineId, OrderId};
use crate::metadata::MetadataPatch;
use crate::money::Major;
use crate::orders::order::{CreditLine, Order};
use crate::orders::queries::{admin as queries, insert, load, refunds};
use crate::orders::{OrderError, addition, settle};
use crate::payments::{self, PaymentError, balance_due};
use crate::proportion::subtract;
use crate::statuses::OrderStatus;

/// Credit that lowers the amount due of an order.
#[request]
#[schema(example = json!({ "amount": 5, "reference": "goodwill", "reference_id": "ticket-17" }))]
pub(super) struct CreateOrderCreditLineRequest {
    /// At most the amount due; negative for a refund to store credit.
    amount: Major,
    /// The purpose of the credit.
    reference: Text,
    /// The id that belongs to the purpose.
    reference_id: Text,
    metadata: Option<MetadataPatch>,
}

/// Lowers the amount due of an order, and the amounts of its payment collections that are not authorized. A negative
/// amount of store credit is refunded to the customer's account instead.
///
/// # Errors
/// [`OrderError::Refused`] if the amount exceeds the amount due; those of [`refund`].
pub(super) fn add_line(
    tx: &Tx<'_>,
    id: &OrderId,
    request: CreateOrderCreditLineRequest,
    actor_id: Option<&str>,
) -> Result<(), OrderError> {
    let order = addition::placed(tx, id)?;
    let amount_minor = request.amount.minor(order.currency)?;
    let (reference, reference_id) =
        (request.reference.into_string(), request.reference_id.into_string());
    if amount_minor < 0 && reference == STORE_CREDIT {
        if request.metadata.is_some() {
            let message = "a refund to store credit has no metadata";
            return Err(Refusal::invalid(message).into());
        }
        let amount_minor =
            subtract(0, amount_minor).map_err(|error| Refusal::invalid(error.to_string()))?;
        return refund(tx, &order, amount_minor, &reference_id, actor_id);
    }
    let is_open = order.canceled_at.is_none() && order.status != OrderStatus::Archived;
    if amount_minor < 1 || !is_open || credit::PAYING.contains(&reference.as_str()) {
        return Err(nothing_to_credit());
    }
    if balance_due::lower(tx, id, amount_minor)? > 0 {
        return Err(nothing_to_credit());
    }
    let line = CreditLine {
        id: OrderCreditLineId::new(),
        amount_minor,
        reference,
        reference_id,
        metadata: request.metadata.unwrap_or_default().apply(None)?,
    };
    insert::credit_line(tx, id, &line, tx.now())?;
    queries::add_credit(tx, id, amount_minor)?;
    settle(tx, id)?;
    let amount = order.currency.amount(amount_minor);
    let actions = json!([{
        "action": "CREDIT_LINE_ADD",
        "reference": line.reference,
        "reference_id": line.reference_id,
        "amount": amount,
    }]);
    record_change(tx, id, "credit_line", &actions, actor_id)?;
    record_event(tx, "order.updated", id)
}

/// Refunds a part of an order to its customer's store credit account.
///
/// # Errors
/// [`OrderError::Refused`] for a canceled order; [`CreditError::NotFound`] if the account is not the customer's or not in
/// the order's currency; [`PaymentError::AboveRemainder`] above the amount that was paid by any means and has not been
/// refunded.
fn refund(
    tx: &Tx<'_>,
    order: &Order,
    amount_minor: i64,
    account_id: &str,
    actor_id: Option<&str>,
) -> Result<(), OrderError> {
    // The reversal of its payments gives everything back, and may not have begun.
    if order.canceled_at.is_some() {
        let message = format!(
            "order `{}` is canceled: its payments are returned as they were made",
            order.id
        );
        return Err(Refusal::not_allowed(message).into());
    }
    let account = account_of(tx, order, account_id)?;
    let left_minor = refunds::left(tx, &order.id)?;
    if amount_minor > left_minor {
        return Err(PaymentError::AboveRemainder {
            verb: "refund",
            requested: order.currency.amount(amount_minor),
            left: order.currency.amount(left_minor),
        }
        .into());
    }
    let new = NewEntry {
        amount_minor,
        reference: "order_refund",
        reference_id: order.id.as_str(),
        note: Some("Store credit refund"),
        actor_id: actor_id.unwrap_or_default(),
    };
    let entry = credit::credit(tx, &account.id, new)?;
    payments::refunded_to_credit(tx, &order.id, amount_minor, &entry.id)?;
    settle(tx, &order.id)?;
    let actions = json!([{
        "action": "STORE_CREDIT_REFUND",
        "reference": STORE_CREDIT,
        "reference_id": account.id,
        "amount": order.currency.amount(amount_minor),
    }]);
    record_change(tx, &order.id, "credit_line", &actions, actor_id)?;
    record_event(tx, "order.updated", &order.id)
}

/// Returns the account of an order's customer in the order's currency.
fn account_of(tx: &Tx<'_>, order: &Order, account_id: &str) -> Result<Account, CreditError> {
    let unknown = || Missing { what: Account::TITLE, id: account_id.to_owned() };
    let id: CreditAccountId = account_id.parse().map_err(|_malformed| unknown())?;
    let account = credit::find(tx, &id)?;
    let is_own = account.customer_id.is_some() && account.customer_id == order.customer_id;
    if is_own && account.currency == order.currency { Ok(account) } else { Err(unknown().into()) }
}

/// Refunds the store credit that an order used, by new entries; the part paid from a subscription's balance becomes store
/// credit. The caller ensures that this happens once per order.
pub(super) fn give_back(
    tx: &Tx<'_>,
    id: &OrderId,
    actor_id: Option<&str>,
) -> Result<(), OrderError> {
    let actor_id = actor_id.unwrap_or_default();
    for (_, line) in load::credit_lines(tx, &ids::list([id]))? {
        let account: Option<CreditAccountId> = match line.reference.as_str() {
            STORE_CREDIT => line.reference_id.parse().ok(),
            SUBSCRIPTION_CREDIT => account_of_buyer(tx, id, actor_id)?,
            _other => None,
        };
        let Some(account) = account.filter(|_| line.amount_minor > 0) else { continue };
        let entry = NewEntry {
            amount_minor: line.amount_minor,
            reference: "order_refund",
            reference_id: id.as_str(),
            note: Some("the order was canceled"),
            actor_id,
        };
        credit::credit(tx, &account, entry)?;
    }
    Ok(())
}

/// Returns the account of an order's customer in its currency, creating it if necessary.
fn account_of_buyer(
    tx: &Tx<'_>,
    id: &OrderId,
    actor_id: &str,
) -> Result<Option<CreditAccountId>, OrderError> {
    let order = addition::placed(tx, id)?;
    let Some(customer_id) = &order.customer_id else { return Ok(None) };
    Ok(Some(credit::open_for(tx, customer_id, order.currency, actor_id)?.id))
}

fn nothing_to_credit() -> OrderError {
    let message = "a credit line is more than zero and at most what is still to be paid";
    Refusal::not_allowed(message).into()
}
