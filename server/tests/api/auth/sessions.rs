//! Sessions: the cookie and logout.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use super::customer;
use crate::harness::{Person, Reply, TestServer};

const KEY: &str = "x-publishable-api-key";

async fn with_cookie(
    server: &TestServer,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> Reply {
    let key = Person::visitor().headers().remove(0).1;
    let mut request = Request::builder().method(method).uri(path).header(KEY, key);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    server.send(request.body(Body::empty()).expect("a request")).await
}

fn cookie(reply: &Reply) -> String {
    let header = reply.headers["set-cookie"].to_str().expect("text");
    assert!(header.contains("HttpOnly") && header.contains("SameSite=Lax"), "{header}");
    header.split(';').next().expect("a cookie").to_owned()
}

#[tokio::test]
async fn a_session_is_opened_with_a_token_and_ends_at_once() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;

    let opened = server.post(&ada, "/auth/session", json!({})).await;
    let cookie = cookie(&opened);
    let user = opened.ok()["user"].clone();
    assert_eq!(user["actor_type"], "customer");
    assert_eq!(user["app_metadata"]["customer_id"], user["actor_id"]);

    let me = "/store/customers/me";
    let sent = [("cookie", cookie.as_str())];
    assert_eq!(
        with_cookie(&server, "GET", me, &sent).await.ok()["customer"]["id"],
        user["actor_id"]
    );
    let closed = with_cookie(&server, "DELETE", "/auth/session", &sent).await;
    assert_eq!(closed.ok(), json!({ "success": true }));

    assert_eq!(with_cookie(&server, "GET", me, &sent).await.status, 401);
    server.get(&ada, me).await.ok();
    assert_eq!(with_cookie(&server, "DELETE", "/auth/session", &sent).await.status, 200);
}

#[tokio::test]
async fn a_page_of_a_foreign_origin_cannot_write_with_the_cookie() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    let cookie = cookie(&server.post(&ada, "/auth/session", json!({})).await);
    let me = "/store/customers/me";

    for (origin, expected) in [
        ("https://shop.example", 200),
        ("https://evil.example", 401),
        ("https://shop.example.evil.example", 401),
        ("null", 401),
    ] {
        let sent = [("cookie", cookie.as_str()), ("origin", origin)];
        assert_eq!(with_cookie(&server, "POST", me, &sent).await.status, expected, "{origin}");
    }
}

#[tokio::test]
async fn a_session_is_no_bearer_and_a_bearer_no_session() {
    let server = TestServer::empty().await;
    let (ada, secret) = customer(&server, "ada@example.com").await;
    let cookie = cookie(&server.post(&ada, "/auth/session", json!({})).await);
    let session = cookie.trim_start_matches("connect.sid=");

    let as_bearer = Person::visitor().with_bearer(session);
    assert_eq!(server.get(&as_bearer, "/store/customers/me").await.status, 401);
    let as_cookie = format!("connect.sid={secret}");
    let reply = with_cookie(&server, "GET", "/store/customers/me", &[("cookie", &as_cookie)]).await;
    assert_eq!(reply.status, 401);
}

#[tokio::test]
async fn logging_out_with_a_bearer_revokes_it() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    server.get(&ada, "/store/customers/me").await.ok();

    server.delete(&ada, "/auth/session").await.ok();

    assert_eq!(server.get(&ada, "/store/customers/me").await.status, 401);
    assert_eq!(server.post(&ada, "/auth/token/refresh", json!({})).await.status, 401);
}
