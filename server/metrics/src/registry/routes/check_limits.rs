//! Rate limits of checking formulas.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use crate::http::HttpError;
use crate::middleware::{Allowance, Bucket, FromPage, RateLimits};
use crate::state::AppState;

#[derive(Debug, Clone)]
pub(super) struct CheckAllowance {
    rates: Arc<RateLimits>,
    /// Whether the request comes from a page while somebody types, which has a separate limit.
    is_page: bool,
}

impl FromRequestParts<AppState> for CheckAllowance {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, HttpError> {
        let is_page = parts.extensions.get::<FromPage>().is_some();
        Ok(Self { rates: Arc::from_ref(state), is_page })
    }
}

impl CheckAllowance {
    /// Counts a check, and returns the headers with the remaining allowance; 429 if the limit is reached.
    pub(super) fn take(&self, viewer: &str) -> Result<HeaderMap, HttpError> {
        let bucket = if self.is_page { Bucket::Typing } else { Bucket::Validate };
        self.rates.check(bucket, viewer).map(Allowance::headers)
    }
}
