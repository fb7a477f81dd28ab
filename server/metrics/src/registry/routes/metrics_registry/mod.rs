//! `/admin/metrics-registry`: definitions, with `snake_case` names; and `/admin/metrics/definitions`, the same under
//! shorter paths.

mod uses;

use axum::http::StatusCode;
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

pub(super) use uses::{DependenciesResponse, DependentsResponse};

use super::definition::{
    CreateDefinitionRequest, DefinitionReader, DefinitionWriter, MetricView, RollbackRequest,
    UpdateDefinitionRequest, WithEtag, with_etag,
};
use crate::http::{Answer, Deleted, HttpError, Json, ListRequest, Page, Path, Query, ToSchema};
use crate::registry::metric::VersionView;
use crate::routes::alias::{alias, summarized, tagged};
use crate::state::AppState;

pub(super) type DefinitionPage = Page<MetricView>;
pub(super) type DeletedDefinition = Deleted<MetricView>;

/// A metric.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DefinitionResponse {
    pub(super) metric: MetricView,
}

/// Options for removing a metric or an example.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct RemovalQuery {
    /// Whether to override a lock, and active alerts that use a removed metric; for admins only.
    pub(super) force_update: Option<bool>,
}

/// Versions of a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct VersionsResponse {
    /// The versions, the newest first.
    versions: Vec<VersionView>,
    /// The number of versions.
    count: usize,
}

/// A metric after a rollback.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RolledBackResponse {
    metric: MetricView,
    #[schema(example = "Rolled back to version 1 as version 3")]
    message: String,
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(list_definitions, create_definition))
        .routes(routes!(show_definition, update_definition, delete_definition))
        .routes(routes!(list_definition_versions, roll_back_definition))
        .routes(alias(
            routes!(roll_back_definition),
            "/admin/metrics-registry/definitions/{id}/versions/rollback",
            &[("roll_back_definition", "roll_back_definition_version")],
            summarized("Same as a POST of versions."),
        ))
        .routes(alias(
            routes!(list_definitions, create_definition),
            "/admin/metrics/definitions",
            &[
                ("list_definitions", "list_metric_definitions"),
                ("create_definition", "create_metric_definition"),
            ],
            tagged("Admin metrics"),
        ))
        .routes(alias(
            routes!(show_definition, delete_definition),
            "/admin/metrics/definitions/{id}",
            &[
                ("show_definition", "show_metric_definition"),
                ("delete_definition", "delete_metric_definition"),
            ],
            tagged("Admin metrics"),
        ))
        .routes(routes!(update_metric_definition))
        .merge(uses::router())
}

fn response(status: StatusCode, metric: MetricView) -> WithEtag<DefinitionResponse> {
    with_etag(status, metric, |metric| DefinitionResponse { metric })
}

/// Lists the metrics that the caller may see.
#[crate::http::operation(get, path = "/admin/metrics-registry/definitions", tag = "Admin metrics registry",
    params(ListRequest<MetricView>),
    responses((status = 200, description = "A page", body = DefinitionPage)))]
pub(super) async fn list_definitions(
    reading: DefinitionReader,
    list: ListRequest<MetricView>,
) -> Result<Answer, HttpError> {
    let (rows, count) = reading.page(list.query.clone()).await?;
    list.answer(&rows, count)
}

/// Creates a metric as a draft. Its key is derived from its name; without Latin letters and digits in it, it is `metric_`
/// with a number.
#[crate::http::operation(post, path = "/admin/metrics-registry/definitions", tag = "Admin metrics registry",
    request_body = CreateDefinitionRequest,
    responses((status = 201, description = "The metric", body = DefinitionResponse),
        (status = 422, description = "The formula does not check, or its type or dependencies differ")))]
pub(super) async fn create_definition(
    work: DefinitionWriter,
    Json(request): Json<CreateDefinitionRequest>,
) -> Result<WithEtag<DefinitionResponse>, HttpError> {
    Ok(response(StatusCode::CREATED, work.create(request.read()?).await?))
}

/// Shows a metric. The `ETag` header identifies its state.
#[crate::http::operation(get, path = "/admin/metrics-registry/definitions/{id}", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The metric", body = DefinitionResponse)))]
pub(super) async fn show_definition(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<WithEtag<DefinitionResponse>, HttpError> {
    Ok(response(StatusCode::OK, reading.show(id).await?))
}

/// Changes a metric. Metrics that use it follow at once; a change that would break one is refused.
#[crate::http::operation(patch, path = "/admin/metrics-registry/definitions/{id}", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key"),
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    request_body = UpdateDefinitionRequest,
    responses((status = 200, description = "The metric", body = DefinitionResponse),
        (status = 422, description = "The formula does not check, creates a cycle, or breaks metrics that use it"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn update_definition(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<UpdateDefinitionRequest>,
) -> Result<WithEtag<DefinitionResponse>, HttpError> {
    Ok(response(StatusCode::OK, work.update(id, request.read()?).await?))
}

/// Removes a metric. Its versions remain, its key stays taken, and setting the state draft restores it.
#[crate::http::operation(delete, path = "/admin/metrics-registry/definitions/{id}", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key"), RemovalQuery,
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    responses((status = 200, description = "The metric is removed", body = DeletedDefinition),
        (status = 409, description = "Active metrics or active alerts use it"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn delete_definition(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Query(query): Query<RemovalQuery>,
) -> Result<Json<DeletedDefinition>, HttpError> {
    let removed = work.remove(id, query.force_update.unwrap_or(false)).await?;
    Ok(Json(Deleted::new(removed.id)))
}

/// Lists the versions of a metric, including a removed one, the newest first.
#[crate::http::operation(get, path = "/admin/metrics-registry/definitions/{id}/versions", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The versions", body = VersionsResponse)))]
pub(super) async fn list_definition_versions(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<VersionsResponse>, HttpError> {
    let versions = reading.versions(id).await?;
    Ok(Json(VersionsResponse { count: versions.len(), versions }))
}

/// Creates a new version equal to an earlier one, which is given by number or id.
#[crate::http::operation(post, path = "/admin/metrics-registry/definitions/{id}/versions", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key"),
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    request_body = RollbackRequest,
    responses((status = 200, description = "The metric", body = RolledBackResponse),
        (status = 422, description = "The earlier formula no longer checks, or breaks metrics that use it"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn roll_back_definition(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<RollbackRequest>,
) -> Result<WithEtag<RolledBackResponse>, HttpError> {
    let (metric, message) = work.roll_back(id, request.into()).await?;
    Ok(with_etag(StatusCode::OK, metric, |metric| RolledBackResponse { metric, message }))
}

/// Changes a metric; absent fields keep their value.
#[crate::http::operation(put, path = "/admin/metrics/definitions/{id}", tag = "Admin metrics",
    params(("id" = String, Path, description = "An id or a key"),
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    request_body = UpdateDefinitionRequest,
    responses((status = 200, description = "The metric", body = DefinitionResponse),
        (status = 422, description = "The formula does not check, creates a cycle, or breaks metrics that use it"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn update_metric_definition(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<UpdateDefinitionRequest>,
) -> Result<WithEtag<DefinitionResponse>, HttpError> {
    Ok(response(StatusCode::OK, work.update(id, request.read()?).await?))
}
