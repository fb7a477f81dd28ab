//! Refusals of renewals.

use serde_json::json;

use crate::harness::TestServer;
use crate::webhooks::{SIGNED, charge};

/// A store that follows events, and a subscription whose renewal was refused.
async fn past_due() -> (TestServer, String) {
    let (server, store) = TestServer::for_years().await;
    server.follow().await;
    let id = server.subscribed(&store, json!({})).await;
    server.lose_card().await;
    server.tell().await;
    server.pass(30).await;
    (server, id)
}

/// Saves a card of the customer, with which the unpaid cycle is tried.
async fn save_and_try(server: &TestServer, card: &str) {
    server.save_card(card).await;
    server.tell().await;
    server.clock.advance(20_000);
    server.work().await;
}

#[tokio::test]
async fn a_refused_renewal_is_tried_on_four_more_days_and_then_canceled() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.lose_card().await;

    server.pass(30).await;
    let refused = server.mine(&id).await;
    assert_eq!(refused["status"], "past_due", "{refused}");
    assert_eq!(refused["dunning"]["attempt"], 1);
    assert_eq!(refused["dunning"]["last_reason"], "card_declined");
    assert_eq!(refused["dunning"]["next_attempt_at"], "2026-12-22T12:00:00.000Z");
    assert_eq!(refused["mrr"], json!(11.69), "kept while past due");
    server.pass(7).await;

    let ended = server.mine(&id).await;
    assert_eq!(ended["status"], "canceled", "{ended}");
    assert_eq!(ended["cancellation_reason"], "payment_failed");
    assert_eq!(ended["cycles"][0]["status"], "void");
    assert_eq!(ended["cycles"][0]["attempts"], 5);
    assert_eq!(server.number("select count(*) from orders").await, 1);
    assert_eq!(server.number("select sum(change_minor) from mrr_movement").await, 0);
    assert_eq!(
        server
            .number("select coalesce(sum(quantity), 0) from reservation where deleted_at is null")
            .await,
        1
    );
    assert_eq!(server.events_named("subscription.payment_failed").await, 5);
    server.assert_sound().await;
}

#[tokio::test]
async fn another_card_pays_at_once_and_is_charged_from_then_on() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let good = server.save_card("pm_card_visa").await;
    assert_eq!(server.act(&id, "retry-payment", json!({})).await.ok()["type"], "nothing_due");
    assert_eq!(server.mine(&id).await["payment_method"]["last4"], "4242");
    server.lose_card().await;
    server.pass(31).await;

    let message = server.act(&id, "retry-payment", json!({})).await.refused(422);
    assert!(message.contains("card_declined"), "{message}");
    let retried =
        server.act(&id, "retry-payment", json!({ "payment_method_reference": good })).await.ok();

    assert_eq!(retried["type"], "paid");
    let paid = server.mine(&id).await;
    assert_eq!(
        (&paid["status"], &paid["payment_method"]["last4"]),
        (&json!("active"), &json!("4242")),
        "{paid}"
    );
    assert_eq!(paid["dunning"], json!(null));
    assert_eq!(server.events_named("subscription.payment_recovered").await, 1);
    assert_eq!(server.number("select count(*) from orders").await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_preview_of_a_payment_charges_nothing_and_writes_nothing() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let good = server.save_card("pm_card_authorize_only").await;
    let mut retry = json!({ "payment_method_reference": good, "preview": true });
    let before = server.mine(&id).await;
    assert_eq!(server.act(&id, "retry-payment", retry.clone()).await.ok()["type"], "nothing_due");
    assert_eq!(server.mine(&id).await, before);
    server.lose_card().await;
    server.pass(30).await;
    let before = server.mine(&id).await;

    let previewed = server.act(&id, "retry-payment", retry.clone()).await.ok();
    let expected = json!({ "type": "paid", "message": "The payment method would be charged" });
    assert_eq!(previewed, expected);
    assert_eq!(server.mine(&id).await, before);
    server.assert_sound().await;
    retry["preview"] = json!(false);
    assert_eq!(server.act(&id, "retry-payment", retry).await.ok()["type"], "paid");
}

#[tokio::test]
async fn a_customer_tries_five_times_a_day_at_most() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.lose_card().await;
    server.pass(30).await;

    for _ in 0..5 {
        server.act(&id, "retry-payment", json!({})).await.refused(422);
    }
    assert_eq!(server.act(&id, "retry-payment", json!({})).await.status, 429);
    assert_eq!(server.mine(&id).await["dunning"]["attempt"], 1, "the schedule takes no notice");
}

#[tokio::test]
async fn a_card_that_needs_its_holder_is_not_charged_again_without() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.need_holder().await;

    server.pass(32).await;
    let waiting = server.mine(&id).await;
    assert_eq!(waiting["dunning"]["last_reason"], "authentication_required", "{waiting}");
    assert_eq!(waiting["cycles"][0]["attempts"], 1);
    server.pass(7).await;

    assert_eq!(server.mine(&id).await["status"], "canceled");
}

#[tokio::test]
async fn another_card_that_is_refused_changes_nothing_for_the_card_that_needs_its_holder() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let declined = server.save_card("pm_card_declined").await;
    server.need_holder().await;
    server.pass(30).await;
    let action = server.mine(&id).await["dunning"]["action"].clone();
    assert_eq!(action["type"], "authenticate");

    let retry = json!({ "payment_method_reference": declined });
    server.act(&id, "retry-payment", retry).await.refused(422);
    let waiting = server.mine(&id).await;
    assert_eq!(waiting["dunning"]["last_reason"], "card_declined");
    assert_eq!(waiting["dunning"]["action"], action);
    server.pass(7).await;

    let ended = server.mine(&id).await;
    assert_eq!(ended["status"], "canceled");
    assert_eq!(ended["cycles"][0]["attempts"], 2, "its own card was charged once");
    server.assert_sound().await;
}

#[tokio::test]
async fn after_a_refusal_that_is_final_for_a_card_another_card_is_charged() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.save_card("pm_card_authorize_only").await;
    server.need_holder().await;
    server.pass(30).await;
    assert_eq!(server.mine(&id).await["dunning"]["last_reason"], "authentication_required");
    server.charge_to("authorize_only").await;

    server.pass(1).await;

    let paid = server.mine(&id).await;
    assert_eq!((&paid["status"], &paid["dunning"]), (&json!("active"), &json!(null)), "{paid}");
    assert_eq!(paid["cycles"][0]["attempts"], 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_card_that_was_updated_since_its_final_refusal_is_charged_once_more() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.need_holder().await;
    server.pass(30).await;
    assert_eq!(server.mine(&id).await["cycles"][0]["attempts"], 1);
    server.sql("update payment_method set updated_at = (select max(requested_at) from subscription_attempt)").await;
    server.pass(1).await;
    assert_eq!(server.mine(&id).await["cycles"][0]["attempts"], 1);

    server.sql("update payment_method set updated_at = 1 + (select max(requested_at) from subscription_attempt)").await;
    server.pass(2).await;
    assert_eq!(server.mine(&id).await["cycles"][0]["attempts"], 2);
    server.pass(7).await;

    let ended = server.mine(&id).await;
    assert_eq!(
        (&ended["status"], &ended["cycles"][0]["attempts"]),
        (&json!("canceled"), &json!(2))
    );
    server.assert_sound().await;
}

#[tokio::test]
async fn the_plan_determines_what_follows_the_last_failed_attempt() {
    for (policy, status, cycle, mrr) in
        [("pause", "paused", "void", json!(0)), ("keep", "past_due", "unpaid", json!(11.69))]
    {
        let (server, store) = TestServer::for_years().await;
        let id = server.subscribed(&store, json!({ "on_exhausted": policy })).await;
        server.lose_card().await;
        server.pass(40).await;
        let last = server.mine(&id).await;
        assert_eq!(last["status"], status, "{policy}");
        assert_eq!((&last["cycles"][0]["status"], &last["mrr"]), (&json!(cycle), &mrr), "{policy}");
        server.assert_sound().await;
    }
}

#[tokio::test]
async fn a_card_that_its_processor_updates_is_tried_at_once() {
    let (server, store) = TestServer::with_store_and(&SIGNED).await;
    server.only_renews().await;
    let id = server.subscribed(&store, json!({})).await;
    server.lose_card().await;
    server.pass(30).await;
    assert_eq!(server.mine(&id).await["cycles"][0]["attempts"], 1);
    let card = json!({ "brand": "visa", "last4": "0002", "exp_month": 5, "exp_year": 2031 });
    let reference =
        server.word("select reference from payment_method where reference like '%declined'");
    let event = json!({
        "id": "evt_card", "type": "payment_method.automatically_updated", "created": 1, "livemode": false,
        "data": { "object": { "id": reference.await, "card": card } },
    });

    charge(&server, &event).await.ok();
    server.work().await;
    server.clock.advance(20_000);
    server.work().await;

    let tried = server.mine(&id).await;
    assert_eq!(tried["cycles"][0]["attempts"], 2, "{tried}");
    assert_eq!(tried["payment_method"]["exp_year"], 2031);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_card_that_the_customer_saves_is_tried_at_once_and_is_charged_from_then_on() {
    let (server, id) = past_due().await;
    assert_eq!(server.mine(&id).await["dunning"]["attempt"], 1);

    save_and_try(&server, "pm_card_authorize_only").await;

    let paid = server.mine(&id).await;
    assert_eq!((&paid["status"], &paid["dunning"]), (&json!("active"), &json!(null)), "{paid}");
    assert_eq!(paid["payment_method"]["last4"], "0077");
    assert_eq!(paid["cycles"][0]["attempts"], 2);
    assert_eq!(server.events_named("subscription.payment_recovered").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_pause_voids_the_unpaid_cycle_for_good() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.lose_card().await;
    server.pass(30).await;
    assert_eq!(server.mine(&id).await["status"], "past_due");

    server.act(&id, "pause", json!({})).await.ok();
    server.pass(8).await;

    let paused = server.mine(&id).await;
    assert_eq!((&paused["status"], &paused["dunning"]), (&json!("paused"), &json!(null)));
    assert_eq!(paused["cycles"][0]["status"], "void", "{paused}");
    assert_eq!(
        server.number("select count(*) from subscription_attempt where cycle_id is not null").await,
        1
    );
    server.assert_sound().await;
}

#[tokio::test]
async fn deliveries_missed_while_unpaid_are_skipped_and_access_is_billed_for_each_period() {
    for (kind, third) in [("delivery", "3 skipped unpaid"), ("access", "3 paid ")] {
        let (server, store) = TestServer::for_years().await;
        let plan = json!({ "kind": kind, "on_exhausted": "keep" });
        let id = server.subscribed(&store, plan).await;
        let good = server.save_card("pm_card_authorize_only").await;
        server.lose_card().await;
        server.pass(30).await;
        server.jump(45).await;
        assert_eq!(server.mine(&id).await["status"], "past_due", "{kind}");

        let retry = json!({ "payment_method_reference": good });
        assert_eq!(server.act(&id, "retry-payment", retry).await.ok()["type"], "paid");
        server.pass(1).await;

        let cycles = "select number || ' ' || status || ' ' || coalesce(skip_reason, '')
                        from subscription_cycle order by number";
        assert_eq!(server.words(cycles).await, ["1 paid ", "2 paid ", third]);
        let paid = server.mine(&id).await;
        assert_eq!((&paid["status"], &paid["mrr"]), (&json!("active"), &json!(11.69)), "{kind}");
        assert_eq!(paid["next_billing_at"], "2027-02-21T12:00:00.000Z");
        server.assert_sound().await;
    }
}

#[tokio::test]
async fn store_credit_comes_back_while_the_card_for_the_rest_is_refused() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let good = server.save_card("pm_card_visa").await;
    server.give_credit(&id, 2).await;
    server.lose_card().await;

    server.pass(30).await;

    assert_eq!(server.mine(&id).await["status"], "past_due");
    assert_eq!(server.number("select balance_minor from credit_account").await, 200);
    assert_eq!(server.number("select count(*) from credit_entry").await, 3, "in, out and back");
    let retry = json!({ "payment_method_reference": good });
    assert_eq!(server.act(&id, "retry-payment", retry).await.ok()["type"], "paid");
    assert_eq!(server.number("select balance_minor from credit_account").await, 0);
    let credit = "select sum(amount_minor) from order_credit_line where reference = 'store-credit'";
    assert_eq!(server.number(credit).await, 200);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_unpaid_cycle_without_stock_is_skipped_and_nothing_is_due() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.lose_card().await;
    server.pass(30).await;
    assert_eq!(server.mine(&id).await["status"], "past_due");
    server.sql("update inventory_level set stocked_quantity = reserved_quantity").await;

    server.pass(10).await;

    let skipped = server.mine(&id).await;
    assert_eq!((&skipped["status"], &skipped["dunning"]), (&json!("active"), &json!(null)));
    assert_eq!(skipped["cycles"][0]["status"], "skipped", "{skipped}");
    assert_eq!(skipped["cycles"][0]["skip_reason"], "stock");
    assert_eq!(server.number("select count(*) from orders").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_retry_without_stock_is_refused_and_is_no_daily_delay() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.lose_card().await;
    server.pass(30).await;
    server.sql("update inventory_level set stocked_quantity = reserved_quantity").await;
    let before = server.mine(&id).await;

    for _ in 0..8 {
        let message = server.act(&id, "retry-payment", json!({})).await.refused(400);
        assert_eq!(message, "The goods are out of stock");
    }

    assert_eq!(before["status"], "past_due");
    assert_eq!(server.mine(&id).await, before);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_saved_card_is_tried_in_addition_to_the_days_of_the_schedule() {
    let (server, id) = past_due().await;
    let schedule = |subscription: &serde_json::Value| {
        ["attempt", "next_attempt_at"].map(|name| subscription["dunning"][name].clone())
    };
    let before = schedule(&server.mine(&id).await);
    assert_eq!(before, [json!(1), json!("2026-12-22T12:00:00.000Z")]);

    save_and_try(&server, "pm_card_requires_action").await;

    let tried = server.mine(&id).await;
    assert_eq!((schedule(&tried), &tried["cycles"][0]["attempts"]), (before.clone(), &json!(2)));
    server.sql("update inventory_level set stocked_quantity = reserved_quantity").await;
    save_and_try(&server, "pm_card_authorize_only").await;
    let waiting = server.mine(&id).await;
    assert_eq!((&waiting["status"], schedule(&waiting)), (&json!("past_due"), before));
    assert_eq!(server.number("select max(stock_delays) from subscription_cycle").await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_pause_after_the_last_failed_attempt_ends_a_planned_cancellation() {
    let (server, store) = TestServer::for_years().await;
    let plan = json!({ "on_exhausted": "pause", "cutoff_hours": 48 });
    let id = server.subscribed(&store, plan).await;
    server.pass(29).await;
    let planned = server.act(&id, "cancellation", json!({})).await.ok();
    assert_eq!(planned["subscription"]["cancel_at"], "2027-01-21T12:00:00.000Z");
    server.lose_card().await;
    server.pass(9).await;
    assert_eq!(server.mine(&id).await["status"], "paused");

    let resumed = server.act(&id, "resume", json!({})).await.ok();

    assert_eq!(resumed["subscription"]["cancel_at"], json!(null));
    assert_eq!(resumed["subscription"]["next_billing_at"], "2027-01-21T12:00:00.000Z");
    server.assert_sound().await;
}
