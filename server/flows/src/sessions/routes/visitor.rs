//! The caller: the session token, wherever it is sent, and the origin of the page.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use quotient_foundation::middleware::{Client, LimitedClient};
use serde::de::DeserializeOwned;

use crate::auth::SecretDigest;
use crate::http::{self, HttpError, Json, Text};
use crate::sessions::begin::Source;
use crate::sessions::error::SessionError;
use crate::state::AppState;

const TOKEN: &str = "x-flow-session";

/// The cookie with the token, on pages of this server.
pub(super) const COOKIE_NAME: &str = "flow_session";

/// The token of a session in a body.
pub(super) type Token = Text<256>;

/// Limit: bytes of a body.
const MAX_BODY_BYTES: usize = 16 * 1024;

/// A caller without credentials.
#[derive(Debug, Clone)]
pub(super) struct Visitor {
    header: Option<String>,
    /// The token of the cookie. In a POST it counts only if the page's origin is known.
    cookie: Option<String>,
    is_post: bool,
    /// The origin of the page, as the browser sends it.
    pub(super) origin: Option<String>,
    is_own_origin: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Visitor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        let origin = text(&parts.headers, ORIGIN.as_str());
        let host = text(&parts.headers, HOST.as_str());
        let own = origin.as_deref().and_then(|origin| origin.split_once("://"));
        let is_own_origin = own.is_some_and(|(_, own)| Some(own) == host.as_deref());
        Ok(Self {
            header: text(&parts.headers, TOKEN),
            cookie: http::cookie(&parts.headers, COOKIE_NAME).map(str::to_owned),
            is_post: parts.method == Method::POST,
            origin,
            is_own_origin,
        })
    }
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().filter(|text| !text.is_empty()).map(str::to_owned)
}

impl Visitor {
    /// Returns the page's origin, unless it is on this server.
    pub(super) fn foreign_origin(&self) -> Option<String> {
        self.origin.clone().filter(|_| !self.is_own_origin)
    }

    /// Returns the digest of the token sent in the header, the body or the cookie.
    ///
    /// # Errors
    /// [`SessionError::BadToken`] if two tokens differ.
    pub(super) fn token(&self, body: Option<&Token>) -> Result<Option<SecretDigest>, SessionError> {
        let cookie = self.cookie.as_deref().filter(|_| !self.is_post || self.is_own_origin);
        let sent = [self.header.as_deref(), body.map(Text::as_str), cookie];
        let mut sent = sent.into_iter().flatten();
        let Some(first) = sent.next() else { return Ok(None) };
        if sent.any(|other| other != first) {
            return Err(SessionError::BadToken);
        }
        SecretDigest::of_presented(first).map(Some).ok_or(SessionError::BadToken)
    }

    /// Returns that digest, without which nothing is found.
    pub(super) fn needed_token(&self, body: Option<&Token>) -> Result<SecretDigest, SessionError> {
        self.token(body)?.ok_or(SessionError::NoToken)
    }

    /// Returns the digest of the token in the header or the body.
    pub(super) fn store_token(&self, body: Option<&Token>) -> Result<SecretDigest, SessionError> {
        Self { cookie: None, ..self.clone() }.needed_token(body)
    }
}

/// The address that starts a session, unless a shop's own server calls with its client token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address(pub(super) Option<Source>);

impl FromRequestParts<AppState> for Address {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, HttpError> {
        let client = parts.extensions.get::<Client>();
        let Some(client) = client.filter(|_| parts.extensions.get::<LimitedClient>().is_none())
        else {
            return Ok(Self(None));
        };
        let shared = &state.shared;
        let digests = shared.day_keys.of(&client.address.to_string(), shared.clock.now());
        let digests = digests.map_err(HttpError::unexpected)?;
        let max_open = shared.settings.limits.max_open_flow_sessions;
        Ok(Self(Some(Source { digests, max_open })))
    }
}

/// A JSON body of at most 16 KiB.
#[derive(Debug)]
pub(super) struct SmallJson<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for SmallJson<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Self, HttpError> {
        let (parts, body) = request.into_parts();
        let bytes = http::read_body(body).await?;
        if bytes.len() > MAX_BODY_BYTES {
            return Err(HttpError::payload_too_large(MAX_BODY_BYTES));
        }
        let request = Request::from_parts(parts, bytes.into());
        Json::from_request(request, state).await.map(|Json(body)| Self(body))
    }
}
