//! Registration of customers.

use serde_json::json;

use super::{PASSWORD, register, token};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_registration_creates_a_customer_with_an_account() {
    let server = TestServer::empty().await;
    let secret = register(&server, "customer", "Ada@Example.com").await;
    let ada = Person::visitor().with_bearer(&secret);
    assert_eq!(server.get(&ada, "/store/customers/me").await.refused(401), "Unauthorized");

    let body = json!({ "email": "ada@example.com", "first_name": "Ada", "last_name": "", "metadata": { "a": 1 } });
    let made = server.post(&ada, "/store/customers", body).await.ok();

    assert_eq!(made["customer"]["email"], "ada@example.com");
    assert_eq!(made["customer"]["first_name"], "Ada");
    assert_eq!(made["customer"]["last_name"], json!(null));
    assert_eq!(made["customer"]["has_account"], true);
    assert_eq!(made["customer"]["addresses"], json!([]));
    let me = server.get(&ada, "/store/customers/me").await.ok();
    assert_eq!(me["customer"]["id"], made["customer"]["id"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_interrupted_registration_continues_only_with_the_same_password() {
    let server = TestServer::empty().await;
    let path = "/auth/customer/emailpass/register";
    let first = register(&server, "customer", "ada@example.com").await;

    let again = register(&server, "customer", "ada@example.com").await;
    let wrong = json!({ "email": "ada@example.com", "password": "another password" });
    let refused = server.post(&Person::nobody(), path, wrong).await.refused(401);

    assert_ne!(first, again);
    assert_eq!(refused, "Identity with email already exists");
    let ada = Person::visitor().with_bearer(&again);
    server.post(&ada, "/store/customers", json!({ "email": "ada@example.com" })).await.ok();
    let taken = json!({ "email": "ada@example.com", "password": PASSWORD });
    let refused = server.post(&Person::nobody(), path, taken).await.refused(401);
    assert_eq!(refused, "Identity with email already exists");
}

#[tokio::test]
async fn a_customer_is_made_once_and_for_the_registered_address_only() {
    let server = TestServer::empty().await;
    let secret = register(&server, "customer", "ada@example.com").await;
    let ada = Person::visitor().with_bearer(&secret);

    let other = json!({ "email": "grace@example.com" });
    server.post(&ada, "/store/customers", other).await.refused(400);
    server.post(&ada, "/store/customers", json!({})).await.ok();
    let again = server.post(&ada, "/store/customers", json!({})).await;

    assert_eq!((again.status, &again.body["type"]), (422, &json!("duplicate_error")));
    assert_eq!(again.body["code"], "invalid_request_error");
    let nobody = server.post(&Person::visitor(), "/store/customers", json!({})).await;
    assert_eq!(nobody.status, 401);
    let admin = register(&server, "user", "ada@example.com").await;
    let admin = Person::visitor().with_bearer(&admin);
    assert_eq!(server.post(&admin, "/store/customers", json!({})).await.status, 401);
}

#[tokio::test]
async fn two_registrations_of_one_address_at_once_leave_one_account() {
    let server = TestServer::empty().await;
    let path = "/auth/customer/emailpass/register";
    let body = |password: &str| json!({ "email": "ada@example.com", "password": password });

    let nobody = Person::nobody();
    let (one, two) = tokio::join!(
        server.post(&nobody, path, body("first password")),
        server.post(&nobody, path, body("second password")),
    );

    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
}

#[tokio::test]
async fn hostile_bodies_are_refused_with_a_message() {
    let server = TestServer::empty().await;
    let path = "/auth/customer/emailpass/register";
    for (body, expected) in [
        (json!({}), "Invalid request: Field 'email' is required"),
        (json!({ "email": "ada", "password": PASSWORD }), "must be an e-mail address"),
        (
            json!({ "email": "a@example.com", "password": "short" }),
            "must have at least 8 characters",
        ),
        (
            json!({ "email": "a@example.com", "password": "x".repeat(257) }),
            "at most 256 characters",
        ),
        (json!({ "email": "a@example.com", "password": 1 }), "Expected type: 'string'"),
        (
            json!({ "email": "a@example.com", "password": PASSWORD, "actor_id": "x" }),
            "Unrecognized fields",
        ),
    ] {
        let message = server.post(&Person::nobody(), path, body).await.refused(400);

        assert!(message.contains(expected), "{message}");
    }
    for path in ["/auth/partner/emailpass", "/auth/customer/google", "/auth/token/emailpass"] {
        assert_eq!(server.post(&Person::nobody(), path, json!({})).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn the_new_token_of_a_refresh_knows_the_customer() {
    let server = TestServer::empty().await;
    let secret = register(&server, "customer", "ada@example.com").await;
    let ada = Person::visitor().with_bearer(&secret);
    server.post(&ada, "/store/customers", json!({})).await.ok();

    let fresh = server.post(&ada, "/auth/token/refresh", json!({})).await.ok();

    let ada = Person::visitor().with_bearer(&token(&fresh));
    server.get(&ada, "/store/customers/me").await.ok();
    assert_eq!(server.post(&Person::nobody(), "/auth/token/refresh", json!({})).await.status, 401);
}
