//! `/admin/metrics/complete`: completions at a position in a formula.

use axum::http::HeaderMap;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::check_limits::CheckAllowance;
use super::definition::DefinitionReader;
use crate::http::{HttpError, Json, ToSchema, request};
use crate::state::AppState;

/// Limit: letters of a formula.
const MAX_FORMULA: usize = 8_192;

/// Limit: candidates in one response.
const MAX_CANDIDATES: usize = 50;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new().routes(routes!(complete_formula))
}

/// A place in a formula, which need not be valid.
#[request]
#[schema(example = json!({ "formula": "sum(orders.to", "offset": 13 }))]
pub(super) struct CompleteRequest {
    /// The text written so far; may be empty.
    #[schema(max_length = 8192)]
    formula: String,
    /// The byte before which something is to be inserted; behind the end it is the end.
    #[schema(value_type = i64, minimum = 0, maximum = 4_294_967_295_u32)]
    offset: u32,
}

/// A completion.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CandidateView {
    /// The name for display.
    label: String,
    insert: String,
    /// The kind: `field`, `metric`, `function`, …
    kind: &'static str,
    /// Its type or its signature.
    detail: Option<String>,
    /// Its meaning.
    documentation: Option<String>,
}

/// Bytes of the formula.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReplacedView {
    /// The first byte.
    start: u32,
    /// The byte after the last.
    end: u32,
}

/// The completions at a place.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CompletionView {
    /// The bytes that a candidate replaces.
    replaced: ReplacedView,
    /// The candidates, likeliest first.
    candidates: Vec<CandidateView>,
}

/// The completions at a place.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CompletionResponse {
    completion: CompletionView,
}

/// Completes a formula at a position: names, fields, functions and values that are valid there.
#[crate::http::operation(post, path = "/admin/metrics/complete", tag = "Admin metrics", request_body = CompleteRequest,
    responses((status = 200, description = "The completions", body = CompletionResponse)))]
pub(super) async fn complete_formula(
    reading: DefinitionReader,
    allowance: CheckAllowance,
    Json(request): Json<CompleteRequest>,
) -> Result<(HeaderMap, Json<CompletionResponse>), HttpError> {
    let headers = allowance.take(&reading.viewer)?;
    let CompleteRequest { formula, offset } = request;
    if formula.len() > MAX_FORMULA {
        let message = format!("A formula has at most {MAX_FORMULA} bytes");
        return Err(HttpError::invalid_data(message));
    }
    let offset = usize::try_from(offset).unwrap_or(MAX_FORMULA);
    let completion = reading.ask(move |_tx, snapshot, _viewer| {
        let engine = snapshot.engine_for(snapshot.currency());
        let completion = engine.engine.complete(&formula, offset);
        let candidates = completion.candidates.into_iter().take(MAX_CANDIDATES);
        let candidates = candidates.map(|own| CandidateView {
            label: own.label,
            insert: own.insert,
            kind: own.kind.name(),
            detail: own.detail,
            documentation: own.documentation,
        });
        let replaced =
            ReplacedView { start: completion.replaced.start, end: completion.replaced.end };
        Ok(CompletionView { replaced, candidates: candidates.collect() })
    });
    Ok((headers, Json(CompletionResponse { completion: completion.await? })))
}
