//! Calls: a method, a path, who asks, and what comes back.

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use http_body_util::BodyExt as _;
use quotient_server::middleware::PeerAddress;
use serde_json::Value;
use tower::ServiceExt as _;

use super::{Person, TestServer};

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The status.
    pub(crate) status: u16,
    /// The headers.
    pub(crate) headers: HeaderMap,
    /// The body as JSON; null when there is none, a string when it is something else.
    pub(crate) body: Value,
}

impl Reply {
    /// The body, if the status is 200 or 201.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!(matches!(self.status, 200 | 201), "{self:#?}");
        self.body
    }

    /// The message of an error of this status.
    #[track_caller]
    pub(crate) fn refused(self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:#?}");
        self.body["message"].as_str().unwrap_or_default().to_owned()
    }
}

impl TestServer {
    /// A GET.
    pub(crate) async fn get(&self, person: &Person, path: &str) -> Reply {
        self.call(person, "GET", path, None).await
    }

    /// A POST with a body.
    pub(crate) async fn post(&self, person: &Person, path: &str, body: Value) -> Reply {
        self.call(person, "POST", path, Some(body.to_string().into_bytes())).await
    }

    /// A DELETE without a body.
    pub(crate) async fn delete(&self, person: &Person, path: &str) -> Reply {
        self.call(person, "DELETE", path, None).await
    }

    /// Any call; a body is JSON by its header, whatever it holds.
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

    /// A request of a test's own making.
    pub(crate) async fn send(&self, mut request: Request<Body>) -> Reply {
        let peer = PeerAddress(([127, 0, 0, 1], 40_000).into());
        request.extensions_mut().insert(peer);
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
