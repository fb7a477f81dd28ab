//! Payments of orders that nobody is there to pay: a saved method is charged.

use super::PaymentGateway;
use super::error::PaymentError;
use super::payment::{Collection, Session};
use super::provider::{Data, Outcome, ProviderError};
use super::queries::sessions;
use crate::database::{Table as _, Tx};
use crate::ids::{CartId, OrderId, PaymentSessionId};
use crate::money::Currency;
use crate::statuses::{CollectionStatus, SessionStatus};

/// A saved method to charge, and under which key.
#[derive(Debug, Clone)]
pub struct SavedCharge {
    /// A repeated charge under a key has no further effect.
    pub key: String,
    /// The provider's id of the customer.
    pub holder: String,
    /// The provider's id of the method.
    pub method: String,
}

/// Inserts the collection of an order and the session that will pay it.
pub fn open(
    tx: &Tx<'_>,
    order_id: &OrderId,
    (amount_minor, currency): (i64, Currency),
    provider_id: &str,
) -> Result<Session, PaymentError> {
    let collection = Collection {
        order_id: Some(order_id.clone()),
        status: CollectionStatus::Awaiting,
        ..Collection::new(currency, amount_minor, tx.now())
    };
    collection.insert(tx)?;
    let session = Session::new(&collection, provider_id.to_owned(), tx.now());
    session.insert(tx)?;
    Ok(session)
}

/// Inserts the session that pays a cart with a saved method, in place of the cart's other sessions.
pub fn open_for_cart(
    tx: &Tx<'_>,
    cart_id: &CartId,
    (amount_minor, currency): (i64, Currency),
    provider_id: &str,
) -> Result<Session, PaymentError> {
    let id = super::cart::collect(tx, cart_id, currency, amount_minor)?;
    let (_, collection) = super::cart::payable(tx, &id)?;
    let session = Session::new(&collection, provider_id.to_owned(), tx.now());
    super::cart::attempt(tx, &session)?;
    Ok(session)
}

/// Records that a session is refused, so that its collection pays for no order.
pub fn refused(tx: &Tx<'_>, id: &PaymentSessionId) -> Result<(), PaymentError> {
    let session = Session::require::<PaymentError>(tx, id)?;
    sessions::progress(tx, id, SessionStatus::Error, None)?;
    let collection = Collection::require::<PaymentError>(tx, &session.collection_id)?;
    let canceled = Collection { order_id: None, status: CollectionStatus::Canceled, ..collection };
    Ok(canceled.update(tx)?)
}

/// Charges a saved method. A refusal of the request itself is a refusal of the payment, for a retry would fail again.
///
/// # Errors
/// If the provider does not answer.
pub async fn charge(
    gateway: &PaymentGateway,
    session: &Session,
    saved: &SavedCharge,
) -> Result<Outcome, PaymentError> {
    match gateway.charge(session, saved).await {
        Err(PaymentError::Provider(ProviderError::Invalid { reason })) => {
            Ok(Outcome::Declined { reason })
        }
        Err(PaymentError::Provider(ProviderError::Unsupported) | PaymentError::NoProvider(_)) => {
            Ok(Outcome::Declined { reason: "provider_disabled".to_owned() })
        }
        answer => answer,
    }
}

/// Returns the id of the method that a session was paid with, as its provider names it.
pub fn method_of(data: &Data) -> Option<&str> {
    data.get("payment_method")?.as_str()
}
