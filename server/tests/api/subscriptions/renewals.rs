//! Renewals by the clock.

use serde_json::json;

use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_renewal_is_an_order_like_any_other_once_a_month() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;

    server.pass(29).await;
    assert_eq!(server.number("select count(*) from orders").await, 1);
    assert_eq!(server.events_named("subscription.upcoming").await, 1);
    server.pass(1).await;

    assert_eq!(server.number("select count(*) from orders").await, 2);
    let subscription = server.mine(&id).await;
    assert_eq!(subscription["cycle"], 2);
    assert_eq!(subscription["current_period_start"], "2026-12-21T12:00:00.000Z");
    assert_eq!(subscription["next_billing_at"], "2027-01-21T12:00:00.000Z");
    assert_eq!(subscription["cycles"][0]["status"], "paid");
    assert_eq!(subscription["cycles"][0]["total"], subscription["totals"]["total"]);
    let order = subscription["cycles"][0]["order_id"].as_str().unwrap();
    let shown = server.get(&Person::customer_a(), &format!("/store/orders/{order}")).await.ok();
    assert_eq!(shown["order"]["payment_status"], "captured", "{shown}");
    assert_eq!(shown["order"]["total"], subscription["totals"]["total"]);
    let metadata = server.word("select metadata from orders order by placed_at desc limit 1").await;
    assert!(metadata.contains(&id) && metadata.contains("\"cycle\":2"), "{metadata}");
    assert_eq!(server.events_named("subscription.renewed").await, 1);
    // The clock is set back: what has been billed stays billed, once.
    server.clock.advance(-5 * super::DAY_MS);
    server.work().await;
    server.pass(5).await;
    assert_eq!(server.number("select count(*) from orders").await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn the_groups_of_a_guests_address_change_no_renewal_and_no_price() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    let (admin, path) = (Person::admin(), format!("/admin/subscriptions/{id}"));
    let shown = server.get(&admin, &path).await.ok()["subscription"].take();
    let group = server.post(&admin, "/admin/customer-groups", json!({ "name": "Trade" })).await;
    let group = super::text(&group.ok()["customer_group"]["id"]);
    let members = json!({ "add": [shown["customer_id"]] });
    server.post(&admin, &format!("/admin/customer-groups/{group}/customers"), members).await.ok();
    let list = json!({ "title": "Trade", "status": "active", "type": "override",
        "rules": { "customer.groups.id": [group] },
        "prices": [{ "variant_id": store.mug, "currency_code": "gbp", "amount": 5 }] });
    server.post(&admin, "/admin/price-lists", list).await.ok();
    let half = json!({ "code": "TRADE", "type": "standard", "status": "active", "is_automatic": true,
        "rules": [{ "attribute": "customer.groups.id", "operator": "in", "values": [group] }],
        "application_method": { "type": "percentage", "target_type": "items", "allocation": "across", "value": 50 } });
    server.post(&admin, "/admin/promotions", half).await.ok();
    let reprice = async || {
        let repriced = server.post(&admin, &format!("{path}/reprice"), json!({})).await.ok();
        repriced["subscription"]["items"][0]["next_unit_price"].clone()
    };

    // Nobody has shown that the address of a guest is theirs.
    server.sql("update customer set has_account = 0").await;
    assert_eq!(reprice().await, json!(null));
    server.pass(30).await;
    let totals = "select cast(total_minor as text) from orders order by placed_at";
    let totals = server.words(totals).await;
    assert_eq!((totals.len(), totals.first()), (2, totals.last()));

    server.sql("update customer set has_account = 1").await;
    assert_eq!(reprice().await, json!(4.5));
}

#[tokio::test]
async fn after_an_outage_a_delivery_is_sent_once_and_access_is_billed_for_each_period() {
    let (server, store) = TestServer::for_years().await;
    server.subscribed(&store, json!({})).await;
    server.subscribed(&store, json!({ "kind": "access", "name": "Access" })).await;
    server.pass(1).await;

    server.clock.advance(95 * super::DAY_MS);
    server.work().await;

    let cycles =
        "select kind || ' ' || number || ' ' || c.status || ' ' || coalesce(skip_reason, '')
                    from subscription_cycle c join subscription s on s.id = subscription_id
                   order by kind, number";
    assert_eq!(
        server.words(cycles).await,
        [
            "access 1 paid ",
            "access 2 paid ",
            "access 3 paid ",
            "access 4 paid ",
            "delivery 1 paid ",
            "delivery 2 skipped outage",
            "delivery 3 skipped outage",
            "delivery 4 paid ",
        ]
    );
    server.assert_sound().await;
}

#[tokio::test]
async fn after_an_outage_over_the_end_of_a_trial_one_delivery_is_sent_too() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "trial_days": 14 })).await;

    server.jump(95).await;

    let cycles = "select number || ' ' || status || ' ' || coalesce(skip_reason, '')
                    from subscription_cycle order by number";
    assert_eq!(server.words(cycles).await, ["1 skipped outage", "2 skipped outage", "3 paid "]);
    let begun = server.mine(&id).await;
    assert_eq!((&begun["status"], &begun["mrr"]), (&json!("active"), &json!(11.69)), "{begun}");
    assert_eq!(begun["started_at"], "2027-02-24T12:00:00.000Z");
    assert_eq!(begun["next_billing_at"], "2027-03-05T12:00:00.000Z");
    assert_eq!(server.number("select count(*) from payment").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_out_of_stock_renewal_waits_a_week_and_is_then_skipped_without_a_charge() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.sql("update inventory_level set stocked_quantity = reserved_quantity").await;

    server.pass(31).await;
    let waiting = server.mine(&id).await;
    assert_eq!(
        (&waiting["status"], &waiting["cycles"][0]["status"]),
        (&json!("active"), &json!("unpaid")),
        "{waiting}"
    );
    server.pass(8).await;

    let skipped = server.mine(&id).await;
    assert_eq!(skipped["cycles"][0]["status"], "skipped", "{skipped}");
    assert_eq!(skipped["cycles"][0]["skip_reason"], "stock");
    assert_eq!(skipped["next_billing_at"], "2027-01-21T12:00:00.000Z");
    assert_eq!(server.number("select count(*) from orders").await, 1);
    server.sql("update inventory_level set stocked_quantity = 1000").await;
    server.pass(23).await;
    assert_eq!(server.number("select count(*) from orders").await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_plan_may_skip_an_out_of_stock_delivery_at_once() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "out_of_stock": "skip" })).await;
    server.sql("update inventory_level set stocked_quantity = reserved_quantity").await;
    server.pass(30).await;
    server.sql("update inventory_level set stocked_quantity = 1000").await;

    server.pass(8).await;

    let skipped = server.mine(&id).await;
    assert_eq!(skipped["cycles"][0]["skip_reason"], "stock", "{skipped}");
    assert_eq!(skipped["next_billing_at"], "2027-01-21T12:00:00.000Z");
    assert_eq!(server.number("select count(*) from orders").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn deliveries_that_fall_due_while_one_waits_for_stock_are_not_sent_with_it() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "interval": "week" })).await;
    server.sql("update inventory_level set stocked_quantity = reserved_quantity").await;
    server.pass(13).await;
    server.sql("update inventory_level set stocked_quantity = 1000").await;

    server.pass(1).await;

    let cycles = "select number || ' ' || status || ' ' || coalesce(skip_reason, '')
                    from subscription_cycle order by number";
    assert_eq!(server.words(cycles).await, ["1 paid ", "2 paid ", "3 skipped unpaid"]);
    assert_eq!(server.mine(&id).await["next_billing_at"], "2026-12-12T12:00:00.000Z");
    assert_eq!(server.number("select count(*) from orders").await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_renewal_of_a_discontinued_product_waits_a_week_and_is_then_skipped() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.sql("update product_variant set deleted_at = 1").await;

    server.pass(31).await;
    let waiting = server.mine(&id).await;
    assert_eq!(waiting["cycles"][0]["status"], "unpaid", "{waiting}");
    server.pass(8).await;

    let skipped = server.mine(&id).await;
    assert_eq!(skipped["status"], "active");
    assert_eq!(skipped["cycles"][0]["status"], "skipped", "{skipped}");
    assert_eq!(server.number("select count(*) from orders").await, 1);
}

#[tokio::test]
async fn store_credit_pays_before_the_card() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.give_credit(&id, 30).await;

    server.pass(31).await;
    assert_eq!(server.number("select count(*) from payment").await, 1, "nothing is charged");
    let cycle = server.mine(&id).await["cycles"][0].clone();
    assert_eq!((&cycle["status"], &cycle["attempts"]), (&json!("paid"), &json!(1)), "{cycle}");
    let order = format!("/admin/orders/{}", super::text(&cycle["order_id"]));
    let order = server.get(&Person::admin(), &order).await.ok()["order"].clone();
    assert_eq!(order["payment_status"], "captured", "{order}");
    assert_eq!(order["credit_lines"][0]["amount"], cycle["total"]);
    let asked =
        "select count(*) from subscription_attempt where status = 'paid' and amount_minor = 0";
    assert_eq!(server.number(asked).await, 1);
    server.pass(31).await;

    assert_eq!(server.number("select count(*) from orders").await, 3);
    let credit = "select sum(amount_minor) from order_credit_line where reference = 'store-credit'";
    assert_eq!(server.number(credit).await, 3_000);
    assert_eq!(server.number("select balance_minor from credit_account").await, 0);
    let charged =
        "select amount_minor from subscription_attempt order by requested_at desc limit 1";
    let total = "select total_minor from subscription_cycle order by number desc limit 1";
    let (charged, total) = (server.number(charged).await, server.number(total).await);
    assert_eq!(charged, 2 * total - 3_000);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_subscription_ends_by_itself_after_its_last_cycle() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "max_cycles": 2 })).await;
    assert_eq!(server.mine(&id).await["cycles_left"], 1);

    server.pass(31).await;
    let last = server.mine(&id).await;
    assert_eq!((&last["status"], &last["next_billing_at"]), (&json!("active"), &json!(null)));
    server.pass(31).await;

    let ended = server.mine(&id).await;
    assert_eq!(ended["status"], "expired");
    assert_eq!(ended["actions"], json!([]));
    assert_eq!(server.events_named("subscription.expired").await, 1);
    assert_eq!(server.number("select sum(change_minor) from mrr_movement").await, 0);
    assert_eq!(server.number("select count(*) from orders").await, 2);
}

#[tokio::test]
async fn a_charge_without_a_settlement_is_settled_once_after_a_restart() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.pass(31).await;
    // As after a kill between the charge and its settlement.
    server
        .sql("update subscription_cycle set status = 'billing', paid_at = null where number = 2")
        .await;
    server
        .sql(
            "update subscription_attempt set status = 'pending' where order_id in
                  (select order_id from subscription_cycle where number = 2)",
        )
        .await;
    let busy = server.act(&id, "pause", json!({})).await;
    assert_eq!(busy.status, 409, "{busy:?}");
}

#[tokio::test]
async fn after_an_outage_the_last_delivery_that_is_not_skipped_is_sent() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.act(&id, "skip-next-delivery", json!({ "cycle": 3 })).await.ok();

    server.jump(70).await;

    let cycles = "select number || ' ' || status || ' ' || coalesce(skip_reason, '')
                    from subscription_cycle order by number";
    assert_eq!(server.words(cycles).await, ["1 paid ", "2 paid ", "3 skipped customer"]);
    assert_eq!(server.mine(&id).await["next_billing_at"], "2027-02-21T12:00:00.000Z");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_skip_is_of_its_date_whether_or_not_a_pause_passes_it() {
    for days in [5, 35] {
        let (server, store) = TestServer::for_years().await;
        let id = server.subscribed(&store, json!({})).await;
        server.act(&id, "skip-next-delivery", json!({})).await.ok();
        server.act(&id, "pause", json!({})).await.ok();
        server.pass(days).await;

        let resumed = server.act(&id, "resume", json!({})).await.ok();

        let next = &resumed["subscription"]["next_billing_at"];
        assert_eq!(next, "2027-01-21T12:00:00.000Z", "after {days} days");
        server.assert_sound().await;
    }
}
