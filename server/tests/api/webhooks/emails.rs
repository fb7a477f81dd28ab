//! The e-mail provider's events: the delivery states of e-mails.

use serde_json::{Value, json};

use super::*;
use crate::harness::{PostOffice, Receiver, TestServer};

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
async fn the_delivery_of_an_e_mail_is_matched_by_its_message_id() {
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

#[tokio::test]
async fn administrators_are_notified_when_an_endpoint_is_switched_off() {
    let mut office = PostOffice::refusing(0).await;
    let mut settings: Vec<String> = office.settings();
    settings.push("--webhook-private-targets=true".to_owned());
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let (server, store) = TestServer::with_store_and(&settings).await;
    let mut gone = Receiver::answering(&[410]).await;
    let endpoint = json!({ "url": gone.url(), "events": ["order.placed"] });
    server.post(&Person::program(), "/admin/webhook-endpoints", endpoint).await.ok();
    server.follow().await;
    order_with(&server, &store, "pm_card_visa").await;
    server.tell().await;
    server.work().await;
    gone.next().await;

    server.tell().await;
    server.work().await;
    let mut letters = vec![office.next().await, office.next().await];
    letters.sort_by_key(|letter| letter.text.contains("410 Gone"));
    let notice = letters.pop().expect("a notice");
    let url = gone.url().replace('=', "=3D");
    assert!(notice.text.contains(&url), "{}", notice.text);
    assert!(notice.text.contains("410 Gone"), "{}", notice.text);
    let administrators = "select count(*) from user where role = 'admin' and deleted_at is null";
    let notices = "select count(*) from sent_mail where order_id is null";
    assert_eq!(server.number(notices).await, server.number(administrators).await);
}
