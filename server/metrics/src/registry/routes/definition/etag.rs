//! `ETag` and `If-Match`: an edit based on an older state of a metric is refused.

use axum::http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::view::MetricView;
use crate::MetricError;
use crate::http::{self, IfMatch, Json};

/// Bytes of a tag, written as two digits each.
const TAG_BYTES: usize = 12;

/// Rejects an edit if the metric is in none of the named states.
pub(super) fn check(matching: &IfMatch, metric: &MetricView) -> Result<(), MetricError> {
    let is_current = matching.admits(&tag(metric));
    if is_current { Ok(()) } else { Err(MetricError::Changed(metric.key.clone())) }
}

/// Returns a tag that changes with every field of the view.
fn tag(view: &MetricView) -> String {
    let text = serde_json::to_vec(view).unwrap_or_default();
    let digest = Sha256::digest(&text);
    hex::encode(digest.get(..TAG_BYTES).unwrap_or(&digest))
}

/// A response with the metric's tag.
pub(crate) type WithEtag<T> = (StatusCode, [(HeaderName, HeaderValue); 1], Json<T>);

/// Builds the response for a metric, with the naming of the surface.
pub(crate) fn with_etag<T: Serialize>(
    status: StatusCode,
    metric: MetricView,
    body: impl FnOnce(MetricView) -> T,
) -> WithEtag<T> {
    (status, http::etag(&tag(&metric)), Json(body(metric)))
}
