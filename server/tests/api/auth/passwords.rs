//! Password resets.

use quotient_server::database::Error;
use serde_json::json;

use super::{PASSWORD, customer};
use crate::harness::{Person, PostOffice, TestServer};

const RESET: &str = "/auth/customer/emailpass/reset-password";
const UPDATE: &str = "/auth/customer/emailpass/update";
const MINUTE_MS: i64 = 60 * 1000;

/// Asks for a new password; runs the jobs.
async fn ask(server: &TestServer, email: &str) {
    let reply = server.post(&Person::nobody(), RESET, json!({ "identifier": email })).await;
    assert_eq!((reply.status, reply.body), (201, json!("Created")));
    server.work().await;
}

/// Returns the token in the next e-mail.
async fn mailed(office: &mut PostOffice) -> String {
    let message = office.next().await;
    let (_, rest) = message.text.split_once("tok_").expect("a token");
    let digits: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
    format!("tok_{digits}")
}

#[tokio::test]
async fn the_mailed_token_sets_a_password_once_and_ends_every_other_token() {
    let (server, mut office) = TestServer::with_post_office(0).await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    server.get(&ada, "/store/customers/me").await.ok();
    ask(&server, "Ada@example.com").await;
    let token = mailed(&mut office).await;
    server.assert_not_at_rest(&token).await;

    let owner = Person::nobody().with_bearer(&token);
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
    let (server, mut office) = TestServer::with_post_office(0).await;

    ask(&server, "nobody@example.com").await;
    assert!(office.is_quiet());
    let as_user = json!({ "identifier": "nobody@example.com" });
    let path = "/auth/user/emailpass/reset-password";
    assert_eq!(server.post(&Person::nobody(), path, as_user).await.status, 201);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_request_does_the_same_work_whether_there_is_an_account_or_not() {
    let server = TestServer::empty().await;
    let (_ada, _) = customer(&server, "ada@example.com").await;
    let mut work = Vec::new();
    for (name, times) in [("ada", 2), ("nobody", 2)] {
        for _ in 0..times {
            let body = json!({ "identifier": format!("{name}@example.com") });
            work.push(server.statements(server.post(&Person::nobody(), RESET, body)).await);
        }
    }
    // For each, the second request finds the first one's e-mail still queued.
    assert_eq!(work[..2], work[2..], "{work:?}");
}

#[tokio::test]
async fn reset_requests_by_others_neither_end_a_token_nor_fill_the_mailbox() {
    let (server, mut office) = TestServer::with_post_office(0).await;
    let (_ada, _) = customer(&server, "ada@example.com").await;
    ask(&server, "ada@example.com").await;
    let first = mailed(&mut office).await;
    ask(&server, "ada@example.com").await;
    assert!(office.is_quiet(), "a second e-mail within a minute");
    server.clock.advance(MINUTE_MS);
    ask(&server, "ada@example.com").await;
    mailed(&mut office).await;

    let owner = Person::nobody().with_bearer(&first);
    server.post(&owner, UPDATE, json!({ "password": "another password" })).await.ok();
}

#[tokio::test]
async fn a_mail_that_is_not_accepted_is_retried_and_recorded_once() {
    let (server, mut office) = TestServer::with_post_office(1).await;
    let (_ada, _) = customer(&server, "ada@example.com").await;
    ask(&server, "ada@example.com").await;
    mailed(&mut office).await;
    server.clock.advance(MINUTE_MS);
    server.work().await;
    mailed(&mut office).await;

    let books = server.other_process();
    let told = books.read::<i64, Error>(|tx| {
        let sql = "select count(*) from event where name = 'auth.password_reset'";
        Ok(tx.query_row(sql, [], |row| row.get(0))?)
    });
    assert_eq!(told.await.expect("a count"), 1);
}

#[tokio::test]
async fn the_mailed_token_has_a_single_use_and_expires_after_a_quarter_of_an_hour() {
    let (server, mut office) = TestServer::with_post_office(0).await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    ask(&server, "ada@example.com").await;
    let mailed = mailed(&mut office).await;
    let body = json!({ "password": "another password" });

    let owner = Person::visitor().with_bearer(&mailed);
    assert_eq!(server.get(&owner, "/store/customers/me").await.status, 401);
    assert_eq!(server.post(&owner, "/auth/token/refresh", json!({})).await.status, 401);
    assert_eq!(server.post(&owner, "/auth/session", json!({})).await.status, 401);
    let as_user = "/auth/user/emailpass/update";
    assert_eq!(server.post(&owner, as_user, body.clone()).await.status, 401);
    assert_eq!(server.post(&ada, UPDATE, body.clone()).await.status, 401);

    server.clock.advance(15 * MINUTE_MS);
    assert_eq!(server.post(&owner, UPDATE, body).await.status, 401);
}
