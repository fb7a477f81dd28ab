//! Starts payments: registers the payment with the provider and stores the session.

use super::end_sessions;
use super::error::CheckoutError;
use crate::auth::Shop;
use crate::cart::contents::Cart;
use crate::clock::Timestamp;
use crate::context::Context;
use crate::database::{Db, Tx};
use crate::ids::{CartId, CustomerId, PaymentCollectionId};
use crate::payments::payment::{Collection, Session};
use crate::payments::provider::{Data, Purpose};
use crate::payments::view::CollectionView;
use crate::payments::{self, PaymentError, PaymentGateway, methods};
use crate::proportion::subtract;
use crate::subscriptions::create::{self, Subscribe};
use crate::{cart, regions};

/// A payment session that the provider does not know yet.
#[derive(Debug)]
pub(super) struct SessionDraft {
    collection: Collection,
    /// The cart's customer with the e-mail address, if it has one.
    customer: Option<(CustomerId, String)>,
    /// The providers of the cart's region, in order of preference.
    providers: Vec<String>,
    provider_id: String,
    data: Data,
    purpose: Purpose,
}

impl SessionDraft {
    /// Sets the provider, by default the region's first, and the data that the storefront sends to it.
    pub(super) fn with(
        mut self,
        provider_id: Option<String>,
        data: Data,
    ) -> Result<Self, CheckoutError> {
        let chosen = provider_id.or_else(|| self.providers.first().cloned()).unwrap_or_default();
        if !self.providers.contains(&chosen) {
            return Err(PaymentError::NoProvider(chosen).into());
        }
        self.provider_id = chosen;
        self.data = data;
        Ok(self)
    }
}

/// Returns the collection to pay, for a caller in a storefront.
pub(super) fn begin(
    tx: &Tx<'_>,
    id: &PaymentCollectionId,
    shop: &Shop,
) -> Result<SessionDraft, CheckoutError> {
    // First, because other refusals would name a stranger's cart.
    let cart = end_sessions::cart_of(tx, id, shop)?;
    let (_, collection) = payments::payable(tx, id)?;
    let now_minor = due_of_collection(tx, &cart)?;
    let is_current = (collection.amount_minor, collection.later_minor) == parts(&cart, now_minor)?;
    if is_current { begun(tx, collection, cart, now_minor) } else { begin_due(tx, cart, now_minor) }
}

/// Returns the collection of a cart for the amount due now, creating it if necessary.
pub(super) fn collect(tx: &Tx<'_>, cart: &Cart) -> Result<PaymentCollectionId, CheckoutError> {
    let now_minor = due_of_collection(tx, cart)?;
    Ok(payments::collect_due(tx, &cart.id, cart.currency, parts(cart, now_minor)?)?)
}

/// Returns the collection of a cart with a customer, creating it if necessary. What begins after a trial, or at
/// `start_at`, is not due now.
pub(super) fn begin_for_customer(
    tx: &Tx<'_>,
    cart_id: &CartId,
    shop: &Shop,
    start_at: Option<Timestamp>,
) -> Result<SessionDraft, CheckoutError> {
    let cart = cart::load_to_change(tx, cart_id, shop)?;
    let now_minor = due_now(tx, &cart, start_at)?;
    let begun = begin_due(tx, cart, now_minor)?;
    if begun.customer.is_none() {
        return Err(PaymentError::NoCustomer.into());
    }
    Ok(begun)
}

/// Returns the collection of a cart, creating it if necessary. What begins after a trial is not due now.
pub(super) fn begin_for_cart(
    tx: &Tx<'_>,
    cart_id: &CartId,
    shop: &Shop,
) -> Result<SessionDraft, CheckoutError> {
    let cart = cart::load_to_change(tx, cart_id, shop)?;
    let now_minor = due_now(tx, &cart, None)?;
    begin_due(tx, cart, now_minor)
}

/// Returns the part of a cart that is due now, if its subscriptions begin at `start_at`, by default now or after their
/// trials.
pub(super) fn due_now(
    tx: &Tx<'_>,
    cart: &Cart,
    start_at: Option<Timestamp>,
) -> Result<i64, CheckoutError> {
    let subscribe = Subscribe { start_at, ..Subscribe::default() };
    Ok(create::due_now(tx, cart.clone(), &subscribe)?.0.totals.total)
}

/// Returns the part of a cart that is due now: the amount of its collection if a session has deferred a part to a
/// future start, otherwise everything that does not begin after a trial.
pub(super) fn due_of_collection(tx: &Tx<'_>, cart: &Cart) -> Result<i64, CheckoutError> {
    let now_minor = due_now(tx, cart, None)?;
    let split = payments::of_cart(tx, &cart.id)?.filter(|collection| {
        let total_minor = collection.amount_minor.checked_add(collection.later_minor);
        collection.later_minor > 0
            && create::has_plans(cart)
            && (total_minor, collection.currency) == (Some(cart.totals.total), cart.currency)
    });
    Ok(split.map_or(now_minor, |collection| collection.amount_minor.min(now_minor)))
}

/// Returns the amount of a session, of which `now_minor` is due now, and the deferred amount. A session that only saves its
/// method is for the whole total, of which nothing is charged.
pub(super) fn parts(cart: &Cart, now_minor: i64) -> Result<(i64, i64), CheckoutError> {
    let total_minor = cart.totals.total.max(0);
    let is_part = (1..total_minor).contains(&now_minor);
    let later_minor = if is_part { subtract(total_minor, now_minor)? } else { 0 };
    Ok((subtract(total_minor, later_minor)?, later_minor))
}

/// Starts a session for the amount due now.
fn begin_due(tx: &Tx<'_>, cart: Cart, now_minor: i64) -> Result<SessionDraft, CheckoutError> {
    let id = payments::collect_due(tx, &cart.id, cart.currency, parts(&cart, now_minor)?)?;
    let (_, collection) = payments::payable(tx, &id)?;
    begun(tx, collection, cart, now_minor)
}

fn begun(
    tx: &Tx<'_>,
    collection: Collection,
    cart: Cart,
    now_minor: i64,
) -> Result<SessionDraft, CheckoutError> {
    let region = cart.region_id.ok_or(CheckoutError::Missing("region"))?;
    let providers = regions::payment_providers(tx, &region)?;
    let customer = cart.customer_id.zip(cart.email);
    let (provider_id, data) = (String::new(), Data::new());
    let purpose = if now_minor < 1 { Purpose::Setup } else { Purpose::Pay };
    Ok(SessionDraft { collection, customer, providers, provider_id, data, purpose })
}

/// Registers the payment with the provider and replaces the earlier sessions with the new one. Runs to completion even
/// if the client disconnects.
pub(super) async fn initiate(
    db: Db,
    gateway: PaymentGateway,
    now: Timestamp,
    begun: SessionDraft,
) -> Result<CollectionView, CheckoutError> {
    let work = async move {
        let session = start(db.clone(), gateway, now, begun).await?;
        db.read(move |tx| Ok(payments::view::collection(tx, &session.collection_id)?)).await
    };
    Context::current().run_to_end(work).await
}

/// Registers the payment with the provider and replaces the earlier sessions with the new one. A payment whose method will
/// be used again belongs to the customer's account with the provider.
pub(super) async fn start(
    db: Db,
    gateway: PaymentGateway,
    now: Timestamp,
    begun: SessionDraft,
) -> Result<Session, CheckoutError> {
    let SessionDraft { collection, customer, provider_id, data, purpose, .. } = begun;
    let is_saved = data.get("setup_future_usage").is_some_and(|usage| !usage.is_null());
    let holder = match customer.filter(|_| is_saved) {
        Some((id, email)) => {
            methods::ensure_holder(&db, &gateway, id, email, provider_id.clone()).await?
        }
        None => None,
    };
    let data = methods::with_holder(data, holder.as_ref());
    let mut session = Session { data, ..Session::new(&collection, provider_id, now) };
    session.data = gateway.initiate(&session, purpose).await?;
    db.write(move |tx| {
        payments::replace_sessions(tx, &session)?;
        Ok::<_, CheckoutError>(session)
    })
    .await
}
