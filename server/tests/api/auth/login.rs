//! Login, and the routes that a token grants access to.

use serde_json::json;

use super::{PASSWORD, customer, register, token};
use crate::harness::{Person, TestServer};

const HOUR_MS: i64 = 60 * 60 * 1000;

#[tokio::test]
async fn an_unknown_address_and_a_wrong_password_get_the_same_answer() {
    let server = TestServer::empty().await;
    customer(&server, "ada@example.com").await;
    let path = "/auth/customer/emailpass";

    let right = json!({ "email": "ADA@example.com", "password": PASSWORD });
    let wrong = json!({ "email": "ada@example.com", "password": "wrong" });
    let unknown = json!({ "email": "nobody@example.com", "password": "wrong" });

    let ada = token(&server.post(&Person::nobody(), path, right.clone()).await.ok());
    let ada = Person::visitor().with_bearer(&ada);
    server.get(&ada, "/store/customers/me").await.ok();
    let mut wrong = server.post(&Person::nobody(), path, wrong).await;
    let mut unknown = server.post(&Person::nobody(), path, unknown).await;
    for reply in [&mut wrong, &mut unknown] {
        reply.body["request_id"] = json!("");
    }
    assert_eq!((wrong.status, &wrong.body), (unknown.status, &unknown.body));
    assert_eq!(wrong.refused(401), "Invalid email or password");
    let as_user = server.post(&Person::nobody(), "/auth/user/emailpass", right).await;
    assert_eq!(as_user.refused(401), "Invalid email or password");
}

#[tokio::test]
async fn a_token_ends_after_a_day() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;

    server.clock.advance(24 * HOUR_MS - 1);
    server.get(&ada, "/store/customers/me").await.ok();
    server.clock.advance(1);

    assert_eq!(server.get(&ada, "/store/customers/me").await.refused(401), "Unauthorized");
}

#[tokio::test]
async fn a_token_is_good_for_its_own_kind_of_actor_only() {
    let server = TestServer::empty().await;
    let (_, secret) = customer(&server, "ada@example.com").await;
    let registered = register(&server, "user", "eve@example.com").await;

    for (bearer, status) in [(&secret, 403), (&registered, 401)] {
        let person = Person::nobody().with_bearer(bearer);
        assert_eq!(server.get(&person, "/admin/customers").await.status, status);
    }
    let admin = Person::admin().headers().remove(0).1;
    let admin = Person::visitor().with_bearer(admin.trim_start_matches("Bearer "));
    assert_eq!(server.get(&admin, "/store/customers/me").await.status, 401);
    let cookie = axum::http::Request::get("/admin/customers")
        .header("cookie", format!("connect.sid={secret}"))
        .body(axum::body::Body::empty())
        .expect("a request");
    assert_eq!(server.send(cookie).await.status, 401);
}

#[tokio::test]
async fn attempts_are_counted_against_the_account() {
    let server = TestServer::with_settings(&["--login-per-minute=3"]).await;
    let path = "/auth/customer/emailpass";
    let body = json!({ "email": "ada@example.com", "password": "wrong" });

    let mut last = None;
    for _ in 0..4 {
        last = Some(server.post(&Person::nobody(), path, body.clone()).await);
    }

    let last = last.expect("an answer");
    assert_eq!(last.status, 429, "{last:?}");
    assert!(last.headers.contains_key("retry-after"));
}
