//! The catalog's routes about a metric's state, what it is built on, metrics to begin with, and formulas.

use axum::extract::Request;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::requests::{CatalogFormulaRequest, CatalogLifecycleRequest, SeedExamplesRequest};
use super::{CatalogMetricResponse, CatalogMetricView, response};
use crate::http::{HttpError, Json, Path};
use crate::registry::default_metrics::DefaultMetric;
use crate::registry::routes::check_limits::CheckAllowance;
use crate::registry::routes::definition::{DefinitionReader, DefinitionWriter, WithEtag};
use crate::registry::routes::metrics_registry::{DependenciesResponse, DependentsResponse};
use crate::registry::validation::CatalogValidationView;
use crate::routes::failures::{Failure, SeedFailure};
use crate::state::AppState;

/// The end of the path whose failures name an error and a message.
const SEED_PATH: &str = "/seed-examples";

/// What checking a formula found.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CatalogValidationResponse {
    /// Everything that is known of it.
    validation: CatalogValidationView,
}

/// How many metrics were made.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "created": 2, "skipped": 1, "total": 3 }))]
pub(super) struct SeedSummary {
    /// Made now.
    created: usize,
    /// There already, or removed.
    skipped: usize,
    /// Asked for.
    total: usize,
}

/// Metrics to begin with.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SeedExamplesResponse {
    /// What was done.
    #[schema(example = "Created 2 example metrics")]
    message: String,
    /// How many there are.
    summary: SeedSummary,
    /// Those that were made.
    metrics: Vec<CatalogMetricView>,
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(set_catalog_state))
        .routes(routes!(show_catalog_dependencies))
        .routes(routes!(list_catalog_dependents))
        .routes(routes!(seed_example_metrics))
        .routes(routes!(validate_catalog_formula))
}

/// Spells failures as the catalog documents them: `error` when it is unavailable, `error` and `message` when examples
/// cannot be seeded.
pub(super) async fn spell_errors(request: Request, next: Next) -> Response {
    let is_seeding = request.uri().path().ends_with(SEED_PATH);
    let response = next.run(request).await;
    let status = response.status();
    let body = match status {
        StatusCode::SERVICE_UNAVAILABLE => {
            json!({ "error": "The catalog is not available; try again" })
        }
        StatusCode::INTERNAL_SERVER_ERROR if is_seeding => json!({
            "error": "Example metrics could not be seeded",
            "message": "Something went wrong; the log has it under the request's id",
        }),
        _ => return response,
    };
    let retry_after = response.headers().get(RETRY_AFTER).cloned();
    let mut spelled = HttpError::shaped(status, body);
    if let Some(retry_after) = retry_after {
        spelled = spelled.with_header(RETRY_AFTER, retry_after);
    }
    spelled.into_response()
}

/// Moves a metric to another state: draft to active or archived, active to deprecated or archived, deprecated to active
/// or archived, archived to draft. A removed metric comes back as a draft.
#[utoipa::path(post, path = "/admin/metrics/catalog/{id}/lifecycle", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key"),
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    request_body = CatalogLifecycleRequest,
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The metric", body = CatalogMetricResponse),
        (status = 422, description = "The state cannot follow, an example does not hold, or it uses a metric that is \
            not in use"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn set_catalog_state(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<CatalogLifecycleRequest>,
) -> Result<WithEtag<CatalogMetricResponse>, HttpError> {
    let force = request.force_update.unwrap_or(false);
    let shown = work.set_state(id, (request.state, force)).await?;
    Ok(response(StatusCode::OK, &shown))
}

/// Shows what a metric is built on. A metric met twice is opened once; placeholders are leaves.
#[utoipa::path(get, path = "/admin/metrics/catalog/{id}/dependencies", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The tree", body = DependenciesResponse)))]
pub(super) async fn show_catalog_dependencies(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<DependenciesResponse>, HttpError> {
    Ok(Json(DependenciesResponse { dependencies: reading.dependencies(id).await? }))
}

/// Lists what is built on a metric, directly or not.
#[utoipa::path(get, path = "/admin/metrics/catalog/{id}/dependents", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The metrics", body = DependentsResponse)))]
pub(super) async fn list_catalog_dependents(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<DependentsResponse>, HttpError> {
    let dependents = reading.dependents(id).await?;
    Ok(Json(DependentsResponse { count: dependents.len(), dependents }))
}

/// Makes three metrics to begin with, as drafts. Those that are there already are skipped, and so are removed ones.
#[utoipa::path(post, path = "/admin/metrics/catalog/seed-examples", tag = "Admin metrics catalog",
    request_body = SeedExamplesRequest,
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "What was made", body = SeedExamplesResponse),
        (status = 500, description = "Our fault", body = SeedFailure)))]
pub(super) async fn seed_example_metrics(
    work: DefinitionWriter,
    Json(request): Json<SeedExamplesRequest>,
) -> Result<Json<SeedExamplesResponse>, HttpError> {
    let default_metrics = request.names.unwrap_or_else(|| DefaultMetric::ALL.to_vec());
    let total = default_metrics.len();
    let made = work.seed(default_metrics).await?;
    let created = made.len();
    Ok(Json(SeedExamplesResponse {
        message: format!("Created {created} example metrics"),
        summary: SeedSummary { created, skipped: total.saturating_sub(created), total },
        metrics: made.iter().map(|shown| shown.view().into()).collect(),
    }))
}

/// Checks a formula, without saving it; with `metricId` as that metric's new formula.
#[utoipa::path(post, path = "/admin/metrics/catalog/validate", tag = "Admin metrics catalog",
    request_body = CatalogFormulaRequest,
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "What was found, however wrong the formula",
        body = CatalogValidationResponse)))]
pub(super) async fn validate_catalog_formula(
    reading: DefinitionReader,
    allowance: CheckAllowance,
    Json(request): Json<CatalogFormulaRequest>,
) -> Result<(HeaderMap, Json<CatalogValidationResponse>), HttpError> {
    let headers = allowance.take_of_catalog(&reading.viewer)?;
    let CatalogFormulaRequest { formula, metric_id } = request;
    let found = reading.validate(formula.into(), metric_id.map(String::from)).await?;
    Ok((headers, Json(CatalogValidationResponse { validation: found.into() })))
}
