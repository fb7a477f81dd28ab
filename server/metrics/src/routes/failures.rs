//! Internal errors, on the routes that document their own body for them. Other errors keep the common body.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::http::{HttpError, ToSchema};

/// The message of an internal error; the log has the details under the request's id.
const MESSAGE: &str = "An unexpected error occurred.";

/// An internal error with a message only.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Failure {
    /// A message for people.
    #[schema(example = "An unexpected error occurred.")]
    error: String,
}

/// A failure of the whole dashboard.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct DashboardFailure {
    /// `DASHBOARD_FAILED`.
    #[schema(example = "DASHBOARD_FAILED")]
    code: String,
    /// `unexpected_state`.
    #[schema(rename = "type", example = "unexpected_state")]
    kind: String,
    message: String,
    /// The same message.
    error: String,
    /// Empty.
    #[schema(value_type = Vec<Object>)]
    details: Vec<Value>,
}

/// A failure to create the default metrics.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct SeedFailure {
    /// The failed action.
    #[schema(example = "Example metrics could not be seeded")]
    error: String,
    message: String,
}

/// Replaces the body of an internal error with [`Failure`].
pub(crate) async fn plainly(request: Request, next: Next) -> Response {
    reshape(next.run(request).await, || json!({ "error": MESSAGE }))
}

/// Replaces the body of an internal error with [`DashboardFailure`].
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
