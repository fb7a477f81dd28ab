//! Forms: changes sent by a page.
//!
//! Invariant: no change is made without the session's token, which only a page of this server can read. With it a form
//! sends a key that each page has anew, so that what a form posts takes effect once if the form is sent twice.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderName};
use quotient_foundation::digest::sha256_hex;
use subtle::ConstantTimeEq as _;

use super::page::PageError;
use super::parameters::Parameters;
use crate::{http, ids};

/// The name of the session cookie.
const SESSION: &str = "connect.sid";

/// The form field with the token and the key.
const TOKEN: &str = "token";

/// The header with which browsers state where a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The key of the form that a request sends; none until the form is read, and for forms that change nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct FormKey(Arc<OnceLock<Changes>>);

#[derive(Debug)]
struct Changes {
    key: String,
    /// How often each change was made, because one that was refused may be possible after others.
    counts: Mutex<BTreeMap<String, usize>>,
}

impl FormKey {
    /// Returns the key of one of the changes that the form makes: the form may be sent again with other fields.
    pub(super) fn of_change(&self, target: &str, body: &str) -> Option<String> {
        let Changes { key, counts } = self.0.get()?;
        let digest = sha256_hex(format!("{key} {target} {body}"));
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(digest.clone()).or_default();
        *count = count.saturating_add(1);
        Some(format!("{digest}.{count}"))
    }
}

/// The fields of a form with the session's token; a repetition of what it posts gets the first answers.
#[derive(Debug)]
pub(super) struct Form(pub(super) Parameters);

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = PageError;

    async fn from_request(request: Request, state: &S) -> Result<Self, PageError> {
        let key = request.extensions().get::<FormKey>().cloned();
        let Question(fields) = Question::from_request(request, state).await?;
        if let (Some(FormKey(own)), Some((_, sent))) = (key, fields.raw(TOKEN).split_once('.')) {
            own.set(Changes { key: sent.to_owned(), counts: Mutex::default() }).ok();
        }
        Ok(Self(fields))
    }
}

/// The fields of a form with the session's token that changes nothing, and may be asked again for a new answer.
#[derive(Debug)]
pub(super) struct Question(pub(super) Parameters);

impl<S: Send + Sync> FromRequest<S> for Question {
    type Rejection = PageError;

    async fn from_request(request: Request, state: &S) -> Result<Self, PageError> {
        let expected = token(request.headers());
        let OpenForm(fields) = OpenForm::from_request(request, state).await?;
        let sent = fields.raw(TOKEN).split('.').next().unwrap_or_default();
        let is_own = expected.is_some_and(|own| own.as_bytes().ct_eq(sent.as_bytes()).into());
        if is_own { Ok(Self(fields)) } else { Err(PageError::foreign()) }
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

/// Returns what the forms of a page send: the token of the session, and a key of the page.
pub(super) fn token_and_key(headers: &HeaderMap) -> Option<String> {
    Some(format!("{}.{}", token(headers)?, ids::generate("form")))
}

/// Returns the token of a session: a hash of its secret, from which the secret cannot be derived.
fn token(headers: &HeaderMap) -> Option<String> {
    let secret = http::cookie(headers, SESSION)?;
    Some(sha256_hex(format!("form of {secret}")))
}

/// Returns whether a browser sent the request from a page of this server; old browsers do not say.
fn is_same_site(headers: &HeaderMap) -> bool {
    let site = headers.get(FETCH_SITE).and_then(|value| value.to_str().ok());
    site.is_none_or(|site| site == "same-origin" || site == "none")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::COOKIE;

    #[test]
    fn each_session_has_its_own_token_which_does_not_show_the_secret() {
        let of = |cookie: &str| {
            let headers = HeaderMap::from_iter([(COOKIE, cookie.parse().unwrap())]);
            token(&headers)
        };
        let own = of("a=1; connect.sid=tok_1").expect("a session");

        assert_eq!(of("connect.sid=tok_1"), Some(own.clone()));
        assert_ne!(of("connect.sid=tok_2"), Some(own.clone()));
        assert_eq!(of("connect.sid=; connect.sid=tok_1"), Some(own.clone()));
        assert_eq!(of("a=1; connect.sid="), None);
        assert!(!own.contains("tok_1"));
    }
}
