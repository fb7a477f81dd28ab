//! How often formulas may be checked.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;

use crate::http::HttpError;
use crate::middleware::{Bucket, RateLimits};
use crate::state::AppState;

/// The buckets that checks of formulas are taken from.
#[derive(Debug, Clone)]
pub(super) struct CheckAllowance(Arc<RateLimits>);

impl FromRequestParts<AppState> for CheckAllowance {
    type Rejection = HttpError;

    async fn from_request_parts(_parts: &mut Parts, state: &AppState) -> Result<Self, HttpError> {
        Ok(Self(Arc::from_ref(state)))
    }
}

impl CheckAllowance {
    /// Takes one check.
    ///
    /// # Errors
    /// 429 when there is none left.
    pub(super) fn take(&self, viewer: &str) -> Result<(), HttpError> {
        self.0.check(Bucket::Validate, viewer).map(drop)
    }

    /// Takes one check of the catalog, of which there are fewer.
    ///
    /// # Errors
    /// 429 when there is none left.
    pub(super) fn take_of_catalog(&self, viewer: &str) -> Result<(), HttpError> {
        self.0.check(Bucket::CatalogValidate, viewer).map(drop)
    }
}
