//! A token request: as JSON or as a form, with the client in the body or in the `Authorization` header.

use crate::http::ToSchema;
use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value};
use url::form_urlencoded;

/// Limit: characters of a field.
const MAX_CHARS: usize = 1_000;

/// The body of a token request; it can also be a form.
#[derive(Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(example = json!({
    "grant_type": "client_credentials", "client_id": "oac_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "client_secret": "ocs_4a1f",
    "scope": "storefront metrics:read",
}))]
pub(super) struct TokenRequest {
    /// `client_credentials`.
    pub(super) grant_type: String,
    /// Absent if the client authenticates by Basic.
    pub(super) client_id: Option<String>,
    /// Absent if the client authenticates by Basic.
    pub(super) client_secret: Option<String>,
    /// Scopes separated by blanks; defaults to all of the client's.
    pub(super) scope: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) path: &'static str,
    pub(super) message: &'static str,
}

impl Fault {
    const fn of(path: &'static str, message: &'static str) -> Self {
        Self { path, message }
    }
}

impl TokenRequest {
    pub(super) fn read(headers: &HeaderMap, body: &Bytes) -> Result<Self, Fault> {
        let mut fields = fields(headers, body)?;
        let mut take = |name: &'static str| match fields.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.len() <= MAX_CHARS => Ok(Some(text)),
            Some(_) => Err(Fault::of(name, "must be a text of at most 1000 characters")),
        };
        let mut request = Self {
            grant_type: take("grant_type")?.unwrap_or_default(),
            client_id: take("client_id")?,
            client_secret: take("client_secret")?,
            scope: take("scope")?,
        };
        if let Some((id, secret)) = basic(headers)? {
            if request.client_secret.is_some()
                || request.client_id.as_ref().is_some_and(|own| *own != id)
            {
                return Err(Fault::of(
                    "client_id",
                    "must be in the body or in the header, not in both",
                ));
            }
            request.client_id = Some(id);
            request.client_secret = Some(secret);
        }
        for (name, value) in [
            ("grant_type", Some(&request.grant_type)),
            ("client_id", request.client_id.as_ref()),
            ("client_secret", request.client_secret.as_ref()),
        ] {
            if value.is_none_or(String::is_empty) {
                return Err(Fault::of(name, "is required"));
            }
        }
        Ok(request)
    }
}

fn fields(headers: &HeaderMap, body: &Bytes) -> Result<Map<String, Value>, Fault> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.unwrap_or("application/json").split(';').next().unwrap_or_default();
    match essence.trim().to_ascii_lowercase().as_str() {
        "application/json" => serde_json::from_slice(if body.is_empty() { b"{}" } else { body })
            .map_err(|_not_an_object| Fault::of("", "the body must be a JSON object")),
        "application/x-www-form-urlencoded" => {
            let mut fields = Map::new();
            for (name, value) in form_urlencoded::parse(body) {
                if fields.insert(name.into_owned(), Value::String(value.into_owned())).is_some() {
                    return Err(Fault::of("", "a field is sent twice"));
                }
            }
            Ok(fields)
        }
        _ => Err(Fault::of("", "the body must be JSON or a form")),
    }
}

/// Returns the id and the secret of a Basic `Authorization` header; each is form-encoded (RFC 6749, 2.3.1).
fn basic(headers: &HeaderMap) -> Result<Option<(String, String)>, Fault> {
    let Some(value) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let malformed = || Fault::of("authorization", "must be Basic with the client's id and secret");
    let (scheme, encoded) =
        value.to_str().ok().and_then(|value| value.trim().split_once(' ')).ok_or_else(malformed)?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return Ok(None);
    }
    let decoded =
        STANDARD.decode(encoded.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let decoded = decoded.ok_or_else(malformed)?;
    let (id, secret) = decoded.split_once(':').ok_or_else(malformed)?;
    Ok(Some((form_decoded(id), form_decoded(secret))))
}

fn form_decoded(text: &str) -> String {
    let name = form_urlencoded::parse(text.as_bytes()).next();
    name.map(|(name, _)| name.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const BLANK: HeaderValue = HeaderValue::from_static("");

    fn read(
        content_type: &str,
        authorization: Option<&str>,
        body: &str,
    ) -> Result<TokenRequest, &'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::try_from(content_type).unwrap_or(BLANK));
        if let Some(value) = authorization {
            headers.insert(AUTHORIZATION, HeaderValue::try_from(value).unwrap_or(BLANK));
        }
        let body = Bytes::copy_from_slice(body.as_bytes());
        TokenRequest::read(&headers, &body).map_err(|fault| fault.path)
    }

    #[test]
    fn json_a_form_and_basic_are_the_same_request() {
        let json = r#"{"grant_type":"client_credentials","client_id":"a","client_secret":"b:c"}"#;
        let form = "grant_type=client_credentials&client_id=a&client_secret=b%3Ac";
        let basic = format!("Basic {}", STANDARD.encode("a:b%3Ac"));
        let expected = read("application/json", None, json);
        assert!(expected.is_ok(), "{expected:?}");
        assert_eq!(read("application/x-www-form-urlencoded; charset=utf-8", None, form), expected);
        let bare = "grant_type=client_credentials";
        assert_eq!(read("application/x-www-form-urlencoded", Some(&basic), bare), expected);
        assert_eq!(read("application/x-www-form-urlencoded", Some(&basic), form), Err("client_id"));
    }

    #[test]
    fn missing_fields_are_named() {
        for (content_type, body, expected) in [
            ("application/json", "", "grant_type"),
            ("application/json", "[]", ""),
            ("application/json", r#"{"grant_type":7}"#, "grant_type"),
            ("application/json", r#"{"grant_type":"x"}"#, "client_id"),
            ("application/json", r#"{"grant_type":"x","client_id":"a"}"#, "client_secret"),
            ("application/x-www-form-urlencoded", "grant_type=x&grant_type=y", ""),
            ("text/plain", "grant_type=x", ""),
        ] {
            assert_eq!(read(content_type, None, body), Err(expected), "{body}");
        }
    }
}
