//! The card processor's events: their effect on sessions, payments and orders.

use serde_json::{Value, json};

use super::*;
use crate::harness::{Person, TestServer};

pub(super) const CAPTURED: &str = "payment_intent.succeeded";
const CANCELED: &str = "payment_intent.canceled";

pub(super) async fn state(server: &TestServer, paid: &Paid) -> String {
    order(server, &paid.order).await["payment_status"].as_str().expect("a status").to_owned()
}

#[tokio::test]
async fn an_authorized_payment_is_captured_and_refunded_by_events() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_authorize_only").await;
    assert_eq!(state(&server, &paid).await, "authorized");

    let applied =
        charge(&server, &intent(&paid, ("evt_1", CAPTURED), 10, paid.amount_minor)).await.ok();
    assert_eq!(applied, json!({ "received": true, "eventId": "evt_1", "action": "captured" }));
    assert_eq!(state(&server, &paid).await, "captured");

    charge(&server, &refund(&paid, "evt_2", 11, 500)).await.ok();
    assert_eq!(state(&server, &paid).await, "partially_refunded");
    charge(&server, &refund(&paid, "evt_3", 12, paid.amount_minor)).await.ok();
    assert_eq!(state(&server, &paid).await, "refunded");
    assert_eq!(server.number("select sum(amount_minor) from refund").await, paid.amount_minor);
    let row = deliveries(&server, "event=charge.refunded&limit=1").await.remove(0);
    assert_eq!((&row["status"], &row["order_id"]), (&json!("handled"), &json!(paid.order)));
    server.assert_sound().await;
}

#[tokio::test]
async fn a_hundred_times_the_same_event_is_one_capture() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_authorize_only").await;
    let event = intent(&paid, ("evt_1", CAPTURED), 10, paid.amount_minor);
    let first = charge(&server, &event).await.ok();
    assert_eq!(first["action"], "captured");
    for _ in 1..100 {
        let again = charge(&server, &event).await.ok();
        assert_eq!(
            (&again["skipped"], &again["reason"]),
            (&json!(true), &json!("already_applied"))
        );
        assert_eq!(again["sessionId"], paid.session);
    }
    let other =
        charge(&server, &intent(&paid, ("evt_2", CAPTURED), 11, paid.amount_minor)).await.ok();
    assert_eq!(other["reason"], "already_applied");
    assert_eq!(server.number("select count(*) from capture").await, 1);
    assert_eq!(server.number("select count(*) from webhook_delivery").await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_payment_captured_here_is_not_captured_again_and_a_refund_is_counted_once() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    charge(&server, &intent(&paid, ("evt_1", CAPTURED), 10, paid.amount_minor)).await.ok();
    assert_eq!(server.number("select count(*) from capture").await, 1);

    let payment = server
        .get(&Person::program(), &format!("/admin/payments?order_id={}", paid.order))
        .await
        .ok();
    let payment = payment["payments"][0]["id"].as_str().expect("a payment").to_owned();
    let path = format!("/admin/payments/{payment}/refund");
    server.post(&Person::program(), &path, json!({ "amount": 5 })).await.ok();
    let known = charge(&server, &refund(&paid, "evt_2", 11, 500)).await.ok();
    assert_eq!(known["action"], "refunded");
    assert_eq!(server.number("select sum(amount_minor) from refund").await, 500);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_cancellation_ends_payments_that_are_not_captured_and_only_those() {
    let (server, store) = signed_store().await;
    let open = order_with(&server, &store, "pm_card_authorize_only").await;
    charge(&server, &intent(&open, ("evt_1", CANCELED), 10, 0)).await.ok();
    assert_eq!(state(&server, &open).await, "canceled");
    // The money arrives nevertheless: it is valid, and staff are notified.
    charge(&server, &intent(&open, ("evt_2", CAPTURED), 9, open.amount_minor)).await.ok();
    assert_eq!(state(&server, &open).await, "captured");
    assert_eq!(events(&server, "alert.").await, ["alert.payment_captured_after_cancel"]);

    let paid = order_with(&server, &store, "pm_card_visa").await;
    charge(&server, &intent(&paid, ("evt_3", CAPTURED), 10, paid.amount_minor)).await.ok();
    let stale = charge(&server, &intent(&paid, ("evt_4", CANCELED), 9, 0)).await.ok();
    assert_eq!(stale["reason"], "stale");
    let later = charge(&server, &intent(&paid, ("evt_5", CANCELED), 99, 0)).await.ok();
    assert_eq!(later["reason"], "already_applied");
    assert_eq!(state(&server, &paid).await, "captured");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_paid_cart_whose_shopper_is_gone_becomes_an_order() {
    let (server, store) = signed_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let (session, amount_minor) = session_of(&server, &cart).await;
    let paid = Paid { order: String::new(), number: 0, session, amount_minor };
    charge(&server, &intent(&paid, ("evt_1", CAPTURED), 10, amount_minor)).await.ok();
    server.work().await;
    assert_eq!(server.number("select count(*) from orders").await, 0);

    server.clock.advance(30_000);
    server.work().await;

    assert_eq!(server.number("select count(*) from orders where status = 'pending'").await, 1);
    assert_eq!(server.number("select count(*) from capture").await, 1);
    let placed = server.complete(&visitor, &cart).await.ok();
    assert_eq!(placed["type"], "order");
    assert_eq!(server.number("select count(*) from orders").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_paid_cart_that_cannot_become_an_order_is_reported() {
    let (server, store) = signed_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.print, 10).await;
    let (session, amount_minor) = session_of(&server, &cart).await;
    let other = server.ready_cart(&visitor, &store, &store.print, 1).await;
    server.complete(&visitor, &other).await.ok();
    let paid = Paid { order: String::new(), number: 0, session, amount_minor };
    charge(&server, &intent(&paid, ("evt_1", CAPTURED), 10, amount_minor)).await.ok();
    server.clock.advance(30_000);
    server.work().await;
    assert_eq!(events(&server, "alert.").await, ["alert.payment_without_order"]);
    assert_eq!(
        server.number("select count(*) from job where kind = 'checkout.complete_paid'").await,
        0
    );
}

#[tokio::test]
async fn a_part_of_the_money_pays_no_cart() {
    let (server, store) = signed_store().await;
    let cart = server.ready_cart(&Person::visitor(), &store, &store.print, 1).await;
    let (session, amount_minor) = session_of(&server, &cart).await;
    let paid = Paid { order: String::new(), number: 0, session, amount_minor };

    let skipped = charge(&server, &intent(&paid, ("evt_1", CAPTURED), 10, 1)).await.ok();

    assert_eq!(skipped["reason"], "amount_mismatch", "{skipped:#}");
    assert_eq!(events(&server, "alert.").await, ["alert.payment_amount_mismatch"]);
    server.clock.advance(30_000);
    server.work().await;
    assert_eq!(server.number("select count(*) from orders where status <> 'draft'").await, 0);
}

#[tokio::test]
async fn events_that_are_not_for_this_payment_have_no_effect() {
    let mut settings = SIGNED.to_vec();
    settings.push("--card-processor-livemode=true");
    let (server, store) = TestServer::with_store_and(&settings).await;
    let paid = order_with(&server, &store, "pm_card_authorize_only").await;
    let live = |mut event: Value| {
        event["livemode"] = json!(true);
        event
    };
    let of_nobody = |event: &str| {
        let mut intent = live(intent(&paid, (event, CAPTURED), 10, paid.amount_minor));
        intent["data"]["object"]["metadata"] = json!({});
        intent
    };
    let captured = intent(&paid, ("evt_1", CAPTURED), 10, paid.amount_minor);
    let mut wrong_amount = live(intent(&paid, ("evt_2", CAPTURED), 10, paid.amount_minor));
    wrong_amount["data"]["object"]["amount"] = json!(1);
    let mut wrong_currency = live(intent(&paid, ("evt_3", CAPTURED), 10, paid.amount_minor));
    wrong_currency["data"]["object"]["currency"] = json!("usd");
    for (event, reason) in [
        (captured, "wrong_mode"),
        (wrong_amount, "amount_mismatch"),
        (wrong_currency, "amount_mismatch"),
        (of_nobody("evt_4"), "unknown_session"),
        (
            live(json!({ "id": "evt_5", "type": "charge.updated", "data": { "object": {} } })),
            "unhandled_type",
        ),
    ] {
        let skipped = charge(&server, &event).await.ok();
        assert_eq!((&skipped["skipped"], &skipped["reason"]), (&json!(true), &json!(reason)));
    }
    let body = "no JSON, but signed";
    let headers = processor(SECRET, now_s(&server), body);
    let skipped = deliver(&server, PROCESSOR, &headers, body.as_bytes()).await.ok();
    assert_eq!(skipped["reason"], "unreadable");
    let saved =
        live(json!({ "id": "evt_6", "type": "setup_intent.succeeded", "data": { "object": {} } }));
    assert_eq!(charge(&server, &saved).await.ok()["action"], "method_saved");
    assert_eq!(state(&server, &paid).await, "authorized");
    assert_eq!(events(&server, "alert.").await, ["alert.payment_amount_mismatch"; 2]);
}

#[tokio::test]
async fn an_intent_is_found_by_the_id_in_the_data_of_the_session() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_authorize_only").await;
    let session = paid.session.clone();
    let other = server.other_process();
    let known = other.read::<_, Error>(move |tx| {
        let sql = "select data ->> 'id' from payment_session where id = ?1";
        Ok(tx.query_row(sql, [session], |row| row.get::<_, String>(0))?)
    });
    let mut event = intent(&paid, ("evt_1", CAPTURED), 10, paid.amount_minor);
    event["data"]["object"]["id"] = json!(known.await.expect("an id"));
    event["data"]["object"]["metadata"] = json!({});
    assert_eq!(charge(&server, &event).await.ok()["action"], "captured");
    assert_eq!(state(&server, &paid).await, "captured");
}

#[tokio::test]
async fn an_event_before_its_session_waits_and_is_dead_after_three_days() {
    let (server, _store) = signed_store().await;
    let paid = Paid {
        order: String::new(),
        number: 0,
        session: "payses_01JD2Q8Z5M6T3W9XKCV4B7N0RE".to_owned(),
        amount_minor: 1_000,
    };
    let waits = charge(&server, &intent(&paid, ("evt_1", CAPTURED), 10, 1_000)).await.ok();
    assert_eq!(waits, json!({ "received": true, "error": "the payment session is not there" }));
    let failed = charge(&server, &intent(&paid, ("evt_2", "payment_intent.payment_failed"), 10, 0))
        .await
        .ok();
    assert_eq!(failed["reason"], "unknown_session");
    only_webhooks(&server).await;
    for _ in 0..80 {
        server.clock.advance(60 * 60 * 1_000);
        server.work().await;
    }
    let dead = deliveries(&server, "status=dead").await;
    assert_eq!(dead.len(), 1);
    assert_eq!(dead[0]["external_id"], "evt_1");
    assert_eq!(events(&server, "webhook.").await, ["webhook.dead"]);
}

#[tokio::test]
async fn a_dispute_is_reported_once() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    charge(&server, &intent(&paid, ("evt_1", CAPTURED), 10, paid.amount_minor)).await.ok();
    let dispute = |event: &str, kind: &str| {
        json!({ "id": event, "type": format!("charge.dispute.{kind}"), "created": 20, "data": { "object": {
            "id": "dp_1", "amount": 100, "status": "needs_response", "payment_intent": "pi_1" } } })
    };
    assert_eq!(charge(&server, &dispute("evt_2", "created")).await.ok()["action"], "disputed");
    assert_eq!(
        charge(&server, &dispute("evt_3", "updated")).await.ok()["reason"],
        "already_applied"
    );
    assert_eq!(events(&server, "payment.disputed").await.len(), 1);
    let told = server.word("select payload from event where name = 'payment.disputed'").await;
    let told: Value = serde_json::from_str(&told).expect("an event");
    let payment = server.word("select id from payment").await;
    assert_eq!((&told["id"], &told["order_id"]), (&json!(payment), &json!(paid.order)), "{told}");
    assert_eq!(
        (&told["session_id"], &told["status"]),
        (&json!(paid.session), &json!("needs_response"))
    );
}

#[tokio::test]
async fn sixteen_events_and_a_completion_at_once_make_one_order() {
    let (server, store) = signed_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let (session, amount_minor) = session_of(&server, &cart).await;
    let paid = Paid { order: String::new(), number: 0, session, amount_minor };
    let events: Vec<Value> = (0..16)
        .map(|number| intent(&paid, (&format!("evt_{}", number % 4), CAPTURED), 10, amount_minor))
        .collect();
    let charges = futures(events.iter().map(|event| charge(&server, event)));
    let (replies, placed) = tokio::join!(charges, server.complete(&visitor, &cart));
    assert!(replies.iter().all(|reply| reply.status == 200), "{replies:?}");
    assert_eq!(placed.ok()["type"], "order");
    server.clock.advance(60_000);
    server.work().await;
    assert_eq!(server.number("select count(*) from orders").await, 1);
    assert_eq!(server.number("select count(*) from capture").await, 1);
    server.assert_sound().await;
}

/// Runs calls together.
pub(super) async fn futures(
    calls: impl Iterator<Item = impl Future<Output = Reply>>,
) -> Vec<Reply> {
    let mut calls: Vec<_> = calls.map(Box::pin).collect();
    let mut replies = Vec::new();
    std::future::poll_fn(|context| {
        calls.retain_mut(|call| match call.as_mut().poll(context) {
            std::task::Poll::Ready(reply) => {
                replies.push(reply);
                false
            }
            std::task::Poll::Pending => true,
        });
        if calls.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    replies
}
