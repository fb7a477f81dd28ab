//! Responses that browsers and proxies may cache until the content changes over time.

use axum::http::header::{CACHE_CONTROL, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use quotient_foundation::digest::sha256_hex;
use serde::Serialize;

use crate::clock::Timestamp;
use crate::http::{HttpError, etag, has_state, json_bytes};

/// Limit: seconds for which content is cached, so that admins' changes become visible soon.
const MAX_AGE_S: i64 = 60;

/// How long a response may be cached, and by whom.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Freshness {
    /// When the response was made.
    pub(crate) now: Timestamp,
    /// When its content next changes because of time.
    pub(crate) changes_at: Option<Timestamp>,
    /// Whether it depends on the customer.
    pub(crate) is_personal: bool,
}

impl Freshness {
    /// Returns the freshness of content that changes only through admins.
    pub(crate) const fn of_settings(now: Timestamp) -> Self {
        Self { now, changes_at: None, is_personal: false }
    }

    fn max_age_s(self) -> i64 {
        let left_ms = self.changes_at.map(|at| at.as_millis().saturating_sub(self.now.as_millis()));
        left_ms.map_or(MAX_AGE_S, |left_ms| (left_ms.max(0) / 1_000).min(MAX_AGE_S))
    }

    fn cache_control(self) -> String {
        if self.is_personal {
            // A browser would show it to the next person who logs in.
            return "no-store".to_owned();
        }
        format!("public, max-age={}", self.max_age_s())
    }
}

/// Returns a response with its tag, or 304 if the caller already has it.
pub(crate) fn answer(
    headers: &HeaderMap,
    freshness: Freshness,
    content: &impl Serialize,
) -> Result<Response, HttpError> {
    let bytes = serde_json::to_vec(content).map_err(HttpError::unexpected)?;
    let digest = sha256_hex(&bytes);
    let tag = digest.get(..32).unwrap_or_default();
    let is_known = has_state(headers, tag);
    let mut response =
        if is_known { StatusCode::NOT_MODIFIED.into_response() } else { json_bytes(bytes) };
    let cache_control = HeaderValue::try_from(freshness.cache_control());
    let headers = response.headers_mut();
    headers.extend(etag(tag));
    headers.insert(CACHE_CONTROL, cache_control.map_err(HttpError::unexpected)?);
    headers.insert(VARY, HeaderValue::from_static("x-publishable-api-key"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_cached_past_a_change() {
        let now = Timestamp::from_millis(1_000);
        for (changes_at, expected) in [
            (None, 60),
            (Some(1_000), 0),
            (Some(1_999), 0),
            (Some(2_000), 1),
            (Some(1_000_000), 60),
        ] {
            let changes_at = changes_at.map(Timestamp::from_millis);
            let freshness = Freshness { now, changes_at, is_personal: false };
            assert_eq!(freshness.max_age_s(), expected, "{changes_at:?}");
        }
    }
}
