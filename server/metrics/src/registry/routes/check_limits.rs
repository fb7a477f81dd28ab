//! Rate limits of checking formulas.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use crate::http::HttpError;
use crate::limits::admit;
use crate::limits::{LimitedRoute, UserLimits};
use crate::middleware::{Allowance, Bucket, RateLimits};
use crate::state::AppState;

#[derive(Debug, Clone)]
pub(super) struct CheckAllowance {
    rates: Arc<RateLimits>,
    limits: Arc<UserLimits>,
}

impl FromRequestParts<AppState> for CheckAllowance {
    type Rejection = HttpError;

    async fn from_request_parts(_parts: &mut Parts, state: &AppState) -> Result<Self, HttpError> {
        Ok(Self { rates: Arc::from_ref(state), limits: Arc::from_ref(state) })
    }
}

impl CheckAllowance {
    /// Counts a check, and returns the headers with the remaining allowance.
    ///
    /// # Errors
    /// 429 if the limit is reached.
    pub(super) fn take(&self, viewer: &str) -> Result<HeaderMap, HttpError> {
        self.rates.check(Bucket::Validate, viewer).map(Allowance::headers)
    }

    /// Counts a check against the lower limit of the catalog, and returns the headers with the remaining allowance.
    ///
    /// # Errors
    /// 429 if the limit is reached.
    pub(super) fn take_of_catalog(&self, viewer: &str) -> Result<HeaderMap, HttpError> {
        admit(&self.limits, LimitedRoute::Validations, viewer)
    }
}
