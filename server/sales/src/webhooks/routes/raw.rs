//! The request of a sender as it is on the wire.

use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::http::{HttpError, Json};
use crate::webhooks::intake::Incoming;
use crate::webhooks::receive::NotTaken;
use quotient_foundation::middleware::CutBody;

impl<S: Send + Sync> FromRequest<S> for Incoming {
    type Rejection = HttpError;

    /// The layer of bodies has read it already, up to the limit of the route.
    async fn from_request(request: Request, _state: &S) -> Result<Self, HttpError> {
        let is_cut = request.extensions().get::<CutBody>().is_some();
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.map_err(HttpError::unexpected)?;
        Ok(Self { headers: parts.headers, body, is_cut })
    }
}

impl NotTaken {
    /// Returns the answer in the shape of these routes; `refused` is the status for a missing or wrong signature.
    pub(super) fn answer(self, refused: StatusCode) -> Response {
        let (status, error) = match self {
            Self::Refused(refusal) => (refused, refusal.to_string()),
            Self::NoSecret => {
                (StatusCode::INTERNAL_SERVER_ERROR, "the webhook has no secret".to_owned())
            }
            Self::NotKept(error) => {
                tracing::error!(%error, "a webhook cannot be kept");
                (StatusCode::INTERNAL_SERVER_ERROR, "the webhook cannot be kept".to_owned())
            }
        };
        (status, Json(json!({ "error": error }))).into_response()
    }
}
