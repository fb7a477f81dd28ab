//! Payments before the completion: new amounts and confirmation tokens.

use std::sync::Arc;

use quotient_server::testing::rounds;
use serde_json::{Value, json};

use super::sessions::end_sessions;
use crate::harness::{Chance, Person, Store, TestServer};

const UPDATE: &str = "/store/payment-intent/update-amount";
pub(super) const CONFIRM: &str = "/store/payment/confirm-with-token";

/// Adds an item to a cart, so that it costs more.
async fn add_piece(server: &TestServer, store: &Store, cart: &str) -> Value {
    let line = json!({ "variant_id": store.mug, "quantity": 1 });
    let path = format!("/store/carts/{cart}/line-items");
    server.post(&Person::visitor(), &path, line).await.ok()["cart"]["total"].clone()
}

pub(super) async fn sessions(server: &TestServer, cart: &str) -> Value {
    let shown = server.get(&Person::visitor(), &format!("/store/carts/{cart}")).await.ok();
    let id = shown["cart"]["payment_collection"]["id"].as_str().expect("a collection").to_owned();
    let path = format!("/store/payment-sessions?collection_id={id}");
    server.get(&Person::visitor(), &path).await.ok()
}

#[tokio::test]
async fn a_payment_is_reused_with_the_new_total_and_completes_the_cart() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let same = server.post(&visitor, UPDATE, json!({ "cart_id": cart })).await.ok();
    assert_eq!((&same["success"], &same["updated"]), (&json!(true), &json!(false)));
    let before = same["amount"].clone();

    let total = add_piece(&server, &store, &cart).await;
    assert_eq!(sessions(&server, &cart).await["count"], 0);
    let updated = server.post(&visitor, UPDATE, json!({ "cartId": cart, "amount": total })).await;
    let updated = updated.ok();
    assert_eq!(updated["previousAmount"], before);
    assert_eq!((&updated["newAmount"], &updated["updated"]), (&total, &json!(true)));
    assert_eq!(updated["status"], "requires_confirmation");
    let listed = sessions(&server, &cart).await;
    assert_eq!((&listed["count"], &listed["sessions"][0]["amount"]), (&json!(1), &total));
    let order = server.complete(&visitor, &cart).await.ok();
    assert_eq!((&order["type"], &order["order"]["total"]), (&json!("order"), &total));

    let late = server.post(&visitor, UPDATE, json!({ "cart_id": cart })).await;
    assert_eq!((late.status, &late.body["currentStatus"]), (400, &json!("succeeded")));
    server.assert_sound().await;
}

#[tokio::test]
async fn an_amount_that_is_sent_is_compared_and_never_charged() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let cheaper = json!({ "cart_id": cart, "amount": 0.01 });
    let refused = server.post(&visitor, UPDATE, cheaper).await;
    assert_eq!((refused.status, &refused.body["type"]), (400, &json!("amount_mismatch")));
    for (body, status) in [
        (json!({}), 400),
        (json!({ "cart_id": "nonsense" }), 400),
        (json!({ "cart_id": "cart_01JD2Q8Z5M6T3W9XKCV4B7N09Z" }), 404),
        (json!({ "cart_id": cart, "payment_intent_id": "pi_of_another" }), 404),
    ] {
        let reply = server.post(&visitor, UPDATE, body.clone()).await;
        assert_eq!(reply.status, status, "{body}");
        assert!(reply.body["error"].is_string(), "{reply:#?}");
    }
}

#[tokio::test]
async fn a_payment_that_nobody_takes_up_is_canceled_after_an_hour() {
    let (server, store) = TestServer::with_store().await;
    let cart = server.ready_cart(&Person::visitor(), &store, &store.mug, 1).await;
    add_piece(&server, &store, &cart).await;
    let parked = "select count(*) from payment_session where parked_at is not null";
    assert_eq!(server.number(parked).await, 1);
    server.clock.advance(60 * 60 * 1_000);
    server.work().await;
    assert_eq!(server.number("select count(*) from payment_session").await, 0);
}

#[tokio::test]
async fn through_all_changes_there_is_one_payment_over_the_total() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let path = format!("/store/carts/{cart}");
    let line = server.get(&visitor, &path).await.ok()["cart"]["items"][0]["id"].clone();
    let line = format!("{path}/line-items/{}", line.as_str().expect("an id"));
    let first = sessions(&server, &cart).await["sessions"][0].clone();
    let (mut chance, mut amount, mut changes) = (Chance(4), first["amount"].clone(), 0);
    for _ in 0..rounds(20, 200) {
        let address = json!({ "postal_code": format!("N{} 1AA", chance.below(9)) });
        server.post(&visitor, &format!("{path}/batch-update"), address).await.ok();
        let quantity = json!({ "quantity": 1 + chance.below(3) });
        server.post(&visitor, &line, quantity).await.ok();
        let updated = server.post(&visitor, UPDATE, json!({ "cart_id": cart })).await.ok();
        let total = server.get(&visitor, &path).await.ok()["cart"]["total"].clone();
        if updated["updated"] == true {
            assert_eq!((&updated["previousAmount"], &updated["newAmount"]), (&amount, &total));
            changes += 1;
        }
        let listed = sessions(&server, &cart).await;
        assert_eq!((&listed["count"], &listed["sessions"][0]["id"]), (&json!(1), &first["id"]));
        assert_eq!(listed["sessions"][0]["data"], first["data"], "the secret is the same");
        amount = listed["sessions"][0]["amount"].clone();
        assert_eq!(amount, total);
    }
    assert!(changes > 5, "{changes}");
    let order = server.complete(&visitor, &cart).await.ok();
    assert_eq!(order["order"]["total"], amount);
    assert_eq!(server.number("select count(*) from payment").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_token_pays_once_however_often_it_is_sent() {
    let (server, store) = TestServer::with_store_and(&["--trusted-proxies=127.0.0.1"]).await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    server.ship(&Person::visitor(), &store, &cart).await;
    let body = json!({ "cart_id": cart, "confirmation_token_id": "ctoken_card_visa",
        "payment_provider_id": "pp_sandbox" });
    let server = Arc::new(server);
    let calls: Vec<_> = (0..64)
        .map(|number| {
            let (server, body) = (Arc::clone(&server), body.clone());
            // An address may have ten open.
            let address = format!("198.51.100.{number}");
            let visitor = Person::visitor().with_header("x-forwarded-for", &address);
            tokio::spawn(async move { server.post(&visitor, CONFIRM, body).await.ok() })
        })
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.expect("an answer"));
    }
    assert_eq!(answers[0]["success"], true);
    assert_eq!(answers[0]["paymentIntent"]["status"], "succeeded");
    answers.dedup();
    assert_eq!(answers.len(), 1);
    let other = json!({ "cart_id": cart, "confirmation_token_id": "ctoken_card_authorize_only" });
    server.post(&Person::visitor(), CONFIRM, other).await.refused(409);

    let order = server.complete(&Person::visitor(), &cart).await.ok();
    assert_eq!(order["type"], "order");
    assert_eq!(server.number("select count(*) from capture").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_unconfirmable_payment_says_why() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    let with = |token: &str| json!({ "cart_id": cart, "confirmation_token_id": token, "payment_provider_id": "pp_sandbox" });
    let unready = server.post(&visitor, CONFIRM, with("ctoken_card_visa")).await;
    assert_eq!(unready.status, 400, "{unready:#?}");
    server.ship(&visitor, &store, &cart).await;
    let mut dearer = with("ctoken_card_visa");
    dearer["expected_amount"] = json!(1);
    let changed = server.post(&visitor, CONFIRM, dearer).await;
    assert_eq!((changed.status, &changed.body["type"]), (400, &json!("amount_changed")));
    let unknown =
        json!({ "cart_id": "cart_01JD2Q8Z5M6T3W9XKCV4B7N09Z", "confirmation_token_id": "x" });
    assert_eq!(server.post(&visitor, CONFIRM, unknown).await.status, 404);
    let strange = server.post(&visitor, CONFIRM, with("tok_of_elsewhere")).await;
    assert_eq!((strange.status, &strange.body["type"]), (400, &json!("invalid_request_error")));
    let declined = server.post(&visitor, CONFIRM, with("ctoken_card_declined")).await;
    assert_eq!(
        (&declined.body["type"], &declined.body["code"]),
        (&json!("card_error"), &json!("card_declined"))
    );
    let more = server.post(&visitor, CONFIRM, with("ctoken_card_requires_action")).await.ok();
    assert_eq!(
        (&more["success"], &more["paymentIntent"]["nextAction"]),
        (&json!(false), &json!("confirm"))
    );
    let paid = server.post(&visitor, CONFIRM, with("ctoken_card_visa")).await.ok();
    assert_eq!(paid["success"], true);
}

#[tokio::test]
async fn a_shopper_returns_only_to_a_site_of_the_shop() {
    let (server, store) = TestServer::with_store().await;
    let site = |domain: &str, is_enabled: bool| {
        json!({ "handle": domain.replace('.', "-"), "domain": domain, "name": "Shop",
                "sales_channel_id": store.channel, "is_enabled": is_enabled })
    };
    for (domain, is_enabled) in
        [("shop.example", true), ("localhost", true), ("closed.example", false)]
    {
        server.post(&Person::admin(), "/admin/sites", site(domain, is_enabled)).await.ok();
    }
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    server.ship(&visitor, &store, &cart).await;
    let confirm = async |url: &str| {
        let body = json!({ "cart_id": cart, "confirmation_token_id": "ctoken_card_visa",
                           "payment_provider_id": "pp_sandbox", "return_url": url });
        server.post(&visitor, CONFIRM, body).await
    };

    for url in [
        "https://evil.example/x",
        "https://shop.example@evil.example/",
        "https://shop.example.evil.example/",
        "https://closed.example/",
        "http://shop.example/",
        "javascript:alert(1)",
        "//shop.example/",
        "/thanks",
    ] {
        let reply = confirm(url).await;
        assert_eq!((reply.status, keys_of(&reply.body)), (400, vec!["error"]), "{url}");
    }
    for url in ["https://www.Shop.example:8443/thanks?a=1#b", "http://localhost:8000/"] {
        assert_eq!(confirm(url).await.ok()["success"], true, "{url}");
    }
}

#[tokio::test]
async fn a_provider_that_cannot_or_does_not_answer_is_an_error_of_the_server() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    let visitor = Person::visitor();
    std::fs::create_dir(&ledger).expect("a folder in the place of the ledger");
    for (provider, keys) in
        [("pp_system_default", &["error"][..]), ("pp_sandbox", &["error", "message"])]
    {
        let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
        server.ship(&visitor, &store, &cart).await;
        let body = json!({ "cart_id": cart, "confirmation_token_id": "ctoken_card_visa",
            "payment_provider_id": provider });
        let reply = server.post(&visitor, CONFIRM, body).await;
        assert_eq!((reply.status, keys_of(&reply.body)), (500, keys.to_vec()), "{provider}");
    }

    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    add_piece(&server, &store, &cart).await;
    server.sql("update payment_session set provider_id = 'pp_gone'").await;
    let reply = server.post(&visitor, UPDATE, json!({ "cart_id": cart })).await;
    assert_eq!((reply.status, keys_of(&reply.body)), (500, vec!["error"]), "{reply:?}");
}

/// Returns the members of an object.
pub(super) fn keys_of(body: &Value) -> Vec<&str> {
    body.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[tokio::test]
async fn the_payments_of_another_customers_cart_are_unknown() {
    let (server, store) = TestServer::with_store().await;
    let owner = Person::customer_a();
    let cart = server.ready_cart(&owner, &store, &store.mug, 1).await;
    let shown = server.get(&owner, &format!("/store/carts/{cart}")).await.ok();
    let collection = shown["cart"]["payment_collection"]["id"].as_str().expect("a collection");
    let sessions = format!("/store/payment-sessions?collection_id={collection}");
    assert_eq!(server.get(&owner, &sessions).await.ok()["count"], 1);
    let token = json!({ "cart_id": cart, "confirmation_token_id": "ctoken_card_visa" });
    for person in [Person::visitor(), Person::customer_b()] {
        for (path, body) in [(UPDATE, json!({ "cart_id": cart })), (CONFIRM, token.clone())] {
            let reply = server.post(&person, path, body).await;
            assert_eq!((reply.status, keys_of(&reply.body)), (404, vec!["error"]), "{path}");
        }
        let reply = server.get(&person, &sessions).await;
        assert_eq!((reply.status, keys_of(&reply.body)), (400, vec!["message"]));
    }
}

#[tokio::test]
async fn many_refused_cards_end_the_attempts_of_a_cart() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    server.ship(&visitor, &store, &cart).await;
    let mut statuses = Vec::new();
    for number in 0..6 {
        let body = json!({ "cart_id": cart, "confirmation_token_id": format!("tok_{number}"),
            "payment_provider_id": "pp_sandbox" });
        statuses.push(server.post(&visitor, CONFIRM, body).await.status);
    }
    assert_eq!(statuses, [400, 400, 400, 400, 400, 429]);
}

#[tokio::test]
async fn a_paid_cart_that_nobody_completes_becomes_an_order_or_gets_its_money_back() {
    let (server, store) = TestServer::with_store().await;
    let mut carts = Vec::new();
    for _ in 0..2 {
        let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
        server.ship(&Person::visitor(), &store, &cart).await;
        let body = json!({ "cart_id": cart, "confirmation_token_id": "ctoken_card_visa",
            "payment_provider_id": "pp_sandbox" });
        server.post(&Person::visitor(), CONFIRM, body).await.ok();
        carts.push(cart);
    }
    // The second cart changes after it was paid.
    let line = json!({ "variant_id": store.mug, "quantity": 1 });
    let path = format!("/store/carts/{}/line-items", carts[1]);
    server.post(&Person::visitor(), &path, line).await.ok();
    for _ in 0..3 {
        server.clock.advance(3 * 60 * 1_000);
        server.work().await;
    }
    assert_eq!(server.number("select count(*) from orders where status = 'pending'").await, 1);
    let returned = "select count(*) from event where name = 'payment.returned_without_order'";
    assert_eq!(server.number(returned).await, 1);
    server.assert_sound().await;
}

/// Runs the jobs of some hours.
async fn pass_hours(server: &TestServer, hours: usize) {
    // The audit is one of the jobs.
    server.scans_on_purpose();
    for _ in 0..hours.saturating_mul(6) {
        server.clock.advance(10 * 60 * 1_000);
        server.work().await;
    }
}

#[tokio::test]
async fn a_payment_waits_a_day_for_the_shopper_and_is_canceled_then() {
    let (server, store) = TestServer::with_store().await;
    let mut carts = Vec::new();
    for _ in 0..3 {
        let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
        server.ship(&Person::visitor(), &store, &cart).await;
        let body = json!({ "cart_id": cart, "confirmation_token_id": "ctoken_card_requires_action",
            "payment_provider_id": "pp_sandbox" });
        server.post(&Person::visitor(), CONFIRM, body).await.ok();
        carts.push(cart);
    }

    pass_hours(&server, 20).await;
    for cart in &carts {
        assert_eq!(sessions(&server, cart).await["sessions"][0]["status"], "requires_more");
    }
    assert_eq!(server.number("select count(*) from orders").await, 0);
    // One shopper authenticates the card.
    server
        .sql(
            "update payment_session set data = json_set(data, '$.action_completed', json('true'))
              where id = (select max(id) from payment_session)",
        )
        .await;
    // Another one begins again.
    server.pay(&Person::visitor(), &carts[0], "pm_card_requires_action").await;
    pass_hours(&server, 8).await;

    assert_eq!(server.number("select count(*) from orders where status = 'pending'").await, 1);
    assert_eq!(server.number("select count(*) from payment_session").await, 2);
    assert_eq!(sessions(&server, &carts[0]).await["sessions"][0]["status"], "requires_more");
    let waiting = "select count(*) from job where kind = 'checkout.finish_paid'";
    assert_eq!(server.number(waiting).await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn after_a_payment_ended_or_the_total_changed_another_token_pays() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    for is_ended in [true, false] {
        let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
        server.ship(&visitor, &store, &cart).await;
        let with = |token: &str| json!({ "cart_id": cart, "confirmation_token_id": token, "payment_provider_id": "pp_sandbox" });
        let held = with("ctoken_card_authorize_only");
        assert_eq!(server.post(&visitor, CONFIRM, held.clone()).await.ok()["success"], true);
        if is_ended {
            assert_eq!(end_sessions(&server, &cart).await["success"], true);
        } else {
            add_piece(&server, &store, &cart).await;
        }

        let used = server.post(&visitor, CONFIRM, held).await;
        let paid = server.post(&visitor, CONFIRM, with("ctoken_card_visa")).await.ok();

        assert_eq!((used.status, &used.body["type"]), (400, &json!("invalid_request_error")));
        assert_eq!(paid["paymentIntent"]["status"], "succeeded", "{paid}");
        assert_eq!(server.complete(&visitor, &cart).await.ok()["type"], "order");
    }
    server.work().await;
    assert_eq!(server.number("select count(*) from payment_session").await, 2);
    server.assert_sound().await;
}
