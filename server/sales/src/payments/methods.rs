//! Customers' accounts at providers, and their saved payment methods.
//!
//! Invariants: a customer has one account holder per provider; a method belongs to one holder; nothing is stored about a
//! card except its brand, its last four digits and its expiry date.

use rusqlite::named_params;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::PaymentError;
use super::provider::{Data, HolderRequest, SavedMethod};
pub use super::queries::methods::of_holder;
use super::{PaymentGateway, queries};
use crate::clock::Timestamp;
use crate::customers::AccountHolder;
use crate::database::{Db, Missing, Record, Table as _, Tx};
use crate::ids::{self, AccountHolderId, ById, CustomerId, PaymentMethodId, SubscriptionId};

/// A saved method to charge, and under which key.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedCharge {
    /// Repeating a charge with the same key has no further effect.
    pub key: String,
    /// The provider's id of the customer.
    pub holder: String,
    /// The provider's id of the method.
    pub method: String,
}

impl SavedCharge {
    pub(crate) fn new(key: &str, method: &PaymentMethod, holder: &AccountHolder) -> Self {
        Self {
            key: key.to_owned(),
            holder: holder.external_id.clone(),
            method: method.reference.clone(),
        }
    }
}

/// Limit: saved methods of one holder.
const MAX_METHODS: usize = 20;

/// A saved payment method.
#[derive(Debug, Clone, Record)]
#[record(table = "payment_method m", title = "Payment method", soft_delete)]
pub struct PaymentMethod {
    pub id: PaymentMethodId,
    #[column(once)]
    pub account_holder_id: AccountHolderId,
    #[column(once)]
    pub provider_id: String,
    /// The provider's id, to charge it with.
    #[column(once)]
    pub reference: String,
    /// Brand, last four digits and expiry, if it is a card.
    #[column(json)]
    pub card: Option<Value>,
    /// The same for the same card, whatever its id.
    pub fingerprint: Option<String>,
    /// Whether it is charged unless another method is named.
    pub is_default: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl PaymentMethod {
    /// Returns whether its card has passed its expiry month.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        let number = |name: &str| self.card.as_ref()?.get(name)?.as_i64();
        let (Some(year), Some(month)) = (number("exp_year"), number("exp_month")) else {
            return false;
        };
        now.to_string().get(..7) > Some(format!("{year:04}-{month:02}").as_str())
    }
}

/// Returns the holder, if it is the customer's.
///
/// # Errors
/// [`PaymentError::NotFound`], for unknown holders and those of others.
pub fn own_holder(
    tx: &Tx<'_>,
    id: &AccountHolderId,
    customer: &CustomerId,
) -> Result<AccountHolder, PaymentError> {
    let holder = AccountHolder::find(tx, id)?.filter(|holder| holder.customer_id == *customer);
    Ok(holder.ok_or_else(|| Missing::new(AccountHolder::TITLE, id))?)
}

/// Returns the holder of a customer at a provider.
pub fn holder_of(
    tx: &Tx<'_>,
    customer: &CustomerId,
    provider_id: &str,
) -> Result<Option<AccountHolder>, PaymentError> {
    let rest = "where h.customer_id = :customer and h.provider_id = :provider";
    let bound = named_params! { ":customer": customer, ":provider": provider_id };
    Ok(AccountHolder::select_one(tx, rest, bound)?)
}

/// Returns the holder of a customer at a provider, registering the customer there if necessary. `None` if the provider
/// has no account holders.
///
/// # Errors
/// If the provider does not answer.
pub async fn ensure_holder(
    db: &Db,
    gateway: &PaymentGateway,
    customer: CustomerId,
    email: String,
    provider_id: String,
) -> Result<Option<AccountHolder>, PaymentError> {
    let (owner, provider) = (customer.clone(), provider_id.clone());
    if let Some(holder) = db.read(move |tx| holder_of(tx, &owner, &provider)).await? {
        return Ok(Some(holder));
    }
    let request = HolderRequest { customer_id: customer.as_str(), email: &email };
    let external_id = gateway.create_holder(&provider_id, request).await?;
    let Some(external_id) = external_id else { return Ok(None) };
    db.write(move |tx| insert_holder(tx, customer, email, provider_id, external_id).map(Some)).await
}

/// Inserts a holder, unless a concurrent request has.
fn insert_holder(
    tx: &Tx<'_>,
    customer_id: CustomerId,
    email: String,
    provider_id: String,
    external_id: String,
) -> Result<AccountHolder, PaymentError> {
    if let Some(holder) = holder_of(tx, &customer_id, &provider_id)? {
        return Ok(holder);
    }
    let holder = AccountHolder {
        id: AccountHolderId::new(),
        customer_id,
        provider_id,
        external_id,
        email: Some(email),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    holder.insert(tx)?;
    Ok(holder)
}

/// Returns a method.
pub fn find(tx: &Tx<'_>, id: &PaymentMethodId) -> Result<PaymentMethod, PaymentError> {
    PaymentMethod::require(tx, id)
}

/// Returns the charge of a saved method under a key, even if the method has been detached since.
pub fn charge_of(
    tx: &Tx<'_>,
    id: &PaymentMethodId,
    key: &str,
) -> Result<Option<SavedCharge>, PaymentError> {
    let Some(method) = find_any(tx, id)? else { return Ok(None) };
    let holder = AccountHolder::find(tx, &method.account_holder_id)?;
    Ok(holder.map(|holder| SavedCharge::new(key, &method, &holder)))
}

/// Returns a method, including detached ones.
pub fn find_any(tx: &Tx<'_>, id: &PaymentMethodId) -> Result<Option<PaymentMethod>, PaymentError> {
    let bound = named_params! { ":id": id };
    Ok(PaymentMethod::select_one(tx, "where m.id = :id", bound)?)
}

/// Returns the active subscriptions, by the method that pays for them.
pub fn used_by(
    tx: &Tx<'_>,
    methods: &[PaymentMethod],
) -> Result<ById<Vec<SubscriptionId>>, PaymentError> {
    let ids = ids::list(methods.iter().map(|method| &method.id));
    Ok(ById::grouped(queries::methods::used_by(tx, &ids)?))
}

/// Checks that no running subscription is paid with a method.
pub fn check_unused(tx: &Tx<'_>, method: &PaymentMethod) -> Result<(), PaymentError> {
    let used = used_by(tx, std::slice::from_ref(method))?;
    match used.group(&method.id) {
        [subscription, ..] => Err(PaymentError::MethodInUse {
            id: method.id.clone(),
            subscription: subscription.clone(),
        }),
        [] => Ok(()),
    }
}

/// Checks that a holder may save one more method.
pub fn check_room(tx: &Tx<'_>, holder: &AccountHolderId) -> Result<(), PaymentError> {
    if of_holder(tx, holder)?.len() >= MAX_METHODS {
        return Err(PaymentError::TooManyMethods { max: MAX_METHODS });
    }
    Ok(())
}

/// Stores a method that the provider has saved; the first one of a holder is the default. If the card is already saved,
/// returns the existing method.
pub fn store(
    tx: &Tx<'_>,
    holder: &AccountHolder,
    saved: SavedMethod,
) -> Result<PaymentMethod, PaymentError> {
    let others = of_holder(tx, &holder.id)?;
    let is_same = |other: &&PaymentMethod| {
        other.reference == saved.reference
            || (saved.fingerprint.is_some() && other.fingerprint == saved.fingerprint)
    };
    if let Some(same) = others.iter().find(is_same) {
        return Ok(same.clone());
    }
    let method = PaymentMethod {
        id: PaymentMethodId::new(),
        account_holder_id: holder.id.clone(),
        provider_id: holder.provider_id.clone(),
        reference: saved.reference,
        card: saved.card,
        fingerprint: saved.fingerprint,
        is_default: others.is_empty(),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    method.insert(tx)?;
    crate::events::record(tx, "payment_method.saved", &event(&method))?;
    Ok(method)
}

/// Records a provider's report about a method, such as the new expiry date of a replaced card. `None` if it is not saved
/// here.
pub fn reported(tx: &Tx<'_>, saved: SavedMethod) -> Result<Option<PaymentMethod>, PaymentError> {
    let Some(mut method) = queries::methods::by_reference(tx, &saved.reference)? else {
        return Ok(None);
    };
    method.card = saved.card;
    method.fingerprint = saved.fingerprint;
    method.update(tx)?;
    Ok(Some(method))
}

/// Stores a method that its provider reports as saved. Card data stays if none is reported. `None` if the method was saved
/// and removed earlier.
pub fn saved(
    tx: &Tx<'_>,
    holder: &AccountHolder,
    mut saved: SavedMethod,
) -> Result<Option<PaymentMethod>, PaymentError> {
    let known = queries::methods::ever_saved(tx, &holder.id, &saved.reference)?;
    let Some((id, is_ended)) = known else { return store(tx, holder, saved).map(Some) };
    if is_ended {
        return Ok(None);
    }
    let known = find(tx, &id)?;
    saved.fingerprint = saved.fingerprint.or_else(|| known.fingerprint.clone());
    saved.card = saved.card.or_else(|| known.card.clone());
    if saved.card == known.card && saved.fingerprint == known.fingerprint {
        return Ok(Some(known));
    }
    reported(tx, saved)
}

/// Returns the holder with a provider's id.
pub fn holder_named(
    tx: &Tx<'_>,
    provider_id: &str,
    external_id: &str,
) -> Result<Option<AccountHolder>, PaymentError> {
    let rest = "where h.external_id = :external and h.provider_id = :provider";
    let bound = named_params! { ":external": external_id, ":provider": provider_id };
    Ok(AccountHolder::select_one(tx, rest, bound)?)
}

/// Ends a method that no longer exists at its provider, even if it pays for something. `None` if it is not
/// saved here.
pub fn gone(tx: &Tx<'_>, reference: &str) -> Result<Option<PaymentMethod>, PaymentError> {
    let method = queries::methods::by_reference(tx, reference)?;
    if let Some(method) = &method {
        end(tx, method)?;
    }
    Ok(method)
}

/// Returns the method to charge in place of an ended one: preferably one that has not expired, among these the default,
/// else the newest.
pub fn in_place_of(
    tx: &Tx<'_>,
    ended: &PaymentMethod,
) -> Result<Option<PaymentMethod>, PaymentError> {
    let others = of_holder(tx, &ended.account_holder_id)?;
    let order = |method: &PaymentMethod| (method.is_expired(tx.now()), !method.is_default);
    Ok(others.into_iter().min_by_key(order))
}

/// Ends a method: it is no longer listed or charged. If it was the default, its replacement becomes the
/// default.
///
/// # Errors
/// [`PaymentError::MethodInUse`] if a running subscription is paid with it.
pub fn detach(tx: &Tx<'_>, method: &PaymentMethod) -> Result<(), PaymentError> {
    check_unused(tx, method)?;
    end(tx, method)
}

fn end(tx: &Tx<'_>, method: &PaymentMethod) -> Result<(), PaymentError> {
    PaymentMethod::delete(tx, &method.id)?;
    if method.is_default
        && let Some(mut next) = in_place_of(tx, method)?
    {
        next.is_default = true;
        next.update(tx)?;
    }
    crate::events::record(tx, "payment_method.detached", &event(method))?;
    Ok(())
}

fn event(method: &PaymentMethod) -> Value {
    serde_json::json!({
        "id": method.id,
        "account_holder_id": method.account_holder_id,
        "provider_id": method.provider_id,
    })
}

/// Returns the data of a session with the holder that its method will be saved for.
pub fn with_holder(mut data: Data, holder: Option<&AccountHolder>) -> Data {
    match holder {
        Some(holder) => data.insert("customer".to_owned(), holder.external_id.as_str().into()),
        None => data.remove("customer"),
    };
    data
}
