//! `/admin/banners` and `/store/banners`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::banner::Banner;
use super::live::{self, BannerPlace, LiveBanner};
use super::requests::{CreateBannerRequest, UpdateBannerRequest};
use crate::AppState;
use crate::audit_log::EntityType;
use crate::auth::Shop;
use crate::caching::{self, Freshness};
use crate::database::{Db, Table as _};
use crate::error::ContentError;
use crate::http::{HttpError, MAX_LIMIT, Query, ToSchema};
use crate::locale::Locale;
use crate::resource::AdminRoutes;
use crate::slug::Slug;

/// The number of banners returned without a `limit`.
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

/// The query of banners.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct BannersQuery {
    /// The handle of a site; without it, banners that belong to no site.
    #[param(inline, example = "main")]
    store_handle: Option<Slug>,
    /// The placement in the storefront.
    #[param(inline, example = "home-top")]
    placement: Option<Slug>,
    /// The shopper's language. Shows the banners in this language, with or without its region, in the site's language, and
    /// without a language.
    #[param(inline, example = "de-AT")]
    locale: Option<Locale>,
    /// Defaults to 20.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
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
    let place = BannerPlace {
        site_handle: query.store_handle.map(Into::into),
        placement: query.placement.map(Into::into),
        locale: query.locale,
        limit: usize::try_from(limit).unwrap_or_default(),
    };
    let (live, now) = db
        .read::<_, ContentError>(move |tx| Ok((live::find(tx, &shop, &place)?, tx.now())))
        .await?;
    let freshness = Freshness { now, changes_at: live.changes_at, is_personal: live.is_personal };
    caching::answer(&headers, freshness, &StoreBannersResponse { banners: live.banners })
}
