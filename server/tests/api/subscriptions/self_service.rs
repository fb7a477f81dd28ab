//! Customers' actions on their subscriptions.

use serde_json::json;

use super::{MINE, address};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_skipped_delivery_is_not_billed_and_moves_nothing() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;

    let skipped = server.act(&id, "skip-next-delivery", json!({})).await.ok();
    assert_eq!(skipped["subscription"]["next_billing_at"], "2027-01-21T12:00:00.000Z");
    assert_eq!(skipped["subscription"]["upcoming"][0]["skipped"], true);
    let again = server.act(&id, "skip-next-delivery", json!({})).await.refused(400);
    assert!(again.contains("`cycle` 3"), "{again}");
    server.act(&id, "skip-next-delivery", json!({ "cycle": 2 })).await.ok();
    server.act(&id, "skip-next-delivery", json!({ "cycle": 3 })).await.ok();
    let undone =
        server.act(&id, "skip-next-delivery", json!({ "cycle": 3, "undo": true })).await.ok();
    assert_eq!(undone["subscription"]["next_billing_at"], "2027-01-21T12:00:00.000Z");
    server.act(&id, "skip-next-delivery", json!({ "cycle": 4 })).await.ok();
    server.act(&id, "skip-next-delivery", json!({ "cycle": 2, "undo": true })).await.ok();
    // Without a number, the first one is skipped.
    let undone = server.act(&id, "skip-next-delivery", json!({ "undo": true })).await.ok();
    assert_eq!(undone["subscription"]["next_billing_at"], "2026-12-21T12:00:00.000Z");
    assert_eq!(undone["subscription"]["upcoming"][2]["skipped"], false);
    server.act(&id, "skip-next-delivery", json!({})).await.ok();
    server.pass(61).await;

    assert_eq!(server.number("select count(*) from orders").await, 2);
    assert_eq!(server.mine(&id).await["next_billing_at"], "2027-02-21T12:00:00.000Z");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_pause_stops_billing_and_revenue_until_its_day() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "max_pause_days": 60 })).await;
    for day in ["2026-11-21", "2027-01-21", "2027-02-01"] {
        let refused = server.act(&id, "pause", json!({ "resume_at": day })).await.refused(400);
        assert!(refused.contains("60 days"), "{day}: {refused}");
    }

    // The last allowed day, and then an earlier one; without a day it stays unchanged.
    server.act(&id, "pause", json!({ "resume_at": "2027-01-20" })).await.ok();
    server.act(&id, "pause", json!({ "resume_at": "2027-01-05" })).await.ok();
    let paused = server.act(&id, "pause", json!({})).await.ok();
    assert_eq!(paused["subscription"]["resume_at"], "2027-01-05T12:00:00.000Z");
    let told =
        "select payload ->> 'resume_at' from event where name = 'subscription.paused' order by seq";
    let told = server.words(told).await;
    assert_eq!(told, ["2027-01-20T12:00:00.000Z", "2027-01-05T12:00:00.000Z"]);
    assert_eq!(paused["subscription"]["status"], "paused");
    assert_eq!(paused["subscription"]["mrr"], json!(0));
    assert_eq!(paused["subscription"]["next_billing_at"], json!(null));
    server.pass(40).await;
    assert_eq!(server.mine(&id).await["status"], "paused");
    assert_eq!(server.number("select count(*) from orders").await, 1);
    server.pass(6).await;

    let resumed = server.mine(&id).await;
    assert_eq!((&resumed["status"], &resumed["mrr"]), (&json!("active"), &json!(11.69)));
    assert_eq!(resumed["next_billing_at"], "2027-01-21T12:00:00.000Z");
    let kinds = server.words("select kind from mrr_movement order by created_at, id").await;
    assert_eq!(kinds, ["new", "pause", "resume"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_pause_without_an_end_is_canceled_after_its_longest_and_resumed_now_it_is_billed_now() {
    let (server, store) = TestServer::for_years().await;
    let long = server.subscribed(&store, json!({ "max_pause_days": 30 })).await;
    let short = server.subscribed(&store, json!({ "name": "Other" })).await;
    server.act(&long, "pause", json!({})).await.ok();
    server.act(&short, "pause", json!({})).await.ok();
    server.pass(20).await;

    let resumed = server.act(&short, "resume", json!({ "from": "now" })).await.ok();

    assert_eq!(resumed["subscription"]["current_period_start"], "2026-12-11T12:00:00.000Z");
    assert_eq!(resumed["subscription"]["next_billing_at"], "2027-01-11T12:00:00.000Z");
    assert_eq!(server.number("select count(*) from orders").await, 3);
    server.pass(11).await;
    let ended = server.mine(&long).await;
    assert_eq!(
        (&ended["status"], &ended["cancellation_reason"]),
        (&json!("canceled"), &json!("paused_too_long"))
    );
    server.assert_sound().await;
}

#[tokio::test]
async fn a_cancellation_is_planned_taken_back_and_made_at_the_end_of_the_period() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let body = json!({ "reason": "too_much", "comment": "The cupboard is full" });

    let planned = server.act(&id, "cancellation", body.clone()).await.ok();
    assert_eq!(planned["subscription"]["cancel_at"], "2026-12-21T12:00:00.000Z");
    assert_eq!(planned["subscription"]["next_billing_at"], json!(null));
    assert_eq!(planned["subscription"]["upcoming"], json!([]));
    server.act(&id, "cancellation", body.clone()).await.ok();
    let comment = "select cancellation_comment from subscription";
    assert_eq!(server.word(comment).await, "The cupboard is full");
    let undone = server.act(&id, "cancellation", json!({ "undo": true })).await.ok();
    assert_eq!(undone["subscription"]["cancel_at"], json!(null));
    server.act(&id, "cancellation", json!({ "undo": true })).await.refused(400);
    server.act(&id, "cancellation", body).await.ok();
    server.pass(31).await;

    let ended = server.mine(&id).await;
    assert_eq!(
        (&ended["status"], &ended["cancellation_reason"]),
        (&json!("canceled"), &json!("too_much"))
    );
    assert_eq!(server.number("select count(*) from orders").await, 1);
    assert_eq!(server.act(&id, "cancellation", json!({})).await.status, 200);
    assert_eq!(server.number("select sum(change_minor) from mrr_movement").await, 0);
}

#[tokio::test]
async fn a_least_number_of_cycles_binds_the_customer_but_not_the_admin() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "min_cycles": 3 })).await;

    let early = server.act(&id, "cancellation", json!({ "at": "now" })).await.refused(400);

    assert!(early.contains("2027-01-21"), "{early}");
    server.pass(31).await;
    let early = server.act(&id, "cancellation", json!({ "at": "now" })).await.refused(400);
    assert!(early.contains("2027-01-21"), "one is missing: {early}");
    let path = format!("/admin/subscriptions/{id}/cancellation");
    let ended = server.post(&Person::admin(), &path, json!({ "at": "now" })).await.ok();
    assert_eq!(ended["subscription"]["status"], "canceled");
}

#[tokio::test]
async fn access_is_paused_from_the_end_of_what_is_paid() {
    let (server, store) = TestServer::for_years().await;
    let plan = json!({ "kind": "access", "max_pause_days": 30 });
    let id = server.subscribed(&store, plan).await;
    server.pass(10).await;

    let paused = server.act(&id, "pause", json!({})).await.ok();

    assert_eq!(paused["subscription"]["paused_at"], "2026-12-21T12:00:00.000Z");
    server.act(&id, "pause", json!({ "resume_at": "2027-01-21" })).await.refused(400);
    server.pass(49).await;
    assert_eq!(server.mine(&id).await["status"], "paused");
    server.pass(1).await;
    assert_eq!(server.mine(&id).await["cancellation_reason"], "paused_too_long");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_new_frequency_keeps_the_next_date_and_the_anchors_day() {
    let (server, store) = TestServer::for_years().await;
    let frequencies = json!([{ "interval": "month", "interval_count": 2 }]);
    let id = server.subscribed(&store, json!({ "allowed_frequencies": frequencies })).await;
    server.act(&id, "change-frequency", json!({ "interval": "week" })).await.refused(400);
    server.act(&id, "change-frequency", json!({})).await.refused(400);

    let changed = server.act(&id, "change-frequency", json!({ "interval_count": 2 })).await.ok();
    let subscription = &changed["subscription"];
    assert_eq!(subscription["upcoming"][0]["at"], "2026-12-21T12:00:00.000Z");
    assert_eq!(subscription["upcoming"][1]["at"], "2027-02-21T12:00:00.000Z");
    assert_eq!(subscription["mrr"], json!(5.85));
    let moved = json!({ "next_billing_date": "2027-01-31" });
    let moved = server.act(&id, "change-frequency", moved).await.ok();

    let subscription = &moved["subscription"];
    assert_eq!(subscription["anchor"]["day"], 31);
    assert_eq!(subscription["trial_end"], json!(null));
    assert_eq!(subscription["upcoming"][0]["at"], "2027-01-31T12:00:00.000Z");
    assert_eq!(subscription["upcoming"][1]["at"], "2027-03-31T12:00:00.000Z");
    for day in ["2026-11-21", "2028-01-01", "2026-02-30", "tomorrow"] {
        let body = json!({ "next_billing_date": day });
        assert_eq!(server.act(&id, "change-frequency", body).await.status, 400, "{day}");
    }
}

#[tokio::test]
async fn a_new_frequency_bills_no_delivery_that_is_skipped() {
    let (server, store) = TestServer::for_years().await;
    let frequencies = json!([{ "interval": "month", "interval_count": 2 }]);
    let id = server.subscribed(&store, json!({ "allowed_frequencies": frequencies })).await;
    server.act(&id, "skip-next-delivery", json!({})).await.ok();
    let before = server.mine(&id).await;

    let same = server.act(&id, "change-frequency", json!({ "interval": "month" })).await.ok();
    assert_eq!(same["subscription"]["upcoming"], before["upcoming"]);
    assert_eq!(same["subscription"]["version"], before["version"]);
    let changed = server.act(&id, "change-frequency", json!({ "interval_count": 2 })).await.ok();

    let changed = &changed["subscription"];
    assert_eq!(changed["next_billing_at"], "2027-01-21T12:00:00.000Z");
    assert_eq!(changed["upcoming"][0]["at"], changed["next_billing_at"]);
    assert_eq!(changed["upcoming"][0]["skipped"], false);
    assert_eq!(changed["upcoming"][1]["at"], "2027-03-21T12:00:00.000Z");
    server.jump(60).await;
    assert_eq!(server.number("select count(*) from orders").await, 1);
    server.jump(1).await;
    assert_eq!(server.number("select count(*) from orders").await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn the_next_cycles_are_billed_as_shown_also_if_one_is_skipped_and_one_is_sent_elsewhere() {
    let (server, store) = TestServer::for_years().await;
    let admin = Person::admin();
    let britain = server.get(&admin, "/admin/tax-regions?country_code=gb").await.ok();
    let free = json!({
        "country_code": "gb", "province_code": "sct", "parent_id": britain["tax_regions"][0]["id"],
        "default_tax_rate": { "rate": 0, "code": "sct", "name": "None" },
    });
    server.post(&admin, "/admin/tax-regions", free).await.ok();
    let id = server.subscribed(&store, json!({})).await;
    let mut once = address("Perth", "gb");
    once["shipping_address"]["province"] = json!("sct");
    once["apply_to"] = json!("next");
    server.act(&id, "change-address", once).await.ok();

    let shown = server.act(&id, "skip-next-delivery", json!({})).await.ok();

    let shown = &shown["subscription"];
    let total = |place: usize| shown["upcoming"][place]["total"].clone();
    assert_eq!((total(0), total(1)), (json!(0), shown["totals"]["total"].clone()));
    assert_eq!((total(1), total(2), total(3)), (json!(21.64), json!(25.97), json!(25.97)));
    server.jump(61).await;
    server.jump(31).await;
    let billed = server.mine(&id).await;
    let billed = |place: usize| billed["cycles"][place]["total"].clone();
    assert_eq!((billed(1), billed(0)), (total(1), total(2)));
    server.assert_sound().await;
}

#[tokio::test]
async fn parcels_go_to_another_address_once_or_always() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let mut once = address("York", "gb");
    once["apply_to"] = json!("next");

    server.act(&id, "change-address", once).await.ok();
    assert_eq!(server.mine(&id).await["shipping_address"]["city"], "London");
    server.act(&id, "change-address", address("Boston", "us")).await.refused(400);
    server.act(&id, "change-address", json!({})).await.refused(400);
    server.pass(62).await;

    let cities = "select shipping_address ->> 'city' from orders order by placed_at";
    assert_eq!(server.words(cities).await, ["London", "York", "London"]);
    server.act(&id, "change-address", address("Leeds", "gb")).await.ok();
    assert_eq!(server.mine(&id).await["shipping_address"]["city"], "Leeds");
}

#[tokio::test]
async fn changes_too_close_to_the_next_billing_are_refused() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "cutoff_hours": 48 })).await;
    server.pass(28).await;

    for (action, body) in [
        ("skip-next-delivery", json!({})),
        ("pause", json!({})),
        ("cancellation", json!({ "at": "now" })),
    ] {
        let message = server.act(&id, action, body).await.refused(400);
        assert!(message.contains("48 hours"), "{action}: {message}");
    }
    let path = format!("/admin/subscriptions/{id}/skip-next-delivery");
    server.post(&Person::admin(), &path, json!({})).await.ok();
}

#[tokio::test]
async fn a_cancellation_too_close_to_a_billing_counts_after_it() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "cutoff_hours": 720 })).await;
    server.pass(28).await;

    let canceled = server.act(&id, "cancellation", json!({})).await.ok();

    assert_eq!(canceled["subscription"]["cancel_at"], "2027-01-21T12:00:00.000Z");
    let upcoming = canceled["subscription"]["upcoming"].as_array().unwrap();
    assert_eq!((upcoming.len(), &upcoming[0]["at"]), (1, &json!("2026-12-21T12:00:00.000Z")));
    server.pass(34).await;
    assert_eq!(server.mine(&id).await["status"], "canceled");
    let paid = "select count(*) from subscription_cycle where status = 'paid'";
    assert_eq!(server.number(paid).await, 2);
}

#[tokio::test]
async fn a_cutoff_longer_than_the_interval_binds_only_the_cycles_within_it() {
    let (server, store) = TestServer::for_years().await;
    let weekly = json!({ "interval": "week", "cutoff_hours": 720 });
    let id = server.subscribed(&store, weekly).await;

    let canceled = server.act(&id, "cancellation", json!({})).await.ok();

    // The fourth week ends on 2026-12-19, within 30 days, the fifth on 2026-12-26.
    assert_eq!(canceled["subscription"]["cancel_at"], "2026-12-26T12:00:00.000Z");
}

#[tokio::test]
async fn a_skip_can_be_undone_as_long_as_the_delivery_can_be_changed() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "cutoff_hours": 48 })).await;
    server.act(&id, "skip-next-delivery", json!({})).await.ok();
    server.pass(29).await;

    let undo = json!({ "undo": true });
    let message = server.act(&id, "skip-next-delivery", undo).await.refused(400);

    assert!(message.contains("48 hours"), "{message}");
    server.act(&id, "skip-next-delivery", json!({ "cycle": 3 })).await.ok();
}

#[tokio::test]
async fn no_more_deliveries_in_a_row_are_skipped_than_the_plan_allows() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "max_skips": 2 })).await;
    server.act(&id, "skip-next-delivery", json!({ "cycle": 2 })).await.ok();
    server.act(&id, "skip-next-delivery", json!({ "cycle": 4 })).await.ok();

    server.act(&id, "skip-next-delivery", json!({ "cycle": 3 })).await.refused(400);
    server.act(&id, "skip-next-delivery", json!({ "cycle": 5 })).await.ok();
    server.act(&id, "skip-next-delivery", json!({ "cycle": 9 })).await.refused(400);
}

#[tokio::test]
async fn deliveries_skipped_before_count_in_a_row_and_sent_ones_do_not() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "max_skips": 2 })).await;
    server.act(&id, "skip-next-delivery", json!({ "cycle": 3 })).await.ok();
    server.act(&id, "skip-next-delivery", json!({ "cycle": 2 })).await.ok();
    server.act(&id, "skip-next-delivery", json!({ "cycle": 4 })).await.refused(400);
    server.pass(31).await;

    server.act(&id, "skip-next-delivery", json!({ "cycle": 4 })).await.refused(400);
    server.act(&id, "skip-next-delivery", json!({ "cycle": 5 })).await.ok();
}

#[tokio::test]
async fn an_older_state_is_refused_and_the_etag_names_the_state() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let shown = server.get(&Person::customer_a(), &format!("{MINE}/{id}")).await;
    let tag = shown.headers["etag"].to_str().unwrap().to_owned();
    let with_tag = Person::customer_a().with_header("if-match", &tag);
    let path = format!("{MINE}/{id}/pause");

    let paused = server.post(&with_tag, &path, json!({})).await;
    assert_eq!(paused.status, 200);
    assert_ne!(paused.headers["etag"].to_str().unwrap(), tag);
    assert_eq!(server.post(&with_tag, &path, json!({})).await.status, 409);
}

#[tokio::test]
async fn another_customers_subscription_is_not_found_just_as_an_unknown_one() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let unknown = "sub_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
    let other = Person::customer_b();
    for (action, body) in super::edges::ACTIONS {
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        let mut messages = Vec::new();
        for id in [&*id, unknown] {
            let reply = server.post(&other, &format!("{MINE}/{id}/{action}"), body.clone()).await;
            assert_eq!(reply.status, 404, "{action}: {reply:?}");
            messages.push(reply.body["message"].as_str().unwrap().replace(id, ""));
        }
        assert_eq!(messages[0], messages[1]);
    }
    for id in [&*id, unknown] {
        assert_eq!(server.get(&other, &format!("{MINE}/{id}")).await.status, 404);
    }
    assert_eq!(server.get(&other, MINE).await.ok()["count"], 0);
    let mine = server.get(&Person::customer_a(), &format!("{MINE}?status=active")).await.ok();
    assert_eq!((&mine["count"], &mine["subscriptions"][0]["id"]), (&json!(1), &json!(id)));
}

#[tokio::test]
async fn a_card_that_pays_for_a_subscription_is_not_detached() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let holder = server.word("select id from account_holder").await;
    let path = format!("/store/payment-methods/{holder}");
    let listed = server.get(&Person::customer_a(), &path).await.ok();
    let method = &listed["payment_methods"][0];
    assert_eq!(method["used_by"], json!([id]));
    let path = format!("{path}/{}", method["id"].as_str().unwrap());

    let message = server.delete(&Person::customer_a(), &path).await.refused(400);
    assert!(message.contains(&id), "{message}");
    let customer = server.mine(&id).await["customer_id"].clone();
    let customer = format!("/admin/customers/{}", customer.as_str().unwrap());
    let message = server.delete(&Person::admin(), &customer).await.refused(400);
    assert!(message.contains(&id), "{message}");
    server.act(&id, "cancellation", json!({ "at": "now" })).await.ok();
    assert_eq!(server.delete(&Person::customer_a(), &path).await.status, 200);
}
