//! `/admin/bundle-products` and `/store/bundle-products/:id`.

use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::bundle::{self, Bundle, BundleStatus, Slot};
use super::error::BundleError;
use super::offer::{self, BundleOffer};
use super::pricing::{PricingRequest, PricingView};
use crate::audit_log::EntityType;
use crate::auth::Shop;
use crate::catalog::PriceContextQuery;
use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::http::{
    Answer, AssignTo as _, Fields, HttpError, One, OneRequest, Patch, Query, Refusal, Resource,
    Text, ToSchema, request,
};
use crate::ids::{BundleItemId, BundleProductId, ProductId, SalesChannelId, VariantId};
use crate::metadata::{Metadata, MetadataPatch};
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<BundleView, _>::at("/admin/bundle-products", "Admin bundle products")
        .audited(EntityType::BundleProduct)
        .list()
        .create(CreateBundleRequest::create)
        .show()
        .update(UpdateBundleRequest::update)
        .note("Carts have its new price from their next change on. `items` replaces all slots; one with an `id` stays.")
        .delete(Bundle::remove)
        .note("In carts, its pieces cost what they cost alone.")
        .router()
        .routes(routes!(show_store_bundle_product))
}

/// A bundle.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "bundle product", rows = Bundle, error = BundleError)]
#[schema(as = BundleProduct)]
struct BundleView {
    id: BundleProductId,
    title: String,
    #[schema(example = "tea-for-two")]
    handle: String,
    description: Option<String>,
    /// The product that it is sold as.
    product_id: Option<ProductId>,
    status: BundleStatus,
    pricing: PricingView,
    /// The channels that it is sold in; all if there are none.
    sales_channel_ids: Vec<SalesChannelId>,
    items: Vec<Slot>,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<Bundle> for BundleView {
    fn from(bundle: Bundle) -> Self {
        Self {
            pricing: bundle.pricing().into(),
            id: bundle.id,
            title: bundle.title,
            handle: bundle.handle,
            description: bundle.description,
            product_id: bundle.product_id,
            status: bundle.status,
            sales_channel_ids: bundle.sales_channel_ids,
            items: bundle.items,
            metadata: bundle.metadata,
            created_at: bundle.created_at,
            updated_at: bundle.updated_at,
        }
    }
}

/// A slot of a bundle.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = BundleItemRequest)]
struct SlotRequest {
    /// The id of a slot to keep.
    id: Option<BundleItemId>,
    title: Text,
    product_id: ProductId,
    /// The pieces in a set. Defaults to 1.
    #[schema(minimum = 1, maximum = 100)]
    quantity: Option<i64>,
    /// Whether a set is complete without it. Defaults to false.
    is_optional: Option<bool>,
    default_variant_id: Option<VariantId>,
}

impl From<SlotRequest> for Slot {
    fn from(slot: SlotRequest) -> Self {
        Self {
            id: slot.id.unwrap_or_else(BundleItemId::new),
            title: slot.title.into(),
            product_id: slot.product_id,
            quantity: slot.quantity.unwrap_or(1),
            is_optional: slot.is_optional.unwrap_or(false),
            default_variant_id: slot.default_variant_id,
        }
    }
}

/// A new bundle.
#[request]
#[schema(example = json!({
    "title": "Tea for two", "handle": "tea-for-two", "status": "published",
    "pricing": { "type": "percent_off", "value": 10 },
    "items": [
        { "title": "Pot", "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE" },
        { "title": "Cups", "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RF", "quantity": 2 },
    ],
}))]
struct CreateBundleRequest {
    title: Text,
    /// Lower-case letters, digits and hyphens.
    handle: Text<200>,
    description: Option<Text<5000>>,
    product_id: Option<ProductId>,
    /// Defaults to `draft`.
    status: Option<BundleStatus>,
    pricing: PricingRequest,
    /// Defaults to all channels.
    sales_channel_ids: Option<Vec<SalesChannelId>>,
    /// From 2 to 12 slots, none of them a bundle.
    items: Vec<SlotRequest>,
    metadata: Option<MetadataPatch>,
}

impl CreateBundleRequest {
    fn create(self, tx: &Tx<'_>, _by: &str) -> Result<BundleProductId, BundleError> {
        let (pricing_type, percent_ppm, amounts) = self.pricing.checked()?;
        let mut bundle = Bundle {
            id: BundleProductId::new(),
            title: self.title.into(),
            handle: handle(self.handle)?,
            description: self.description.map(Into::into),
            product_id: self.product_id,
            status: self.status.unwrap_or(BundleStatus::Draft),
            pricing_type,
            percent_ppm,
            amounts,
            sales_channel_ids: self.sales_channel_ids.unwrap_or_default(),
            metadata: Metadata::default(),
            items: self.items.into_iter().map(Into::into).collect(),
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        bundle.metadata.merge(self.metadata)?;
        bundle::create(tx, &bundle)?;
        Ok(bundle.id)
    }
}

/// The fields of a bundle to change.
#[request]
#[schema(example = json!({ "status": "draft" }))]
struct UpdateBundleRequest {
    title: Option<Text>,
    handle: Option<Text<200>>,
    description: Patch<Text<5000>>,
    product_id: Patch<ProductId>,
    status: Option<BundleStatus>,
    pricing: Option<PricingRequest>,
    sales_channel_ids: Option<Vec<SalesChannelId>>,
    items: Option<Vec<SlotRequest>>,
    metadata: Option<MetadataPatch>,
}

impl UpdateBundleRequest {
    fn update(self, tx: &Tx<'_>, id: &BundleProductId) -> Result<(), BundleError> {
        let before = Bundle::require::<BundleError>(tx, id)?;
        let mut bundle = before.clone();
        crate::assign!(self => bundle: title, description, product_id, status, sales_channel_ids);
        self.handle.map(handle).transpose()?.assign_to(&mut bundle.handle);
        if let Some(pricing) = self.pricing {
            (bundle.pricing_type, bundle.percent_ppm, bundle.amounts) = pricing.checked()?;
        }
        if let Some(items) = self.items {
            bundle.items = items.into_iter().map(Into::into).collect();
        }
        bundle.metadata.merge(self.metadata)?;
        bundle::change(tx, &before, &bundle)
    }
}

fn handle(text: Text<200>) -> Result<String, Refusal> {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    if text.as_str().split('-').all(is_word) {
        Ok(text.into())
    } else {
        Err(Refusal::invalid("`handle` must be words of a-z and 0-9, joined by hyphens"))
    }
}

type StoreBundleProductResponse = One<BundleOffer>;

/// Show a bundle
///
/// By its id, its handle, or the id of the product as which it is sold. The price is what a set of the default
/// variants costs in a cart, in the given region, cart or country, otherwise in the store's default region.
#[crate::http::operation(get, path = "/store/bundle-products/{id}", tag = "Store products",
    params(("id" = String, Path, description = "The bundle", max_length = 200),
        Fields<BundleOffer>, PriceContextQuery),
    responses((status = 200, description = "The bundle", body = StoreBundleProductResponse)))]
async fn show_store_bundle_product(
    OneRequest { caller: shop, db, id, fields }: OneRequest<Shop, String, BundleOffer>,
    Query(place): Query<PriceContextQuery>,
) -> Result<Answer, HttpError> {
    let place = place.into_request(&shop)?;
    let name = id.clone();
    let found = db.read(move |tx| offer::of(tx, &name, &shop.sales_channel_ids, &place)).await?;
    let missing = || HttpError::not_found(format!("Bundle product with id: {id} was not found"));
    let offer = found.ok_or_else(missing)?;
    fields.answer(&offer)
}
