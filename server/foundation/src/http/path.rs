//! Path parameters, typed.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::HttpError;

/// Path parameters. One that cannot be parsed identifies nothing, so the response is 404 and not
/// 400.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

#[expect(clippy::disallowed_types, reason = "the only place that wraps it")]
impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, HttpError> {
        axum::extract::Path::from_request_parts(parts, state)
            .await
            .map(|axum::extract::Path(value)| Self(value))
            .map_err(|_unreadable| HttpError::not_found("Not found"))
    }
}
