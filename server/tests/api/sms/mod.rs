//! `/store/sms-marketing`: consents, their confirmation and their end.

mod inbound;

use std::collections::BTreeMap;
use std::path::Path;

use quotient_server::testing::rounds;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::harness::{Chance, Person, Store, TestServer};

const OPT_IN: &str = "/store/sms-marketing/opt-in";
const CONFIRM: &str = "/store/sms-marketing/confirm";
const ADMIN: &str = "/admin/sms-consents";
const PHONE: &str = "+4915112345678";

/// The setting that a provider needs.
pub(crate) const NUMBER_KEY: &str = "--sms-number-key=a key for all numbers";

/// Returns a server whose provider is the sandbox, with the file of what it sends.
async fn with_sandbox(settings: &[&str]) -> (TestServer, Store, NamedTempFile) {
    let outbox = NamedTempFile::new().expect("a file");
    let file = format!("--sms-sandbox-outbox={}", outbox.path().display());
    let settings = [&["--sms-provider=sandbox", NUMBER_KEY, &*file], settings].concat();
    let (server, store) = TestServer::with_store_and(&settings).await;
    (server, store, outbox)
}

fn agree(phone: &str) -> Value {
    json!({ "phone": phone, "consent": true })
}

/// Returns the lines of the outbox: kind, key, number and text.
fn sent(outbox: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(outbox).expect("text");
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Returns the code that was sent last.
fn code(outbox: &Path) -> String {
    let lines = sent(outbox);
    let last = lines.iter().rfind(|line| line[0] == "send").expect("a message");
    last[3].chars().filter(char::is_ascii_digit).collect()
}

#[tokio::test]
async fn a_number_opts_in_twice_before_it_gets_messages() {
    let (server, _store, outbox) = with_sandbox(&[]).await;
    let customer = Person::customer_a();
    let body = json!({
        "phone": "0151 / 123 456 78", "country_code": "DE", "consent": true, "email": "ada@example.com",
        "consent_text": "I agree.", "locale": "de-DE",
    });
    let reply = server.post(&customer, OPT_IN, body).await.ok();
    assert_eq!(reply, json!({ "success": true, "syncedPhone": PHONE, "isNew": true }));

    let list = server.get(&Person::viewer(), &format!("{ADMIN}?phone=%2B4915112345678")).await.ok();
    let consent = &list["sms_consents"][0];
    assert_eq!(
        (&consent["status"], &consent["consent_text"]),
        (&json!("pending"), &json!("I agree."))
    );
    assert_eq!(consent["code_digest"], Value::Null, "the code is nobody's business");
    assert_eq!(server.events_named("sms.opted_in").await, 0);

    let wrong = json!({ "phone": PHONE, "code": "x" });
    assert_eq!(server.post(&Person::visitor(), CONFIRM, wrong).await.status, 400);
    let right = json!({ "phone": PHONE, "code": code(outbox.path()) });
    let confirmed = server.post(&Person::visitor(), CONFIRM, right.clone()).await.ok();
    assert_eq!(confirmed, json!({ "success": true }));
    assert_eq!(server.events_named("sms.opted_in").await, 1);
    assert_eq!(
        server.post(&Person::visitor(), CONFIRM, right).await.status,
        400,
        "a code works once"
    );
    server.work().await;
    let told = sent(outbox.path()).pop().expect("a line");
    assert_eq!([&told[0], &told[2], &told[3]], ["set", PHONE, "subscribed"]);
}

#[tokio::test]
async fn events_without_a_message_are_skipped() {
    let (server, _store, outbox) = with_sandbox(&[]).await;
    let customer = Person::customer_a();
    let no = json!({ "phone": PHONE, "consent": false });
    let reply = server.post(&customer, OPT_IN, no).await.ok();
    assert_eq!((&reply["success"], &reply["skipped"]), (&json!(true), &json!(true)));
    assert_eq!(server.number("select count(*) from sms_consent").await, 0);

    server.post(&customer, OPT_IN, agree(PHONE)).await.ok();
    let again = server.post(&customer, OPT_IN, agree(PHONE)).await.ok();
    assert_eq!(again["skipped"], true);
    assert_eq!(sent(outbox.path()).len(), 2, "one for the list, one with the code");
    let other = server.post(&customer, OPT_IN, agree("+4915112345679")).await.ok();
    assert_eq!(other["isNew"], false, "of this customer, not of the number");

    let (server, _store) = TestServer::with_store().await;
    let none = server.post(&customer, OPT_IN, agree(PHONE)).await.ok();
    assert_eq!(none["skipped"], true, "there is no provider by default");
}

#[tokio::test]
async fn the_country_of_a_number_is_that_of_the_cart() {
    let (server, store, _outbox) = with_sandbox(&[]).await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    let body = json!({ "phone": "07700 900123", "consent": true, "cart_id": cart });
    let reply = server.post(&visitor, OPT_IN, body).await.ok();
    assert_eq!(reply["syncedPhone"], "+447700900123", "its region has one country");

    for body in [
        json!({ "phone": "07700 900123", "consent": true }),
        json!({ "phone": "07700 900123", "consent": true, "country_code": "xx" }),
        json!({ "phone": "call me", "consent": true, "country_code": "gb" }),
        json!({ "phone": PHONE, "consent": "yes" }),
        json!({ "phone": PHONE }),
        json!({ "consent": true }),
        json!({ "phone": PHONE, "consent": true, "email": "nobody" }),
        json!({ "phone": PHONE, "consent": true, "status": "confirmed" }),
    ] {
        let reply = server.post(&visitor, OPT_IN, body.clone()).await;
        assert_eq!(reply.status, 400, "{body}");
        let keys: Vec<&String> = reply.body.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["error"], "{body}");
    }
    let foreign = server.cart_with(&Person::customer_a(), &store, &store.mug, 1).await;
    let body = json!({ "phone": PHONE, "consent": true, "cart_id": foreign });
    server.post(&visitor, OPT_IN, body).await.refused(404);
    server.post(&Person::nobody(), OPT_IN, agree(PHONE)).await.refused(401);
}

#[tokio::test]
async fn a_refused_number_differs_from_a_silent_provider() {
    let (server, _store, outbox) = with_sandbox(&[]).await;
    let visitor = Person::visitor();
    let refused = server.post(&visitor, OPT_IN, agree("+4915112340002")).await.ok();
    assert_eq!(refused["success"], false);
    assert!(refused["error"].is_string());
    assert_eq!(server.number("select count(*) from sms_consent where status = 'refused'").await, 1);

    let silent = server.post(&visitor, OPT_IN, agree("+4915112340009")).await;
    assert_eq!((silent.status, &silent.body["success"]), (500, &json!(false)));
    assert_eq!(server.number("select count(*) from sms_consent where status = 'pending'").await, 1);
    assert_eq!(server.number("select count(*) from job where kind = 'sms.sync'").await, 1);
    server.clock.advance(31_000);
    server.work().await;
    assert_eq!(server.number("select attempt_count from job where kind = 'sms.sync'").await, 1);
    assert_eq!(sent(outbox.path()), Vec::<Vec<String>>::new());
}

#[tokio::test]
async fn a_repeated_message_has_the_same_key_and_the_same_code() {
    let (server, _store, outbox) = with_sandbox(&[]).await;
    let customer = Person::customer_a();
    server.post(&customer, OPT_IN, agree(PHONE)).await.ok();
    let right = json!({ "phone": PHONE, "code": code(outbox.path()) });
    let wrong = json!({ "phone": PHONE, "code": "guess" });
    assert_eq!(server.post(&customer, CONFIRM, wrong).await.status, 400);
    // As if the provider had taken the message, but not answered.
    let silent = server.beside().write::<_, quotient_server::database::Error>(|tx| {
        Ok(tx.execute("update sms_consent set synced_at = null", [])?)
    });
    assert_eq!(silent.await.expect("a change"), 1);

    let again = server.post(&customer, OPT_IN, agree(PHONE)).await.ok();

    assert_eq!(again["syncedPhone"], PHONE);
    let lines = sent(outbox.path());
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[..2], lines[2..], "one message for the provider");
    let guesses = "select code_attempts from sms_consent";
    assert_eq!(server.number(guesses).await, 1, "the code is no other one");
    server.post(&customer, CONFIRM, right).await.ok();
}

#[tokio::test]
async fn a_stranger_learns_nothing_about_a_number_and_cannot_flood_it() {
    let (server, store, outbox) = with_sandbox(&[]).await;
    server.post(&Person::customer_a(), OPT_IN, agree(PHONE)).await.ok();
    let mut replies = Vec::new();
    for phone in [PHONE, PHONE, PHONE, "+4915112345670"] {
        let visitor = Person::visitor();
        let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
        let body = json!({ "phone": phone, "consent": true, "cart_id": cart });
        let mut first = server.post(&visitor, OPT_IN, body.clone()).await.ok();
        first["syncedPhone"].take();
        let second = server.post(&visitor, OPT_IN, body).await.ok();
        replies.push([first, second]);
    }
    assert!(replies.iter().all(|reply| *reply == replies[0]), "{replies:#?}");
    let messages =
        sent(outbox.path()).iter().filter(|line| line[0] == "send" && line[2] == PHONE).count();
    assert_eq!(messages, 3, "three a day");
}

#[tokio::test]
async fn a_number_gets_three_messages_within_any_day_whoever_requests_them() {
    let (server, _store, outbox) = with_sandbox(&["--trusted-proxies=127.0.0.1"]).await;
    let (mut chance, mut told) = (Chance(13), 0);
    let mut times: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for call in 0..rounds(200, 10_000) {
        let address = format!("198.18.{}.{}", call / 250, call % 250);
        let visitor = Person::visitor().with_header("x-forwarded-for", &address);
        let phone = format!("+491511234567{}", chance.below(4));
        let reply = server.post(&visitor, OPT_IN, agree(&phone)).await.ok();
        assert_eq!(reply, json!({ "success": true, "syncedPhone": phone, "isNew": true }));
        let text = std::fs::read_to_string(outbox.path()).expect("text");
        for line in text.get(told..).expect("more text").lines() {
            let [kind, _key, number, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            if kind == "send" {
                let now = server.clock.now().as_millis();
                times.entry(number.to_owned()).or_default().push(now);
            }
        }
        told = text.len();
        server.clock.advance(i64::from(chance.below(12 * 60 * 60 * 1_000)));
    }
    assert_eq!(times.len(), 4);
    for (number, times) in times {
        assert!(times.len() > 2, "{number}: {times:?}");
        let is_spread = |four: &[i64]| four[0].abs_diff(four[3]) >= 24 * 60 * 60 * 1_000;
        assert!(times.windows(4).all(is_spread), "{number}: {times:?}");
    }
}

#[tokio::test]
async fn ten_numbers_an_hour_come_from_an_address_and_five_from_a_cart() {
    let (server, store, _outbox) = with_sandbox(&[]).await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    for number in 0..6 {
        let body =
            json!({ "phone": format!("+49151123456{number}0"), "consent": true, "cart_id": cart });
        let status = server.post(&visitor, OPT_IN, body).await.status;
        assert_eq!(status, if number < 5 { 200 } else { 429 }, "{number}");
    }
    for number in 6..11 {
        let reply = server.post(&visitor, OPT_IN, agree(&format!("+4915112345{number:02}1"))).await;
        assert_eq!(reply.status, if number < 10 { 200 } else { 429 }, "{number}");
    }
}

#[tokio::test]
async fn a_code_is_guessed_five_times_and_lives_for_a_day() {
    let (server, _store, outbox) = with_sandbox(&[]).await;
    server.post(&Person::customer_a(), OPT_IN, agree(PHONE)).await.ok();
    let right = json!({ "phone": PHONE, "code": code(outbox.path()) });
    for _guess in 0..5 {
        let wrong = json!({ "phone": PHONE, "code": "guess" });
        assert_eq!(server.post(&Person::visitor(), CONFIRM, wrong).await.status, 400);
    }
    assert_eq!(server.post(&Person::visitor(), CONFIRM, right).await.status, 400);

    server.post(&Person::customer_b(), OPT_IN, agree(PHONE)).await.ok();
    let right = json!({ "phone": PHONE, "code": code(outbox.path()) });
    server.clock.advance(25 * 60 * 60 * 1_000);
    assert_eq!(server.post(&Person::visitor(), CONFIRM, right).await.status, 400);
}

#[tokio::test]
async fn a_number_whose_code_is_used_up_gets_another_one() {
    let (server, store, outbox) = with_sandbox(&[]).await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    let agreed = || json!({ "phone": PHONE, "consent": true, "cart_id": cart });
    server.post(&visitor, OPT_IN, agreed()).await.ok();
    for _guess in 0..5 {
        let wrong = json!({ "phone": PHONE, "code": "guess" });
        assert_eq!(server.post(&visitor, CONFIRM, wrong).await.status, 400);
    }
    let second = server.post(&visitor, OPT_IN, agreed()).await.ok();
    assert_eq!(second["success"], true);
    assert_eq!(second.get("skipped"), None, "the first code was guessed too often");
    assert_eq!(second["isNew"], false, "the cart has agreed before");

    server.clock.advance(25 * 60 * 60 * 1_000);
    let old = json!({ "phone": PHONE, "code": code(outbox.path()) });
    assert_eq!(server.post(&visitor, CONFIRM, old).await.status, 400);
    server.post(&visitor, OPT_IN, agreed()).await.ok();
    let right = json!({ "phone": PHONE, "code": code(outbox.path()) });
    server.post(&visitor, CONFIRM, right).await.ok();
    let known = server.post(&visitor, OPT_IN, agreed()).await.ok();
    assert_eq!(known["skipped"], true, "it is confirmed");
}

#[tokio::test]
async fn an_administrator_withdraws_a_consent_for_good() {
    let (server, _store, outbox) = with_sandbox(&["--sms-double-opt-in=false"]).await;
    server.post(&Person::customer_a(), OPT_IN, agree(PHONE)).await.ok();
    assert_eq!(server.events_named("sms.opted_in").await, 1, "it is confirmed at once");
    let list = server.get(&Person::viewer(), &format!("{ADMIN}?status=confirmed")).await.ok();
    let id = list["sms_consents"][0]["id"].as_str().expect("an id").to_owned();
    let path = format!("{ADMIN}/{id}/withdraw");
    server.post(&Person::viewer(), &path, json!({})).await.refused(403);
    server.post(&Person::customer_a(), &path, json!({})).await.refused(403);

    let withdrawn = server.post(&Person::admin(), &path, json!({})).await.ok();
    assert_eq!(withdrawn["sms_consent"]["status"], "withdrawn");
    server.post(&Person::admin(), &path, json!({})).await.ok();
    assert_eq!(server.events_named("sms.withdrawn").await, 1);
    server.work().await;
    assert_eq!(sent(outbox.path()).pop().expect("a line")[3], "withdrawn");

    let again = server.post(&Person::customer_a(), OPT_IN, agree(PHONE)).await.ok();
    assert_eq!(again["success"], true);
    assert_eq!(
        server.number("select count(*) from sms_consent").await,
        2,
        "a later one is another row"
    );
}
