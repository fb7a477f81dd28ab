//! What a placed order still owes: collections that an admin opens for it.

use super::error::PaymentError;
use super::payment::Collection;
use super::queries::admin_payments::{self as queries, BalanceDueRow};
use super::queries::collections;
use crate::database::Tx;
use crate::ids::{OrderId, PaymentCollectionId};
use crate::money::{Currency, Major};
use crate::proportion::subtract;
use crate::statuses::{CollectionStatus, OrderStatus, collection_status};

/// Opens a collection for what an order still owes, or a part of it.
///
/// # Errors
/// [`PaymentError::NoOrder`]; [`PaymentError::NothingToPay`] when nothing is owed; [`PaymentError::AboveRemainder`],
/// [`PaymentError::NotPositive`], [`PaymentError::Money`] for an amount that does not fit.
pub(crate) fn open(
    tx: &Tx<'_>,
    order_id: &OrderId,
    amount: Option<Major>,
) -> Result<PaymentCollectionId, PaymentError> {
    let order = order(tx, order_id)?;
    let is_open = match order.status {
        Some(
            OrderStatus::Pending
            | OrderStatus::Completed
            | OrderStatus::Archived
            | OrderStatus::RequiresAction,
        ) => true,
        Some(OrderStatus::Canceled) => false,
        Some(OrderStatus::Draft) | None => return Err(PaymentError::NoOrder(order_id.clone())),
    };
    let owed_minor = subtract(order.total_minor, order.collected_minor)?;
    if owed_minor < 1 || !is_open {
        return Err(PaymentError::NothingToPay);
    }
    let amount_minor = match amount {
        Some(amount) => amount.minor(order.currency)?,
        None => owed_minor,
    };
    if amount_minor < 1 {
        return Err(PaymentError::NotPositive { verb: "collect" });
    }
    if amount_minor > owed_minor {
        return Err(PaymentError::AboveRemainder {
            verb: "collect",
            asked: order.currency.amount(amount_minor),
            left: order.currency.amount(owed_minor),
        });
    }
    let collection = collection(tx, order_id, order.currency, amount_minor);
    collections::insert(tx, &collection)?;
    Ok(collection.id)
}

/// Keeps that an order costs nothing, so that it counts as paid.
pub(crate) fn nothing(
    tx: &Tx<'_>,
    order_id: &OrderId,
    currency: Currency,
) -> Result<(), PaymentError> {
    let collection = collection(tx, order_id, currency, 0);
    let status = CollectionStatus::Completed;
    let completed = Collection { status, completed_at: Some(tx.now()), ..collection };
    Ok(collections::insert(tx, &completed)?)
}

fn collection(
    tx: &Tx<'_>,
    order_id: &OrderId,
    currency: Currency,
    amount_minor: i64,
) -> Collection {
    Collection {
        id: PaymentCollectionId::new(),
        cart_id: None,
        order_id: Some(order_id.clone()),
        currency,
        amount_minor,
        authorized_minor: 0,
        captured_minor: 0,
        refunded_minor: 0,
        status: CollectionStatus::NotPaid,
        completed_at: None,
        metadata: None,
        created_at: tx.now(),
        updated_at: tx.now(),
    }
}

/// Lowers what is collected for an order whose total falls by so much: first what no collection collects yet, then
/// collections that nothing was promised to. Gives what is left when less than that is still to be paid; then nothing
/// may be kept.
pub(crate) fn lower(
    tx: &Tx<'_>,
    order_id: &OrderId,
    amount_minor: i64,
) -> Result<i64, PaymentError> {
    let order = order(tx, order_id)?;
    let uncollected_minor = subtract(order.total_minor, order.collected_minor)?.max(0);
    let mut left_minor = subtract(amount_minor, uncollected_minor)?.max(0);
    for collection in collections::of_orders(tx, &super::view::list([order_id.as_str()]))? {
        let is_promised = collection.authorized_minor > 0 || collection.captured_minor > 0;
        if left_minor == 0 || is_promised || collection.status == CollectionStatus::Canceled {
            continue;
        }
        let part_minor = collection.amount_minor.min(left_minor);
        left_minor = subtract(left_minor, part_minor)?;
        let amount_minor = subtract(collection.amount_minor, part_minor)?;
        let status = collection_status(amount_minor, 0, 0, false);
        queries::set_amount(tx, &collection.id, amount_minor, status)?;
    }
    Ok(left_minor)
}

fn order(tx: &Tx<'_>, id: &OrderId) -> Result<BalanceDueRow, PaymentError> {
    queries::balance_due(tx, id)?.ok_or_else(|| PaymentError::NoOrder(id.clone()))
}
