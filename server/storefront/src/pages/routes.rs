//! `/admin/content-pages` and `/store/content-pages`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::content::PageVersion;
use super::page::ContentPage;
use super::queries;
use super::requests::{CreatePageRequest, RestorePageRequest, UpdatePageRequest};
use super::show::{self, PageQuery, PublishedPage, ServedPage};
use crate::AppState;
use crate::audit_log::EntityType;
use crate::auth::{AdminReader, AdminWriter, Secret, Shop};
use crate::caching::{self, Freshness};
use crate::clock::Timestamp;
use crate::database::{Db, Table as _};
use crate::error::ContentError;
use crate::http::{Answer, HttpError, Json, MAX_LIMIT, MAX_OFFSET, Path, Query, ToSchema};
use crate::ids::ContentPageId;
use crate::resource::AdminRoutes;
use crate::slug;

const TOKEN_PREFIX: &str = "cpt_";

pub(crate) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<ContentPage, _>::at("/admin/content-pages", "Admin storefront")
        .audited(EntityType::ContentPage)
        .list()
        .create(CreatePageRequest::create)
        .show()
        .update_by(UpdatePageRequest::update)
        .note("Another content is a new version. Storefronts show it once it is published.")
        .update_part_by(
            "/restore",
            "restore_content_page",
            "Restore a version of a content page",
            RestorePageRequest::restore,
        )
        .note("Its content becomes a new version, which is shown once it is published.")
        .delete(ContentPage::remove)
        .router()
        .routes(routes!(list_page_versions))
        .routes(routes!(preview_page))
        .routes(routes!(show_store_page))
}

/// The versions of a page.
#[derive(Debug, Serialize, ToSchema)]
struct PageVersionsResponse {
    /// Newest first.
    versions: Vec<PageVersion>,
    /// The total number of versions.
    count: i64,
    offset: u32,
    limit: u32,
}

/// The part of a list to return.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct VersionsQuery {
    /// Defaults to 20.
    #[param(minimum = 0, maximum = 200)]
    limit: Option<u32>,
    #[param(minimum = 0, maximum = 10_000_000)]
    offset: Option<u32>,
}

/// List the versions of a content page
#[crate::http::operation(get, path = "/admin/content-pages/{id}/versions", tag = "Admin storefront",
    params(("id" = ContentPageId, Path, description = "The page"), VersionsQuery),
    responses((status = 200, description = "The versions", body = PageVersionsResponse)))]
async fn list_page_versions(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<ContentPageId>,
    Query(query): Query<VersionsQuery>,
) -> Result<Json<PageVersionsResponse>, HttpError> {
    let (limit, offset) = (query.limit.unwrap_or(20), query.offset.unwrap_or(0));
    for (name, number, max) in [("limit", limit, MAX_LIMIT), ("offset", offset, MAX_OFFSET)] {
        if number > max {
            return Err(HttpError::invalid_data(format!("`{name}` must be at most {max}")));
        }
    }
    let (page, versions) = db
        .read(move |tx| {
            let page = ContentPage::require::<ContentError>(tx, &id)?;
            Ok::<_, ContentError>((page, queries::versions(tx, &id, (limit, offset))?))
        })
        .await?;
    Ok(Json(PageVersionsResponse { versions, count: page.version, offset, limit }))
}

/// A token that shows the draft of a page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "preview_token": "cpt_4a1f", "expires_at": "2026-11-22T12:00:00.000Z" }))]
struct PreviewResponse {
    /// Shown once.
    preview_token: String,
    expires_at: Timestamp,
}

/// Create a preview token of a content page
///
/// For a day it shows the page's latest version at `/store/content-pages`, whether or not that is
/// published.
#[crate::http::operation(post, path = "/admin/content-pages/{id}/preview", tag = "Admin storefront",
    params(("id" = ContentPageId, Path, description = "The page")),
    responses((status = 200, description = "The token", body = PreviewResponse)))]
async fn preview_page(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ContentPageId>,
) -> Result<Answer, HttpError> {
    let token = Secret::generate(TOKEN_PREFIX).map_err(ContentError::from)?;
    let preview_token = token.reveal().to_owned();
    let expires_at = db.write(move |tx| show::create_preview(tx, &id, &token)).await?;
    let answer = Answer::of(&PreviewResponse { preview_token, expires_at })?;
    let again = Answer::of(&PreviewResponse { preview_token: String::new(), expires_at })?;
    Ok(answer.once(again))
}

/// The page, if there is one.
#[derive(Debug, Serialize, ToSchema)]
struct StorePageResponse {
    /// Null for a slug that is unknown, deleted or not published.
    page: Option<PublishedPage>,
    /// Only with a `preview_token`: whether the token is invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    preview_locked: Option<bool>,
}

/// Show a content page
///
/// For a slug without a published page, the response is null with status 200. With a `preview_token`, it is the
/// latest version of the token's page; an invalid token gives null and `preview_locked`, whatever the slug.
#[crate::http::operation(get, path = "/store/content-pages", tag = "Store content", params(PageQuery),
    responses((status = 200, description = "The page, or null", body = StorePageResponse)),
    security(("publishable_key" = [])))]
async fn show_store_page(
    shop: Shop,
    State(db): State<Db>,
    Query(mut query): Query<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    if !slug::is_findable(&query.slug) {
        return Err(HttpError::invalid_data(
            "`slug` must be a name in URLs of at most 200 characters",
        ));
    }
    if let Some(token) = query.preview_token.take() {
        let page = db.read(move |tx| show::find_draft(tx, &token, &query.slug)).await?;
        let preview_locked = Some(page.is_none());
        return Ok(Answer::of(&StorePageResponse { page, preview_locked })?.into_response());
    }
    let (served, now) = db
        .read::<_, ContentError>(move |tx| Ok((show::find(tx, &shop, &query)?, tx.now())))
        .await?;
    let ServedPage { page, changes_at } = served;
    let freshness = Freshness { now, changes_at, is_personal: false };
    caching::answer(&headers, freshness, &StorePageResponse { page, preview_locked: None })
}
