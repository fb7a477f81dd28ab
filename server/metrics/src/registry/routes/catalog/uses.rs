//! The catalog's routes for lifecycle states, lineage, default metrics and checking formulas.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{CatalogMetricResponse, CatalogMetricView, response};
use crate::http::{HttpError, Json, Path, ToSchema, request};
use crate::middleware::{Bucket, RateLimits};
use crate::registry::default_metrics::{self, DefaultMetric};
use crate::registry::routes::definition::{
    CatalogFormulaRequest, CatalogLifecycleRequest, DefinitionReader, DefinitionWriter,
    FormulaRequest, LifecycleRequest, MetricView, WithEtag,
};
use crate::registry::routes::metrics_registry::{DependenciesResponse, DependentsResponse};
use crate::registry::validation::CatalogValidationView;
use crate::routes::failures::{Failure, SeedFailure};
use crate::state::AppState;

/// The end of the path whose error bodies have `error` and `message`.
const SEED_PATH: &str = "/seed-examples";

/// The result of checking a formula.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CatalogValidationResponse {
    validation: CatalogValidationView,
}

/// The default metrics to create.
#[request]
#[schema(example = json!({ "names": ["example_daily_gmv"] }))]
pub(super) struct SeedExamplesRequest {
    /// Names of default metrics; defaults to all.
    names: Option<Vec<DefaultMetric>>,
}

/// Counts of default metrics.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "created": 2, "skipped": 1, "total": 3 }))]
pub(super) struct SeedSummary {
    /// Metrics created.
    created: usize,
    /// Metrics that exist already or were removed.
    skipped: usize,
    /// Metrics requested.
    total: usize,
}

/// The created default metrics.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SeedExamplesResponse {
    #[schema(example = "Created 2 example metrics")]
    message: String,
    /// Counts of metrics.
    summary: SeedSummary,
    /// The metrics that were created.
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

/// Replaces error bodies with the documented ones: `error` if the catalog is unavailable, `error` and `message` if
/// seeding fails.
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
    let mut replaced = HttpError::shaped(status, body);
    if let Some(retry_after) = retry_after {
        replaced = replaced.with_header(RETRY_AFTER, retry_after);
    }
    replaced.into_response()
}

/// Changes the lifecycle state: draft to active or archived, active to deprecated or archived, deprecated to active or
/// archived, archived to draft. A removed metric becomes a draft again.
#[crate::http::operation(post, path = "/admin/metrics/catalog/{id}/lifecycle", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key"),
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    request_body = CatalogLifecycleRequest,
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The metric", body = CatalogMetricResponse),
        (status = 422, description = "The state cannot follow, an example does not hold, or it uses a metric that is \
            not in use"),
        (status = 409, description = "Active metrics or active alerts use it"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn set_catalog_state(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<CatalogLifecycleRequest>,
) -> Result<WithEtag<CatalogMetricResponse>, HttpError> {
    let LifecycleRequest { state, force_update } = request.into();
    let changed = work.set_state(id, (state, force_update.unwrap_or(false))).await?;
    Ok(response(StatusCode::OK, changed))
}

/// Shows the metrics and placeholders that a metric uses. A metric that occurs twice is expanded once.
#[crate::http::operation(get, path = "/admin/metrics/catalog/{id}/dependencies", tag = "Admin metrics catalog",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The tree", body = DependenciesResponse)))]
pub(super) async fn show_catalog_dependencies(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<DependenciesResponse>, HttpError> {
    Ok(Json(DependenciesResponse { dependencies: reading.dependencies(id).await? }))
}

/// Lists the metrics that use a metric, directly or not.
#[crate::http::operation(get, path = "/admin/metrics/catalog/{id}/dependents", tag = "Admin metrics catalog",
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

/// Creates up to three default metrics as drafts. Existing and removed ones are skipped.
#[crate::http::operation(post, path = "/admin/metrics/catalog/seed-examples", tag = "Admin metrics catalog",
    request_body = SeedExamplesRequest,
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The created metrics", body = SeedExamplesResponse),
        (status = 500, description = "Internal error", body = SeedFailure)))]
pub(super) async fn seed_example_metrics(
    work: DefinitionWriter,
    Json(request): Json<SeedExamplesRequest>,
) -> Result<Json<SeedExamplesResponse>, HttpError> {
    let default_metrics = request.names.unwrap_or_else(|| DefaultMetric::ALL.to_vec());
    let total = default_metrics.len();
    let created = work.make(move |tx, registry, editor| {
        let created = default_metrics::seed(tx, registry, &default_metrics, editor)?;
        let visible = registry.visible_to(tx, &editor.id)?;
        Ok(created.into_iter().map(|metric| MetricView::of(&visible, metric).into()).collect())
    });
    let metrics: Vec<CatalogMetricView> = created.await?;
    let created = metrics.len();
    Ok(Json(SeedExamplesResponse {
        message: format!("Created {created} example metrics"),
        summary: SeedSummary { created, skipped: total.saturating_sub(created), total },
        metrics,
    }))
}

/// Checks a formula without saving it; with `metricId`, as that metric's new formula.
#[crate::http::operation(post, path = "/admin/metrics/catalog/validate", tag = "Admin metrics catalog",
    request_body = CatalogFormulaRequest,
    responses((status = 503, description = "The catalog is not available", body = Failure),
        (status = 200, description = "The findings, also for an invalid formula",
        body = CatalogValidationResponse)))]
pub(super) async fn validate_catalog_formula(
    reading: DefinitionReader,
    State(rates): State<Arc<RateLimits>>,
    Json(request): Json<CatalogFormulaRequest>,
) -> Result<(HeaderMap, Json<CatalogValidationResponse>), HttpError> {
    let headers = rates.check(Bucket::CatalogValidate, &reading.viewer)?.headers();
    let FormulaRequest { formula, metric_id } = request.into();
    let validation = reading.validate(formula, metric_id.map(String::from)).await?;
    Ok((headers, Json(CatalogValidationResponse { validation: validation.into() })))
}
