//! `ETag` and `If-Match`: a change that is based on an older state is refused.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::{ETAG, IF_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};

/// The tags of the `If-Match` header, if present.
#[derive(Debug, Clone, Default)]
pub struct IfMatch(Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        let values = parts.headers.get_all(IF_MATCH).iter();
        let values: Vec<_> =
            values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        Ok(Self((!values.is_empty()).then(|| values.join(","))))
    }
}

impl IfMatch {
    /// Returns whether the state with this tag may be changed: always without the header, else if it names the tag
    /// or `*`.
    pub fn admits(&self, tag: &str) -> bool {
        let quoted = quoted(tag);
        let Some(tags) = &self.0 else { return true };
        tags.split(',').map(str::trim).any(|named| named == "*" || named == quoted)
    }
}

/// Returns the header with the tag of a state.
pub fn etag(tag: &str) -> [(HeaderName, HeaderValue); 1] {
    let value = HeaderValue::try_from(quoted(tag));
    [(ETAG, value.unwrap_or(HeaderValue::from_static("\"\"")))]
}

fn quoted(tag: &str) -> String {
    format!("\"{tag}\"")
}
