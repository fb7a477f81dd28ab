//! Failures of the server, on the routes that document a shape of their own for them. What is refused by meaning keeps
//! the common shape.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::http::HttpError;

/// What is said of a failure; the log has the rest under the request's id.
const MESSAGE: &str = "An unexpected error occurred.";

/// A failure of the server on a route that says no more.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
pub(crate) struct Failure {
    /// A sentence for people.
    #[schema(example = "An unexpected error occurred.")]
    error: String,
}

/// A failure of the whole dashboard, as its clients know it.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
pub(crate) struct DashboardFailure {
    /// `DASHBOARD_FAILED`.
    #[schema(example = "DASHBOARD_FAILED")]
    code: String,
    /// `unexpected_state`.
    #[schema(rename = "type", example = "unexpected_state")]
    kind: String,
    /// A sentence for people.
    message: String,
    /// The same sentence.
    error: String,
    /// Empty.
    #[schema(value_type = Vec<Object>)]
    details: Vec<Value>,
}

/// A failure to make the metrics to begin with.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its description is used")]
pub(crate) struct SeedFailure {
    /// What failed.
    #[schema(example = "Example metrics could not be seeded")]
    error: String,
    /// A sentence for people.
    message: String,
}

/// Spells a failure as [`Failure`].
pub(crate) async fn plainly(request: Request, next: Next) -> Response {
    reshape(next.run(request).await, || json!({ "error": MESSAGE }))
}

/// Spells a failure as [`DashboardFailure`].
pub(crate) async fn of_dashboard(request: Request, next: Next) -> Response {
    let body = || {
        json!({
            "code": "DASHBOARD_FAILED", "type": "unexpected_state", "message": MESSAGE, "error": MESSAGE, "details": [],
        })
    };
    reshape(next.run(request).await, body)
}

fn reshape(response: Response, body: impl FnOnce() -> Value) -> Response {
    let status = response.status();
    if status != StatusCode::INTERNAL_SERVER_ERROR {
        return response;
    }
    HttpError::shaped(status, body()).into_response()
}
