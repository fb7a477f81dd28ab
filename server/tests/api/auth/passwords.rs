//! Password resets.

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::{PASSWORD, customer};
use crate::harness::{Person, TestServer};

const RESET: &str = "/auth/customer/emailpass/reset-password";
const UPDATE: &str = "/auth/customer/emailpass/update";
const MINUTE_MS: i64 = 60 * 1000;

/// Returns the payload of the last reset request in the outbox.
async fn mailed(server: &TestServer) -> Option<Value> {
    let sql =
        "select payload from event where name = 'auth.password_reset' order by seq desc limit 1";
    let payloads = server.db.read::<Vec<String>, Error>(move |tx| {
        let mut statement = tx.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    });
    let payload = payloads.await.expect("events").pop()?;
    Some(serde_json::from_str(&payload).expect("JSON"))
}

async fn ask(server: &TestServer, email: &str) -> Option<Value> {
    let reply = server.post(&Person::nobody(), RESET, json!({ "identifier": email })).await;
    assert_eq!((reply.status, reply.body), (201, json!("Created")));
    mailed(server).await
}

#[tokio::test]
async fn the_mailed_token_sets_a_password_once_and_ends_every_other_token() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    server.get(&ada, "/store/customers/me").await.ok();
    let event = ask(&server, "Ada@example.com").await.expect("an event");
    assert_eq!(event["entity_id"], "ada@example.com");
    assert_eq!(event["actor_type"], "customer");

    let owner = Person::nobody().with_bearer(event["token"].as_str().expect("a token"));
    let body = json!({ "password": "another password" });
    assert_eq!(server.post(&owner, UPDATE, body.clone()).await.ok(), json!({ "success": true }));

    assert_eq!(server.post(&owner, UPDATE, body).await.status, 401);
    assert_eq!(server.get(&ada, "/store/customers/me").await.status, 401);
    let log_in = |password: &str| json!({ "email": "ada@example.com", "password": password });
    let path = "/auth/customer/emailpass";
    server.post(&Person::nobody(), path, log_in("another password")).await.ok();
    server.post(&Person::nobody(), path, log_in(PASSWORD)).await.refused(401);
}

#[tokio::test]
async fn the_answer_does_not_tell_whether_there_is_an_account() {
    let server = TestServer::empty().await;

    assert_eq!(ask(&server, "nobody@example.com").await, None);
    let as_user = json!({ "identifier": "nobody@example.com" });
    let path = "/auth/user/emailpass/reset-password";
    assert_eq!(server.post(&Person::nobody(), path, as_user).await.status, 201);
    server.assert_sound().await;
}

#[tokio::test]
async fn the_mailed_token_does_nothing_else_and_ends_after_a_quarter_of_an_hour() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    let event = ask(&server, "ada@example.com").await.expect("an event");
    let mailed = event["token"].as_str().expect("a token");
    let body = json!({ "password": "another password" });

    let owner = Person::visitor().with_bearer(mailed);
    assert_eq!(server.get(&owner, "/store/customers/me").await.status, 401);
    assert_eq!(server.post(&owner, "/auth/token/refresh", json!({})).await.status, 401);
    assert_eq!(server.post(&owner, "/auth/session", json!({})).await.status, 401);
    let as_user = "/auth/user/emailpass/update";
    assert_eq!(server.post(&owner, as_user, body.clone()).await.status, 401);
    assert_eq!(server.post(&ada, UPDATE, body.clone()).await.status, 401);

    server.clock.advance(15 * MINUTE_MS);
    assert_eq!(server.post(&owner, UPDATE, body).await.status, 401);
}
