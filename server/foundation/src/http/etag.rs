//! `ETag`, `If-Match` and `If-None-Match`: a change based on an outdated state is rejected, and a state that the
//! caller already has is not sent again.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};

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
    /// Returns whether the state with this tag may be changed: always without the header, otherwise if it names
    /// the tag or `*`.
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

/// Returns whether the caller already has the state with this tag (RFC 9110, 13.1.2).
pub fn has_state(headers: &HeaderMap, tag: &str) -> bool {
    let quoted = quoted(tag);
    let tags = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = tags.flat_map(|value| value.split(',')).map(str::trim);
    tags.any(|known| known == "*" || known.trim_start_matches("W/") == quoted)
}

fn quoted(tag: &str) -> String {
    format!("\"{tag}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_needs_the_strong_tag_or_any() {
        for (sent, expected) in [
            (None, true),
            (Some("*"), true),
            (Some("\"b\", \"a\""), true),
            (Some("W/\"a\""), false),
            (Some("\"b\""), false),
            (Some(""), false),
        ] {
            assert_eq!(IfMatch(sent.map(str::to_owned)).admits("a"), expected, "{sent:?}");
        }
    }

    #[test]
    fn a_state_is_known_by_one_of_the_tags_strong_or_weak_or_any() {
        for (sent, expected) in [
            (&["\"a\""][..], true),
            (&["\"b\", W/\"a\""], true),
            (&["\"b\"", "\"a\""], true),
            (&["*"], true),
            (&["a"], false),
            (&["\"b\""], false),
            (&[], false),
        ] {
            let named = |tag: &&'static str| (IF_NONE_MATCH, HeaderValue::from_static(tag));
            let mut headers = HeaderMap::new();
            for (name, value) in sent.iter().map(named) {
                headers.append(name, value);
            }
            assert_eq!(has_state(&headers, "a"), expected, "{sent:?}");
        }
    }
}
