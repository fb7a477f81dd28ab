//! `ETag` and `If-Match`: an action that is based on an older state of a subscription is refused.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::{ETAG, IF_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};

/// The tags of the `If-Match` header, if present.
#[derive(Debug, Clone)]
pub(super) struct IfMatch(pub(super) Option<Vec<String>>);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        let sent = parts.headers.get_all(IF_MATCH);
        let tags: Vec<String> = sent
            .iter()
            .flat_map(|value| {
                let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
                value.split(',').map(|tag| tag.trim().to_owned()).collect::<Vec<_>>()
            })
            .collect();
        Ok(Self((!tags.is_empty()).then_some(tags)))
    }
}

/// Returns the header with the tag of a version.
pub(super) fn etag(version: i64) -> [(HeaderName, HeaderValue); 1] {
    let tag = HeaderValue::try_from(format!("\"{version}\""));
    [(ETAG, tag.unwrap_or(HeaderValue::from_static("\"\"")))]
}
