//! `/store/bundle-products/:id`.

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::Shop;
use crate::bundles::offer::{self, BundleOffer};
use crate::catalog::PriceContextQuery;
use crate::http::{Answer, Fields, HttpError, One, OneRequest, Query};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_store_bundle_product))
}

type StoreBundleProductResponse = One<BundleOffer>;

/// Show a bundle
///
/// By its id, its handle, or the id of the product that it is sold as. The price is what a set of the default variants
/// costs in a cart, in the given region, cart or country, otherwise in the store's own region.
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
