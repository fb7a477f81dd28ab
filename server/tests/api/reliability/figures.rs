//! Access to the figures of the server.

use axum::body::Body;
use axum::http::Request;

use crate::harness::{Person, TestServer};

#[tokio::test]
async fn figures_are_available_to_this_machine_and_to_admins() {
    let server = TestServer::empty().await;
    let ask = async |person: &Person, is_forwarded: bool| {
        let mut request = Request::get("/metrics");
        for (name, value) in person.headers() {
            request = request.header(name, value);
        }
        if is_forwarded {
            request = request.header("x-forwarded-for", "203.0.113.7");
        }
        server.send(request.body(Body::empty()).expect("a request")).await.status
    };

    assert_eq!(ask(&Person::nobody(), false).await, 200, "this machine");
    for (person, expected) in [
        (Person::nobody(), 401),
        (Person::customer_a(), 403),
        (Person::viewer(), 200),
        (Person::admin(), 200),
        (Person::program(), 200),
    ] {
        assert_eq!(ask(&person, true).await, expected, "{} from elsewhere", person.name);
    }
}
