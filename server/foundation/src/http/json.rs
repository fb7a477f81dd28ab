//! JSON bodies of requests and responses, and the errors of invalid ones.
//!
//! Clients of this API send the JSON content type with every request, even without a body, so an empty body means `{}`.

use std::io::{self, Write};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::document::Document;
use super::{HttpError, scan};

/// Limit: bytes of a request's body.
pub const MAX_BODY_BYTES: usize = 1024 * 1024;

/// Limit: bytes of a JSON response.
pub const MAX_RESPONSE_BYTES: usize = 8 * 1024 * 1024;

/// A JSON body: as a handler's argument, the parsed request; as its result, the response.
#[derive(Debug, Clone, Copy)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, HttpError> {
        read_json(request).await?.into_type().map(Self)
    }
}

/// Reads the JSON of a request. Not generic, so that it is compiled once instead of for each type of request.
async fn read_json(request: Request) -> Result<Document, HttpError> {
    let (parts, body) = request.into_parts();
    let bytes = read_body(body).await?;
    if bytes.is_empty() {
        return document(b"{}");
    }
    if !is_json(&parts.headers) {
        return Err(HttpError::unsupported_media_type());
    }
    document(&bytes)
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        WrittenJson::of(&self.0).into_response()
    }
}

/// A JSON response that has been serialized already, because serializing a large one takes long.
#[derive(Debug)]
pub struct WrittenJson(pub(super) Vec<u8>);

impl WrittenJson {
    /// Writes a response.
    ///
    /// # Errors
    /// 422 if it is larger than 8 MiB; 500 if it cannot be JSON.
    pub fn of(response: &impl Serialize) -> Result<Self, HttpError> {
        match bytes(response) {
            Ok(bytes) => Ok(Self(bytes)),
            Err(error) if error.is_io() => {
                let limit_mib = MAX_RESPONSE_BYTES / (1024 * 1024);
                let message = format!("The response is larger than {limit_mib} MiB: ask for less");
                Err(HttpError::validation(message))
            }
            Err(error) => Err(HttpError::unexpected(error)),
        }
    }
}

/// Returns a resource as a value: via text, because a second serializer would compile each resource again.
///
/// # Errors
/// If it is larger than 8 MiB, or cannot be JSON.
pub fn to_value(resource: &impl Serialize) -> serde_json::Result<Value> {
    serde_json::from_slice(&bytes(resource)?)
}

fn bytes(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = BoundedBytes(Vec::with_capacity(128));
    serde_json::to_writer(&mut bytes, value)?;
    Ok(bytes.0)
}

impl IntoResponse for WrittenJson {
    fn into_response(self) -> Response {
        json_bytes(self.0)
    }
}

/// Bytes in memory, at most [`MAX_RESPONSE_BYTES`].
struct BoundedBytes(Vec<u8>);

impl Write for BoundedBytes {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len().saturating_add(bytes.len()) > MAX_RESPONSE_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.write(bytes)
    }

    // JSON is written in many small pieces.
    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes).map(drop)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns a response from bytes that are already JSON.
pub fn json_bytes(bytes: impl Into<Body>) -> Response {
    let content_type = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, content_type)], bytes.into()).into_response()
}

/// Reads a body to its end.
///
/// # Errors
/// 413 if it exceeds [`MAX_BODY_BYTES`], 400 if it is truncated.
pub async fn read_body(body: Body) -> Result<Bytes, HttpError> {
    let limit_bytes = u64::try_from(MAX_BODY_BYTES).unwrap_or(u64::MAX);
    if body.size_hint().lower() > limit_bytes {
        return Err(HttpError::payload_too_large(MAX_BODY_BYTES));
    }
    match Limited::new(body, MAX_BODY_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            Err(HttpError::payload_too_large(MAX_BODY_BYTES))
        }
        Err(_broken) => Err(HttpError::invalid_data("The body broke off")),
    }
}

/// Parses a JSON document into `T`.
///
/// # Errors
/// 400 with a message that names the field.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, HttpError> {
    document(bytes)?.into_type()
}

fn document(bytes: &[u8]) -> Result<Document, HttpError> {
    scan::check(bytes)?;
    serde_json::from_slice(bytes)
        .map(Document)
        .map_err(|error| HttpError::invalid_data(format!("Malformed JSON: {error}")))
}

/// Returns whether the content type is `application/json` or `application/…+json`.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Patch;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct ItemRequest {
        variant_id: String,
        quantity: u32,
        #[serde(default)]
        note: Patch<String>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct CartRequest {
        #[serde(default)]
        items: Vec<ItemRequest>,
    }

    #[test]
    fn a_response_over_the_limit_is_refused() {
        let values = |count: usize| Json(vec![1_u8; count]).into_response().status();
        assert_eq!(values(MAX_RESPONSE_BYTES / 4), 200);
        assert_eq!(values(MAX_RESPONSE_BYTES / 2 + 1), 422);
    }

    fn message(body: &str) -> String {
        match parse::<CartRequest>(body.as_bytes()) {
            Ok(request) => format!("accepted {}", request.items.len()),
            Err(error) => error.message().to_owned(),
        }
    }

    #[test]
    fn invalid_bodies_get_the_messages_of_the_api() {
        for (body, expected) in [
            ("{}", "accepted 0"),
            (r#"{"foo":1}"#, "Invalid request: Unrecognized fields: 'foo'"),
            (
                r#"{"items":[{"quantity":1}]}"#,
                "Invalid request: Field 'items[0].variant_id' is required",
            ),
            (
                r#"{"items":[{"variant_id":"v","quantity":"1"}]}"#,
                "Invalid request: Expected type: 'number' for field 'items[0].quantity', got: '1'",
            ),
            (
                r#"{"items":{}}"#,
                "Invalid request: Expected type: 'array' for field 'items', got: 'object'",
            ),
            (
                r#"{"items":null}"#,
                "Invalid request: Expected type: 'array' for field 'items', got: 'null'",
            ),
            (
                r#"{"items":[{"variant_id":"v","quantity":-1}]}"#,
                "Invalid request: Value for field 'items[0].quantity' is not valid: '-1'",
            ),
            (
                r#"{"items":[{"variant_id":"v","quantity":1.5}]}"#,
                "Invalid request: Expected type: 'integer' for field 'items[0].quantity', got: '1.5'",
            ),
            (r#"{"items":[{"variant_id":"v","quantity":3.0}]}"#, "accepted 1"),
            ("[]", "Invalid request: Expected type: 'object', got: 'array'"),
        ] {
            assert_eq!(message(body), expected, "{body}");
        }
    }

    #[test]
    fn a_detail_names_the_path() {
        let error = parse::<CartRequest>(br#"{"items":[{"quantity":1}]}"#).unwrap_err();

        let body = error.into_response().into_body();

        let bytes = futures_now(read_body(body)).unwrap();
        let body: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(body["details"][0]["path"], json!("items[0].variant_id"));
    }

    #[test]
    fn only_one_json_document_is_a_body() {
        for body in ["", " ", "{", "{}{}", "{} x", "{'a':1}", "nul", "\u{feff}{}", r#"{"items":[]"#]
        {
            assert!(message(body).starts_with("Malformed JSON"), "{body:?}: {}", message(body));
        }
    }

    #[test]
    fn absent_null_and_a_value_differ() {
        for (body, expected) in [
            (r#"{"variant_id":"v","quantity":1}"#, Patch::Absent),
            (r#"{"variant_id":"v","quantity":1,"note":null}"#, Patch::Null),
            (r#"{"variant_id":"v","quantity":1,"note":"x"}"#, Patch::Value("x".to_owned())),
        ] {
            assert_eq!(parse::<ItemRequest>(body.as_bytes()).unwrap().note, expected);
        }
    }

    fn request(content_type: Option<&str>, body: impl Into<Body>) -> Request {
        let mut request = Request::new(body.into());
        if let Some(value) = content_type {
            request.headers_mut().insert(CONTENT_TYPE, value.parse().unwrap());
        }
        request
    }

    fn futures_now<F: Future>(work: F) -> F::Output {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work)
    }

    fn status(content_type: Option<&str>, body: impl Into<Body>) -> u16 {
        let request = request(content_type, body);
        let outcome = futures_now(Json::<CartRequest>::from_request(request, &()));
        outcome.map_or_else(|error| error.status().as_u16(), |_| 200)
    }

    #[test]
    fn an_empty_body_is_an_empty_object_and_anything_else_must_say_that_it_is_json() {
        assert_eq!(status(None, ""), 200);
        assert_eq!(status(Some("application/json"), ""), 200);
        assert_eq!(status(Some("Application/JSON; charset=utf-8"), "{}"), 200);
        assert_eq!(status(Some("application/merge-patch+json"), "{}"), 200);
        assert_eq!(status(None, "{}"), 415);
        assert_eq!(status(Some("text/plain"), "{}"), 415);
        assert_eq!(status(Some("application/jsonx"), "{}"), 415);
    }

    #[test]
    fn a_body_over_the_limit_is_refused_with_or_without_a_content_length() {
        let large = vec![b' '; MAX_BODY_BYTES + 1];
        let stream = Body::new(Limited::new(Body::from(large.clone()), MAX_BODY_BYTES * 2));

        assert_eq!(status(Some("application/json"), large), 413);
        assert_eq!(status(Some("application/json"), stream), 413);
    }
}
