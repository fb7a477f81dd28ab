//! The credential of a request, read from its headers: a bearer token, a key as a user name, or a cookie.

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::clients::is_client_token;
use crate::http::cookie;

/// The name of the session cookie, which clients of this API expect.
pub(super) const COOKIE_NAME: &str = "connect.sid";

pub(super) const SECRET_KEY_PREFIX: &str = "sk_";

/// The header that identifies a storefront.
const PUBLISHABLE_KEY_HEADER: &str = "x-publishable-api-key";

/// The header with the token of an OAuth client, beside a customer's.
const CLIENT_TOKEN_HEADER: &str = "x-client-token";

#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestCredential {
    Nothing,
    /// An invalid credential, or two of them.
    Malformed,
    Key(String),
    Token(String),
    /// A session token, sent by a browser by itself.
    Cookie(String),
}

impl RequestCredential {
    /// Reads the headers. `Authorization` takes precedence over the cookie.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(AUTHORIZATION).iter();
        match (values.next(), values.next()) {
            (None, _) => cookie(headers, COOKIE_NAME)
                .map_or(Self::Nothing, |secret| Self::Cookie(secret.to_owned())),
            (Some(value), None) => authorization(value).unwrap_or(Self::Malformed),
            // Invariant: a request has one caller. A proxy might choose another of two headers.
            (Some(_), Some(_)) => Self::Malformed,
        }
    }
}

/// Returns the publishable key of a request; `None` if it is missing, empty or sent twice.
pub(super) fn publishable_key(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(PUBLISHABLE_KEY_HEADER).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    value.to_str().ok().map(str::trim).filter(|key| !key.is_empty())
}

/// Returns the token of an OAuth client: from its own header, because a customer's token may be in the other.
pub(super) fn client_token(headers: &HeaderMap) -> Option<String> {
    let own = headers.get(CLIENT_TOKEN_HEADER).and_then(|value| value.to_str().ok());
    let token = match (own, RequestCredential::of(headers)) {
        (Some(own), _) => Some(own.trim().to_owned()),
        (None, RequestCredential::Token(token)) => Some(token),
        (None, _) => None,
    };
    token.filter(|token| is_client_token(token))
}

fn authorization(value: &HeaderValue) -> Option<RequestCredential> {
    let (scheme, secret) = value.to_str().ok()?.trim().split_once(' ')?;
    let secret = secret.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(bearer(secret)).filter(|_| !secret.is_empty());
    }
    if scheme.eq_ignore_ascii_case("basic") {
        return user_name(secret).map(RequestCredential::Key);
    }
    None
}

fn bearer(secret: &str) -> RequestCredential {
    let secret_text = secret.to_owned();
    if secret.starts_with(SECRET_KEY_PREFIX) {
        RequestCredential::Key(secret_text)
    } else {
        RequestCredential::Token(secret_text)
    }
}

/// Returns a secret key sent as the user name of Basic: raw, or in base64 with the colon before the password.
fn user_name(sent: &str) -> Option<String> {
    if sent.starts_with(SECRET_KEY_PREFIX) {
        return Some(sent.trim_end_matches(':').to_owned());
    }
    let decoded = String::from_utf8(STANDARD.decode(sent).ok()?).ok()?;
    let name = decoded.split_once(':').map_or(decoded.as_str(), |(name, _)| name);
    name.starts_with(SECRET_KEY_PREFIX).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn a_secret_key_is_read_from_bearer_from_basic_and_from_basic_in_base64() {
        let encoded = format!("Basic {}", STANDARD.encode("sk_abc:"));
        for value in ["Bearer sk_abc", "bearer  sk_abc", "Basic sk_abc", "Basic sk_abc:", &encoded]
        {
            let credential = RequestCredential::of(&headers(&[("authorization", value)]));

            assert_eq!(credential, RequestCredential::Key("sk_abc".to_owned()), "{value}");
        }
    }

    #[test]
    fn a_header_wins_over_a_cookie_and_another_cookie_is_none() {
        let cookie = ("cookie", "a=b; connect.sid=s1; c=d");

        assert_eq!(
            RequestCredential::of(&headers(&[cookie])),
            RequestCredential::Cookie("s1".to_owned())
        );
        let both = headers(&[cookie, ("authorization", "Bearer t1")]);
        assert_eq!(RequestCredential::of(&both), RequestCredential::Token("t1".to_owned()));
        assert_eq!(
            RequestCredential::of(&headers(&[("cookie", "sid=s1; connect.sid=")])),
            RequestCredential::Nothing
        );
    }

    #[test]
    fn an_unreadable_credential_is_malformed_and_not_absent() {
        let password = format!("Basic {}", STANDARD.encode("me:secret"));
        for value in ["", "Bearer", "Bearer ", "Digest x", "Basic !!!", &password] {
            let credential = RequestCredential::of(&headers(&[("authorization", value)]));

            assert_eq!(credential, RequestCredential::Malformed, "{value}");
        }
        let mut two = headers(&[("authorization", "Bearer a")]);
        two.append(AUTHORIZATION, HeaderValue::from_static("Bearer b"));
        assert_eq!(RequestCredential::of(&two), RequestCredential::Malformed);
    }

    #[test]
    fn an_empty_publishable_key_counts_as_missing() {
        assert_eq!(publishable_key(&headers(&[("x-publishable-api-key", " ")])), None);
        assert_eq!(publishable_key(&headers(&[("x-publishable-api-key", "pk_1")])), Some("pk_1"));
    }
}
