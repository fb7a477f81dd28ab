//! Credit on orders: goodwill credit from the store, and store credit that is refunded.

use serde_json::{Map, Value, json};

use super::OrderAdminError;
use super::edit::merged;
use super::placed::{placed_order, record_change, record_event};
use crate::credit::{self, NewEntry};
use crate::database::Tx;
use crate::ids::{CreditAccountId, OrderCreditLineId, OrderId};
use crate::money::Major;
use crate::orders::order::CreditLine;
use crate::orders::queries::{admin as queries, insert, load};
use crate::orders::{OrderError, settle};
use crate::payments::balance_due;
use crate::statuses::OrderStatus;

/// The reference of credit lines paid by store credit.
const STORE_CREDIT: &str = "store-credit";

/// Credit that lowers the amount due.
#[derive(Debug, Clone)]
pub(super) struct NewCredit {
    pub(super) amount: Major,
    pub(super) reference: String,
    pub(super) reference_id: String,
    pub(super) metadata: Option<Map<String, Value>>,
}

/// Lowers the amount due of an order, and the amounts of its payment collections that are not authorized.
///
/// # Errors
/// [`OrderAdminError::NothingToCredit`] if the amount exceeds the amount due.
pub(super) fn add_line(
    tx: &Tx<'_>,
    id: &OrderId,
    new: NewCredit,
    actor_id: Option<&str>,
) -> Result<(), OrderAdminError> {
    let order = placed_order(tx, id)?;
    let amount_minor = new.amount.minor(order.currency)?;
    let is_open = order.canceled_at.is_none() && order.status != OrderStatus::Archived;
    if amount_minor < 1 || !is_open || new.reference == STORE_CREDIT {
        return Err(OrderAdminError::NothingToCredit);
    }
    if balance_due::lower(tx, id, amount_minor).map_err(OrderError::from)? > 0 {
        return Err(OrderAdminError::NothingToCredit);
    }
    let line = CreditLine {
        id: OrderCreditLineId::new(),
        amount_minor,
        reference: new.reference,
        reference_id: new.reference_id,
        metadata: merged(None, new.metadata.unwrap_or_default())?,
    };
    insert::credit_line(tx, id, &line, tx.now()).map_err(OrderError::from)?;
    queries::add_credit(tx, id, amount_minor)?;
    settle(tx, id)?;
    let amount = order.currency.amount(amount_minor);
    let actions = json!([{
        "action": "CREDIT_LINE_ADD",
        "reference": line.reference,
        "reference_id": line.reference_id,
        "amount": amount,
    }]);
    record_change(tx, id, "credit_line", actions, actor_id)?;
    record_event(tx, "order.updated", id)
}

/// Refunds the store credit that an order used, by new entries. The caller makes sure that this happens once per order.
pub(super) fn give_back(
    tx: &Tx<'_>,
    id: &OrderId,
    actor_id: Option<&str>,
) -> Result<(), OrderAdminError> {
    for (_, line) in load::credit_lines(tx, &load::list([id]))? {
        let account: Option<CreditAccountId> = line.reference_id.parse().ok();
        let Some(account) = account.filter(|_| line.reference == STORE_CREDIT) else { continue };
        if line.amount_minor < 1 {
            continue;
        }
        let entry = NewEntry {
            amount_minor: line.amount_minor,
            reference: "order",
            reference_id: id.as_str(),
            note: Some("the order was canceled"),
            actor_id: actor_id.unwrap_or_default(),
        };
        credit::credit(tx, &account, entry)?;
    }
    Ok(())
}
