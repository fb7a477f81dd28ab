//! `/admin/banners` and `/store/banners`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::banner::Banner;
use super::live::{self, BannersQuery, LiveBanner};
use super::requests::{CreateBannerRequest, UpdateBannerRequest};
use crate::AppState;
use crate::audit_log::EntityType;
use crate::auth::Shop;
use crate::caching::{self, Freshness};
use crate::database::{Db, Table as _};
use crate::error::ContentError;
use crate::http::{HttpError, MAX_LIMIT, Query, ToSchema};
use crate::resource::AdminRoutes;

const DEFAULT_LIMIT: u32 = 20;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Banner, _>::at("/admin/banners", "Admin storefront")
        .audited(EntityType::Banner)
        .list()
        .create(CreateBannerRequest::create)
        .show()
        .update(UpdateBannerRequest::update)
        .delete(Banner::remove)
        .router()
        .routes(routes!(list_store_banners))
}

/// The banners to show at present.
#[derive(Debug, Serialize, ToSchema)]
struct StoreBannersResponse {
    /// Highest priority first, then the latest start.
    banners: Vec<LiveBanner>,
}

/// List the banners to show now
///
/// A banner is shown in its own window. Without one it is shown while its campaign runs, and without a campaign never.
/// `max-age` ends when a banner next appears or disappears. An unknown site has no banners.
#[crate::http::operation(get, path = "/store/banners", tag = "Store content", params(BannersQuery),
    responses((status = 200, description = "The banners", body = StoreBannersResponse)),
    security(("publishable_key" = [])))]
async fn list_store_banners(
    shop: Shop,
    State(db): State<Db>,
    Query(query): Query<BannersQuery>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(HttpError::invalid_data(format!("`limit` must be from 1 to {MAX_LIMIT}")));
    }
    let limit = usize::try_from(limit).unwrap_or_default();
    let (live, now) = db
        .read::<_, ContentError>(move |tx| Ok((live::find(tx, &shop, &query, limit)?, tx.now())))
        .await?;
    let freshness = Freshness { now, changes_at: live.changes_at, is_personal: live.is_personal };
    caching::answer(&headers, freshness, &StoreBannersResponse { banners: live.banners })
}
