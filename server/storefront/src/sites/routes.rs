//! `/admin/sites` and `/store/sites/by-domain`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::domain::Domain;
use super::queries;
use super::site::{Site, StoreSite};
use crate::AppState;
use crate::audit_log::EntityType;
use crate::auth::Shop;
use crate::caching::{self, Freshness};
use crate::database::{Db, Table as _, Tx, first_missing};
use crate::error::ContentError;
use crate::http::{HttpError, Patch, Query, Text, ToSchema, request};
use crate::ids::{RegionId, SalesChannelId, SiteId};
use crate::link::{Link, Seo};
use crate::locale::Locale;
use crate::money::Currency;
use crate::resource::AdminRoutes;
use crate::slug::Slug;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Site, _>::at("/admin/sites", "Admin storefront")
        .audited(EntityType::Site)
        .list()
        .create(CreateSiteRequest::create)
        .show()
        .update(UpdateSiteRequest::update)
        .delete(Site::remove)
        .note("Its banners and its pages are deleted with it.")
        .router()
        .routes(routes!(show_site_by_domain))
}

/// A new site.
#[request]
#[schema(example = json!({
    "handle": "main", "domain": "shop.example", "name": "The shop",
    "sales_channel_id": "sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "locale": "en", "is_primary": true,
}))]
struct CreateSiteRequest {
    /// The name that storefronts send.
    handle: Slug,
    /// In any case and script, with or without a scheme and a port.
    domain: Domain,
    name: Text,
    sales_channel_id: SalesChannelId,
    region_id: Option<RegionId>,
    locale: Option<Locale>,
    #[schema(value_type = Option<String>, example = "eur")]
    currency_code: Option<Currency>,
    /// Defaults to false. The previous primary site loses this status.
    is_primary: Option<bool>,
    /// Defaults to true.
    is_enabled: Option<bool>,
    redirect_to: Option<Link>,
    seo: Option<Seo>,
}

impl CreateSiteRequest {
    fn create(self, tx: &Tx<'_>, _by: &str) -> Result<SiteId, ContentError> {
        let site = Site {
            id: SiteId::new(),
            handle: self.handle.into(),
            domain: self.domain.into(),
            name: self.name.into(),
            sales_channel_id: self.sales_channel_id,
            region_id: self.region_id,
            locale: self.locale.map(Into::into),
            currency_code: self.currency_code,
            is_primary: self.is_primary.unwrap_or(false),
            is_enabled: self.is_enabled.unwrap_or(true),
            redirect_to: self.redirect_to.map(Into::into),
            seo: self.seo,
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        site.add(tx)?;
        Ok(site.id)
    }
}

/// The fields of a site to change.
#[request]
#[schema(example = json!({ "is_enabled": false }))]
struct UpdateSiteRequest {
    handle: Option<Slug>,
    domain: Option<Domain>,
    name: Option<Text>,
    sales_channel_id: Option<SalesChannelId>,
    region_id: Patch<RegionId>,
    locale: Patch<Locale>,
    #[schema(value_type = Option<String>, example = "eur")]
    currency_code: Patch<Currency>,
    is_primary: Option<bool>,
    is_enabled: Option<bool>,
    redirect_to: Patch<Link>,
    seo: Patch<Seo>,
}

impl UpdateSiteRequest {
    fn update(self, tx: &Tx<'_>, id: &SiteId) -> Result<(), ContentError> {
        let before = Site::require::<ContentError>(tx, id)?;
        let mut site = before.clone();
        crate::assign!(self => site:
            handle, domain, name, sales_channel_id, region_id, locale, currency_code, is_primary,
            is_enabled, redirect_to, seo
        );
        site.save(tx, &before)
    }
}

/// The query of the lookup.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DomainQuery {
    /// The domain in the shopper's browser; scheme, port, case and a trailing dot are ignored.
    #[param(inline, example = "www.shop.example")]
    domain: Domain,
}

/// The site of a domain.
#[derive(Debug, Serialize, ToSchema)]
struct StoreSiteResponse {
    site: StoreSite,
}

/// Find the site of a domain
///
/// `www.` falls back to the bare domain. A deleted region is null. A domain that is unknown, disabled, or not of the
/// key's sales channels is not found.
#[crate::http::operation(get, path = "/store/sites/by-domain", tag = "Store content", params(DomainQuery),
    responses((status = 200, description = "The site", body = StoreSiteResponse),
              (status = 404, description = "There is none", body = crate::http::ErrorBody)),
    security(("publishable_key" = [])))]
async fn show_site_by_domain(
    shop: Shop,
    State(db): State<Db>,
    Query(query): Query<DomainQuery>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let domain = query.domain;
    let found = db.read::<_, ContentError>(move |tx| {
        let names = (domain.as_str(), domain.bare());
        let Some(mut site) = queries::with_domain(tx, names, &shop.sales_channel_ids)? else {
            return Ok(None);
        };
        if first_missing::<RegionId>(tx, "region", &site.region_id)?.is_some() {
            site.region_id = None;
        }
        Ok(Some((site, tx.now())))
    });
    let (site, now) = found.await?.ok_or_else(|| HttpError::not_found("Site was not found"))?;
    caching::answer(&headers, Freshness::of_settings(now), &StoreSiteResponse { site })
}
