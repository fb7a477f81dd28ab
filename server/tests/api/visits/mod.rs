//! Visitors' actions: views of products, events, visits, wishes, and the formulas over them.

mod events;
mod figures;
mod privacy;
mod shuffled;
mod views;
mod wishes;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{Person, Reply, TestServer};

const EVENTS: &str = "/store/tracking/events";

/// The id of a visit.
const VISIT: &str = "visit-0123456789abcdef";

impl TestServer {
    /// Sends an event of a visit with headers.
    pub(crate) async fn track_with(
        &self,
        person: &Person,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Reply {
        let mut request = Request::builder().method("POST").uri(EVENTS);
        for (name, value) in person.headers() {
            request = request.header(name, value);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::from(body.to_string())).expect("a request")).await
    }

    /// Sends an event of the visit.
    pub(crate) async fn track(&self, person: &Person, body: Value) -> Reply {
        self.track_with(person, &[("x-session-id", VISIT)], &body).await
    }

    /// Returns the events as administrators see them, the latest first.
    async fn events(&self, query: &str) -> Vec<Value> {
        let list =
            self.get(&Person::viewer(), &format!("/admin/tracking-events{query}")).await.ok();
        list["events"].as_array().expect("events").clone()
    }
}

/// Returns the reason why an event was not taken.
#[track_caller]
fn reason(reply: &Reply) -> &str {
    assert_eq!((reply.status, &reply.body["accepted"]), (400, &json!(false)), "{reply:#?}");
    assert_eq!(reply.body.as_object().map(serde_json::Map::len), Some(2), "{reply:#?}");
    reply.body["reason"].as_str().expect("a reason")
}
