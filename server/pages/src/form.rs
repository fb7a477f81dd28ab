//! Forms: changes sent by a page.
//!
//! Invariant: no change is made without the session's token, which only a page of this server can read.

use axum::extract::{FromRequest, Request};
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderName};
use quotient_foundation::digest::sha256_hex;
use subtle::ConstantTimeEq as _;

use super::page::PageError;
use super::parameters::Parameters;
use crate::http;

/// The name of the session cookie.
const SESSION: &str = "connect.sid";

/// The form field with the token.
pub(super) const TOKEN: &str = "token";

/// The header with which browsers state where a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The fields of a form with the session's token.
#[derive(Debug)]
pub(super) struct Form(pub(super) Parameters);

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = PageError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, PageError> {
        let (parts, body) = request.into_parts();
        let fields = Parameters::parse(
            &http::read_body(body).await.map_err(|error| PageError::refused(&error))?,
        );
        let expected = token(&parts.headers);
        let is_own =
            expected.is_some_and(|own| own.as_bytes().ct_eq(fields.raw(TOKEN).as_bytes()).into());
        if is_own && is_same_site(&parts.headers) {
            Ok(Self(fields))
        } else {
            Err(PageError::foreign())
        }
    }
}

/// The fields of a form that is sent before there is a session.
#[derive(Debug)]
pub(super) struct OpenForm(pub(super) Parameters);

impl<S: Send + Sync> FromRequest<S> for OpenForm {
    type Rejection = PageError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, PageError> {
        let (parts, body) = request.into_parts();
        if !is_same_site(&parts.headers) {
            return Err(PageError::foreign());
        }
        let body = http::read_body(body).await.map_err(|error| PageError::refused(&error))?;
        Ok(Self(Parameters::parse(&body)))
    }
}

/// Returns the token of a session: a hash of its secret, from which the secret cannot be derived.
pub(super) fn token(headers: &HeaderMap) -> Option<String> {
    let secret = session(headers)?;
    Some(sha256_hex(format!("form of {secret}")))
}

fn session(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| name.trim() == SESSION).map(|(_, secret)| secret.trim())
}

/// Returns whether a browser sent the request from a page of this server; old browsers do not say.
fn is_same_site(headers: &HeaderMap) -> bool {
    let site = headers.get(FETCH_SITE).and_then(|value| value.to_str().ok());
    site.is_none_or(|site| site == "same-origin" || site == "none")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_session_has_its_own_token_which_does_not_show_the_secret() {
        let of = |cookie: &str| {
            let headers = HeaderMap::from_iter([(COOKIE, cookie.parse().unwrap())]);
            token(&headers)
        };
        let own = of("a=1; connect.sid=tok_1").expect("a session");

        assert_eq!(of("connect.sid=tok_1"), Some(own.clone()));
        assert_ne!(of("connect.sid=tok_2"), Some(own.clone()));
        assert_eq!(of("a=1"), None);
        assert!(!own.contains("tok_1"));
    }
}
