//! Loads collections with their relations, for a whole page by a fixed number of statements.

use serde_json::Value;

use super::{CaptureView, CollectionView, PaymentView, RefundView, SessionView};
use crate::database::{Table as _, Tx};
use crate::http::to_value;
use crate::ids::{self, CartId, OrderId, PaymentCollectionId};
use crate::payments::PaymentError;
use crate::payments::payment::Collection;
use crate::payments::queries::{collections, payments, sessions};

/// Returns the collection of a cart with its sessions, as a part of the cart.
pub fn collection_view(tx: &Tx<'_>, cart: &CartId) -> Result<Option<Value>, PaymentError> {
    let Some(collection) = collections::of_cart(tx, cart)? else { return Ok(None) };
    let mut value = to_value(&with_sessions(tx, collection)?).map_err(unwritable)?;
    if let Some(members) = value.as_object_mut() {
        members.remove("payments");
    }
    Ok(Some(value))
}

fn unwritable(error: serde_json::Error) -> PaymentError {
    PaymentError::Db(rusqlite::Error::ToSqlConversionFailure(Box::new(error)).into())
}

/// Returns a collection with its sessions.
pub fn collection(tx: &Tx<'_>, id: &PaymentCollectionId) -> Result<CollectionView, PaymentError> {
    with_sessions(tx, Collection::require::<PaymentError>(tx, id)?)
}

fn with_sessions(tx: &Tx<'_>, collection: Collection) -> Result<CollectionView, PaymentError> {
    let sessions = sessions::of_collections(tx, &ids::list([&collection.id]))?;
    let mut view = CollectionView::from(collection);
    view.payment_sessions = sessions.into_iter().map(SessionView::from).collect();
    Ok(view)
}

#[derive(Debug, Clone, Copy, Default)]
pub struct CollectionRelations {
    pub sessions: bool,
    pub payments: bool,
    /// The captures and refunds of their payments.
    pub transactions: bool,
}

/// Returns the collections of a page of orders, with at most six statements.
pub fn collections_of(
    tx: &Tx<'_>,
    orders: &str,
    relations: CollectionRelations,
) -> Result<Vec<(OrderId, CollectionView)>, PaymentError> {
    let mut found: Vec<(OrderId, CollectionView)> = Vec::new();
    for collection in collections::of_orders(tx, orders)? {
        if let Some(order) = collection.order_id.clone() {
            found.push((order, CollectionView::from(collection)));
        }
    }
    let ids = ids::list(found.iter().map(|(_, collection)| &collection.id));
    if relations.sessions {
        for session in sessions::of_collections(tx, &ids)? {
            let owner = found.iter_mut().find(|(_, view)| view.id == session.collection_id);
            if let Some((_, view)) = owner {
                view.payment_sessions.push(SessionView::from(session));
            }
        }
    }
    if relations.payments {
        let payments = payments::of_collections(tx, &ids)?;
        let mut payments: Vec<PaymentView> = payments.into_iter().map(Into::into).collect();
        if relations.transactions {
            attach_transactions(tx, &mut payments)?;
        }
        for payment in payments {
            let owner = found.iter_mut().find(|(_, view)| view.id == payment.payment_collection_id);
            if let Some((_, view)) = owner {
                view.payments.push(payment);
            }
        }
    }
    Ok(found)
}

/// Attaches captures and refunds with their reasons to payments, by three statements.
pub fn attach_transactions(tx: &Tx<'_>, payments: &mut [PaymentView]) -> Result<(), PaymentError> {
    let ids = ids::list(payments.iter().map(|payment| &payment.id));
    for capture in payments::captures(tx, &ids)? {
        if let Some(view) = payments.iter_mut().find(|view| view.id == capture.payment_id) {
            view.captures.push(CaptureView::new(capture, view.currency_code));
        }
    }
    let refunds = payments::refunds(tx, &ids)?;
    let reasons = refunds.iter().filter_map(|refund| refund.reason_id.as_ref());
    let reasons = payments::reasons(tx, &ids::list(reasons))?;
    for refund in refunds {
        let reason = reasons.iter().find(|reason| Some(&reason.id) == refund.reason_id.as_ref());
        if let Some(view) = payments.iter_mut().find(|view| view.id == refund.payment_id) {
            let refund = RefundView::new(refund, view.currency_code);
            view.refunds.push(RefundView { refund_reason: reason.cloned(), ..refund });
        }
    }
    Ok(())
}
