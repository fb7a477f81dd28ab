//! `ETag` and `If-Match`: an edit based on an older state of a metric is refused.

use std::convert::Infallible;
use std::fmt::Write as _;

use axum::extract::FromRequestParts;
use axum::http::header::{ETAG, IF_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::view::{MetricDetails, MetricView};
use crate::MetricError;
use crate::http::Json;

/// Bytes of a tag, written as two digits each.
const TAG_BYTES: usize = 12;

/// The `If-Match` header, if present.
#[derive(Debug, Clone)]
pub(crate) struct IfMatch(Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        let values: Vec<String> = parts
            .headers
            .get_all(IF_MATCH)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .collect();
        Ok(Self((!values.is_empty()).then(|| values.join(","))))
    }
}

impl IfMatch {
    /// Refuses an edit if the metric is in none of the named states.
    pub(super) fn check(&self, details: &MetricDetails) -> Result<(), MetricError> {
        let Some(value) = &self.0 else { return Ok(()) };
        let own = tag(&details.view());
        let is_named = value.split(',').map(str::trim).any(|named| named == "*" || named == own);
        if is_named { Ok(()) } else { Err(MetricError::Changed(details.metric.key.clone())) }
    }
}

/// Returns a tag that changes with every field of the view.
fn tag(view: &MetricView) -> String {
    let text = serde_json::to_vec(view).unwrap_or_default();
    let digest = Sha256::digest(&text);
    let digits = digest.iter().take(TAG_BYTES).fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").ok();
        digits
    });
    format!("\"{digits}\"")
}

/// A response with the metric's tag.
pub(crate) type WithEtag<T> = (StatusCode, [(HeaderName, HeaderValue); 1], Json<T>);

/// Builds the response for a metric, with the naming of the surface.
pub(crate) fn with_etag<T: Serialize>(
    status: StatusCode,
    details: &MetricDetails,
    body: impl FnOnce(MetricView) -> T,
) -> WithEtag<T> {
    let view = details.view();
    let tag = HeaderValue::try_from(tag(&view)).unwrap_or(HeaderValue::from_static("\"\""));
    (status, [(ETAG, tag)], Json(body(view)))
}
