//! Checkout of carts with plans.

use serde_json::json;

use super::text;
use crate::harness::{Person, TestServer};

const CONFIRM: &str = "/store/payment/confirm-with-token";

#[tokio::test]
async fn a_cart_with_a_plan_becomes_an_order_and_a_subscription() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({})).await;
    server.keep_card(&cart, "pm_card_visa").await.ok();

    let made = server.subscribe(&cart, json!({ "metadata": { "gift": true } })).await.ok();

    assert_eq!(made["type"], "order", "{made}");
    let subscription = &made["subscriptions"][0];
    assert_eq!(subscription["status"], "active");
    assert_eq!(subscription["order_id"], made["order"]["id"]);
    let told = "select payload ->> 'order_id' from event where name = 'subscription.created'";
    assert_eq!(server.words(told).await, [text(&made["order"]["id"])]);
    assert_eq!(subscription["items"][0]["unit_price"], json!(11.69));
    assert_eq!(subscription["mrr"], json!(11.69));
    assert_eq!(subscription["anchor"]["timezone"], "UTC");
    assert_eq!(subscription["current_period_start"], "2026-11-21T12:00:00.000Z");
    assert_eq!(subscription["next_billing_at"], "2026-12-21T12:00:00.000Z");
    assert_eq!(subscription["payment_method"]["last4"], "4242");
    assert_eq!(subscription["shipping_method"]["name"], "Postage");
    assert_eq!(subscription["metadata"], json!({ "gift": true }));
    let upcoming = subscription["upcoming"].as_array().unwrap();
    assert_eq!(upcoming.len(), 6);
    assert_eq!(upcoming[0]["total"], made["order"]["total"]);
    assert_eq!(upcoming[2]["at"], "2027-02-21T12:00:00.000Z");
    // A repetition gets the same response.
    let again = server.subscribe(&cart, json!({})).await.ok();
    assert_eq!(again["subscriptions"], made["subscriptions"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn completing_a_cart_with_a_plan_subscribes_it() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({})).await;
    server.keep_card(&cart, "pm_card_visa").await.ok();

    server.complete(&Person::customer_a(), &cart).await.ok();

    assert_eq!(server.number("select count(*) from subscription where status = 'active'").await, 1);
}

#[tokio::test]
async fn a_card_that_is_not_kept_cannot_pay_a_subscription() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({})).await;
    let path = format!("/store/carts/{cart}/subscription-payment-session");
    let body = json!({
        "provider_id": "pp_sandbox", "setup_future_usage": "on_session",
        "data": { "payment_method": "pm_card_visa" },
    });
    server.post(&Person::customer_a(), &path, body).await.ok();

    let message = server.subscribe(&cart, json!({})).await.refused(400);

    assert!(message.contains("off_session"), "{message}");
    assert_eq!(server.number("select count(*) from orders").await, 0);
}

#[tokio::test]
async fn a_refused_card_leaves_the_cart_and_no_subscription() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({})).await;
    server.keep_card(&cart, "pm_card_declined").await.ok();

    let made = server.subscribe(&cart, json!({})).await.ok();

    assert_eq!(
        (&made["type"], &made["error"]["type"]),
        (&json!("cart"), &json!("payment_authorization_error"))
    );
    assert_eq!(server.number("select count(*) from subscription").await, 0);
    server.keep_card(&cart, "pm_card_visa").await.ok();
    assert_eq!(server.subscribe(&cart, json!({})).await.ok()["type"], "order");
}

#[tokio::test]
async fn a_trial_costs_nothing_until_it_ends_and_then_the_first_cycle_is_paid() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({ "trial_days": 14 })).await;
    server.keep_card(&cart, "pm_card_visa").await.ok();

    let made = server.subscribe(&cart, json!({})).await.ok();

    assert_eq!(made["order"]["total"], json!(0), "{made}");
    assert_eq!(made["order"]["payment_status"], "captured");
    let due = "select sum(amount_minor + later_minor) from payment_collection";
    assert_eq!(server.number(due).await, 0);
    let subscription = &made["subscriptions"][0];
    assert_eq!(subscription["status"], "trial");
    assert_eq!(subscription["mrr"], json!(0));
    assert_eq!(subscription["trial_end"], "2026-12-05T12:00:00.000Z");
    assert_eq!(subscription["payment_method"]["last4"], "4242");
    assert_eq!(
        server.number("select coalesce(sum(reserved_quantity), 0) from inventory_level").await,
        0
    );
    let id = text(&subscription["id"]);
    server.pass(15).await;
    let begun = server.mine(&id).await;
    assert_eq!(begun["status"], "active", "{begun}");
    assert_eq!(begun["started_at"], "2026-12-05T12:00:00.000Z");
    assert_eq!(begun["next_billing_at"], "2027-01-05T12:00:00.000Z");
    assert_eq!(begun["mrr"], json!(11.69));
    server.assert_sound().await;
}

#[tokio::test]
async fn a_trial_ends_at_the_same_local_time_also_when_the_clocks_change() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({ "trial_days": 150 })).await;
    server.keep_card(&cart, "pm_card_visa").await.ok();

    let made = server.subscribe(&cart, json!({ "timezone": "Europe/Berlin" })).await.ok();

    // From 13:00 in winter to 13:00 in summer.
    assert_eq!(made["subscriptions"][0]["trial_end"], "2027-04-20T11:00:00.000Z");
}

#[tokio::test]
async fn a_confirmation_token_only_keeps_the_card_of_a_trial() {
    let (server, store) = TestServer::for_years().await;
    let buyer = Person::customer_a();
    let cart = server.planned_cart(&store, json!({ "trial_days": 14 })).await;
    let with = |token: &str| {
        json!({ "cart_id": cart, "confirmation_token_id": token, "payment_provider_id": "pp_sandbox",
            "expected_amount": 0 })
    };
    let declined = server.post(&buyer, CONFIRM, with("ctoken_card_declined")).await;
    assert_eq!((declined.status, &declined.body["type"]), (400, &json!("card_error")));

    let kept = server.post(&buyer, CONFIRM, with("ctoken_card_visa")).await.ok();

    assert_eq!((&kept["success"], &kept["paymentIntent"]["amount"]), (&json!(true), &json!(0)));
    assert_eq!(kept["paymentIntent"]["status"], "succeeded", "{kept}");
    assert_eq!(server.post(&buyer, CONFIRM, with("ctoken_card_visa")).await.ok(), kept);
    let made = server.subscribe(&cart, json!({})).await.ok();
    assert_eq!((&made["type"], &made["order"]["total"]), (&json!("order"), &json!(0)), "{made}");
    let subscription = &made["subscriptions"][0];
    assert_eq!(subscription["status"], "trial");
    assert_eq!(subscription["payment_method"]["last4"], "4242");
    server.work().await;
    for left in ["select count(*) from payment_session", "select count(*) from payment"] {
        assert_eq!(server.number(left).await, 0, "{left}");
    }
    assert_eq!(server.events_named("payment.returned_without_order").await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_confirmation_token_pays_the_amount_due_now_without_trials() {
    let (server, store) = TestServer::for_years().await;
    let buyer = Person::customer_a();
    let cart = server.planned_cart(&store, json!({ "trial_days": 14 })).await;
    let line = json!({ "variant_id": store.print, "quantity": 1 });
    let path = format!("/store/carts/{cart}");
    server.post(&buyer, &format!("{path}/line-items"), line).await.ok();
    server.ship(&buyer, &store, &cart).await;
    let token = json!({
        "cart_id": cart, "confirmation_token_id": "ctoken_card_visa",
        "payment_provider_id": "pp_sandbox", "setup_future_usage": "off_session",
    });
    let mut whole = token.clone();
    whole["expected_amount"] = server.get(&buyer, &path).await.ok()["cart"]["total"].clone();
    let refused = server.post(&buyer, CONFIRM, whole).await;
    assert_eq!(refused.body["type"], "amount_changed", "{refused:?}");

    let paid = server.post(&buyer, CONFIRM, token).await.ok();
    let made = server.subscribe(&cart, json!({})).await.ok();

    assert_eq!(made["type"], "order", "{made}");
    assert_eq!(made["order"]["total"], paid["paymentIntent"]["amount"]);
    assert_eq!(made["order"]["payment_status"], "captured");
    assert_eq!(made["subscriptions"][0]["status"], "trial");
    assert_eq!(made["subscriptions"][0]["payment_method"]["last4"], "4242");
    server.assert_sound().await;
}

#[tokio::test]
async fn the_collection_of_a_cart_with_a_trial_is_for_the_amount_due_now() {
    let (server, store) = TestServer::for_years().await;
    let buyer = Person::customer_a();
    let cart = server.planned_cart(&store, json!({ "trial_days": 14 })).await;
    let path = format!("/store/carts/{cart}");
    let print = json!({ "variant_id": store.print, "quantity": 1 });
    server.post(&buyer, &format!("{path}/line-items"), print.clone()).await.ok();
    server.ship(&buyer, &store, &cart).await;
    let total = server.get(&buyer, &path).await.ok()["cart"]["total"].as_f64().unwrap();

    let of_cart = json!({ "cart_id": cart });
    let made = server.post(&buyer, "/store/payment-collections", of_cart.clone()).await.ok();
    let amount = made["payment_collection"]["amount"].as_f64().unwrap();
    let id = text(&made["payment_collection"]["id"]);
    let payment = json!({ "provider_id": "pp_sandbox",
        "data": { "payment_method": "pm_card_visa", "setup_future_usage": "off_session" } });
    let sessions = format!("/store/payment-collections/{id}/payment-sessions");
    let begun = server.post(&buyer, &sessions, payment).await.ok();

    assert!(amount > 0.0 && amount < total, "{amount} of {total}");
    let session = &begun["payment_collection"]["payment_sessions"][0];
    assert_eq!(session["amount"].as_f64(), Some(amount));
    server.post(&buyer, &format!("{path}/line-items"), print).await.ok();
    let update = "/store/payment-intent/update-amount";
    let updated = server.post(&buyer, update, of_cart).await.ok();
    let total = server.get(&buyer, &path).await.ok()["cart"]["total"].as_f64().unwrap();
    let now = updated["newAmount"].as_f64().unwrap();
    assert!(now > amount && now < total, "{now} of {total}");
    let placed = server.subscribe(&cart, json!({})).await.ok();
    assert_eq!(placed["type"], "order", "{placed}");
    assert_eq!(placed["order"]["total"].as_f64(), Some(now));
    assert_eq!(placed["order"]["payment_status"], "captured");
    assert_eq!(placed["subscriptions"][0]["status"], "trial");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_start_ahead_bills_nothing_before_it_in_the_zone_that_is_named() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({})).await;
    server.keep_card(&cart, "pm_card_visa").await.ok();
    for (body, part) in [
        (json!({ "start_at": "2026-11-20T09:00:00Z" }), "start_at"),
        (json!({ "start_at": "2028-11-20T09:00:00Z" }), "start_at"),
        (json!({ "timezone": "Mars/Olympus" }), "time zone"),
        (json!({ "timezone": "Etc/Unknown" }), "time zone"),
        (json!({ "start_at": "2026-11-21T12:00:00Z" }), "start_at"),
        (json!({ "payment_context": { "payment_method_reference": "pm_other" } }), "not found"),
        (json!({ "payment_context": { "payment_provider_id": "pp_stripe" } }), "pp_sandbox"),
    ] {
        let reply = server.subscribe(&cart, body.clone()).await;
        assert!(matches!(reply.status, 400 | 404), "{body}: {reply:?}");
        assert!(reply.body["message"].as_str().unwrap().contains(part), "{reply:?}");
    }

    let body = json!({ "start_at": "2027-01-31T09:00:00Z", "timezone": "Europe/Berlin" });
    let made = server.subscribe(&cart, body).await.ok();

    let subscription = &made["subscriptions"][0];
    assert_eq!(subscription["status"], "trial", "{made}");
    assert_eq!(subscription["anchor"]["day"], 31);
    let dates: Vec<&str> = subscription["upcoming"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cycle| cycle["at"].as_str().unwrap())
        .collect();
    assert_eq!(
        dates[..4],
        [
            "2027-01-31T09:00:00.000Z",
            "2027-02-28T09:00:00.000Z",
            // Clocks went forward.
            "2027-03-31T08:00:00.000Z",
            "2027-04-30T08:00:00.000Z",
        ]
    );
}

#[tokio::test]
async fn a_saved_card_pays_the_order_and_the_renewals() {
    let (server, store) = TestServer::for_years().await;
    server.subscribed(&store, json!({})).await;
    let reference = server.save_card("pm_card_visa").await;
    let cart = server.planned_cart(&store, json!({ "name": "Other" })).await;

    let context = json!({ "payment_method_reference": reference });
    let made = server.subscribe(&cart, json!({ "payment_context": context })).await.ok();

    assert_eq!(made["subscriptions"][0]["payment_method"]["reference"], reference.as_str());
    assert_eq!(made["order"]["payment_status"], "captured", "{made}");
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn subscribing_and_completing_64_times_at_once_makes_one_order_and_one_subscription() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({})).await;
    server.keep_card(&cart, "pm_card_visa").await.ok();
    let server = std::sync::Arc::new(server);
    let mut running = tokio::task::JoinSet::new();
    for number in 0..128 {
        let (server, cart) = (std::sync::Arc::clone(&server), cart.clone());
        running.spawn(async move {
            if number % 2 == 0 {
                server.subscribe(&cart, json!({})).await
            } else {
                server.complete(&Person::customer_a(), &cart).await
            }
        });
    }

    let replies = running.join_all().await;

    let orders: std::collections::BTreeSet<String> =
        replies.into_iter().map(|reply| text(&reply.ok()["order"]["id"])).collect();
    assert_eq!(orders.len(), 1);
    assert_eq!(server.number("select count(*) from orders").await, 1);
    assert_eq!(server.number("select count(*) from subscription").await, 1);
    assert_eq!(server.number("select count(*) from payment").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn with_a_later_start_one_time_items_are_still_paid_now() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({})).await;
    let buyer = Person::customer_a();
    let line = json!({ "variant_id": store.print, "quantity": 1 });
    server.post(&buyer, &format!("/store/carts/{cart}/line-items"), line).await.ok();
    server.ship(&buyer, &store, &cart).await;
    let total =
        server.get(&buyer, &format!("/store/carts/{cart}")).await.ok()["cart"]["total"].clone();
    let start = "2027-01-31T09:00:00Z";
    let data = json!({ "payment_method": "pm_card_visa" });
    let body = json!({ "provider_id": "pp_sandbox", "data": data, "start_at": start });
    let path = format!("/store/carts/{cart}/subscription-payment-session");
    let begun = server.post(&buyer, &path, body).await.ok();
    let amount = begun["payment_collection"]["amount"].clone();
    assert!(amount.as_f64() < total.as_f64(), "{amount} of {total}");
    // Reading the cart leaves the session as it is.
    server.get(&buyer, &format!("/store/carts/{cart}")).await.ok();

    let made = server.subscribe(&cart, json!({ "start_at": start })).await.ok();

    assert_eq!(made["type"], "order", "{made}");
    assert_eq!(made["order"]["total"], amount);
    assert_eq!(made["order"]["payment_status"], "captured");
    assert_eq!(made["subscriptions"][0]["status"], "trial");
    assert_eq!(made["subscriptions"][0]["items"].as_array().unwrap().len(), 1);
    // The mug is sent later, the print now.
    assert_eq!(
        server.number("select sum(quantity) from reservation where deleted_at is null").await,
        1
    );
    server.assert_sound().await;
}

#[tokio::test]
async fn a_start_that_passes_while_the_order_is_being_paid_is_billed_at_once() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    server.only_renews().await;
    let cart = server.planned_cart(&store, json!({})).await;
    let buyer = Person::customer_a();
    let line = json!({ "variant_id": store.print, "quantity": 1 });
    server.post(&buyer, &format!("/store/carts/{cart}/line-items"), line).await.ok();
    server.ship(&buyer, &store, &cart).await;
    let start = json!({ "start_at": "2026-11-21T12:05:00Z" });
    let mut payment = start.clone();
    payment["data"] = json!({ "payment_method": "pm_card_visa" });
    let path = format!("/store/carts/{cart}/subscription-payment-session");
    server.post(&buyer, &path, payment).await.ok();
    std::fs::create_dir(&ledger).expect("a folder in the place of the ledger");
    server.subscribe(&cart, start.clone()).await.refused(409);
    server.clock.advance(10 * 60 * 1_000);
    std::fs::remove_dir(&ledger).expect("the folder");

    let made = server.subscribe(&cart, start).await.ok();

    let subscription = &made["subscriptions"][0];
    assert_eq!(subscription["status"], "trial", "{made}");
    assert_eq!(server.number("select count(*) from capture").await, 1);
    server.work().await;
    let begun = server.mine(&text(&subscription["id"])).await;
    assert_eq!(begun["status"], "active", "{begun}");
    assert_eq!(begun["next_billing_at"], "2026-12-21T12:05:00.000Z");
    assert_eq!(server.number("select count(*) from capture").await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn one_subscription_of_two_plans_has_the_strictest_rules_of_both() {
    let (server, store) = TestServer::for_years().await;
    let months = |count: i64| json!({ "interval": "month", "interval_count": count });
    let cart = server
        .planned_cart(&store, json!({
            "min_cycles": 2, "max_cycles": 9, "max_skips": 3, "cutoff_hours": 24, "max_pause_days": 60,
            "allowed_frequencies": [months(2), months(3)], "on_exhausted": "keep", "out_of_stock": "delay",
        }))
        .await;
    let lamps = json!({
        "min_cycles": 3, "max_skips": 5, "cutoff_hours": 12, "max_pause_days": 90,
        "allowed_frequencies": [months(3), months(4)], "on_exhausted": "pause", "out_of_stock": "skip",
    });
    let lamps = server.plan_of("Lamp", lamps).await;
    let buyer = Person::customer_a();
    let line = json!({ "variant_id": store.lamp, "quantity": 1 });
    let path = format!("/store/carts/{cart}");
    let added = server.post(&buyer, &format!("{path}/line-items"), line).await.ok();
    let items = added["cart"]["items"].as_array().unwrap();
    let item = items.iter().find(|item| item["variant_id"] == *store.lamp).unwrap();
    let item = json!({ "item_id": item["id"], "plan_id": lamps["id"] });
    let planned = json!({ "items": [item] });
    server.post(&buyer, &format!("{path}/sync-subscription-pricing"), planned).await.ok();
    server.ship(&buyer, &store, &cart).await;
    server.keep_card(&cart, "pm_card_visa").await.ok();

    let made = server.subscribe(&cart, json!({})).await.ok();

    assert_eq!(made["subscriptions"].as_array().unwrap().len(), 1, "{made}");
    assert_eq!(made["subscriptions"][0]["items"].as_array().unwrap().len(), 2);
    let terms = server.word("select terms from subscription").await;
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&terms).unwrap(),
        json!({
            "min_cycles": 3, "max_cycles": 9, "allowed_frequencies": [months(3)], "cutoff_hours": 24,
            "max_skips": 3, "max_pause_days": 60, "out_of_stock": "skip", "on_exhausted": "pause",
        })
    );
    server.assert_sound().await;
}
