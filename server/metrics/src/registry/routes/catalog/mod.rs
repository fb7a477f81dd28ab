//! `/admin/metrics/catalog`: the same metrics, with `camelCase` names.

mod uses;

use axum::http::StatusCode;
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use utoipa::openapi::ObjectBuilder;
use utoipa_axum::router::OpenApiRouter;

use super::definition::{
    CatalogMetricView, CatalogRollbackRequest, CreateCatalogMetricRequest, CreateDefinitionRequest,
    DefinitionReader, DefinitionWriter, MetricView, RollbackRequest, UpdateCatalogMetricRequest,
    UpdateDefinitionRequest, WithEtag, with_etag,
};
use crate::http::{
    Answer, HttpError, Json, ListRequest, MAX_SEARCH_CHARS, Page, Path, Query, ToSchema, text,
};
use crate::ids::MetricId;
use crate::registry::metric::CatalogVersionView;
use crate::routes::alias::{alias, summarized};
use crate::routes::failures::Failure;
use crate::state::AppState;

type CatalogPage = Page<CatalogMetricView>;

/// Parameters of the catalog's list beside its filters. The list parses them; this type only describes them.
#[derive(Debug, crate::http::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct CatalogListQuery {
    /// Text to search for, same as `q`.
    #[param(schema_with = search_schema)]
    search: Option<String>,
}

fn search_schema() -> ObjectBuilder {
    text::described(MAX_SEARCH_CHARS)
}

/// Options for removing a metric.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub(super) struct CatalogRemovalQuery {
    /// Whether to override a lock, and to archive a metric that active alerts use; for admins only.
    force_update: Option<bool>,
}

/// A metric.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CatalogMetricResponse {
    metric: CatalogMetricView,
}

/// A metric that was archived.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CatalogMetricDeletedResponse {
    #[schema(example = "met_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    id: MetricId,
    /// Always `metric`.
    #[schema(example = "metric")]
    object: &'static str,
    /// Always true: the metric is no longer computed.
    deleted: bool,
    /// The metric as stored: archived.
    metric: CatalogMetricView,
}

/// Versions of a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CatalogVersionsResponse {
    /// The versions, the newest first.
    versions: Vec<CatalogVersionView>,
    /// The number of versions.
    count: usize,
}

/// A metric after a rollback.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CatalogRolledBackResponse {
    metric: CatalogMetricView,
    #[schema(example = "Rolled back to version 1 as version 3")]
    message: String,
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(list_catalog_metrics, create_catalog_metric))
        .routes(routes!(show_catalog_metric, update_catalog_metric, delete_catalog_metric))
        .routes(routes!(list_catalog_versions, roll_back_catalog_metric))
        .routes(alias(
            routes!(roll_back_catalog_metric),
            "/admin/metrics/catalog/{id}/versions/rollback",
            &[("roll_back_catalog_metric", "roll_back_catalog_version")],
            summarized("Same as a POST of versions."),
        ))
        .merge(uses::router())
        .layer(axum::middleware::from_fn(uses::spell_errors))
}

fn response(status: StatusCode, metric: MetricView) -> WithEtag<CatalogMetricResponse> {
    with_etag(status, metric, |metric| CatalogMetricResponse { metric: metric.into() })
}

/// Lists the metrics that the caller may see.
#[crate::http::operation(get, path = "/admin/metrics/catalog", tag = "Admin metrics catalog",
    params(ListRequest<CatalogMetricView>, CatalogListQuery),
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "A page", body = CatalogPage)))]
pub(super) async fn list_catalog_metrics(
    reading: DefinitionReader,
    list: ListRequest<CatalogMetricView>,
) -> Result<Answer, HttpError> {
    let mut query = list.query.clone();
    if let Some(search) = list.extra("search")? {
        let search = text::clean(search, MAX_SEARCH_CHARS).map_err(|refusal| {
            HttpError::invalid_data(format!("Invalid request: Field 'search': {refusal}"))
        })?;
        query.search = Some(search).filter(|search| !search.is_empty());
    }
    let (rows, count) = reading.page(query).await?;
    let rows: Vec<CatalogMetricView> = rows.into_iter().map(Into::into).collect();
    list.answer(&rows, count)
}

/// Creates a metric as a draft. Its key is derived from its name; without Latin letters and digits in it, it is `metric_`
/// with a number.
#[crate::http::operation(post, path = "/admin/metrics/catalog", tag = "Admin metrics catalog",
    request_body = CreateCatalogMetricRequest,
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 201, description = "The metric", body = CatalogMetricResponse),
        (status = 422, description = "The formula does not check, or its type or dependencies differ")))]
pub(super) async fn create_catalog_metric(
    work: DefinitionWriter,
    Json(request): Json<CreateCatalogMetricRequest>,
) -> Result<WithEtag<CatalogMetricResponse>, HttpError> {
    let created = work.create(CreateDefinitionRequest::from(request).read()?).await?;
    Ok(response(StatusCode::CREATED, created))
}

/// Shows a metric. The `ETag` header identifies its state.
#[crate::http::operation(get, path = "/admin/metrics/catalog/{id}", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The metric", body = CatalogMetricResponse)))]
pub(super) async fn show_catalog_metric(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<WithEtag<CatalogMetricResponse>, HttpError> {
    Ok(response(StatusCode::OK, reading.show(id).await?))
}

/// Changes a metric; absent fields keep their value.
#[crate::http::operation(put, path = "/admin/metrics/catalog/{id}", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key"),
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    request_body = UpdateCatalogMetricRequest,
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The metric", body = CatalogMetricResponse),
        (status = 422, description = "The formula does not check, creates a cycle, or breaks metrics that use it"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn update_catalog_metric(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<UpdateCatalogMetricRequest>,
) -> Result<WithEtag<CatalogMetricResponse>, HttpError> {
    let changed = work.update(id, UpdateDefinitionRequest::from(request).read()?).await?;
    Ok(response(StatusCode::OK, changed))
}

/// Archives a metric, unless active metrics or active alerts use it. It stays in the catalog as archived, with its
/// versions, and is no longer computed; setting the state draft restores it.
#[crate::http::operation(delete, path = "/admin/metrics/catalog/{id}", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key"), CatalogRemovalQuery,
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The metric is archived", body = CatalogMetricDeletedResponse),
        (status = 409, description = "Active metrics or active alerts use it"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn delete_catalog_metric(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Query(query): Query<CatalogRemovalQuery>,
) -> Result<Json<CatalogMetricDeletedResponse>, HttpError> {
    let archived = work.archive(id, query.force_update.unwrap_or(false)).await?;
    let (id, metric) = (archived.id.clone(), archived.into());
    Ok(Json(CatalogMetricDeletedResponse { id, object: "metric", deleted: true, metric }))
}

/// Lists the versions of a metric, including a removed one, the newest first.
#[crate::http::operation(get, path = "/admin/metrics/catalog/{id}/versions", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The versions", body = CatalogVersionsResponse)))]
pub(super) async fn list_catalog_versions(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<CatalogVersionsResponse>, HttpError> {
    let versions = reading.versions(id).await?;
    let versions: Vec<CatalogVersionView> = versions.into_iter().map(Into::into).collect();
    Ok(Json(CatalogVersionsResponse { count: versions.len(), versions }))
}

/// Creates a new version equal to an earlier one, which is given by number or id.
#[crate::http::operation(post, path = "/admin/metrics/catalog/{id}/versions", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key"),
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    request_body = CatalogRollbackRequest,
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The metric", body = CatalogRolledBackResponse),
        (status = 422, description = "The earlier formula no longer checks, or breaks metrics that use it"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn roll_back_catalog_metric(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<CatalogRollbackRequest>,
) -> Result<WithEtag<CatalogRolledBackResponse>, HttpError> {
    let (metric, message) = work.roll_back(id, RollbackRequest::from(request).into()).await?;
    let respond =
        |metric| CatalogRolledBackResponse { metric: CatalogMetricView::from(metric), message };
    Ok(with_etag(StatusCode::OK, metric, respond))
}
