//! `/admin/metrics/definitions`: the registry under shorter paths.

use axum::http::StatusCode;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::definition::{DefinitionWriter, UpdateDefinitionRequest, WithEtag};
use super::metrics_registry::{self, DefinitionResponse, response};
use crate::http::{HttpError, Json, Path};
use crate::routes::alias::{alias, tagged};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(alias(
            routes!(metrics_registry::list_definitions, metrics_registry::create_definition),
            "/admin/metrics/definitions",
            &[
                ("list_definitions", "list_metric_definitions"),
                ("create_definition", "create_metric_definition"),
            ],
            tagged("Admin metrics"),
        ))
        .routes(alias(
            routes!(metrics_registry::show_definition, metrics_registry::delete_definition),
            "/admin/metrics/definitions/{id}",
            &[
                ("show_definition", "show_metric_definition"),
                ("delete_definition", "delete_metric_definition"),
            ],
            tagged("Admin metrics"),
        ))
        .routes(routes!(update_metric_definition))
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
