//! Calls of the API and their replies.

use axum::body::Body;
use axum::http::header::HOST;
use axum::http::{HeaderMap, HeaderValue, Request};
use http_body_util::BodyExt as _;
use quotient_server::middleware::PeerAddress;
use serde_json::Value;
use tower::ServiceExt as _;

use super::{Person, TestServer};

/// A reply.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The status.
    pub(crate) status: u16,
    /// The headers.
    pub(crate) headers: HeaderMap,
    /// The body as JSON; null if empty, a string if it is not JSON.
    pub(crate) body: Value,
}

impl Reply {
    /// Returns the body if the status is 200 or 201.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!(matches!(self.status, 200 | 201), "{self:#?}");
        self.body
    }

    /// Returns the message of an error with this status.
    #[track_caller]
    pub(crate) fn refused(self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:#?}");
        self.body["message"].as_str().unwrap_or_default().to_owned()
    }
}

impl TestServer {
    /// Sends a GET.
    pub(crate) async fn get(&self, person: &Person, path: &str) -> Reply {
        self.call(person, "GET", path, None).await
    }

    /// Sends a POST with a body.
    pub(crate) async fn post(&self, person: &Person, path: &str, body: Value) -> Reply {
        self.call(person, "POST", path, Some(body.to_string().into_bytes())).await
    }

    /// Sends a DELETE without a body.
    pub(crate) async fn delete(&self, person: &Person, path: &str) -> Reply {
        self.call(person, "DELETE", path, None).await
    }

    /// Sends any call; the header declares the body as JSON, whatever it is.
    pub(crate) async fn call(
        &self,
        person: &Person,
        method: &str,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> Reply {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in person.headers() {
            request = request.header(name, value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(Body::from(body.unwrap_or_default())).expect("a request");
        self.send(request).await
    }

    /// Sends a custom request.
    pub(crate) async fn send(&self, mut request: Request<Body>) -> Reply {
        let peer = PeerAddress(([127, 0, 0, 1], 40_000).into());
        request.extensions_mut().insert(peer);
        let host = HeaderValue::from_static("localhost");
        request.headers_mut().entry(HOST).or_insert(host);
        let response = self.router.clone().oneshot(request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a whole body").to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or_else(|_error| {
            if bytes.is_empty() {
                Value::Null
            } else {
                Value::String(String::from_utf8_lossy(&bytes).into_owned())
            }
        });
        Reply { status: parts.status.as_u16(), headers: parts.headers, body }
    }
}
