//! The visitor, according to the headers of a request.

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;

use crate::http::{HttpError, user_agent};
use crate::state::VisitorState;
use crate::visits::visitor::{self, Visitor};

/// The visit, whose id the storefront generates.
const SESSION: &str = "x-session-id";

/// The request not to be tracked.
const OPT_OUT: &str = "sec-gpc";

impl FromRequestParts<VisitorState> for Visitor {
    type Rejection = HttpError;

    /// [`has_bad_session`] distinguishes an invalid visit id from an absent one.
    async fn from_request_parts(
        parts: &mut Parts,
        state: &VisitorState,
    ) -> Result<Self, HttpError> {
        let headers = &parts.headers;
        let agent = text(headers, USER_AGENT.as_str());
        let country = state.shared.settings.visitors.tracking_country_header.as_deref();
        Ok(Self {
            session_id: text(headers, SESSION)
                .filter(|id| visitor::is_session(id))
                .map(str::to_owned),
            device: agent.map(user_agent::device),
            country: country.and_then(|name| text(headers, name)).and_then(visitor::country),
            opts_out: text(headers, OPT_OUT) == Some("1"),
            is_crawler: agent.is_some_and(user_agent::is_crawler),
        })
    }
}

pub(super) fn has_bad_session(headers: &HeaderMap) -> bool {
    headers.get(SESSION).is_some_and(|value| !value.to_str().is_ok_and(visitor::is_session))
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}
