//! `ETag` and `If-Match`: an edit that was made up from an older state of a metric is refused.

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

/// Bytes of a tag, of which each is two digits.
const TAG_BYTES: usize = 12;

/// What `If-Match` says, if it was sent.
#[derive(Debug, Clone)]
pub(crate) struct IfMatch(Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        let sent: Vec<String> = parts
            .headers
            .get_all(IF_MATCH)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .collect();
        Ok(Self((!sent.is_empty()).then(|| sent.join(","))))
    }
}

impl IfMatch {
    /// Refuses where a metric is not in a state that was named.
    pub(super) fn check(&self, shown: &MetricDetails) -> Result<(), MetricError> {
        let Some(sent) = &self.0 else { return Ok(()) };
        let own = tag(&shown.view());
        let is_named = sent.split(',').map(str::trim).any(|named| named == "*" || named == own);
        if is_named { Ok(()) } else { Err(MetricError::Changed(shown.metric.key.clone())) }
    }
}

/// A tag that changes with everything that is shown of a metric.
fn tag(view: &MetricView) -> String {
    let text = serde_json::to_vec(view).unwrap_or_default();
    let digest = Sha256::digest(&text);
    let digits = digest.iter().take(TAG_BYTES).fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").ok();
        digits
    });
    format!("\"{digits}\"")
}

/// An answer with the tag of the metric in it.
pub(crate) type WithEtag<T> = (StatusCode, [(HeaderName, HeaderValue); 1], Json<T>);

/// A metric, spelled as the surface spells it.
pub(crate) fn with_etag<T: Serialize>(
    status: StatusCode,
    shown: &MetricDetails,
    spelled: impl FnOnce(MetricView) -> T,
) -> WithEtag<T> {
    let view = shown.view();
    let tag = HeaderValue::try_from(tag(&view)).unwrap_or(HeaderValue::from_static("\"\""));
    (status, [(ETAG, tag)], Json(spelled(view)))
}
