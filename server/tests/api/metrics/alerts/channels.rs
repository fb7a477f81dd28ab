//! The channels of alerts: webhooks, e-mail and the log.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use quotient_server::database::Error;
use serde_json::{Value, json};
use sha2::Sha256;

use super::{ALERTS, MINUTE_MS, SECRET, a_minute, body, join, made, server, view};
use crate::harness::{BEGIN, Call, Person, PostOffice, Receiver, TestServer};

const PRIVATE: &str = "--webhook-private-targets=true";

fn webhook(receiver: &Receiver) -> Value {
    json!({ "channels": [{ "type": "webhook", "url": receiver.url(), "secret": SECRET }] })
}

async fn server_with(settings: &[String]) -> TestServer {
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    server(&settings).await
}

/// Checks the signature as Standard Webhooks requires.
fn assert_signed(call: &Call) {
    let header =
        |name: &str| call.headers.get(name).unwrap_or_else(|| panic!("no {name}: {call:#?}"));
    let key = STANDARD.decode(SECRET.trim_start_matches("whsec_")).expect("base64");
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key");
    let (id, at) = (header("webhook-id"), header("webhook-timestamp"));
    mac.update(format!("{id}.{at}.{}", call.body).as_bytes());
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    assert_eq!(*header("webhook-signature"), expected);
}

fn at_s(call: &Call) -> i64 {
    call.headers["webhook-timestamp"].parse().expect("seconds")
}

#[tokio::test]
async fn a_webhook_is_called_signed_with_what_happened() {
    let mut receiver = Receiver::answering(&[]).await;
    let server = server(&[PRIVATE]).await;
    let path = made(&server, webhook(&receiver)).await;
    join(&server, BEGIN, 3).await;

    a_minute(&server).await;

    let call = receiver.next().await;
    assert_eq!(call.line, "POST /hooks?of=alerts HTTP/1.1");
    assert_eq!(call.headers["content-type"], "application/json");
    assert_signed(&call);
    assert_eq!(at_s(&call) * 1_000, server.clock.now().as_millis());
    let news: Value = serde_json::from_str(&call.body).expect("JSON");
    assert_eq!(news["type"], "metric.alert.fired");
    assert_eq!(news["timestamp"], "2026-11-21T12:01:00.000Z");
    assert_eq!(news["data"]["id"], view(&server, &path).await["id"]);
    assert_eq!(
        (&news["data"]["condition"], &news["data"]["value"]),
        (&json!("joined > 2"), &json!(3))
    );
    a_minute(&server).await;
    assert!(receiver.is_quiet());
    assert_eq!(jobs(&server).await, 0);
}

async fn jobs(server: &TestServer) -> i64 {
    server.number("select count(*) from job where kind = 'metrics.deliver_alert'").await
}

#[tokio::test]
async fn a_webhook_that_fails_is_called_again_by_the_same_id_later_each_time() {
    let mut receiver = Receiver::answering(&[500, 302, 500]).await;
    let server = server(&[PRIVATE]).await;
    let path = made(&server, webhook(&receiver)).await;
    join(&server, BEGIN, 3).await;
    a_minute(&server).await;
    server.post(&Person::analyst(), &path, json!({ "is_active": false })).await.ok();
    let first = receiver.next().await;

    for wait_ms in [5_000, 10_000, 20_000] {
        server.clock.advance(wait_ms - 1);
        server.work().await;
        assert_eq!(jobs(&server).await, 1);
        server.clock.advance(1);
        server.work().await;
        let again = receiver.next().await;
        assert_signed(&again);
        assert_eq!(again.headers["webhook-id"], first.headers["webhook-id"]);
        assert_eq!(again.body, first.body);
        assert_eq!(at_s(&again) * 1_000, server.clock.now().as_millis());
    }
    assert_eq!(jobs(&server).await, 0);
    assert!(receiver.is_quiet());
}

#[tokio::test]
async fn a_webhook_that_never_works_is_given_up_after_twelve_calls() {
    let mut receiver = Receiver::answering(&[503; 12]).await;
    let server = server(&[PRIVATE]).await;
    let path = made(&server, webhook(&receiver)).await;
    join(&server, BEGIN, 3).await;
    a_minute(&server).await;
    server.post(&Person::analyst(), &path, json!({ "is_active": false })).await.ok();
    for _ in 0..12 {
        receiver.next().await;
        // Only the delivery is made due; other jobs are not.
        let other = server.other_process();
        let due = other.write::<_, Error>(|tx| {
            let sql = "update job set run_at = 0 where kind = 'metrics.deliver_alert'";
            Ok(tx.execute_batch(sql)?)
        });
        due.await.expect("it is due");
        server.work().await;
    }
    assert!(receiver.is_quiet());
    assert_eq!(jobs(&server).await, 0);
}

#[tokio::test]
async fn a_removed_channel_gets_no_more_messages_and_a_new_secret_signs_the_pending_ones() {
    let mut receiver = Receiver::answering(&[500]).await;
    let server = server(&[PRIVATE]).await;
    let old = json!({ "channels": [{ "type": "webhook", "url": receiver.url(), "secret": "an old secret of ours" }] });
    let path = made(&server, old).await;
    join(&server, BEGIN, 3).await;
    a_minute(&server).await;
    receiver.next().await;
    let view = view(&server, &path).await;
    assert_eq!(view["channels"], json!([{ "type": "webhook", "url": receiver.url() }]));
    server.post(&Person::analyst(), &path, webhook(&receiver)).await.ok();
    server.clock.advance(5_000);
    server.work().await;
    assert_signed(&receiver.next().await);

    // Sending back the redacted channels keeps the secret; without a channel there is nobody to notify.
    let same = json!({ "channels": view["channels"] });
    server.post(&Person::analyst(), &path, same).await.ok();
    let outcome = server.post(&Person::analyst(), &format!("{path}/test"), json!({})).await.ok();
    assert_eq!(outcome["delivered"], 1);
    assert_signed(&receiver.next().await);
    super::leave(&server).await;
    server.work().await;
    server.clock.advance(MINUTE_MS);
    server.work().await;
    assert_eq!(jobs(&server).await, 1);
    server.post(&Person::analyst(), &path, json!({ "channels": [] })).await.ok();
    server.work().await;
    assert_eq!(jobs(&server).await, 0);
    assert!(receiver.is_quiet());
}

#[tokio::test]
async fn a_mailbox_gets_an_e_mail_and_the_same_again_while_the_mail_server_refuses() {
    let mut office = PostOffice::refusing(1).await;
    let mut settings = office.settings();
    settings.extend(["--smtp-user=shop".to_owned(), "--smtp-password=hush".to_owned()]);
    let server = server_with(&settings).await;
    let name = "Zu viele Körbe";
    let path = made(
        &server,
        json!({ "name": name, "severity": "critical",
            "channels": [{ "type": "email", "to": "ops@shop.example" }] }),
    )
    .await;
    join(&server, BEGIN, 3).await;
    a_minute(&server).await;
    server.post(&Person::analyst(), &path, json!({ "is_active": false })).await.ok();
    let refused = office.next().await;
    assert_eq!(jobs(&server).await, 1);
    server.clock.advance(5_000);
    server.work().await;

    let message = office.next().await;
    assert_eq!(jobs(&server).await, 0);
    assert_eq!(STANDARD.decode(&message.login).expect("base64"), b"\0shop\0hush");
    assert_eq!(message.from, "FROM:<alerts@shop.example>");
    assert_eq!(message.to, ["TO:<ops@shop.example>"]);
    let line = |text: &str, name: &str| {
        let found = text.lines().find(|line| line.starts_with(name));
        found.unwrap_or_else(|| panic!("no {name}: {text}")).to_owned()
    };
    assert_eq!(line(&message.text, "From"), "From: Shop <alerts@shop.example>");
    assert_eq!(line(&message.text, "To"), "To: ops@shop.example");
    assert_eq!(line(&message.text, "Auto-Submitted"), "Auto-Submitted: auto-generated");
    assert_eq!(line(&message.text, "Message-ID"), line(&refused.text, "Message-ID"));
    assert!(line(&message.text, "Subject").contains("[critical]"), "{}", message.text);
    for part in ["Condition: joined > 2", "Value:     3", "has come true"] {
        assert!(message.text.contains(part), "no `{part}` in {}", message.text);
    }
    assert!(office.is_quiet());
}

#[tokio::test]
async fn mail_is_sent_unencrypted_only_if_the_settings_allow_it() {
    let mut office = PostOffice::refusing(0).await;
    let mut settings = office.settings();
    settings.retain(|setting| !setting.contains("encryption"));
    let server = server_with(&settings).await;
    let channels = json!([{ "type": "email", "to": "ops@shop.example" }]);
    let path = made(&server, json!({ "channels": channels })).await;

    let outcome = server.post(&Person::analyst(), &format!("{path}/test"), json!({})).await.ok();

    assert_eq!(
        (&outcome["delivered"], &outcome["results"][0]["delivered"]),
        (&json!(0), &json!(false))
    );
    assert!(outcome["results"][0]["error"].is_string(), "{outcome:#}");
    assert!(office.is_quiet());
}

#[tokio::test]
async fn a_test_alert_goes_to_every_channel_and_shows_which_accepted_it() {
    let (mut office, mut good, mut bad) = (
        PostOffice::refusing(0).await,
        Receiver::answering(&[204]).await,
        Receiver::answering(&[500]).await,
    );
    let mut settings = office.settings();
    settings.push(PRIVATE.to_owned());
    let server = server_with(&settings).await;
    let hook =
        |receiver: &Receiver| json!({ "type": "webhook", "url": receiver.url(), "secret": SECRET });
    let channels = json!([
        hook(&bad), { "type": "log" }, { "type": "email", "to": "ops@shop.example" }, hook(&good),
    ]);
    let path = made(&server, json!({ "name": "Many", "channels": channels })).await;

    let outcome = server.post(&Person::analyst(), &format!("{path}/test"), json!({})).await.ok();

    assert_eq!(outcome["delivered"], 3);
    assert_eq!(outcome["results"][0]["error"], "it answered 500 Internal Server Error");
    let results = outcome["results"].as_array().expect("results");
    let delivered: Vec<&Value> = results.iter().map(|result| &result["delivered"]).collect();
    assert_eq!(delivered, [false, true, true, true]);
    let kinds: Vec<&Value> = results.iter().map(|result| &result["channel"]["type"]).collect();
    assert_eq!(kinds, ["webhook", "log", "email", "webhook"]);
    assert!(!outcome.to_string().contains("whsec_"));
    let call = good.next().await;
    assert_signed(&call);
    assert!(call.body.contains("metric.alert.test"), "{}", call.body);
    assert!(office.next().await.text.contains("Subject: [test] Many"));
    bad.next().await;
    assert_eq!((jobs(&server).await, super::events(&server).await.len()), (0, 0));
    let alert = view(&server, &path).await;
    assert_eq!((&alert["state"], &alert["last_fired_at"]), (&json!("ok"), &Value::Null));
}

#[tokio::test]
async fn an_invalid_address_is_refused() {
    let office = PostOffice::refusing(0).await;
    let server = server_with(&office.settings()).await;
    for to in ["ops", "a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example", ""] {
        let channels = json!({ "channels": [{ "type": "email", "to": to }] });
        let reply = server.post(&Person::analyst(), ALERTS, body(&channels)).await;
        assert!(reply.refused(400).contains("no e-mail address"), "{to}");
    }
}
