//! The amounts due of placed orders, and the collections that admins create for them.

use super::error::PaymentError;
use super::payment::Collection;
use super::queries::collections::{self, OrderBalance};
use crate::database::{Missing, Table as _, Tx};
use crate::ids::{self, OrderId, PaymentCollectionId};
use crate::money::{Currency, Major};
use crate::proportion::{add, subtract};
use crate::statuses::{CollectionStatus, OrderStatus, collection_status};

/// Creates a collection for an order's amount due, in full or in part. Nothing is due for returned goods.
///
/// # Errors
/// [`PaymentError::NotFound`]; [`PaymentError::NothingToPay`] if nothing is due; [`PaymentError::AboveRemainder`],
/// [`PaymentError::NotPositive`], [`PaymentError::Money`] for an invalid amount.
pub(crate) fn open(
    tx: &Tx<'_>,
    order_id: &OrderId,
    amount: Option<Major>,
) -> Result<PaymentCollectionId, PaymentError> {
    let order = OrderBalance::require::<PaymentError>(tx, order_id)?;
    let is_open = match order.status {
        OrderStatus::Pending
        | OrderStatus::Completed
        | OrderStatus::Archived
        | OrderStatus::RequiresAction => true,
        OrderStatus::Canceled => false,
        OrderStatus::Draft => return Err(Missing::new(OrderBalance::TITLE, order_id).into()),
    };
    let covered_minor = add(order.collected_minor, order.returned_minor)?;
    let owed_minor = subtract(order.total_minor, covered_minor)?;
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
            requested: order.currency.amount(amount_minor),
            left: order.currency.amount(owed_minor),
        });
    }
    let collection = Collection {
        order_id: Some(order_id.clone()),
        ..Collection::new(order.currency, amount_minor, tx.now())
    };
    collection.insert(tx)?;
    Ok(collection.id)
}

/// Inserts a completed collection of zero, so that an order with a total of zero counts as paid.
pub(crate) fn record_nothing_due(
    tx: &Tx<'_>,
    order_id: &OrderId,
    currency: Currency,
) -> Result<(), PaymentError> {
    let completed = Collection {
        order_id: Some(order_id.clone()),
        status: CollectionStatus::Completed,
        completed_at: Some(tx.now()),
        ..Collection::new(currency, 0, tx.now())
    };
    Ok(completed.insert(tx)?)
}

/// Reduces the amounts collected for an order whose total falls by `amount_minor`: first the part without a
/// collection, then collections without an authorization. Returns the remainder if the amount due is smaller; the
/// caller must then roll back.
pub(crate) fn lower(
    tx: &Tx<'_>,
    order_id: &OrderId,
    amount_minor: i64,
) -> Result<i64, PaymentError> {
    let order = OrderBalance::require::<PaymentError>(tx, order_id)?;
    let uncollected_minor = subtract(order.total_minor, order.collected_minor)?.max(0);
    // Nothing is due for returned goods, so no credit can be given for them.
    let uncollected_minor = subtract(uncollected_minor, order.returned_minor)?;
    let mut left_minor = subtract(amount_minor, uncollected_minor)?.max(0);
    for collection in collections::of_orders(tx, &ids::list([order_id]))? {
        // The captured part stays authorized.
        let is_promised = collection.authorized_minor > 0;
        if left_minor == 0 || is_promised || collection.status == CollectionStatus::Canceled {
            continue;
        }
        let part_minor = collection.amount_minor.min(left_minor);
        left_minor = subtract(left_minor, part_minor)?;
        let amount_minor = subtract(collection.amount_minor, part_minor)?;
        let status = collection_status(amount_minor, 0, 0, false);
        collections::set_amount_due(tx, &collection.id, amount_minor, status)?;
    }
    Ok(left_minor)
}
