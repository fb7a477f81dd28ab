//! Subscriptions in the hands of admins.

use serde_json::json;

use crate::harness::{Person, TestServer};

const ALL: &str = "/admin/subscriptions";

#[tokio::test]
async fn admins_list_find_and_show_subscriptions() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let subscription = server.mine(&id).await;
    let (customer, plan) = (&subscription["customer_id"], &subscription["items"][0]["plan_id"]);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    for (query, count) in [
        (String::new(), 1),
        ("?status=active".to_owned(), 1),
        ("?status=paused".to_owned(), 0),
        (format!("?customer_id={}", text(customer)), 1),
        (format!("?plan_id={}", text(plan)), 1),
        ("?plan_id=subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE".to_owned(), 0),
        ("?next_billing_at[$lt]=2026-12-22".to_owned(), 1),
        ("?next_billing_at[$lt]=2026-12-20".to_owned(), 0),
    ] {
        let list = server.get(&Person::viewer(), &format!("{ALL}{query}")).await.ok();
        assert_eq!(list["count"], count, "{query}");
    }
    let shown = server.get(&Person::viewer(), &format!("{ALL}/{id}")).await.ok();
    assert_eq!(shown["subscription"]["id"], id.as_str());
    let list = server.get(&Person::viewer(), &format!("{ALL}?fields=%2Bcycles")).await.ok();
    assert_eq!(list["subscriptions"][0]["cycles"], subscription["cycles"]);
    assert_eq!(subscription["cycles"][0]["number"], 1);
    let calendar = server.get(&Person::viewer(), &format!("{ALL}/calendar")).await.ok();
    assert_eq!(
        calendar["calendar"],
        json!([
            { "date": "2026-12-21", "currency_code": "gbp", "cycles": 1, "amount": 25.97 },
            { "date": "2027-01-21", "currency_code": "gbp", "cycles": 1, "amount": 25.97 },
        ])
    );
}

#[tokio::test]
async fn the_calendar_has_each_cycle_of_90_days_that_is_billed_at_its_price_of_that_day() {
    let (server, store) = TestServer::for_years().await;
    let admin = Person::admin();
    let skipping = server.subscribed(&store, json!({ "name": "Skipped" })).await;
    server.act(&skipping, "skip-next-delivery", json!({})).await.ok();
    server.subscribed(&store, json!({ "name": "Two cycles", "max_cycles": 2 })).await;
    let ending = server.subscribed(&store, json!({ "name": "Ending" })).await;
    server.act(&ending, "cancellation", json!({})).await.ok();
    let resting = server.subscribed(&store, json!({ "name": "Resting" })).await;
    server.act(&resting, "pause", json!({})).await.ok();
    let weekly = json!({ "name": "Weekly", "interval": "week", "interval_count": 5 });
    let weekly = server.subscribed(&store, weekly).await;
    let plan = super::text(&server.mine(&weekly).await["items"][0]["plan_id"]);
    let dearer = json!({ "discount": { "type": "percent", "value": 0 } });
    server.post(&admin, &format!("/admin/subscription-plans/{plan}"), dearer).await.ok();
    let from = json!({ "at": "2027-01-30T00:00:00Z" });
    server.post(&admin, &format!("{ALL}/{weekly}/reprice"), from).await.ok();

    let shown = server.get(&admin, &format!("{ALL}/calendar")).await.ok();

    let days: Vec<_> = shown["calendar"]
        .as_array()
        .unwrap()
        .iter()
        .map(|day| {
            (
                day["date"].as_str().unwrap(),
                day["cycles"].as_i64().unwrap(),
                day["amount"].as_f64().unwrap(),
            )
        })
        .collect();
    // The weekly one is due every 35 days; the last day of the calendar is 2027-02-19.
    // With 20 % of tax, on the postage of 9.95 too.
    let (old, new) = (25.97, 27.53);
    assert_eq!(
        days,
        [
            ("2026-12-21", 1, old),
            ("2026-12-26", 1, old),
            ("2027-01-21", 1, old),
            ("2027-01-30", 1, new)
        ]
    );
}

#[tokio::test]
async fn the_days_of_the_calendar_are_those_of_the_store() {
    let (server, store) = TestServer::for_years().await;
    server.subscribed(&store, json!({})).await;
    server.write_store("gbp").await;
    server.sql("update store set time_zone = 'Pacific/Auckland'").await;

    let shown = server.get(&Person::viewer(), &format!("{ALL}/calendar")).await.ok();

    // 12:00 in UTC is 01:00 of the next day there.
    assert_eq!(shown["calendar"][0]["date"], "2026-12-22", "{shown}");
}

#[tokio::test]
async fn the_calendar_expects_what_the_next_cycles_are_billed() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let address = json!({
        "first_name": "Ada", "last_name": "Shopper", "address_1": "2 High Street", "city": "York",
        "postal_code": "YO1", "country_code": "gb",
    });
    let once = json!({ "shipping_address": address, "apply_to": "next" });
    server.act(&id, "change-address", once).await.ok();
    server.subscribed(&store, json!({ "name": "Other" })).await;
    let calendar = server.get(&Person::viewer(), &format!("{ALL}/calendar")).await.ok();

    server.pass(31).await;

    let day = &calendar["calendar"][0];
    assert_eq!((&day["date"], &day["cycles"]), (&json!("2026-12-21"), &json!(2)), "{calendar}");
    let billed = "select sum(total_minor) from subscription_cycle where number = 2";
    assert_eq!(server.number(billed).await, 5_194);
    assert_eq!(day["amount"], json!(51.94));
}

#[tokio::test]
async fn an_admin_reschedules_runs_and_voids() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let admin = Person::admin();
    let path = |action: &str| format!("{ALL}/{id}/{action}");
    let past = json!({ "at": "2026-11-01T09:00:00Z" });
    server.post(&admin, &path("reschedule"), past).await.refused(400);

    let moved = json!({ "at": "2026-11-25T09:00:00Z" });
    let moved = server.post(&admin, &path("reschedule"), moved).await.ok();
    assert_eq!(moved["subscription"]["upcoming"][1]["at"], "2026-12-25T09:00:00.000Z");
    server.lose_card().await;
    server.clock.advance(4 * super::DAY_MS);
    let run = server.post(&admin, &path("run"), json!({})).await.ok();
    assert_eq!(run["subscription"]["status"], "past_due", "{run}");
    server.post(&admin, &path("cycles/7/void"), json!({})).await.refused(400);
    let void = server.post(&admin, &path("cycles/2/void"), json!({})).await.ok();

    server.post(&admin, &path("cycles/2/void"), json!({})).await.refused(400);
    assert_eq!(void["subscription"]["status"], "active");
    assert_eq!(void["subscription"]["next_billing_at"], "2026-12-25T09:00:00.000Z");
    assert_eq!(server.mine(&id).await["cycles"][0]["status"], "void");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_delivery_missed_until_the_unpaid_cycle_is_void_is_skipped() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "on_exhausted": "keep" })).await;
    server.save_card("pm_card_authorize_only").await;
    server.lose_card().await;
    server.pass(30).await;
    server.jump(45).await;
    server.charge_to("authorize_only").await;

    let void = format!("{ALL}/{id}/cycles/2/void");
    let void = server.post(&Person::admin(), &void, json!({})).await.ok();
    server.pass(1).await;

    assert_eq!(void["subscription"]["next_billing_at"], "2027-02-21T12:00:00.000Z");
    let cycles = "select number || ' ' || status || ' ' || coalesce(skip_reason, '')
                    from subscription_cycle order by number";
    assert_eq!(server.words(cycles).await, ["1 paid ", "2 void ", "3 skipped unpaid"]);
    let told = "select (payload ->> 'status') || ' ' || (payload ->> 'cycle') || ' ' || (payload ->> 'reason')
                  from event where name = 'subscription.skipped'";
    assert_eq!(server.words(told).await, ["active 2 void"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_price_that_was_announced_is_withdrawn_if_it_is_not_todays_any_more() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let admin = Person::admin();
    let reprice = format!("{ALL}/{id}/reprice");
    let mut plan = server.mine(&id).await["items"][0]["plan_id"].clone();
    for (percent, next) in [(0, json!(12.99)), (10, json!(null)), (10, json!(null))] {
        let discount = json!({ "discount": { "type": "percent", "value": percent } });
        let path = format!("/admin/subscription-plans/{}", super::text(&plan));
        plan = server.post(&admin, &path, discount).await.ok()["subscription_plan"]["id"].clone();

        let item =
            server.post(&admin, &reprice, json!({})).await.ok()["subscription"]["items"][0].clone();

        assert_eq!((&item["unit_price"], &item["next_unit_price"]), (&json!(11.69), &next));
    }

    let told = "select payload -> '$.items[0]' from event where name = 'subscription.price_changed' order by seq";
    let told: Vec<serde_json::Value> =
        server.words(told).await.iter().map(|item| serde_json::from_str(item).unwrap()).collect();
    assert_eq!(told.len(), 2);
    assert_eq!((&told[0]["withdrawn"], &told[0]["unit_price"]), (&json!(false), &json!(12.99)));
    assert_eq!(told[1]["withdrawn"], true);
    assert_eq!(
        (&told[1]["unit_price_before"], &told[1]["unit_price"]),
        (&json!(12.99), &json!(11.69))
    );
    server.jump(31).await;
    server.jump(31).await;
    assert_eq!(server.mine(&id).await["cycles"][0]["total"], json!(25.97));
    server.assert_sound().await;
}

#[tokio::test]
async fn a_new_price_is_announced_and_counts_after_the_notice() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let admin = Person::admin();
    let reprice = format!("{ALL}/{id}/reprice");
    let plan = server.mine(&id).await["items"][0]["plan_id"].as_str().expect("a plan").to_owned();
    server.post(&admin, &reprice, json!({})).await.ok();
    assert_eq!(server.events_named("subscription.price_changed").await, 0, "the price is today's");
    let dearer = json!({ "discount": { "type": "percent", "value": 0 } });
    server.post(&admin, &format!("/admin/subscription-plans/{plan}"), dearer).await.ok();
    let soon = json!({ "at": "2026-12-01T00:00:00Z" });
    server.post(&admin, &reprice, soon).await.refused(400);

    let later = json!({ "at": "2026-12-22T00:00:00Z" });
    let repriced = server.post(&admin, &reprice, later).await.ok();

    let item = &repriced["subscription"]["items"][0];
    assert_eq!(
        (&item["unit_price"], &item["next_unit_price"]),
        (&json!(11.69), &json!(12.99)),
        "{item}"
    );
    let totals: Vec<_> =
        (0..3).map(|place| repriced["subscription"]["upcoming"][place]["total"].clone()).collect();
    assert_eq!(totals[0], json!(25.97), "due before the notice is over: {totals:?}");
    assert_eq!((&totals[1], &totals[2]), (&json!(27.53), &json!(27.53)));
    assert_eq!(server.events_named("subscription.price_changed").await, 1);
    server.pass(62).await;
    let billed = server.mine(&id).await;
    assert_eq!(
        (&billed["cycles"][1]["total"], &billed["cycles"][0]["total"]),
        (&json!(25.97), &json!(27.53)),
        "{billed}"
    );
    assert_eq!(billed["mrr"], json!(12.99));
    server.assert_sound().await;
}
