//! Repetitions with an idempotency key by callers whose headers have changed since.

use axum::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{customer, register, token};
use crate::harness::{Person, Reply, TestServer};

/// Posts with the same key each time, and with these headers beside those of the person.
async fn repeat(
    server: &TestServer,
    (person, headers): (&Person, &[(&str, &str)]),
    path: &str,
    body: &Value,
) -> Reply {
    let mut request = Request::post(path)
        .header("content-type", "application/json")
        .header("idempotency-key", "once");
    for (name, value) in person.headers() {
        request = request.header(name, value);
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    server.send(request.body(body.to_string().into()).expect("a request")).await
}

fn is_replayed(reply: &Reply) -> bool {
    assert!(reply.status < 300, "{reply:#?}");
    reply.headers.contains_key("idempotent-replayed")
}

async fn refreshed(server: &TestServer, person: &Person) -> Person {
    let fresh = server.post(person, "/auth/token/refresh", json!({})).await.ok();
    Person::visitor().with_bearer(&token(&fresh))
}

#[tokio::test]
async fn a_new_token_is_the_same_caller() {
    let server = TestServer::empty().await;
    let secret = register(&server, "customer", "ada@example.com").await;
    let ada = Person::visitor().with_bearer(&secret);
    // The token has no customer yet at the first request.
    for (path, body) in [
        ("/store/customers", json!({ "email": "ada@example.com" })),
        ("/store/customers/me/addresses", json!({ "address_1": "1 High Street" })),
    ] {
        server.sql("delete from idempotency_key").await;
        let first = repeat(&server, (&ada, &[]), path, &body).await;
        assert!(!is_replayed(&first));
        let again = repeat(&server, (&refreshed(&server, &ada).await, &[]), path, &body).await;
        assert!(is_replayed(&again), "{path}");
        assert_eq!(again.body, first.body);
    }
    assert_eq!(server.number("select count(*) from customer_address").await, 1);

    let (bob, _) = customer(&server, "bob@example.com").await;
    let path = "/store/customers/me/addresses";
    let body = json!({ "address_1": "1 High Street" });
    assert!(!is_replayed(&repeat(&server, (&bob, &[]), path, &body).await), "another customer");
}

#[tokio::test]
async fn a_secret_key_is_the_same_caller_in_each_scheme() {
    let server = TestServer::empty().await;
    let basic = format!("Basic {}", STANDARD.encode(format!("{}:", Person::SECRET)));
    let body = json!({ "email": "grace@example.com" });
    let first = repeat(&server, (&Person::program(), &[]), "/admin/customers", &body).await;
    assert!(!is_replayed(&first));

    let sent: &[(&str, &str)] = &[("authorization", &basic)];
    let again = repeat(&server, (&Person::nobody(), sent), "/admin/customers", &body).await;

    assert!(is_replayed(&again));
    assert_eq!(again.body, first.body);
}

#[tokio::test]
async fn foreign_cookies_say_nothing_about_a_guest() {
    let (server, store) = TestServer::with_store_and(&["--trusted-proxies=127.0.0.1"]).await;
    let guest = Person::visitor();
    let sent = |cookie, address| [("cookie", cookie), ("x-forwarded-for", address)];
    let new = json!({ "region_id": store.britain });
    let [one, other] = ["203.0.113.1", "198.51.100.1"].map(|address| sent("_ga=1", address));
    let first = repeat(&server, (&guest, &one), "/store/carts", &new).await;
    let second = repeat(&server, (&guest, &other), "/store/carts", &new).await;
    assert!(!is_replayed(&first) && !is_replayed(&second), "guests at two addresses");
    assert_ne!(first.body["cart"]["id"], second.body["cart"]["id"]);

    server.sql("delete from idempotency_key").await;
    let cart = first.body["cart"]["id"].as_str().expect("a cart");
    let path = format!("/store/carts/{cart}/line-items");
    let line = json!({ "variant_id": store.mug, "quantity": 1 });
    for (cookie, expected) in [("_ga=1", false), ("_ga=2", true)] {
        let added = repeat(&server, (&guest, &sent(cookie, "203.0.113.1")), &path, &line).await;
        assert_eq!(is_replayed(&added), expected, "{cookie}");
        assert_eq!(added.body["cart"]["items"][0]["quantity"], 1, "{cookie}");
    }
}
