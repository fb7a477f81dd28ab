//! The API as a client in the same process sees it.
//!
//! Requests go to the API's router with the viewer's session cookie: the routes check identity, permissions and
//! input, as they do for every other client.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{
    AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, IF_MATCH, ORIGIN, RETRY_AFTER,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode};
use axum::response::Response;
use http_body_util::BodyExt as _;
use jiff::civil::Date;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower::ServiceExt as _;

use super::decimal;
use super::form::FormKey;
use super::store::Store;
use crate::ids;
use crate::middleware::idempotency::{IDEMPOTENCY_KEY, RESPONSE_LOST, STILL_RUNS};
use crate::middleware::{self, FromPage};
use quotient_foundation::context::Context;

/// The headers of a browser's request that its API requests keep: the session, and those that show its origin.
const KEPT: [HeaderName; 4] = [COOKIE, HOST, ORIGIN, HeaderName::from_static("x-forwarded-proto")];

/// Limit: how often a request is sent while another one, such as the first sending of the same form, is at work on the
/// same.
const MAX_SENDINGS: usize = 5;

/// The time between two sendings.
const PAUSE: Duration = Duration::from_secs(1);

/// Why the API did not answer a request.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    pub(super) status: StatusCode,
    pub(super) message: String,
    pub(super) request_id: String,
    /// What is wrong with each part of the request.
    pub(super) details: Vec<(String, String)>,
}

impl Failure {
    pub(super) fn unreadable() -> Self {
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            message: "The answer could not be read".to_owned(),
            request_id: Context::current().request_id().to_owned(),
            details: Vec::new(),
        }
    }

    /// Invalid input that is not sent to the API.
    pub(super) fn refused(message: String) -> Self {
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, message, ..Self::unreadable() }
    }

    fn of(status: StatusCode, body: &[u8]) -> Self {
        let body: ErrorBody = serde_json::from_slice(body).unwrap_or_default();
        let (details, help) = (body.parts(), body.help());
        let message = [body.message, body.error].into_iter().flatten().next();
        let message = match message.as_deref() {
            None => "The server could not answer",
            // The key is that of the form, of which people know nothing.
            Some(STILL_RUNS) => {
                "This form is still being saved. Open the page again to see whether it was."
            }
            Some(RESPONSE_LOST) => {
                "This form was saved, but the answer was lost. Open the page again to see it."
            }
            Some(own) => own,
        };
        let message =
            [Some(message), help.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("; ");
        Self {
            status,
            message: without_ids(&message.replace('`', "")),
            request_id: Context::current().request_id().to_owned(),
            details,
        }
    }
}

/// Returns a message without record ids, which mean nothing to people.
fn without_ids(message: &str) -> String {
    let is_id = |word: &&str| {
        let word = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
        word.rsplit_once('_').is_some_and(|(_, rest)| ids::is_ulid(rest))
    };
    let words: Vec<&str> = message.split(' ').filter(|word| !is_id(word)).collect();
    words.join(" ").replace("with id: ", "")
}

/// The parts of an error body that people see.
#[derive(Debug, Default, Deserialize)]
struct ErrorBody {
    message: Option<String>,
    error: Option<String>,
    #[serde(default)]
    details: Value,
}

impl ErrorBody {
    /// Returns what is wrong with each part of the request.
    fn parts(&self) -> Vec<(String, String)> {
        let all = self.details.as_array().into_iter().flatten();
        let text = |detail: &Value, name| Some(detail.get(name)?.as_str()?.replace('`', ""));
        all.filter_map(|own| Some((text(own, "path")?, text(own, "message")?))).collect()
    }

    /// Returns the help for what is wrong with a formula.
    fn help(&self) -> Option<String> {
        Some(self.details.get(0)?.get("help")?.as_str()?.to_owned())
    }
}

async fn collect(body: Body) -> Result<Bytes, Failure> {
    Ok(body.collect().await.map_err(|_broken| Failure::unreadable())?.to_bytes())
}

/// The API's routes as one viewer sees them. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Client {
    api: Router,
    headers: HeaderMap,
    browser: Option<middleware::Client>,
    /// The store, if it formats figures differently from the API.
    store: Option<Arc<Store>>,
    /// The key of the form whose changes it sends.
    pub(super) form_key: FormKey,
}

impl Client {
    pub(super) fn of(
        api: Router,
        headers: &HeaderMap,
        browser: Option<middleware::Client>,
    ) -> Self {
        let kept = |name| headers.get(&name).cloned().map(|value| (name, value));
        let headers = KEPT.into_iter().filter_map(kept).collect();
        Self { api, headers, browser, store: None, form_key: FormKey::default() }
    }

    /// Returns the same viewer, reading figures in a store's format.
    pub(super) fn writing(self, store: &Store) -> Self {
        let store = (!store.locale.is_english()).then(|| Arc::new(store.clone()));
        Self { store, ..self }
    }

    /// Returns the same browser with a bearer token instead of its cookie.
    pub(super) fn with_token(mut self, token: &str) -> Self {
        self.headers.remove(COOKIE);
        if let Ok(value) = HeaderValue::try_from(format!("Bearer {token}")) {
            self.headers.insert(AUTHORIZATION, value);
        }
        self
    }

    /// Returns the same viewer, who changes only what still has a tag.
    pub(super) fn matching(&self, tag: Option<&HeaderValue>) -> Self {
        let mut client = self.clone();
        client.headers.extend(tag.map(|tag| (IF_MATCH, tag.clone())));
        client
    }

    /// Returns the same viewer, whose change has its effect each time that its form is sent: the answer of a first sending
    /// does not show its secret again.
    pub(super) fn unkeyed(&self) -> Self {
        Self { form_key: FormKey::default(), ..self.clone() }
    }

    /// Gets a route and reads its response.
    pub(super) async fn get<T: DeserializeOwned>(&self, target: &str) -> Result<T, Failure> {
        self.get_at(target, "").await
    }

    /// Gets a route and reads the part of its response at a pointer.
    pub(super) async fn get_at<T: DeserializeOwned>(
        &self,
        target: &str,
        pointer: &str,
    ) -> Result<T, Failure> {
        self.read(Method::GET, target, None, pointer).await
    }

    /// Posts to a route and reads the response.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        target: &str,
        body: &Value,
    ) -> Result<T, Failure> {
        self.post_at(target, body, "").await
    }

    /// Posts to a route and reads the part of the response at a pointer.
    pub(super) async fn post_at<T: DeserializeOwned>(
        &self,
        target: &str,
        body: &Value,
        pointer: &str,
    ) -> Result<T, Failure> {
        self.read(Method::POST, target, Some(body), pointer).await
    }

    /// Sends a request and reads the part of the response at a pointer, with figures in the store's format.
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        method: Method,
        target: &str,
        body: Option<&Value>,
        pointer: &str,
    ) -> Result<T, Failure> {
        let (_, body) = self.send(method, target, body).await?;
        self.parse(&body, pointer)
    }

    /// Reads the part of a response at a pointer, with figures in the store's format.
    pub(super) fn parse<T: DeserializeOwned>(
        &self,
        body: &[u8],
        pointer: &str,
    ) -> Result<T, Failure> {
        let read = serde_json::from_slice(body).and_then(|mut answer: Value| {
            if let Some(store) = &self.store {
                write_figures(store, &mut answer);
            }
            serde_json::from_value(answer.pointer_mut(pointer).map(Value::take).unwrap_or_default())
        });
        read.map_err(|error| {
            tracing::error!(%error, "a page could not read the API's answer");
            Failure::unreadable()
        })
    }

    /// Sends a request, and returns the headers and the body of a successful response.
    pub(super) async fn send(
        &self,
        method: Method,
        target: &str,
        body: Option<&Value>,
    ) -> Result<(HeaderMap, Bytes), Failure> {
        let (parts, body) = self.open(method, target, body).await?.into_parts();
        Ok((parts.headers, collect(body).await?))
    }

    /// Sends a request, and returns a successful response, whose body may be long.
    pub(super) async fn open(
        &self,
        method: Method,
        target: &str,
        body: Option<&Value>,
    ) -> Result<Response, Failure> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let key = self.form_key.of_change(target, &body);
        let send = || self.send_once((&method, target), &body, key.as_deref());
        let mut response = send().await?;
        for _ in 1..MAX_SENDINGS {
            let headers = response.headers();
            if response.status() != StatusCode::CONFLICT || !headers.contains_key(RETRY_AFTER) {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            response = send().await?;
        }
        if response.status().is_success() {
            return Ok(response);
        }
        Err(Failure::of(response.status(), &collect(response.into_body()).await?))
    }

    /// Sends a request with the key of its change, if it has one.
    async fn send_once(
        &self,
        (method, target): (&Method, &str),
        body: &str,
        key: Option<&str>,
    ) -> Result<Response, Failure> {
        let request = Request::builder().method(method).uri(target);
        let request = request.body(Body::from(body.to_owned()));
        let Ok(mut request) = request else { return Err(Failure::unreadable()) };
        let headers = request.headers_mut();
        headers.clone_from(&self.headers);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = key.and_then(|key| HeaderValue::from_str(key).ok()) {
            headers.insert(IDEMPOTENCY_KEY, key);
        }
        request.extensions_mut().insert(FromPage);
        if let Some(browser) = self.browser {
            request.extensions_mut().insert(browser);
        }
        let Ok(response) = self.api.clone().oneshot(request).await;
        Ok(response)
    }
}

/// Replaces numbers and days, which the API formats in English, by the store's format.
fn write_figures(store: &Store, answer: &mut Value) {
    match answer {
        Value::Array(items) => items.iter_mut().for_each(|item| write_figures(store, item)),
        Value::Object(members) => {
            let is_figure = members.get("value").is_none_or(|value| {
                let day = value.as_str().map(str::parse::<Date>);
                !value.is_string() || decimal::read(value).is_some() || matches!(day, Some(Ok(_)))
            });
            for (name, member) in members {
                if let Value::String(text) = member {
                    if is_figure && name.ends_with("formatted") {
                        *text = store.figure(text);
                    }
                } else {
                    write_figures(store, member);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns a path with a query of the pairs that have a value.
pub(super) fn target<T: AsRef<str>>(path: &str, query: &[(&str, T)]) -> String {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    pairs.extend_pairs(query.iter().filter(|(_, value)| !value.as_ref().is_empty()));
    let pairs = pairs.finish();
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{pairs}") }
}

/// Returns a text as one segment of a path.
pub(super) fn segment(text: &str) -> String {
    // A space is the only character that queries and paths encode differently.
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_to_do_and_has_no_marks_of_code() {
        let body = br#"{ "message": "The formula `a` does not check", "details": [
            { "message": "too many", "help": "ask for a shorter `range`" }, { "help": "no" } ] }"#;
        let failure = Failure::of(StatusCode::UNPROCESSABLE_ENTITY, body);
        assert_eq!(failure.message, "The formula a does not check; ask for a shorter range");
        let own = "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
        for (message, shown) in [
            (format!("Product with id: {own} was not found"), "Product was not found"),
            (format!("Deleting it ({own}) is not allowed"), "Deleting it is not allowed"),
            (format!("order `{own}` has open returns"), "order has open returns"),
            (
                "the source order_items has no field".to_owned(),
                "the source order_items has no field",
            ),
        ] {
            let body = serde_json::json!({ "message": message }).to_string();
            let failure = Failure::of(StatusCode::BAD_REQUEST, body.as_bytes());
            assert_eq!(failure.message, shown);
        }
        let body = br#"{ "details": [{ "path": "a", "message": "`x` is wrong" }] }"#;
        let failure = Failure::of(StatusCode::BAD_REQUEST, body);
        assert_eq!(failure.message, "The server could not answer");
        assert_eq!(failure.details, [("a".to_owned(), "x is wrong".to_owned())]);
    }

    #[test]
    fn a_form_that_was_sent_twice_says_nothing_of_its_key() {
        for (message, shown) in [
            (STILL_RUNS, "This form is still being saved."),
            (RESPONSE_LOST, "This form was saved,"),
        ] {
            let body = serde_json::json!({ "message": message }).to_string();
            let failure = Failure::of(StatusCode::CONFLICT, body.as_bytes());
            assert!(failure.message.starts_with(shown), "{failure:?}");
        }
    }

    #[test]
    fn a_target_has_its_path_and_its_escaped_query() {
        assert_eq!(target("/a", &[("q", "x & y"), ("none", "")]), "/a?q=x+%26+y");
        assert_eq!(target("/a", &[("none", "")]), "/a");
        assert_eq!(segment("../a b?"), "..%2Fa%20b%3F");
    }
}
