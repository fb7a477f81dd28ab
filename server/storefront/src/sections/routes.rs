//! `/store/products/:id/pdp-sections`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;

use super::section;
use crate::AppState;
use crate::auth::Shop;
use crate::caching::{self, Freshness};
use crate::catalog;
use crate::database::Db;
use crate::error::ContentError;
use crate::http::{HttpError, Path, ToSchema};
use crate::ids::ProductId;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_product_sections))
}

/// The sections of a product page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "sections": [{ "type": "care", "title": "Care", "content": "Dishwasher safe." }] }))]
struct SectionsResponse {
    /// In display order. The types are the storefront's own.
    #[schema(value_type = Vec<Object>)]
    sections: Vec<Value>,
}

/// List the sections of a product page
///
/// The sections in the product's `metadata.pdp_sections` that are visible at present and in the key's sales channels,
/// sorted by `position`. Links that may not be shown are null.
#[crate::http::operation(get, path = "/store/products/{id}/pdp-sections", tag = "Store content",
    params(("id" = ProductId, Path, description = "The product")),
    responses((status = 200, description = "The sections", body = SectionsResponse)),
    security(("publishable_key" = [])))]
async fn list_product_sections(
    shop: Shop,
    State(db): State<Db>,
    Path(id): Path<ProductId>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let (sections, now) = db
        .read::<_, ContentError>(move |tx| {
            let channels = &shop.sales_channel_ids;
            let metadata = catalog::metadata_of(tx, &id, channels)?;
            let metadata = metadata.text().unwrap_or_default();
            Ok((section::read(metadata, channels, tx.now()), tx.now()))
        })
        .await?;
    let freshness = Freshness { now, changes_at: sections.changes_at, is_personal: false };
    caching::answer(&headers, freshness, &SectionsResponse { sections: sections.visible })
}
