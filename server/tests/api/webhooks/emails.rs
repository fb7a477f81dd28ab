//! The e-mail provider's events: what became of e-mails.

use serde_json::{Value, json};

use super::*;
use crate::harness::{PostOffice, TestServer};

async fn tell(server: &TestServer, id: &str, kind: &str, letter: &str) -> Value {
    let body = json!({ "type": kind, "created_at": "2026-11-21T12:00:00Z",
        "data": { "email_id": letter, "to": ["ada@example.com"] } });
    let body = body.to_string();
    let headers = standard(SECRET, (id, now_s(server)), &body);
    deliver(server, EMAIL, &headers, body.as_bytes()).await.ok()
}

async fn letter_state(server: &TestServer, id: &str) -> String {
    let id = id.to_owned();
    let other = server.other_process();
    let found = other.read::<_, Error>(move |tx| {
        Ok(tx.query_row("select state from sent_mail where id = ?1", [id], |row| row.get(0))?)
    });
    found.await.expect("a letter")
}

#[tokio::test]
async fn what_became_of_an_e_mail_is_known_by_its_message_id() {
    let mut office = PostOffice::refusing(0).await;
    let mut settings: Vec<String> = office.settings();
    settings.extend(SIGNED.iter().map(|setting| (*setting).to_owned()));
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let (server, store) = TestServer::with_store_and(&settings).await;
    server.follow().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    server.tell().await;
    server.work().await;
    let letter = office.next().await;
    let line = letter.text.lines().find(|line| line.starts_with("Message-ID")).expect("an id");
    let id = line.trim_start_matches("Message-ID: ").trim();
    let own = id.trim_start_matches('<').split('@').next().expect("an id");

    let recorded = json!({ "received": true, "recorded": true, "order_id": paid.order });
    assert_eq!(tell(&server, "msg_1", "email.delivered", id).await, recorded);
    assert_eq!(letter_state(&server, own).await, "delivered");
    assert_eq!(tell(&server, "msg_2", "email.bounced", own).await, recorded);
    assert_eq!(tell(&server, "msg_3", "email.opened", id).await, recorded);
    assert_eq!(letter_state(&server, own).await, "bounced", "an older state takes nothing back");
    assert_eq!(
        tell(&server, "msg_1", "email.delivered", id).await,
        json!({ "received": true, "duplicate": true })
    );

    let none = json!({ "received": true, "handled": false });
    assert_eq!(tell(&server, "msg_4", "email.delivered", "somebody else's").await, none);
    assert_eq!(tell(&server, "msg_5", "contact.created", id).await, none);
}

#[tokio::test]
async fn another_message_of_the_store_is_correlated() {
    let mut office = PostOffice::refusing(0).await;
    let mut settings: Vec<String> = office.settings();
    settings.extend(SIGNED.iter().map(|setting| (*setting).to_owned()));
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let server = TestServer::with_settings(&settings).await;
    let invite = json!({ "email": "new@example.com", "role": "viewer" });
    server.post(&Person::program(), "/admin/invites", invite).await.ok();
    server.work().await;
    let letter = office.next().await;
    let line = letter.text.lines().find(|line| line.starts_with("Message-ID")).expect("an id");
    let id = line.trim_start_matches("Message-ID: ").trim();
    let correlated = json!({ "received": true, "correlated": true });
    assert_eq!(tell(&server, "msg_1", "email.complained", id).await, correlated);
}
