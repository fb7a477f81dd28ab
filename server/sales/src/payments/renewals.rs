//! Payments of orders without a present shopper: a saved method is charged.

use super::PaymentGateway;
use super::error::PaymentError;
use super::methods::SavedCharge;
use super::payment::{Collection, Session};
use super::provider::{Data, Outcome, PRESENT, ProviderError};
use super::queries::sessions;
use crate::database::{Table as _, Tx};
use crate::ids::{CartId, CustomerId, OrderId, PaymentSessionId};
use crate::money::Currency;
use crate::statuses::{CollectionStatus, SessionStatus};

/// Inserts the collection of an order and the session that will pay it.
pub fn open(
    tx: &Tx<'_>,
    order_id: &OrderId,
    amount_minor: i64,
    currency: Currency,
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

/// Inserts the collection of an order and the session that will pay for it while the shopper is
/// present.
pub fn open_present(
    tx: &Tx<'_>,
    order_id: &OrderId,
    (amount_minor, currency): (i64, Currency),
    provider_id: &str,
) -> Result<Session, PaymentError> {
    let mut session = open(tx, order_id, amount_minor, currency, provider_id)?;
    session.data.insert(PRESENT.to_owned(), true.into());
    sessions::progress(tx, &session.id, session.status, Some(&session.data))?;
    Ok(session)
}

/// Inserts the session that pays a cart with a saved method, in place of the cart's other sessions.
pub fn open_for_cart(
    tx: &Tx<'_>,
    cart_id: &CartId,
    amount_minor: i64,
    currency: Currency,
    provider_id: &str,
) -> Result<Session, PaymentError> {
    let id = super::cart::collect(tx, cart_id, currency, amount_minor)?;
    let (_, collection) = super::cart::payable(tx, &id)?;
    let session = Session::new(&collection, provider_id.to_owned(), tx.now());
    super::cart::replace_sessions(tx, &session)?;
    Ok(session)
}

/// Records that a session was refused, so that its collection pays for no order; its data, if any, is stored.
pub fn refused(
    tx: &Tx<'_>,
    id: &PaymentSessionId,
    data: Option<&Data>,
) -> Result<(), PaymentError> {
    let session = Session::require::<PaymentError>(tx, id)?;
    sessions::progress(tx, id, SessionStatus::Error, data)?;
    let collection = Collection::require::<PaymentError>(tx, &session.collection_id)?;
    let canceled = Collection { order_id: None, status: CollectionStatus::Canceled, ..collection };
    Ok(canceled.update(tx)?)
}

/// Records that a session with a present shopper was refused. What the shopper could still complete at the
/// provider is canceled.
pub fn refused_present(
    tx: &Tx<'_>,
    id: &PaymentSessionId,
    data: Option<&Data>,
) -> Result<(), PaymentError> {
    refused(tx, id, data)?;
    let session = Session::require::<PaymentError>(tx, id)?;
    if session.data.contains_key("id") { give_back(tx, session) } else { Ok(()) }
}

/// Returns the data of a payment that its provider reports as captured, by the provider's id.
pub fn captured_data(intent: &str) -> Data {
    let pairs = [("id", intent), ("status", "captured")];
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

/// Records that the payment of a refused session counts for another session.
pub fn moved(tx: &Tx<'_>, session: &Session) -> Result<(), PaymentError> {
    Ok(sessions::progress(tx, &session.id, SessionStatus::Canceled, Some(&Data::new()))?)
}

/// Cancels a refused session at its provider, or refunds the money that it took nevertheless.
pub fn give_back(tx: &Tx<'_>, session: Session) -> Result<(), PaymentError> {
    super::parking::end(tx, session)
}

/// Charges a saved method. An invalid request counts as a refused payment, because a retry would fail again.
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

/// Returns the provider's id of the method that paid a session.
pub fn method_of(data: &Data) -> Option<&str> {
    data.get("payment_method")?.as_str()
}

/// The method that paid an order and that its provider saved for further charges.
#[derive(Debug, Clone)]
pub struct ReusableMethod {
    pub provider_id: String,
    holder: String,
    method: String,
}

impl ReusableMethod {
    /// Returns its charge under a key.
    pub fn charge(&self, key: &str) -> SavedCharge {
        let (holder, method) = (self.holder.clone(), self.method.clone());
        SavedCharge { key: key.to_owned(), holder, method }
    }
}

/// Returns the reusable method of an order's newest payment with `setup_future_usage`.
pub fn reusable_method(
    tx: &Tx<'_>,
    order_id: &OrderId,
    customer_id: Option<&CustomerId>,
) -> Result<Option<ReusableMethod>, PaymentError> {
    for payment in super::of_order(tx, order_id)?.into_iter().rev() {
        let word = |name: &str| payment.data.get(name).and_then(serde_json::Value::as_str);
        let is_saved = matches!(word("setup_future_usage"), Some("on_session" | "off_session"));
        let (Some(method), true) = (method_of(&payment.data), is_saved) else { continue };
        if payment.canceled_at.is_some() {
            continue;
        }
        let registered = |customer| super::methods::holder_of(tx, customer, &payment.provider_id);
        let holder = customer_id.map(registered).transpose()?.flatten();
        let holder = holder.map(|holder| holder.external_id);
        let Some(holder) = holder.or_else(|| word("customer").map(str::to_owned)) else { continue };
        let (provider_id, method) = (payment.provider_id.clone(), method.to_owned());
        return Ok(Some(ReusableMethod { provider_id, holder, method }));
    }
    Ok(None)
}
