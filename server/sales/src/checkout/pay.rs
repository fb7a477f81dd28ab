//! Starts payments: registers the payment with the provider and stores the session.

use super::error::CheckoutError;
use crate::auth::Shop;
use crate::clock::Timestamp;
use crate::context::Context;
use crate::database::{self, Db, Tx};
use crate::ids::{CartId, PaymentCollectionId, PaymentSessionId, RegionId};
use crate::payments::payment::Collection;
use crate::payments::provider::Data;
use crate::payments::view::CollectionView;
use crate::payments::{self, PaymentError, PaymentGateway};
use crate::{cart, regions};

/// A payment session that the provider does not know yet.
#[derive(Debug)]
pub(super) struct SessionDraft {
    collection: Collection,
    /// The providers of the cart's region, in order of preference.
    providers: Vec<String>,
    provider_id: String,
    data: Data,
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
    let (cart_id, collection) = payments::payable(tx, id)?;
    let cart = cart::load_to_change(tx, &cart_id, shop)?;
    begun(tx, collection, cart.region_id.as_ref())
}

/// Returns the collection of a cart that has a customer, creating it if necessary.
pub(super) fn begin_for_customer(
    tx: &Tx<'_>,
    cart_id: &CartId,
    shop: &Shop,
) -> Result<SessionDraft, CheckoutError> {
    let cart = cart::load_to_change(tx, cart_id, shop)?;
    if cart.customer_id.is_none() {
        return Err(PaymentError::NoCustomer.into());
    }
    let id = payments::collect(tx, &cart.id, cart.currency, cart.totals.total)?;
    let (_, collection) = payments::payable(tx, &id)?;
    begun(tx, collection, cart.region_id.as_ref())
}

fn begun(
    tx: &Tx<'_>,
    collection: Collection,
    region: Option<&RegionId>,
) -> Result<SessionDraft, CheckoutError> {
    let region = region.ok_or(CheckoutError::Missing("region"))?;
    let providers = regions::payment_providers(tx, region)?;
    Ok(SessionDraft { collection, providers, provider_id: String::new(), data: Data::new() })
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
        let id = PaymentSessionId::new();
        let SessionDraft { collection, provider_id, data, .. } = begun;
        let amount = (collection.amount_minor, collection.currency);
        let data = gateway.initiate(&provider_id, id.as_str(), amount, &data).await?;
        let session = payments::new_session(now, id, &collection, (provider_id, data));
        db.write(move |tx| {
            payments::attempt(tx, &session)?;
            Ok::<_, CheckoutError>(payments::view::collection(tx, &session.collection_id)?)
        })
        .await
    };
    Context::current()
        .spawn(work)
        .await
        .unwrap_or(Err(CheckoutError::Db(database::Error::Panicked)))
}
