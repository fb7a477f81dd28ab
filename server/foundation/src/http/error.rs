//! The error type of all handlers, and its response body.
//!
//! Each constructor is a row of the table of errors. The message of a 5xx is fixed: its cause is logged once, under the
//! id of the request.

use std::error::Error;

use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

use crate::context::Context;
use crate::database;
use crate::http::ToSchema;
use crate::metadata::MetadataError;
use crate::money::MoneyError;
use crate::proportion::OutOfRange;

/// An error response: a status, a body, and headers.
#[derive(Debug)]
pub struct HttpError(Box<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    kind: &'static str,
    code: &'static str,
    message: String,
    details: Vec<Value>,
    headers: HeaderMap,
    shaped: Option<Value>,
}

/// The body of every error, except on routes that document their own.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"type": "not_found", "code": "NOT_FOUND", "message": "Cart not found", "request_id": "01K9"}))]
pub struct ErrorBody {
    /// The type of the error, in lower case, such as `invalid_data`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The stable code, such as `INVALID_DATA`.
    pub code: String,
    /// A message for people.
    pub message: String,
    /// The errors of individual fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<ErrorDetail>,
    /// The id of the request in the log, also sent as the header `x-request-id`.
    pub request_id: String,
}

/// The error of one field.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorDetail {
    /// The path of the field in the request, such as `items[0].quantity`.
    pub path: String,
    /// The message.
    pub message: String,
}

impl HttpError {
    fn new(
        status: StatusCode,
        kind: &'static str,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        let message = capitalized(message.into());
        let (details, headers, shaped) = (Vec::new(), HeaderMap::new(), None);
        Self(Box::new(Parts { status, kind, code, message, details, headers, shaped }))
    }

    /// 400: malformed, of the wrong type, unknown, or out of range.
    pub fn invalid_data(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_data", "INVALID_DATA", message)
    }

    /// 400: a field is missing.
    pub fn field_required(path: &str) -> Self {
        Self::invalid_data(format!("Invalid request: Field '{path}' is required"))
    }

    /// 400: rejected because of the resource's state, such as a completed cart.
    pub fn not_allowed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "not_allowed", "NOT_ALLOWED", message)
    }

    /// 401: no credential, or an invalid one.
    pub fn unauthorized() -> Self {
        Self::unauthorized_because("Unauthorized")
    }

    /// 401 with a message of its own, such as `Invalid email or password`.
    pub fn unauthorized_because(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "UNAUTHORIZED", message)
            .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// 403: authenticated, but not permitted.
    pub fn forbidden() -> Self {
        let message = "You are not permitted to do this";
        Self::new(StatusCode::FORBIDDEN, "forbidden", "FORBIDDEN", message)
    }

    /// 404: missing, or not accessible to the caller; the two are not distinguished.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "NOT_FOUND", message)
    }

    /// 405: the router adds the allowed methods.
    pub fn method_not_allowed() -> Self {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        Self::new(status, "invalid_data", "METHOD_NOT_ALLOWED", "Method not allowed")
    }

    /// 408: the body did not arrive in time.
    pub fn timed_out() -> Self {
        let status = StatusCode::REQUEST_TIMEOUT;
        Self::new(status, "invalid_data", "REQUEST_TIMEOUT", "The body did not come in time")
    }

    /// 413: the body is over its limit.
    pub fn payload_too_large(limit_bytes: usize) -> Self {
        let message = format!("The body is larger than {limit_bytes} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "invalid_data", "PAYLOAD_TOO_LARGE", message)
    }

    /// 415: the body is not JSON.
    pub fn unsupported_media_type() -> Self {
        let message = "The content type must be application/json";
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Self::new(status, "invalid_data", "UNSUPPORTED_MEDIA_TYPE", message)
    }

    /// 431: the target and the headers are over their limit.
    pub fn head_too_large(limit_bytes: usize) -> Self {
        let message = format!("The head of the request is larger than {limit_bytes} bytes");
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        Self::new(status, "invalid_data", "HEAD_TOO_LARGE", message)
    }

    /// 409: a duplicate key, or a concurrent change.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "CONFLICT", message)
    }

    /// 409: another request is at work on the same; to be repeated unchanged.
    pub fn busy(message: impl Into<String>) -> Self {
        Self::conflict(message).with_retry_after(BUSY_RETRY_AFTER_S)
    }

    /// 422: a handle, code, address or the like is taken, in most routes of commerce; elsewhere, and for bundles, it is a
    /// `conflict`.
    pub fn duplicate(message: impl Into<String>) -> Self {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, "duplicate_error", "invalid_request_error", message)
    }

    /// 422: the payment was not authorised.
    pub fn payment_refused(message: impl Into<String>) -> Self {
        let (status, kind) = (StatusCode::UNPROCESSABLE_ENTITY, "payment_authorization_error");
        Self::new(status, kind, "PAYMENT_AUTHORIZATION_ERROR", message)
    }

    /// 422: well-formed, but semantically invalid.
    pub fn validation(message: impl Into<String>) -> Self {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, "validation_error", "VALIDATION_ERROR", message)
    }

    /// 423: locked against changes.
    pub fn locked(message: impl Into<String>) -> Self {
        Self::new(StatusCode::LOCKED, "locked", "LOCKED", message)
    }

    /// 429, to be retried after `retry_after_s` seconds.
    pub fn rate_limited(retry_after_s: u64) -> Self {
        let message = "Too many requests; try again later";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", "RATE_LIMITED", message)
            .with_retry_after(retry_after_s)
    }

    /// 500: an internal error. Logs `cause` with its sources, and responds with a fixed message.
    pub fn unexpected(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let cause = cause.into();
        tracing::error!(cause = chain(cause.as_ref()), "a request failed");
        let (status, kind) = (StatusCode::INTERNAL_SERVER_ERROR, "unexpected_state");
        Self::new(status, kind, "UNEXPECTED_STATE", "An unexpected error occurred.")
    }

    /// 501: not supported in this configuration.
    pub fn not_implemented(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_IMPLEMENTED, "not_implemented", "NOT_IMPLEMENTED", message)
    }

    /// 503: too busy or stopping, to be retried after `retry_after_s` seconds.
    pub fn unavailable(retry_after_s: u64) -> Self {
        let message = "The service is busy; try again";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "UNAVAILABLE", message)
            .with_retry_after(retry_after_s)
    }

    /// An error whose body is exactly `body`, for routes that document one of their own.
    pub fn shaped(status: StatusCode, body: Value) -> Self {
        let mut error = Self::new(status, "", "", "");
        error.0.shaped = Some(body);
        error
    }

    /// Returns the error with a custom body and its own headers if it has one of these statuses, for routes that document
    /// such a body; other errors stay unchanged.
    #[must_use]
    pub fn reshaped(mut self, statuses: &[StatusCode], body: impl FnOnce(&Self) -> Value) -> Self {
        if statuses.contains(&self.status()) {
            self.0.shaped = Some(body(&self));
        }
        self
    }

    /// Returns the error with the body `{error}` if it has one of these statuses.
    #[must_use]
    pub fn with_error_body(self, statuses: &[StatusCode]) -> Self {
        self.reshaped(statuses, |error| json!({ "error": error.message() }))
    }

    /// Adds the error of the field at `path`.
    #[must_use]
    pub fn with_details(mut self, path: impl Into<String>, message: impl Into<String>) -> Self {
        self.0.details.push(json!({ "path": path.into(), "message": message.into() }));
        self
    }

    /// Adds details of any shape.
    #[must_use]
    pub fn with_details_of(mut self, details: Vec<Value>) -> Self {
        self.0.details.extend(details);
        self
    }

    /// Replaces the code, to distinguish one case of a type, such as `insufficient_inventory`.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.0.code = code;
        self
    }

    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }

    fn with_retry_after(self, seconds: u64) -> Self {
        self.with_header(RETRY_AFTER, HeaderValue::from(seconds))
    }

    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// Returns whether the request can be repeated unchanged after a while.
    pub fn is_busy(&self) -> bool {
        self.0.headers.contains_key(RETRY_AFTER)
    }

    /// Returns the stable code; empty for a shaped error.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Returns the message; empty for a shaped error.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    pub fn details(&self) -> &[Value] {
        &self.0.details
    }

    fn into_body(self) -> (StatusCode, HeaderMap, Value) {
        let Parts { status, kind, code, message, details, headers, shaped } = *self.0;
        if let Some(body) = shaped {
            return (status, headers, body);
        }
        let mut body = json!({ "type": kind, "code": code, "message": message });
        if let Some(members) = body.as_object_mut() {
            if !details.is_empty() {
                members.insert("details".to_owned(), Value::Array(details));
            }
            members.insert("request_id".to_owned(), Context::current().request_id().into());
        }
        (status, headers, body)
    }
}

/// Begins a message with a capital letter, unless it begins with a name such as `region_id`.
fn capitalized(mut message: String) -> String {
    let first = message.split([' ', ',', ':']).next().unwrap_or_default();
    let is_word = first.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if let Some(initial) = message.get_mut(..1).filter(|_| is_word) {
        initial.make_ascii_uppercase();
    }
    message
}

impl From<MetadataError> for HttpError {
    fn from(error: MetadataError) -> Self {
        Self::invalid_data(error.to_string())
    }
}

impl From<MoneyError> for HttpError {
    fn from(error: MoneyError) -> Self {
        Self::invalid_data(error.to_string())
    }
}

impl From<OutOfRange> for HttpError {
    fn from(error: OutOfRange) -> Self {
        Self::invalid_data(error.to_string())
    }
}

impl From<database::Missing> for HttpError {
    fn from(missing: database::Missing) -> Self {
        Self::not_found(missing.to_string())
    }
}

impl From<database::Error> for HttpError {
    fn from(error: database::Error) -> Self {
        use database::Error;
        match error {
            Error::Busy | Error::Overloaded | Error::Late => Self::unavailable(BUSY_RETRY_AFTER_S),
            // The writer has logged it.
            Error::Full => Self::unavailable(FULL_RETRY_AFTER_S),
            Error::Damaged(_)
            | Error::Duplicate(_)
            | Error::Newer { .. }
            | Error::Older { .. }
            | Error::Foreign
            | Error::Exists(_)
            | Error::Exposed(_)
            | Error::File { .. }
            | Error::Panicked
            | Error::Sqlite(_) => Self::unexpected(error),
        }
    }
}

/// Seconds after which a write may be retried if the database, or what it changes, was busy.
const BUSY_RETRY_AFTER_S: u64 = 1;

/// Seconds after which a write may be retried if the disk was full.
const FULL_RETRY_AFTER_S: u64 = 10;

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let (status, headers, body) = self.into_body();
        (status, headers, super::Json(body)).into_response()
    }
}

/// Formats an error and its sources on one line.
fn chain(error: &(dyn Error + 'static)) -> String {
    // Limit: sources followed, since a chain may be cyclic.
    const MAX_SOURCES: usize = 16;
    let mut text = error.to_string();
    let mut source = error.source();
    for _ in 0..MAX_SOURCES {
        let Some(cause) = source else { break };
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_names_type_code_message_details_and_request() {
        let error = HttpError::invalid_data("Invalid request: no").with_details("items[0]", "no");

        let (status, _, body) = error.into_body();

        assert_eq!(status, 400);
        assert_eq!(
            body,
            json!({
                "type": "invalid_data", "code": "INVALID_DATA", "message": "Invalid request: no",
                "details": [{ "path": "items[0]", "message": "no" }], "request_id": "",
            })
        );
    }

    #[test]
    fn a_message_begins_with_a_capital_letter_or_with_a_name() {
        for (message, expected) in [
            ("the cart is full", "The cart is full"),
            ("e-mail is off", "E-mail is off"),
            ("a", "A"),
            ("region_id is required", "region_id is required"),
            ("items[0].id is no id", "items[0].id is no id"),
            ("`x` is unknown", "`x` is unknown"),
            ("ändere es", "ändere es"),
            ("", ""),
        ] {
            assert_eq!(HttpError::conflict(message).message(), expected);
        }
    }

    #[test]
    fn the_text_of_a_500_says_nothing_of_its_cause() {
        let (status, _, body) = HttpError::unexpected("disk image is malformed").into_body();

        assert_eq!(status, 500);
        assert!(!body.to_string().contains("disk"), "{body}");
    }

    #[test]
    fn a_shaped_error_is_exactly_its_body() {
        let (_, _, body) =
            HttpError::shaped(StatusCode::BAD_REQUEST, json!({ "error": "x" })).into_body();

        assert_eq!(body, json!({ "error": "x" }));
    }

    #[test]
    fn an_error_with_a_body_of_its_own_keeps_its_headers() {
        let busy = HttpError::busy("try again");

        let (status, headers, body) = busy.with_error_body(&[StatusCode::CONFLICT]).into_body();

        assert_eq!((status, body), (StatusCode::CONFLICT, json!({ "error": "Try again" })));
        assert_eq!(headers[RETRY_AFTER], "1");
    }

    #[test]
    fn refusals_for_a_while_say_for_how_long() {
        for error in [HttpError::rate_limited(7), HttpError::unavailable(7)] {
            assert_eq!(error.into_response().headers()[RETRY_AFTER], "7");
        }
    }
}
