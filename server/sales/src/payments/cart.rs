//! The payment collection of a cart, which follows its total, and the sessions that try to pay it.

use super::error::PaymentError;
use super::parking;
use super::payment::{Collection, Session};
use super::provider::Data;
use super::queries::{collections, sessions};
use crate::database::{Missing, Table as _, Tx};
use crate::ids::{self, CartId, OrderId, PaymentCollectionId, PaymentSessionId};
use crate::money::Currency;
use crate::proportion::add;
use crate::statuses::{CollectionStatus, SessionStatus};

/// Updates the amount of a cart's collection to the cart's total; a negative total counts as zero. If the amount
/// changes, the sessions are parked, and the storefront has to start a new one or resume one.
///
/// # Errors
/// [`PaymentError::BeingCompleted`] while the cart is being completed, [`PaymentError::Completed`] afterwards.
pub fn cart_changed(
    tx: &Tx<'_>,
    cart: &CartId,
    currency: Currency,
    total_minor: i64,
) -> Result<(), PaymentError> {
    check_open(tx, cart)?;
    if let Some(id) = collections::set_amount(tx, cart, currency, total_minor.max(0))? {
        parking::park(tx, &id, tx.now().plus_ms(parking::PARKED_MS))?;
    }
    Ok(())
}

/// Checks that a cart is neither completed nor being completed.
fn check_open(tx: &Tx<'_>, cart: &CartId) -> Result<(), PaymentError> {
    match collections::completion(tx, cart)?.as_deref() {
        None => Ok(()),
        Some("claimed") => Err(PaymentError::BeingCompleted(cart.clone())),
        Some(_) => Err(PaymentError::Completed(cart.clone())),
    }
}

/// Returns the collection of a cart, creating it with the cart's total if necessary.
pub fn collect(
    tx: &Tx<'_>,
    cart: &CartId,
    currency: Currency,
    total_minor: i64,
) -> Result<PaymentCollectionId, PaymentError> {
    cart_changed(tx, cart, currency, total_minor)?;
    collect_id(tx, cart, currency, total_minor)
}

/// Returns the collection of a cart of whose total a part is paid later, creating it if necessary.
pub fn collect_due(
    tx: &Tx<'_>,
    cart: &CartId,
    currency: Currency,
    (now_minor, later_minor): (i64, i64),
) -> Result<PaymentCollectionId, PaymentError> {
    let id = collect(tx, cart, currency, add(now_minor, later_minor)?)?;
    if collections::set_parts(tx, &id, now_minor, later_minor)?.is_some() {
        parking::park(tx, &id, tx.now().plus_ms(parking::PARKED_MS))?;
    }
    Ok(id)
}

fn collect_id(
    tx: &Tx<'_>,
    cart: &CartId,
    currency: Currency,
    total_minor: i64,
) -> Result<PaymentCollectionId, PaymentError> {
    if let Some(collection) = collections::of_cart(tx, cart)? {
        return Ok(collection.id);
    }
    let collection = Collection {
        cart_id: Some(cart.clone()),
        ..Collection::new(currency, total_minor.max(0), tx.now())
    };
    collection.insert(tx)?;
    Ok(collection.id)
}

/// Returns a collection that its cart can still pay.
///
/// # Errors
/// [`PaymentError::NotFound`], [`PaymentError::NothingToPay`], and those of [`check_open`].
pub fn payable(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
) -> Result<(CartId, Collection), PaymentError> {
    let collection = Collection::require::<PaymentError>(tx, id)?;
    let cart = collection.cart_id.clone();
    let cart = cart.ok_or_else(|| Missing::new(Collection::TITLE, id))?;
    check_open(tx, &cart)?;
    if collection.amount_minor < 1 {
        return Err(PaymentError::NothingToPay);
    }
    Ok((cart, collection))
}

/// Inserts a new session of a collection, which replaces all others. The provider has already registered it under the
/// session's id.
///
/// # Errors
/// Those of [`payable`]; [`PaymentError::BeingCompleted`] also if the amount has changed since the provider was called.
pub fn replace_sessions(tx: &Tx<'_>, session: &Session) -> Result<CartId, PaymentError> {
    let (cart, mut collection) = payable(tx, &session.collection_id)?;
    if (collection.amount_minor, collection.currency) != (session.amount_minor, session.currency) {
        return Err(PaymentError::BeingCompleted(cart));
    }
    parking::park(tx, &collection.id, tx.now())?;
    session.insert(tx)?;
    collection.status = collection.implied_status();
    collection.update(tx)?;
    Ok(cart)
}

/// Returns the collection of a cart with its newest session, if they exist.
pub fn newest(
    tx: &Tx<'_>,
    cart: &CartId,
) -> Result<Option<(Collection, Option<Session>)>, PaymentError> {
    let Some(collection) = collections::of_cart(tx, cart)? else { return Ok(None) };
    let ids = ids::list([&collection.id]);
    let session = sessions::of_collections(tx, &ids)?.pop();
    Ok(Some((collection, session)))
}

/// Ends the sessions of a cart without a payment: the providers cancel them, or refund what they took.
pub fn end_sessions(tx: &Tx<'_>, cart: &CartId) -> Result<(), PaymentError> {
    match collections::of_cart(tx, cart)? {
        Some(collection) => parking::park(tx, &collection.id, tx.now()),
        None => Ok(()),
    }
}

/// Stores a session with a new amount; if it was parked, it is current again. Its collection has the same amount.
pub fn take_up(tx: &Tx<'_>, session: Session) -> Result<(), PaymentError> {
    for other in sessions::sessions_of(tx, &session.collection_id)? {
        if other.id != session.id && other.parked_at.is_none() {
            parking::end(tx, other)?;
        }
    }
    Session { parked_at: None, ..session }.update(tx)?;
    Ok(())
}

pub fn session(tx: &Tx<'_>, id: &PaymentSessionId) -> Result<Session, PaymentError> {
    Session::require(tx, id)
}

/// Records that a session is not authorized: declined, incomplete or unanswered.
pub fn not_authorized(
    tx: &Tx<'_>,
    id: &PaymentSessionId,
    status: SessionStatus,
    data: Option<&Data>,
) -> Result<(), PaymentError> {
    Ok(sessions::progress(tx, id, status, data)?)
}

/// Assigns a cart's collection to an order with nothing to pay, creating one if necessary, so that the order counts as
/// paid.
pub fn complete_free(
    tx: &Tx<'_>,
    cart: &CartId,
    order: &OrderId,
    currency: Currency,
) -> Result<(), PaymentError> {
    let id = collect_id(tx, cart, currency, 0)?;
    let mut collection = Collection::require::<PaymentError>(tx, &id)?;
    collection.order_id = Some(order.clone());
    // It is for the whole total if everything begins later; nothing of that is due now.
    (collection.amount_minor, collection.later_minor) = (0, 0);
    collection.status = CollectionStatus::Completed;
    collection.completed_at = Some(tx.now());
    Ok(collection.update(tx)?)
}
