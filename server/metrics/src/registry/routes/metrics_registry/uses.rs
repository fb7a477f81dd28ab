//! The registry's routes about a metric's state, what it is built on, its examples, and formulas that are not saved.

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{DefinitionResponse, response};
use crate::http::{HttpError, Json, Path};
use crate::registry::lineage::{DependencyView, DependentView};
use crate::registry::routes::check_limits::CheckAllowance;
use crate::registry::routes::definition::{
    DefinitionReader, DefinitionWriter, ExampleOutcomeView, ExampleRequest, ExampleView,
    FormulaRequest, WithEtag,
};
use crate::registry::validation::ValidationView;
use crate::registry::vocabulary::Lifecycle;
use crate::state::AppState;

/// The state that a metric is to have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "state": "active" }))]
pub(super) struct LifecycleRequest {
    /// The state.
    state: Lifecycle,
    /// Whether a lock is passed over; for admins.
    force_update: Option<bool>,
}

/// What a metric is built on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DependenciesResponse {
    /// The metric with what it is built on below it.
    pub(crate) dependencies: DependencyView,
}

/// What is built on a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DependentsResponse {
    /// The metrics, the nearest first.
    pub(crate) dependents: Vec<DependentView>,
    /// How many there are.
    pub(crate) count: usize,
}

/// Examples of a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExamplesResponse {
    /// The examples, in the order in which they were added.
    examples: Vec<ExampleView>,
    /// How many there are.
    count: usize,
}

/// An example of a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExampleResponse {
    /// The example.
    example: ExampleView,
}

/// What examples gave.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExamplesRunResponse {
    /// By example, in order.
    results: Vec<ExampleOutcomeView>,
    /// How many there are.
    total: usize,
    /// How many gave what they must.
    passed: usize,
    /// How many did not.
    failed: usize,
}

/// What checking a formula found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ValidationResponse {
    /// Everything that is known of it.
    validation: ValidationView,
    /// Whether it could be saved.
    is_valid: bool,
}

impl ValidationResponse {
    pub(crate) fn of(validation: ValidationView) -> Self {
        Self { is_valid: validation.valid, validation }
    }
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(set_definition_state))
        .routes(routes!(show_definition_dependencies))
        .routes(routes!(list_definition_dependents))
        .routes(routes!(list_definition_examples, add_definition_example))
        .routes(routes!(run_definition_examples))
        .routes(routes!(validate_registry_formula))
}

/// Moves a metric to another state: draft to active or archived, active to deprecated or archived, deprecated to active
/// or archived, archived to draft. A removed metric comes back as a draft.
#[utoipa::path(post, path = "/admin/metrics-registry/definitions/{id}/lifecycle", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key"),
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    request_body = LifecycleRequest,
    responses((status = 200, description = "The metric", body = DefinitionResponse),
        (status = 422, description = "The state cannot follow, an example does not hold, or it uses a metric that is \
            not in use"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn set_definition_state(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<LifecycleRequest>,
) -> Result<WithEtag<DefinitionResponse>, HttpError> {
    let force = request.force_update.unwrap_or(false);
    let shown = work.set_state(id, (request.state, force)).await?;
    Ok(response(StatusCode::OK, &shown))
}

/// Shows what a metric is built on. A metric met twice is opened once; placeholders are leaves.
#[utoipa::path(get, path = "/admin/metrics-registry/definitions/{id}/dependencies", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The tree", body = DependenciesResponse)))]
pub(super) async fn show_definition_dependencies(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<DependenciesResponse>, HttpError> {
    Ok(Json(DependenciesResponse { dependencies: reading.dependencies(id).await? }))
}

/// Lists what is built on a metric, directly or not.
#[utoipa::path(get, path = "/admin/metrics-registry/definitions/{id}/dependents", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The metrics", body = DependentsResponse)))]
pub(super) async fn list_definition_dependents(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<DependentsResponse>, HttpError> {
    let dependents = reading.dependents(id).await?;
    Ok(Json(DependentsResponse { count: dependents.len(), dependents }))
}

/// Lists the examples of a metric.
#[utoipa::path(get, path = "/admin/metrics-registry/definitions/{id}/examples", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The examples", body = ExamplesResponse)))]
pub(super) async fn list_definition_examples(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<ExamplesResponse>, HttpError> {
    let examples = reading.examples(id).await?;
    Ok(Json(ExamplesResponse { count: examples.len(), examples }))
}

/// Adds an example. All must hold before the metric becomes active; one of a metric in use must hold now.
#[utoipa::path(post, path = "/admin/metrics-registry/definitions/{id}/examples", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    request_body = ExampleRequest,
    responses((status = 201, description = "The example", body = ExampleResponse),
        (status = 422, description = "The metric is in use and does not give this"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn add_definition_example(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<ExampleRequest>,
) -> Result<(StatusCode, Json<ExampleResponse>), HttpError> {
    let sent = (request.context, request.expected.into());
    let example = work.add_example(id, sent).await?;
    Ok((StatusCode::CREATED, Json(ExampleResponse { example })))
}

/// Runs the examples of a metric. Nothing is kept of it.
#[utoipa::path(post, path = "/admin/metrics-registry/definitions/{id}/examples/run", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "What they gave", body = ExamplesRunResponse)))]
pub(super) async fn run_definition_examples(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<ExamplesRunResponse>, HttpError> {
    let results = reading.run_examples(id).await?;
    let passed = results.iter().filter(|result| result.passed).count();
    let total = results.len();
    Ok(Json(ExamplesRunResponse { failed: total.saturating_sub(passed), total, passed, results }))
}

/// Checks a formula, without saving it. With `metric_id` it is checked as that metric's new formula, with what it would
/// do to all that is built on the metric.
#[utoipa::path(post, path = "/admin/metrics-registry/validate", tag = "Admin metrics registry",
    request_body = FormulaRequest,
    responses((status = 200, description = "What was found, however wrong the formula", body = ValidationResponse)))]
pub(super) async fn validate_registry_formula(
    reading: DefinitionReader,
    allowance: CheckAllowance,
    Json(request): Json<FormulaRequest>,
) -> Result<Json<ValidationResponse>, HttpError> {
    allowance.take(&reading.viewer)?;
    let FormulaRequest { formula, metric_id } = request;
    let found = reading.validate(formula.into(), metric_id.map(String::from)).await?;
    Ok(Json(ValidationResponse::of(found)))
}
