//! `/admin/metrics/definitions` and `/admin/metrics/validate`: the registry under shorter paths.

use axum::http::{HeaderMap, StatusCode};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::check_limits::CheckAllowance;
use super::definition::{
    CreateDefinitionRequest, DefinitionReader, DefinitionWriter, EditRequest, FormulaRequest,
    MetricView, UpdateDefinitionRequest, WithEtag,
};
use super::metrics_registry::{
    DefinitionPage, DefinitionResponse, DeletedDefinition, RemovalQuery, ValidationResponse, page,
    removed, response,
};
use crate::http::{Answer, HttpError, Json, ListRequest, Path, Query};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(list_metric_definitions, create_metric_definition))
        .routes(routes!(show_metric_definition, update_metric_definition, delete_metric_definition))
        .routes(routes!(validate_formula))
}

/// Lists the metrics that the caller may see.
#[utoipa::path(get, path = "/admin/metrics/definitions", tag = "Admin metrics", params(ListRequest<MetricView>),
    responses((status = 200, description = "A page", body = DefinitionPage)))]
pub(super) async fn list_metric_definitions(
    reading: DefinitionReader,
    list: ListRequest<MetricView>,
) -> Result<Answer, HttpError> {
    page(reading, list).await
}

/// Creates a metric as a draft. Its key is derived from its name.
#[utoipa::path(post, path = "/admin/metrics/definitions", tag = "Admin metrics",
    request_body = CreateDefinitionRequest,
    responses((status = 201, description = "The metric", body = DefinitionResponse),
        (status = 422, description = "The formula does not check, or its type or dependencies differ")))]
pub(super) async fn create_metric_definition(
    work: DefinitionWriter,
    Json(request): Json<CreateDefinitionRequest>,
) -> Result<WithEtag<DefinitionResponse>, HttpError> {
    let details = work.create(request.read()?).await?;
    Ok(response(StatusCode::CREATED, &details))
}

/// Shows a metric. The `ETag` header identifies its state.
#[utoipa::path(get, path = "/admin/metrics/definitions/{id}", tag = "Admin metrics",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The metric", body = DefinitionResponse)))]
pub(super) async fn show_metric_definition(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<WithEtag<DefinitionResponse>, HttpError> {
    let details = reading.show(id).await?;
    Ok(response(StatusCode::OK, &details))
}

/// Changes a metric; absent fields keep their value.
#[utoipa::path(put, path = "/admin/metrics/definitions/{id}", tag = "Admin metrics",
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
    let changed = work.update(id, request.read()?).await?;
    Ok(response(StatusCode::OK, &changed))
}

/// Removes a metric. Its versions remain, its key stays taken, and setting the state draft restores it.
#[utoipa::path(delete, path = "/admin/metrics/definitions/{id}", tag = "Admin metrics",
    params(("id" = String, Path, description = "An id or a key"), RemovalQuery,
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    responses((status = 200, description = "The metric is removed", body = DeletedDefinition),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn delete_metric_definition(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Query(query): Query<RemovalQuery>,
) -> Result<Json<DeletedDefinition>, HttpError> {
    let details = work.remove(id, query.force_update.unwrap_or(false)).await?;
    Ok(removed(details))
}

/// Checks a formula without saving it; with `metric_id`, as that metric's new formula.
#[utoipa::path(post, path = "/admin/metrics/validate", tag = "Admin metrics", request_body = FormulaRequest,
    responses((status = 200, description = "The findings, also for an invalid formula", body = ValidationResponse)))]
pub(super) async fn validate_formula(
    reading: DefinitionReader,
    allowance: CheckAllowance,
    Json(request): Json<FormulaRequest>,
) -> Result<(HeaderMap, Json<ValidationResponse>), HttpError> {
    let headers = allowance.take(&reading.viewer)?;
    let FormulaRequest { formula, metric_id } = request;
    let validation = reading.validate(formula.into(), metric_id.map(String::from)).await?;
    Ok((headers, Json(ValidationResponse::of(validation))))
}
