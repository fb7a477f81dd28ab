//! Messages from numbers: STOP, START and HELP, and what stays blocked after an erasure.

use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::{ADMIN, OPT_IN, PHONE, agree, sent, with_sandbox};
use crate::harness::{Person, Store, TestServer};
use crate::webhooks::{SECRET, deliver, now_s, standard};

const MESSAGES: &str = "/webhooks/sms-provider";

/// Returns a server to which the provider sends signed messages, without confirmation codes.
async fn with_messages() -> (TestServer, Store, NamedTempFile) {
    let secrets = format!("--sms-provider-webhook-secrets={SECRET}");
    let made = with_sandbox(&["--sms-double-opt-in=false", &secrets]).await;
    made.0.follow().await;
    made.0.work().await;
    // The audit scans everything on purpose.
    made.0.sql("update job set run_at = 4102444800000").await;
    made
}

/// Delivers a message from a number and runs the resulting work; returns the response to the
/// provider.
async fn write(server: &TestServer, id: &str, message: Value) -> Value {
    let body = json!({ "type": "sms.received", "data": message }).to_string();
    let headers = standard(SECRET, (id, now_s(server)), &body);
    let reply = deliver(server, MESSAGES, &headers, body.as_bytes()).await.ok();
    while server.tell().await > 0 || server.work().await > 0 {}
    reply
}

fn from(number: &str, text: &str) -> Value {
    json!({ "from": number, "text": text })
}

/// Returns the consents of the number, the latest first.
async fn consents(server: &TestServer) -> Vec<Value> {
    let path = format!("{ADMIN}?phone=%2B4915112345678");
    let list = server.get(&Person::program(), &path).await.ok();
    list["sms_consents"].as_array().expect("consents").clone()
}

/// Opts in twice by a cart of a new visitor.
async fn opt_in(server: &TestServer, store: &Store) -> [Value; 2] {
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, store, &store.mug, 1).await;
    let body = json!({ "phone": PHONE, "consent": true, "cart_id": cart });
    let mut first = server.post(&visitor, OPT_IN, body.clone()).await.ok();
    first["isNew"].take();
    [first, server.post(&visitor, OPT_IN, body).await.ok()]
}

#[tokio::test]
async fn a_number_that_sends_stop_gets_no_messages_until_it_sends_start() {
    let (server, store, outbox) = with_messages().await;
    for person in [Person::customer_a(), Person::customer_b()] {
        server.post(&person, OPT_IN, agree(PHONE)).await.ok();
    }
    let before = opt_in(&server, &store).await;

    let reply = write(&server, "msg_1", from(PHONE, "Stop.")).await;
    assert_eq!(reply, json!({ "received": true, "handled": true }));
    let all = consents(&server).await;
    assert_eq!(all.len(), 3);
    for consent in &all {
        let proof = ["status", "withdrawn_by", "withdrawn_text"].map(|name| &consent[name]);
        assert_eq!(proof, ["withdrawn", "message", "Stop."]);
        assert!(consent["withdrawn_webhook_id"].is_string() && consent["is_blocking"] == true);
    }
    assert_eq!(server.events_named("sms.withdrawn").await, 3);
    let told = sent(outbox.path());
    assert_eq!(told.iter().filter(|line| line[0] == "set" && line[3] == "withdrawn").count(), 3);
    let answer = told.iter().rfind(|line| line[0] == "send").expect("an answer");
    assert!(answer[2] == PHONE && answer[3].contains("no more text messages"), "{answer:?}");

    let again = write(&server, "msg_1", from(PHONE, "Stop.")).await;
    assert_eq!(again, json!({ "received": true, "duplicate": true }));
    write(&server, "msg_2", from(PHONE, "STOP")).await;
    assert_eq!(consents(&server).await, all, "it was said already");
    let answers = sent(outbox.path()).len();
    server.clock.advance(25 * 60 * 60 * 1_000);
    assert_eq!(opt_in(&server, &store).await, before, "a stranger is told nothing");
    assert_eq!(consents(&server).await[0]["status"], "pending");
    server.work().await;
    assert_eq!(sent(outbox.path()).len(), answers, "nothing is sent");

    write(&server, "msg_3", from(PHONE, "start")).await;
    let all = consents(&server).await;
    let begun = all.iter().find(|consent| consent["status"] == "confirmed").expect("a consent");
    assert_eq!(begun["consent_text"], "start");
    assert!(begun["consent_webhook_id"].is_string() && begun["customer_id"].is_string());
    assert!(all.iter().all(|consent| consent["is_blocking"] == false));
    assert_eq!(sent(outbox.path()).last().expect("a line")[3], "subscribed");
    server.clock.advance(25 * 60 * 60 * 1_000);
    opt_in(&server, &store).await;
    assert_eq!(consents(&server).await[0]["status"], "confirmed");
}

#[tokio::test]
async fn messages_count_at_the_time_at_which_they_were_sent() {
    for (first, second, is_blocked) in [("start", "stop", true), ("stop", "start", false)] {
        let (server, _store, _outbox) = with_messages().await;
        server.post(&Person::customer_a(), OPT_IN, agree(PHONE)).await.ok();
        let at = |minutes: i64| server.clock.now().plus_ms(minutes * 60_000).to_string();
        let (sooner, later) = (at(1), at(2));
        server.clock.advance(10 * 60 * 1_000);
        let late = json!({ "from": PHONE, "text": second, "sent_at": later });
        write(&server, "msg_2", late).await;
        let early = json!({ "from": PHONE, "text": first, "sent_at": sooner });
        write(&server, "msg_1", early).await;

        let all = consents(&server).await;
        let blocks = all.iter().any(|consent| consent["is_blocking"] == true);
        let confirmed = all.iter().filter(|consent| consent["status"] == "confirmed").count();
        assert_eq!((blocks, confirmed), (is_blocked, usize::from(!is_blocked)), "{all:#?}");
    }
}

#[tokio::test]
async fn a_number_without_a_consent_may_send_stop_too() {
    let (server, store, outbox) = with_messages().await;
    write(&server, "msg_1", from("+49 151 12345678", "Unsubscribe")).await;
    let all = consents(&server).await;
    assert_eq!((all.len(), &all[0]["consent_text"]), (1, &Value::Null));
    assert_eq!(all[0]["withdrawn_text"], "Unsubscribe");
    let count = sent(outbox.path()).len();
    opt_in(&server, &store).await;
    server.work().await;
    assert_eq!(sent(outbox.path()).len(), count);
}

#[tokio::test]
async fn help_is_answered_and_other_messages_are_only_stored() {
    let (server, _store, outbox) = with_messages().await;
    write(&server, "msg_1", from(PHONE, "Help!")).await;
    let told = sent(outbox.path());
    assert!(told.len() == 1 && told[0][3].contains("Send STOP"), "{told:?}");
    for (id, message) in [
        ("msg_2", from(PHONE, "Where is my parcel?")),
        ("msg_3", from("SHORT", "STOP")),
        ("msg_4", json!({ "text": "STOP" })),
    ] {
        let reply = write(&server, id, message).await;
        assert_eq!(reply, json!({ "received": true, "handled": true }), "{id}");
    }
    assert_eq!(sent(outbox.path()).len(), 1);
    assert_eq!(server.number("select count(*) from sms_consent").await, 0);
    let path = "/admin/webhook-deliveries?receiver=sms-provider&status=skipped";
    let skipped = server.get(&Person::admin(), path).await.ok();
    assert_eq!(skipped["count"], 3);
    assert_eq!(skipped["deliveries"][0]["last_error"], "no_keyword");

    let body = json!({ "type": "sms.delivered", "data": from(PHONE, "STOP") }).to_string();
    let headers = standard(SECRET, ("msg_5", now_s(&server)), &body);
    let reply = deliver(&server, MESSAGES, &headers, body.as_bytes()).await;
    assert_eq!(reply.ok(), json!({ "received": true, "handled": false }));
    let forged =
        standard("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", ("msg_6", now_s(&server)), &body);
    for headers in [forged, Vec::new()] {
        let reply = deliver(&server, MESSAGES, &headers, body.as_bytes()).await;
        assert!(reply.status == 401 && reply.body["error"].is_string(), "{reply:#?}");
    }
}

#[tokio::test]
async fn without_a_secret_messages_are_stored_without_effect() {
    let (server, _store, _outbox) = with_sandbox(&[]).await;
    server.follow().await;
    let reply = write(&server, "msg_1", from(PHONE, "STOP")).await;
    assert_eq!(reply, json!({ "received": true, "mode": "capture" }));
    assert_eq!(server.number("select count(*) from sms_consent").await, 0);
}

#[tokio::test]
async fn an_erased_number_is_stored_only_as_a_digest_and_stays_blocked() {
    let (server, store, outbox) = with_messages().await;
    let me = Person::customer_a();
    server.post(&me, OPT_IN, agree(PHONE)).await.ok();
    write(&server, "msg_1", from(PHONE, "help")).await;
    assert_eq!(server.at_rest(&[PHONE]).await, [PHONE]);

    let path = "/admin/customers/cus_01JD2Q8Z5M6T3W9XKCV4B7N00A/erase";
    server.post(&Person::admin(), path, json!({ "reason": "By letter." })).await.ok();
    server.work().await;
    let told = sent(outbox.path());
    let last = told.last().expect("a line");
    assert_eq!([&last[0], &last[2], &last[3]], ["set", PHONE, "withdrawn"]);
    let left = server.at_rest(&[PHONE]).await;
    assert!(left.is_empty(), "the number is gone from consents, deliveries and jobs");
    let kept =
        "select count(*) from sms_consent where is_blocking = 1 and length(phone_digest) = 32";
    assert_eq!(server.number(kept).await, 1);

    opt_in(&server, &store).await;
    server.work().await;
    assert_eq!(sent(outbox.path()).len(), told.len(), "nothing is sent");
    write(&server, "msg_2", from(PHONE, "START")).await;
    assert_eq!(sent(outbox.path()).last().expect("a line")[3], "subscribed");
}

#[tokio::test]
async fn a_handled_message_that_is_delivered_again_takes_no_second_effect() {
    let (server, _store, outbox) = with_messages().await;
    let start = json!({ "from": PHONE, "text": "start" });
    write(&server, "msg_1", start).await;
    let path = "/admin/webhook-deliveries?receiver=sms-provider";
    let row = server.get(&Person::admin(), path).await.ok()["deliveries"][0].take();
    assert_eq!(row["status"], "handled");
    let (before, told) = (consents(&server).await, sent(outbox.path()));

    server.clock.advance(60_000);
    let again =
        format!("/admin/webhook-deliveries/{}/redeliver", row["id"].as_str().expect("an id"));
    server.post(&Person::program(), &again, json!({})).await.ok();
    while server.tell().await > 0 || server.work().await > 0 {}

    let row = server.get(&Person::admin(), path).await.ok()["deliveries"][0].take();
    assert_eq!((&row["status"], &row["attempt_count"]), (&json!("handled"), &json!(2)));
    assert_eq!((consents(&server).await, sent(outbox.path())), (before, told));
}
