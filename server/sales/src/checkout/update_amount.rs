//! Changes the amount of a started payment to the cart's total, with the same client secret.

use serde::Serialize;

use super::complete::lock;
use super::error::CheckoutError;
use super::pay;
use crate::auth::Shop;
use crate::cart;
use crate::cart::contents::Cart;
use crate::database::{Db, Tx};
use crate::http::{Text, ToSchema, request};
use crate::ids::CartId;
use crate::money::{Amount, Major};
use crate::payments::payment::Session;
use crate::payments::provider::{Data, ProviderError};
use crate::payments::{self, PaymentError, PaymentGateway};
use crate::statuses::SessionStatus;

/// Limit: attempts while the cart's total keeps changing.
const MAX_ATTEMPTS: usize = 3;

/// The payment to update.
#[request]
#[derive(Clone)]
#[schema(example = json!({ "cart_id": "cart_01M7XZMS91XCBR1DAZ6SBZ5W94" }))]
pub(super) struct UpdateAmountRequest {
    #[serde(alias = "cartId")]
    cart_id: CartId,
    /// The provider's id of the payment; defaults to the cart's newest.
    #[serde(alias = "paymentIntentId")]
    payment_intent_id: Option<Text>,
    /// The amount that the shopper saw. It is only compared: the new amount is always the cart's total.
    amount: Option<Major>,
}

/// The payment with its new amount.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(example = json!({
    "success": true, "updated": true, "previousAmount": 42.5, "newAmount": 45.9,
    "status": "requires_payment_method", "clientSecret": "pi_1_secret_2",
}))]
pub(super) enum UpdateAmountResponse {
    /// The amount was changed.
    #[serde(rename_all = "camelCase")]
    Updated {
        /// Always true.
        success: bool,
        /// Always true.
        updated: bool,
        previous_amount: Amount,
        new_amount: Amount,
        status: &'static str,
        /// The same as before, so that the card form need not be mounted again.
        client_secret: Option<String>,
    },
    /// The amount already was the cart's total.
    Unchanged {
        /// Always true.
        success: bool,
        /// Always false.
        updated: bool,
        amount: Amount,
        message: &'static str,
    },
}

#[derive(Debug)]
pub(super) enum UpdateError {
    /// The cart has no such payment.
    Unknown,
    /// The cart has no total to pay.
    Empty,
    /// The payment cannot be changed in this status.
    Status(String),
    /// Another reason, as a word.
    Refused(&'static str, String),
    /// The provider is not configured.
    NoProvider(String),
    /// The provider did not answer.
    Silent(String),
    Other(CheckoutError),
}

impl<E: Into<CheckoutError>> From<E> for UpdateError {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// Sets the amount of the cart's payment to the amount due now.
pub(super) async fn update(
    db: &Db,
    gateway: &PaymentGateway,
    shop: &Shop,
    request: UpdateAmountRequest,
) -> Result<UpdateAmountResponse, UpdateError> {
    let _lock = lock(gateway, &request.cart_id).await?;
    for _ in 0..MAX_ATTEMPTS {
        let (shop, request) = (shop.clone(), request.clone());
        let (cart, session, parts) = db.read(move |tx| find(tx, &shop, &request)).await?;
        let (before, total) = (session.amount_minor, parts.0);
        let new_amount = cart.currency.amount(total);
        if before == total && session.parked_at.is_none() {
            return Ok(UpdateAmountResponse::Unchanged {
                success: true,
                updated: false,
                amount: new_amount,
                message: "The payment has this amount already",
            });
        }
        let data = change(gateway, &session, total).await?;
        let updated = UpdateAmountResponse::Updated {
            success: true,
            updated: true,
            previous_amount: cart.currency.amount(before),
            new_amount,
            status: word(&session),
            client_secret: data.get("client_secret").and_then(|it| it.as_str()).map(str::to_owned),
        };
        if take_up(db, &cart, parts, session, data).await? {
            return Ok(updated);
        }
    }
    Err(CheckoutError::Busy(request.cart_id).into())
}

/// Returns the cart and its payment, if its amount can be updated, with the new amount and the deferred amount.
fn find(
    tx: &Tx<'_>,
    shop: &Shop,
    request: &UpdateAmountRequest,
) -> Result<(Cart, Session, (i64, i64)), UpdateError> {
    let cart = match cart::load_for(tx, &request.cart_id, shop) {
        Err(cart::CartError::NotFound { .. }) => return Err(UpdateError::Unknown),
        cart => cart?,
    };
    if cart.completed_at.is_some() {
        return Err(UpdateError::Status("succeeded".to_owned()));
    }
    if cart.is_being_completed {
        return Err(UpdateError::Status("processing".to_owned()));
    }
    if cart.lines.is_empty() {
        return Err(UpdateError::Empty);
    }
    let now_minor = pay::due_of_collection(tx, &cart)?.max(0);
    if let Some(amount) = request.amount
        && amount.minor(cart.currency).ok() != Some(now_minor)
    {
        let total = cart.currency.amount(now_minor).text();
        return Err(UpdateError::Refused("amount_mismatch", format!("The cart costs {total}")));
    }
    if cart.totals.total < 1 {
        let message = "There is nothing to pay".to_owned();
        return Err(UpdateError::Refused("amount_too_small", message));
    }
    let collection = payments::of_cart(tx, &cart.id)?.ok_or(UpdateError::Unknown)?;
    let session = payments::parking::newest_of(tx, &collection.id)?.filter(|session| {
        let id = session.data.get("id").and_then(|id| id.as_str());
        let wanted = request.payment_intent_id.as_ref().map(Text::as_str);
        wanted.is_none() || wanted == id
    });
    let session = session.ok_or(UpdateError::Unknown)?;
    if session.currency != cart.currency {
        let message = format!("The payment is in {}", session.currency);
        return Err(UpdateError::Refused("currency_changed", message));
    }
    if !matches!(session.status, SessionStatus::Pending | SessionStatus::RequiresMore) {
        return Err(UpdateError::Status(word(&session).to_owned()));
    }
    let parts = pay::parts(&cart, now_minor)?;
    Ok((cart, session, parts))
}

/// Requests the new amount from the provider.
async fn change(
    gateway: &PaymentGateway,
    session: &Session,
    amount_minor: i64,
) -> Result<Data, UpdateError> {
    match gateway.update_amount(session, amount_minor).await {
        Ok(data) => Ok(data),
        Err(PaymentError::Provider(ProviderError::Unsupported)) => {
            let message = "The payment provider cannot change an amount".to_owned();
            Err(UpdateError::Refused("not_supported", message))
        }
        Err(PaymentError::Provider(ProviderError::Invalid { reason })) => {
            Err(UpdateError::Status(reason))
        }
        Err(error @ PaymentError::Provider(ProviderError::Unavailable)) => {
            Err(UpdateError::Silent(error.to_string()))
        }
        Err(error @ PaymentError::NoProvider(_)) => Err(UpdateError::NoProvider(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// Stores the new amount, if the cart still costs that; returns whether it does.
async fn take_up(
    db: &Db,
    cart: &Cart,
    parts: (i64, i64),
    session: Session,
    data: Data,
) -> Result<bool, UpdateError> {
    let (cart_id, total) = (cart.id.clone(), cart.totals.total);
    db.write(move |tx| {
        let cart = cart::load(tx, &cart_id)?;
        if cart.totals.total != total || cart.currency != session.currency {
            return Ok(false);
        }
        payments::collect_due(tx, &cart.id, cart.currency, parts)?;
        payments::take_up(tx, Session { amount_minor: parts.0, data, ..session })?;
        Ok::<_, CheckoutError>(true)
    })
    .await
    .map_err(UpdateError::Other)
}

/// Returns the status of a session in the words of card processors.
pub(super) fn word(session: &Session) -> &'static str {
    match session.status {
        SessionStatus::Pending if session.data.contains_key("payment_method") => {
            "requires_confirmation"
        }
        SessionStatus::Pending | SessionStatus::Error => "requires_payment_method",
        SessionStatus::RequiresMore => "requires_action",
        SessionStatus::Authorized => "requires_capture",
        SessionStatus::Captured => "succeeded",
        SessionStatus::PendingAuthorization => "processing",
        SessionStatus::Canceled => "canceled",
    }
}

#[cfg(test)]
mod tests {
    use super::{Session, SessionStatus, word};
    use crate::clock::Timestamp;
    use crate::money::Currency;
    use crate::payments::payment::Collection;

    #[test]
    fn a_session_has_the_status_that_card_processors_name() {
        let usd = Currency::from_code("usd").unwrap();
        let at = Timestamp::from_millis(0);
        let session = Session::new(&Collection::new(usd, 100, at), String::new(), at);
        let mut with_card = session.clone();
        with_card.data.insert("payment_method".to_owned(), "pm_1".into());
        assert_eq!(word(&session), "requires_payment_method");
        for (status, expected) in [
            (SessionStatus::Pending, "requires_confirmation"),
            (SessionStatus::Error, "requires_payment_method"),
            (SessionStatus::RequiresMore, "requires_action"),
            (SessionStatus::Authorized, "requires_capture"),
            (SessionStatus::Captured, "succeeded"),
            (SessionStatus::PendingAuthorization, "processing"),
            (SessionStatus::Canceled, "canceled"),
        ] {
            let session = Session { status, ..with_card.clone() };
            assert_eq!(word(&session), expected, "{status:?}");
        }
    }
}
