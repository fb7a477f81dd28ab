//! The registry's routes for lifecycle states, lineage, examples and unsaved formulas.

use axum::http::{HeaderMap, StatusCode};
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::{DefinitionResponse, RemovalQuery, response};
use crate::http::{Deleted, HttpError, Json, Path, Query, ToSchema};
use crate::ids::MetricExampleId;
use crate::registry::lineage::{DependencyView, DependentView};
use crate::registry::routes::check_limits::CheckAllowance;
use crate::registry::routes::definition::{
    DefinitionReader, DefinitionWriter, ExampleOutcomeView, ExampleRequest, ExampleView,
    FormulaRequest, LifecycleRequest, WithEtag,
};
use crate::registry::validation::ValidationView;
use crate::routes::alias::{alias, summarized, tagged};
use crate::state::AppState;

type DeletedExample = Deleted<ExampleView>;

/// The lineage of a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DependenciesResponse {
    /// The metric with the tree of metrics and placeholders that it uses.
    pub(crate) dependencies: DependencyView,
}

/// The metrics that use a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DependentsResponse {
    /// The metrics, the nearest first.
    pub(crate) dependents: Vec<DependentView>,
    /// The number of metrics.
    pub(crate) count: usize,
}

/// Examples of a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExamplesResponse {
    /// The examples, in the order in which they were added.
    examples: Vec<ExampleView>,
    /// The number of examples.
    count: usize,
}

/// An example of a metric.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExampleResponse {
    example: ExampleView,
}

/// The results of running examples.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExamplesRunResponse {
    /// The result of each example, in order.
    results: Vec<ExampleOutcomeView>,
    /// The number of examples.
    total: usize,
    /// The number of examples that passed.
    passed: usize,
    /// The number of examples that failed.
    failed: usize,
}

/// The result of checking a formula.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ValidationResponse {
    validation: ValidationView,
    /// Whether the formula could be saved.
    is_valid: bool,
}

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(set_definition_state))
        .routes(routes!(show_definition_dependencies))
        .routes(routes!(list_definition_dependents))
        .routes(routes!(list_definition_examples, add_definition_example))
        .routes(routes!(remove_definition_example))
        .routes(routes!(run_definition_examples))
        .routes(routes!(validate_registry_formula))
        .routes(alias(
            routes!(validate_registry_formula),
            "/admin/metrics/validate",
            &[("validate_registry_formula", "validate_formula")],
            |operation| {
                tagged("Admin metrics")(operation);
                summarized(
                    "Checks a formula without saving it; with `metric_id`, as that metric's new formula.",
                )(operation);
            },
        ))
}

/// Changes the lifecycle state: draft to active or archived, active to deprecated or archived, deprecated to active or
/// archived, archived to draft. A removed metric becomes a draft again.
#[crate::http::operation(post, path = "/admin/metrics-registry/definitions/{id}/lifecycle", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key"),
        ("if-match" = Option<String>, Header, description = "The `ETag` that the metric must still have")),
    request_body = LifecycleRequest,
    responses((status = 200, description = "The metric", body = DefinitionResponse),
        (status = 422, description = "The state cannot follow, an example does not hold, or it uses a metric that is \
            not in use"),
        (status = 409, description = "Active metrics or active alerts use it"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn set_definition_state(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<LifecycleRequest>,
) -> Result<WithEtag<DefinitionResponse>, HttpError> {
    let force = request.force_update.unwrap_or(false);
    Ok(response(StatusCode::OK, work.set_state(id, (request.state, force)).await?))
}

/// Shows the metrics and placeholders that a metric uses. A metric that occurs twice is expanded once.
#[crate::http::operation(get, path = "/admin/metrics-registry/definitions/{id}/dependencies", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The tree", body = DependenciesResponse)))]
pub(super) async fn show_definition_dependencies(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<DependenciesResponse>, HttpError> {
    Ok(Json(DependenciesResponse { dependencies: reading.dependencies(id).await? }))
}

/// Lists the metrics that use a metric, directly or not.
#[crate::http::operation(get, path = "/admin/metrics-registry/definitions/{id}/dependents", tag = "Admin metrics registry",
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
#[crate::http::operation(get, path = "/admin/metrics-registry/definitions/{id}/examples", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The examples", body = ExamplesResponse)))]
pub(super) async fn list_definition_examples(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<ExamplesResponse>, HttpError> {
    let examples = reading.examples(id).await?;
    Ok(Json(ExamplesResponse { count: examples.len(), examples }))
}

/// Adds an example. All examples must pass before the metric becomes active; a new one of an active metric must pass
/// now.
#[crate::http::operation(post, path = "/admin/metrics-registry/definitions/{id}/examples", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    request_body = ExampleRequest,
    responses((status = 201, description = "The example", body = ExampleResponse),
        (status = 422, description = "The metric is in use and the example fails"),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn add_definition_example(
    work: DefinitionWriter,
    Path(id): Path<String>,
    Json(request): Json<ExampleRequest>,
) -> Result<(StatusCode, Json<ExampleResponse>), HttpError> {
    let force = request.force_update.unwrap_or(false);
    let example_parts = (request.context, request.expected.constant()?, force);
    let example = work.add_example(id, example_parts).await?;
    Ok((StatusCode::CREATED, Json(ExampleResponse { example })))
}

/// Removes an example of a metric.
#[crate::http::operation(delete, path = "/admin/metrics-registry/definitions/{id}/examples/{example_id}",
    tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key"),
        ("example_id" = MetricExampleId, Path, description = "The example's id"), RemovalQuery),
    responses((status = 200, description = "The example is removed", body = DeletedExample),
        (status = 423, description = "The metric is locked")))]
pub(super) async fn remove_definition_example(
    work: DefinitionWriter,
    Path((id, example_id)): Path<(String, MetricExampleId)>,
    Query(query): Query<RemovalQuery>,
) -> Result<Json<DeletedExample>, HttpError> {
    let force = query.force_update.unwrap_or(false);
    Ok(Json(Deleted::new(work.remove_example(id, (example_id, force)).await?)))
}

/// Runs the examples of a metric without storing results.
#[crate::http::operation(post, path = "/admin/metrics-registry/definitions/{id}/examples/run", tag = "Admin metrics registry",
    params(("id" = String, Path, description = "An id or a key")),
    responses((status = 200, description = "The results", body = ExamplesRunResponse)))]
pub(super) async fn run_definition_examples(
    reading: DefinitionReader,
    Path(id): Path<String>,
) -> Result<Json<ExamplesRunResponse>, HttpError> {
    let results = reading.run_examples(id).await?;
    let passed = results.iter().filter(|result| result.passed).count();
    let total = results.len();
    Ok(Json(ExamplesRunResponse { failed: total.saturating_sub(passed), total, passed, results }))
}

/// Checks a formula without saving it. With `metric_id` it is checked as that metric's new formula, with the effects on
/// the metrics that use it.
#[crate::http::operation(post, path = "/admin/metrics-registry/validate", tag = "Admin metrics registry",
    request_body = FormulaRequest,
    responses((status = 200, description = "The findings, also for an invalid formula", body = ValidationResponse)))]
pub(super) async fn validate_registry_formula(
    reading: DefinitionReader,
    allowance: CheckAllowance,
    Json(request): Json<FormulaRequest>,
) -> Result<(HeaderMap, Json<ValidationResponse>), HttpError> {
    let headers = allowance.take(&reading.viewer)?;
    let FormulaRequest { formula, metric_id } = request;
    let validation = reading.validate(formula, metric_id.map(String::from)).await?;
    let is_valid = validation.valid;
    Ok((headers, Json(ValidationResponse { validation, is_valid })))
}
