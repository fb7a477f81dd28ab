//! Swaps of subscribed products, and the resulting credit.

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

/// The lines of prorations and of the credit balance: their kind, the amount with tax, and the tax.
const LINES: &str = "select kind || ' ' || amount_minor || ' ' || tax_minor
                       from subscription_adjustment order by rowid";

/// Half a month of access, swapped for something cheaper.
async fn swapped_for_less() -> (TestServer, Store, String, Value) {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "kind": "access" })).await;
    let discount = json!({ "type": "percent", "value": 50 });
    server.plan_of("Lamp", json!({ "kind": "access", "discount": discount })).await;
    server.pass(15).await;
    let swapped = server.act(&id, "swap-product", json!({ "variant_id": store.lamp })).await.ok();
    (server, store, id, swapped)
}

#[tokio::test]
async fn a_swap_counts_from_the_next_delivery_at_todays_price_of_its_plan() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.act(&id, "swap-product", json!({ "variant_id": store.lamp })).await.refused(400);
    server.plan_of("Lamp", json!({ "kind": "access" })).await;
    server.act(&id, "swap-product", json!({ "variant_id": store.lamp })).await.refused(400);
    server.plan_of("Lamp", json!({})).await;
    let swap = json!({ "variant_id": store.lamp, "quantity": 2 });
    let item = "subitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE";
    let of_another = json!({ "variant_id": store.lamp, "item_id": item });
    assert_eq!(server.act(&id, "swap-product", of_another).await.status, 404);

    let mut preview = swap.clone();
    preview["preview"] = json!(true);
    let before = server.mine(&id).await;
    let previewed = server.act(&id, "swap-product", preview).await.ok();
    assert_eq!(server.mine(&id).await, before, "a preview writes nothing");
    let swapped = server.act(&id, "swap-product", swap).await.ok();

    assert_eq!(previewed["subscription"]["items"][0]["unit_price"], json!(14.99));
    assert_eq!(swapped["subscription"]["items"], previewed["subscription"]["items"]);
    assert_eq!(swapped["subscription"]["items"][0]["id"], before["items"][0]["id"]);
    assert_eq!(swapped["subscription"]["mrr"], json!(29.98));
    assert_eq!(swapped["proration"], json!(null));
    server.pass(31).await;
    let subscription = server.mine(&id).await;
    assert_eq!(
        subscription["cycles"][0]["total"],
        previewed["subscription"]["upcoming"][0]["total"]
    );
    server.assert_sound().await;
}

#[tokio::test]
async fn access_that_becomes_cheaper_is_credited_and_spent_by_the_next_cycle() {
    let (server, _, id, swapped) = swapped_for_less().await;

    let proration = &swapped["proration"];
    // 14.03 and 8.99 with tax, of which 7.02 and 4.50 are used up after 15 of 30 days.
    assert_eq!(proration["credit"], json!(7.01), "{swapped}");
    assert_eq!(proration["charge"], json!(4.49));
    assert_eq!(proration["net"], json!(-2.52));
    assert_eq!(swapped["subscription"]["credit_balance"], json!(2.52));
    assert_eq!(server.number("select count(*) from order_credit_line").await, 0);
    server.act(&id, "skip-next-delivery", json!({})).await.refused(400);
    server.pass(16).await;
    assert_eq!(server.mine(&id).await["credit_balance"], json!(0));
    let charged = "select total_minor - amount_minor from subscription_attempt a
                     join subscription_cycle c on c.id = a.cycle_id";
    assert_eq!(server.number(charged).await, 252);
    assert_eq!(server.number("select sum(amount_minor) from order_credit_line").await, 252);
    // Of 2.34 and 1.50 of tax, half is left.
    let lines = ["credit 701 117", "charge 449 75", "spent 252 0"];
    assert_eq!(server.words(LINES).await, lines);
    server.assert_sound().await;
}

#[tokio::test]
async fn access_that_becomes_dearer_is_charged_at_once_or_not_swapped() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "kind": "access" })).await;
    server.plan_of("Print", json!({ "kind": "access" })).await;
    server.pass(15).await;
    let swap = json!({ "variant_id": store.print });
    let mut preview = swap.clone();
    preview["preview"] = json!(true);

    let previewed = server.act(&id, "swap-product", preview).await.ok();
    let before = server.mine(&id).await;
    server.lose_card().await;
    let message = server.act(&id, "swap-product", swap.clone()).await.refused(422);
    assert!(message.contains("card_declined"), "{message}");
    assert_eq!(server.mine(&id).await["items"], before["items"], "it is not swapped");
    assert_eq!(server.mine(&id).await["status"], "active", "a refused swap is no dunning");
    server.charge_to("visa").await;
    let swapped = server.act(&id, "swap-product", swap).await.ok();

    // 30.00 and 14.03 with tax, of which half is left: 15.00 less 7.01.
    assert_eq!(swapped["proration"]["net"], json!(7.99), "{swapped}");
    assert_eq!(swapped["proration"], previewed["proration"]);
    assert_eq!(swapped["subscription"]["items"][0]["title"], "Print");
    assert_eq!(swapped["subscription"]["mrr"], json!(25));
    assert_eq!(swapped["subscription"]["credit_balance"], json!(0));
    assert_eq!(swapped["subscription"]["next_billing_at"], "2026-12-21T12:00:00.000Z");
    let paid = "select total_minor from orders where metadata like '%item_id%'
                  and status = 'pending' and payment_status = 'captured'";
    assert_eq!(server.number(paid).await, 799);
    let lines = ["payment 799 0", "credit 701 117", "charge 1500 250"];
    assert_eq!(server.words(LINES).await, lines);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_dearer_swap_takes_the_credit_balance_and_charges_the_rest() {
    let (server, store, id, _) = swapped_for_less().await;
    server.plan_of("Print", json!({ "kind": "access" })).await;
    let swap = json!({ "variant_id": store.print });

    server.lose_card().await;
    server.act(&id, "swap-product", swap.clone()).await.refused(422);
    assert_eq!(server.mine(&id).await["credit_balance"], json!(2.52));
    server.charge_to("visa").await;
    let swapped = server.act(&id, "swap-product", swap).await.ok();

    // Half of 30.00 less half of 8.99, of which the balance pays 2.52.
    assert_eq!(swapped["proration"]["net"], json!(10.51), "{swapped}");
    assert_eq!(swapped["subscription"]["credit_balance"], json!(0));
    let paid = "select total_minor from orders where metadata like '%item_id%'";
    assert_eq!(server.number(paid).await, 799);
    let lines = ["payment 799 0", "credit 449 75", "charge 1500 250"];
    assert_eq!(server.words(LINES).await.split_off(2), lines);
    server.assert_sound().await;
}

#[tokio::test]
async fn the_balance_that_has_paid_for_a_canceled_order_becomes_store_credit() {
    let (server, _, _, _) = swapped_for_less().await;
    server.pass(16).await;
    let order = server.word("select order_id from subscription_cycle where number = 2").await;

    let cancel = format!("/admin/orders/{order}/cancel");
    server.post(&Person::admin(), &cancel, json!({})).await.ok();

    assert_eq!(server.number("select balance_minor from credit_account").await, 252);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_swap_whose_charge_is_refused_leaves_an_announced_price_as_it_is() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "kind": "access" })).await;
    server.plan_of("Print", json!({ "kind": "access" })).await;
    let plan = super::text(&server.mine(&id).await["items"][0]["plan_id"]);
    let dearer = json!({ "discount": { "type": "percent", "value": 0 } });
    let admin = Person::admin();
    server.post(&admin, &format!("/admin/subscription-plans/{plan}"), dearer).await.ok();
    server.post(&admin, &format!("/admin/subscriptions/{id}/reprice"), json!({})).await.ok();
    let before = server.mine(&id).await["items"].clone();
    assert_eq!(before[0]["next_unit_price"], json!(12.99));
    server.lose_card().await;

    server.act(&id, "swap-product", json!({ "variant_id": store.print })).await.refused(422);

    assert_eq!(server.mine(&id).await["items"], before);
    server.assert_sound().await;
}

/// Half a month of access that a promotion has paid.
async fn half_a_month_for_free() -> (TestServer, Store, String) {
    let (server, store) = TestServer::for_years().await;
    let free = json!({
        "code": "FREE", "type": "standard", "status": "active",
        "application_method": { "type": "percentage", "target_type": "items", "allocation": "across", "value": 100 },
    });
    server.post(&Person::admin(), "/admin/promotions", free).await.ok();
    let cart = server.planned_cart(&store, json!({ "kind": "access" })).await;
    let codes = json!({ "promo_codes": ["FREE"] });
    let path = format!("/store/carts/{cart}/promotions");
    server.post(&Person::customer_a(), &path, codes).await.ok();
    let id = server.subscribe_cart(&cart).await;
    server.pass(15).await;
    (server, store, id)
}

#[tokio::test]
async fn a_period_that_a_promotion_has_paid_leaves_no_credit() {
    let (server, store, id) = half_a_month_for_free().await;
    let discount = json!({ "type": "percent", "value": 50 });
    server.plan_of("Lamp", json!({ "kind": "access", "discount": discount })).await;

    let swapped = server.act(&id, "swap-product", json!({ "variant_id": store.lamp })).await.ok();

    let proration = &swapped["proration"];
    assert_eq!((&proration["credit"], &proration["charge"]), (&json!(4.49), &json!(4.49)));
    assert_eq!(
        (&proration["net"], &swapped["subscription"]["credit_balance"]),
        (&json!(0), &json!(0))
    );
    server.act(&id, "cancellation", json!({ "at": "now" })).await.ok();
    assert_eq!(server.number("select count(*) from credit_account").await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_charge_is_credited_when_its_swap_is_undone_although_a_promotion_has_paid_the_period() {
    let (server, store, id) = half_a_month_for_free().await;
    server.plan_of("Print", json!({ "kind": "access" })).await;

    let there = server.act(&id, "swap-product", json!({ "variant_id": store.print })).await.ok();
    let back = server.act(&id, "swap-product", json!({ "variant_id": store.mug })).await.ok();

    assert_eq!(
        (&there["proration"]["net"], &back["proration"]["net"]),
        (&json!(7.99), &json!(-7.99))
    );
    assert_eq!(back["subscription"]["credit_balance"], json!(7.99));
    server.assert_sound().await;
}

#[tokio::test]
async fn a_planned_swap_keeps_its_price_and_the_version_of_its_plan() {
    for is_deleted in [false, true] {
        let (server, store) = TestServer::for_years().await;
        let id = server.subscribed(&store, json!({ "kind": "access" })).await;
        let discount = json!({ "type": "percent", "value": 50 });
        let plan = server.plan_of("Lamp", json!({ "kind": "access", "discount": discount })).await;
        let path = format!("/admin/subscription-plans/{}", super::text(&plan["id"]));
        let swap = json!({ "variant_id": store.lamp, "apply": "next" });
        server.act(&id, "swap-product", swap).await.ok();

        if is_deleted {
            server.delete(&Person::admin(), &path).await.ok();
        } else {
            let dearer = json!({ "discount": { "type": "percent", "value": 0 } });
            server.post(&Person::admin(), &path, dearer).await.ok();
        }
        server.pass(31).await;

        let item = &server.mine(&id).await["items"][0];
        assert_eq!((&item["title"], &item["unit_price"]), (&json!("Lamp"), &json!(7.49)));
        let versions = "select superseded_by is null from subscription_plan
                         where id = (select plan_id from subscription_item)";
        assert_eq!(server.number(versions).await, i64::from(is_deleted));
        server.assert_sound().await;
    }
}

#[tokio::test]
async fn a_swap_is_taxed_at_the_rates_of_its_product() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "kind": "access" })).await;
    let plan = server.plan_of("Print", json!({ "kind": "access" })).await;
    let admin = Person::admin();
    let britain = server.get(&admin, "/admin/tax-regions?country_code=gb").await.ok();
    let reduced = json!({
        "tax_region_id": britain["tax_regions"][0]["id"], "name": "Reduced", "code": "reduced", "rate": 10,
        "rules": [{ "reference": "product", "reference_id": plan["product_ids"][0] }],
    });
    server.post(&admin, "/admin/tax-rates", reduced).await.ok();
    server.pass(15).await;

    let swapped = server.act(&id, "swap-product", json!({ "variant_id": store.print })).await.ok();

    // 27.50 and 14.03 with tax, of which half is left: 13.75 less 7.01.
    assert_eq!(swapped["proration"]["net"], json!(6.74), "{swapped}");
    let order =
        "select total_minor || ' ' || tax_minor from orders where metadata like '%item_id%'";
    assert_eq!(server.words(order).await, ["674 61"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn credit_that_is_left_at_the_end_becomes_store_credit() {
    let (server, _, id, _) = swapped_for_less().await;

    server.act(&id, "cancellation", json!({ "at": "now" })).await.ok();

    assert_eq!(server.mine(&id).await["credit_balance"], json!(0));
    assert_eq!(server.number("select balance_minor from credit_account").await, 252);
    assert_eq!(server.events_named("subscription.canceled").await, 1);
    let kinds = server.words("select kind from mrr_movement order by rowid").await;
    assert_eq!(kinds, ["new", "contraction", "churn"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_refunded_charge_of_a_swap_is_not_given_back_once_more() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "kind": "access" })).await;
    server.plan_of("Print", json!({ "kind": "access" })).await;
    server.pass(15).await;
    server.act(&id, "swap-product", json!({ "variant_id": store.print })).await.ok();
    let payment = server.word("select id from payment order by id desc limit 1").await;
    let path = format!("/admin/payments/{payment}/refund");
    server.post(&Person::admin(), &path, json!({})).await.ok();
    assert_eq!(server.number("select max(refunded_minor) from orders").await, 799);

    let swapped = server.act(&id, "swap-product", json!({ "variant_id": store.mug })).await.ok();

    assert_eq!(swapped["proration"]["net"], json!(0), "{swapped}");
    assert_eq!(swapped["subscription"]["credit_balance"], json!(0));
    server.assert_sound().await;
}

#[tokio::test]
async fn a_refund_of_a_swap_reduces_the_credit_of_later_ones_once() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "kind": "access" })).await;
    server.plan_of("Print", json!({ "kind": "access" })).await;
    let discount = json!({ "type": "percent", "value": 50 });
    server.plan_of("Lamp", json!({ "kind": "access", "discount": discount })).await;
    server.pass(15).await;
    server.act(&id, "swap-product", json!({ "variant_id": store.print })).await.ok();
    let payment = server.word("select id from payment order by id desc limit 1").await;
    let path = format!("/admin/payments/{payment}/refund");
    server.post(&Person::admin(), &path, json!({ "amount": 3 })).await.ok();

    // Of 30.00, twice 14.03, 14.03 and 8.99 with tax, half is left: 15.00, 14.03, 7.01 and 4.49. The refund of 3.00 takes all
    // of the first credit and the rest from the second one.
    for (variant, quantity, credit, charge, balance) in [
        (&store.mug, 2, json!(14.03), json!(14.03), json!(0)),
        (&store.mug, 1, json!(12), json!(7.01), json!(4.99)),
        (&store.lamp, 1, json!(7.01), json!(4.49), json!(7.51)),
    ] {
        let swap = json!({ "variant_id": variant, "quantity": quantity });
        let mut preview = swap.clone();
        preview["preview"] = json!(true);
        let previewed = server.act(&id, "swap-product", preview).await.ok();
        let swapped = server.act(&id, "swap-product", swap).await.ok();
        assert_eq!(previewed["proration"]["net"], swapped["proration"]["net"]);
        let proration = &swapped["proration"];
        assert_eq!((&proration["credit"], &proration["charge"]), (&credit, &charge), "{swapped}");
        assert_eq!(swapped["subscription"]["credit_balance"], balance);
    }
    server.act(&id, "cancellation", json!({ "at": "now" })).await.ok();
    assert_eq!(server.number("select balance_minor from credit_account").await, 751);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_refund_of_other_goods_in_the_order_takes_no_credit_away() {
    let (server, store) = TestServer::for_years().await;
    let cart = server.planned_cart(&store, json!({ "kind": "access" })).await;
    let poster = json!({ "variant_id": store.print, "quantity": 1 });
    let path = format!("/store/carts/{cart}/line-items");
    server.post(&Person::customer_a(), &path, poster).await.ok();
    let id = server.subscribe_cart(&cart).await;
    let discount = json!({ "type": "percent", "value": 50 });
    server.plan_of("Lamp", json!({ "kind": "access", "discount": discount })).await;
    let payment = server.word("select id from payment").await;
    let path = format!("/admin/payments/{payment}/refund");
    server.post(&Person::admin(), &path, json!({ "amount": 30 })).await.ok();
    server.pass(15).await;

    let swapped = server.act(&id, "swap-product", json!({ "variant_id": store.lamp })).await.ok();

    assert_eq!(swapped["proration"]["net"], json!(-2.52), "{swapped}");
    assert_eq!(swapped["subscription"]["credit_balance"], json!(2.52));
    server.assert_sound().await;
}
