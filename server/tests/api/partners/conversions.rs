//! Orders that partners have brought: attribution, commission, fraud, decisions.

use serde_json::{Value, json};

use super::DAY_MS;
use crate::harness::{PARTNER_ID, Person, TestServer};

#[tokio::test]
async fn an_order_earns_its_commission_and_refunds_take_it_back_to_the_cent() {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    server.offer(json!({})).await;
    let click = server.click("MOUNTAIN").await;
    // Three mugs at 12.99 with 20 % tax on top: 7.5 % of 38.97 are 2.92(275).
    let order = server.buy(&store, 3, json!({ "partner": { "click_id": click } })).await;
    server.tell().await;

    let made = server.conversion(&order).await;
    assert_eq!((&made["status"], &made["via"]), (&json!("pending"), &json!("click")));
    assert_eq!(
        (made["base"].to_string(), made["commission"].to_string()),
        ("38.97".into(), "2.92".into())
    );
    assert_eq!((&made["is_new_customer"], &made["flags"]), (&json!(true), &json!([])));
    assert!(made["paid_at"].is_string(), "the card was charged: {made:#}");
    // One mug with its tax.
    server.refund(&order, Some(json!(15.59))).await;
    server.tell().await;
    assert_eq!(server.entries().await, [292, -97]);
    assert_eq!(server.conversion(&order).await["commission"].to_string(), "1.95");
    server.refund(&order, None).await;
    server.tell().await;
    let gone = server.conversion(&order).await;
    assert_eq!((&gone["status"], &gone["reason"]), (&json!("reversed"), &json!("refunded")));
    assert_eq!(server.entries().await, [292, -97, -195]);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_order_keeps_its_rates_when_its_products_change_their_categories() {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    let admin = Person::admin();
    let kitchen = json!({ "name": "Kitchen" });
    let made = server.post(&admin, "/admin/product-categories", kitchen).await.ok();
    let kitchen = made["product_category"]["id"].as_str().expect("a category").to_owned();
    let products = format!("/admin/product-categories/{kitchen}/products");
    server.post(&admin, &products, json!({ "add": [store.mug_product] })).await.ok();
    let half = json!({ "category_id": kitchen, "commission": { "type": "percent", "value": 50 } });
    server.offer(json!({ "overrides": [half] })).await;
    let click = server.click("MOUNTAIN").await;
    let order = server.buy(&store, 3, json!({ "partner": { "click_id": click } })).await;
    server.tell().await;

    server.post(&admin, &products, json!({ "remove": [store.mug_product] })).await.ok();
    server.refund(&order, Some(json!(15.59))).await;
    server.tell().await;

    // Half of 38.97, then half of 25.98, and not 7.5 % of it.
    assert_eq!(server.entries().await, [1_949, -650]);
    server.assert_sound().await;
}

#[tokio::test]
async fn subscriber_and_report_make_one_conversion_and_a_canceled_order_earns_nothing() {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    server.offer(json!({})).await;
    let click = server.click("MOUNTAIN").await;
    let order = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
    server.report(&order).await;
    server.tell().await;
    server.report(&order).await;
    assert_eq!(server.number("select count(*) from partner_conversion").await, 1);
    assert_eq!(server.entries().await, [97]);

    let path = format!("/admin/orders/{order}/cancel");
    server.post(&Person::admin(), &path, json!({})).await.ok();
    server.tell().await;

    let gone = server.conversion(&order).await;
    assert_eq!((&gone["status"], &gone["reason"]), (&json!("reversed"), &json!("canceled")));
    assert_eq!(server.entries().await, [97, -97]);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_report_reveals_nothing_and_only_the_orders_own_stamp_counts() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({})).await;
    let click = server.click("MOUNTAIN").await;
    let plain = server
        .buy(&store, 1, json!({ "partner_click_id": "pclk_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }))
        .await;
    let stamped = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
    let forger = Person::nobody().with_header("cookie", &format!("partner_click={click}"));
    let mut answers = std::collections::BTreeSet::new();
    for order in [&plain, &stamped, &stamped, &"order_01JD2Q8Z5M6T3W9XKCV4B7NZZZ".to_owned()] {
        let body = json!({
            "order_id": order, "click_id": click, "partner_click_id": click, "total": 1_000_000, "currency": "usd",
        });
        let reply = server.post(&forger, "/track/partners/conversion", body).await;
        let mut headers: Vec<String> = reply
            .headers
            .iter()
            .filter(|(name, _)| !name.as_str().starts_with("ratelimit") && *name != "x-request-id")
            .map(|(name, value)| format!("{name}: {value:?}"))
            .collect();
        headers.sort();
        answers.insert(format!("{} {} {headers:?}", reply.status, reply.body));
    }
    assert_eq!(answers.len(), 1, "{answers:#?}");
    assert!(answers.first().is_some_and(|answer| answer.starts_with("202 {\"recorded\":true}")));
    server.drain().await;
    assert!(server.conversion(&plain).await.is_null());
    let made = server.conversion(&stamped).await;
    assert_eq!(
        (made["commission"].to_string(), &made["currency_code"]),
        ("0.97".into(), &json!("gbp"))
    );
    for body in [
        "",
        "{",
        "[]",
        "{}",
        r#"{"order_id": 1}"#,
        r#"{"order_id": "cart_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"}"#,
    ] {
        let body = body.as_bytes().to_vec();
        let reply =
            server.call(&Person::nobody(), "POST", "/track/partners/conversion", Some(body)).await;
        assert_eq!(
            (reply.status, reply.body.as_object().map(serde_json::Map::len)),
            (400, Some(1))
        );
        assert!(reply.body["message"].is_string());
    }
}

#[tokio::test]
async fn reports_are_limited_by_address() {
    let server = TestServer::with_settings(&["--conversions-per-minute=3"]).await;
    let body = json!({ "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" });
    for expected in [202, 202, 202, 429] {
        let reply =
            server.post(&Person::nobody(), "/track/partners/conversion", body.clone()).await;
        assert_eq!(reply.status, expected);
    }
}

#[tokio::test]
async fn both_ends_of_the_window_count_and_later_stamps_change_nothing() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({ "window_days": 1 })).await;
    // The cart is bought a minute later than its call.
    for (later_ms, expected) in [(DAY_MS - 60_000, true), (DAY_MS - 59_999, false)] {
        let click = server.click("MOUNTAIN").await;
        server.clock.advance(later_ms);
        let order = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
        server.report(&order).await;
        assert_eq!(server.conversion(&order).await.is_object(), expected, "{later_ms}");
    }
    let order = server.buy(&store, 1, json!({})).await;
    server.clock.advance(1);
    let click = server.click("MOUNTAIN").await;
    server.report(&order).await;
    let stamp = json!({ "metadata": { "partner_click_id": click } });
    server.post(&Person::admin(), &format!("/admin/orders/{order}"), stamp).await.ok();
    server.report(&order).await;
    // The click is later than the order.
    assert!(server.conversion(&order).await.is_null());
}

#[tokio::test]
async fn an_order_may_be_stamped_for_a_day_after_its_placement() {
    for (later_ms, expected) in [(DAY_MS, true), (DAY_MS + 1, false)] {
        let (server, store) = TestServer::with_store().await;
        server.offer(json!({})).await;
        let click = server.click("MOUNTAIN").await;
        let order = server.buy(&store, 1, json!({})).await;
        server.clock.advance(later_ms);
        let stamp = json!({ "metadata": { "partner_click_id": click } });
        server.post(&Person::admin(), &format!("/admin/orders/{order}"), stamp).await.ok();
        server.report(&order).await;
        assert_eq!(server.conversion(&order).await.is_object(), expected, "{later_ms}");
    }
}

#[tokio::test]
async fn the_first_click_or_the_code_of_a_promotion_may_bring_an_order() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({ "code": "FIRST", "attribution": "first" })).await;
    server.offer(json!({ "code": "CODE", "promo_codes": ["TENOFF"] })).await;
    let early = server.click("FIRST").await;
    server.clock.advance(31 * 60_000);
    let cookie = format!("partner_click={early}");
    let late = server.follow_link("FIRST", &[("cookie", &cookie)]).await;
    let late = late.headers["location"].to_str().expect("text").split("pclid=").nth(1);
    let late = late.expect("a click").replace("#c", "");
    assert_ne!(early, late);
    let order = server.buy(&store, 1, json!({ "partner_click_id": late })).await;
    server.report(&order).await;
    assert_eq!(server.conversion(&order).await["click_id"], early.as_str());

    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let codes = json!({ "promo_codes": ["TENOFF"] });
    server.post(&visitor, &format!("/store/carts/{cart}/promotions"), codes).await.ok();
    server.pay(&visitor, &cart, "pm_card_visa").await;
    let order = server.complete(&visitor, &cart).await.ok();
    let order = order["order"]["id"].as_str().expect("an order").to_owned();
    server.report(&order).await;
    let made = server.conversion(&order).await;
    assert_eq!((&made["via"], &made["click_id"]), (&json!("promo_code"), &Value::Null));
    // 12.99 less ten per cent.
    assert_eq!(made["base"].to_string(), "11.69");
    server.assert_sound().await;
}

#[tokio::test]
async fn the_links_of_a_deleted_partner_take_no_order_from_another_partner() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({ "attribution": "first", "promo_codes": ["TENOFF"] })).await;
    let admin = Person::admin();
    let body = json!({ "name": "Valley blog", "email": "valley@blog.example" });
    let made = server.post(&admin, "/admin/partners", body).await.ok();
    let gone = format!("/admin/partners/{}", made["partner"]["id"].as_str().expect("an id"));
    let offer = super::offer_with(&json!({ "code": "VALLEY" }));
    server.post(&admin, &format!("{gone}/offers"), offer).await.ok();
    let early = server.click("VALLEY").await;
    let cookie = format!("partner_click={early}");
    let late = server.follow_link("MOUNTAIN", &[("cookie", &cookie)]).await;
    let late = late.headers["location"].to_str().expect("text").split("pclid=").nth(1);
    let late = late.expect("a click").replace("#c", "");

    server.delete(&admin, &gone).await.ok();

    let order = server.buy(&store, 1, json!({ "partner_click_id": late })).await;
    server.report(&order).await;
    assert_eq!(server.conversion(&order).await["click_id"], late.as_str());

    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let path = format!("/store/carts/{cart}");
    let stamp = json!({ "metadata": { "partner_click_id": early }, "promo_codes": ["TENOFF"] });
    server.post(&visitor, &path, stamp).await.ok();
    server.pay(&visitor, &cart, "pm_card_visa").await;
    let order = server.complete(&visitor, &cart).await.ok();
    let order = order["order"]["id"].as_str().expect("an order").to_owned();
    server.report(&order).await;
    assert_eq!(server.conversion(&order).await["via"], "promo_code");
    server.assert_sound().await;
}

#[tokio::test]
async fn partners_earn_nothing_on_what_they_buy_themselves() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({})).await;
    let admin = Person::admin();
    let click = server.click("MOUNTAIN").await;
    let path = format!("/admin/partners/{PARTNER_ID}");
    server.post(&admin, &path, json!({ "email": "a.da+links@example.com" })).await.ok();
    let order = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
    server.report(&order).await;
    let made = server.conversion(&order).await;
    assert_eq!((&made["status"], &made["reason"]), (&json!("rejected"), &json!("self_referral")));
    assert_eq!((made["commission"].to_string(), server.entries().await), ("0".into(), vec![]));
    let trail =
        server.get(&admin, "/admin/metrics/audit?entity_type=partner_conversion").await.ok();
    assert_eq!(trail["changes"][0]["action"], "reject");
    // An address of a customer who has the partner's e-mail address.
    server.sql("update customer set email = lower(email)").await;
    server.post(&admin, &path, json!({ "email": "customer-b@example.com" })).await.ok();
    server
        .post(&Person::customer_b(), "/store/customers/me/addresses", crate::harness::address())
        .await
        .ok();
    let order = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
    server.report(&order).await;
    assert_eq!(server.conversion(&order).await["reason"], "self_referral");
    // The partner's own account, with another e-mail address and another delivery address.
    server.post(&admin, &path, json!({ "email": "customer-a@example.com" })).await.ok();
    let customer = Person::customer_a();
    let cart = server.ready_cart(&customer, &store, &store.mug, 1).await;
    let stamp = json!({ "email": "friend@example.com", "metadata": { "partner_click_id": click } });
    server.post(&customer, &format!("/store/carts/{cart}"), stamp).await.ok();
    let order = server.complete(&customer, &cart).await.ok();
    let order = order["order"]["id"].as_str().expect("an order").to_owned();
    server.report(&order).await;
    assert_eq!(server.conversion(&order).await["reason"], "self_referral");
    server.assert_sound().await;
}

#[tokio::test]
async fn suspicious_conversions_wait_for_a_person_and_others_are_approved_after_the_hold() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({ "hold_days": 14, "new_customers_only": false })).await;
    let click = server.click("MOUNTAIN").await;
    let sound = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
    server.report(&sound).await;
    // Fifty clicks more within the day.
    let cookie = format!("partner_click={click}");
    for _ in 0..50 {
        server.follow_link("MOUNTAIN", &[("cookie", &cookie)]).await;
    }
    let found = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
    server.report(&found).await;
    assert_eq!(server.conversion(&found).await["flags"], json!(["many_clicks"]));

    let approve = async || {
        let other = server.other_process();
        other.write(quotient_partners::conversions::approve_due).await.expect("approvals")
    };
    server.clock.advance(14 * DAY_MS - 120_000);
    assert_eq!(approve().await, 0);
    server.clock.advance(60_000);
    assert_eq!(approve().await, 1);
    server.clock.advance(DAY_MS);
    assert_eq!(approve().await, 0);
    assert_eq!(server.conversion(&sound).await["reason"], "hold_over");
    let pending = server.conversion(&found).await;
    assert_eq!(pending["status"], "pending");

    let admin = Person::admin();
    let path = format!("/admin/partner-conversions/{}", pending["id"].as_str().expect("an id"));
    server.post(&Person::viewer(), &format!("{path}/approve"), json!({})).await.refused(403);
    let reject = json!({ "reason": "Clicked by a program." });
    let rejected = server.post(&admin, &format!("{path}/reject"), reject.clone()).await.ok();
    let rejected = &rejected["partner_conversion"];
    assert_eq!((&rejected["status"], &rejected["reason"]), (&json!("rejected"), &reject["reason"]));
    assert_eq!(rejected["decided_by"], "user_01JD2Q8Z5M6T3W9XKCV4B7N001");
    assert_eq!(server.entries().await, [97, 97, -97]);
    server.post(&admin, &format!("{path}/approve"), json!({})).await.refused(400);
    server.post(&admin, &format!("{path}/reject"), reject).await.refused(400);
    let shown = server.get(&admin, &format!("{path}?fields=%2Bclick.id")).await.ok();
    assert_eq!(shown["partner_conversion"]["click"]["id"], click.as_str());
    server.assert_sound().await;
}

#[tokio::test]
async fn only_the_first_order_of_a_customer_counts_if_the_offer_requires_it() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({ "new_customers_only": true })).await;
    for expected in [Value::Null, json!("existing_customer")] {
        let click = server.click("MOUNTAIN").await;
        let order = server.buy(&store, 1, json!({ "partner_click_id": click })).await;
        server.report(&order).await;
        assert_eq!(server.conversion(&order).await["reason"], expected);
    }
}

#[tokio::test]
async fn renewals_earn_as_their_offer_says() {
    let (server, store) = TestServer::for_years().await;
    server.sql("update job set run_at = 4102444800000 where kind <> 'subscriptions.renew'").await;
    let offer = json!({ "renewals": "first_n", "renewal_count": 2, "promo_codes": [] });
    server.offer(offer).await;
    let click = server.click("MOUNTAIN").await;
    server.clock.advance(60_000);
    let subscription = server
        .subscribed_with(&store, json!({ "name": "Monthly" }), json!({ "partner_click_id": click }))
        .await;
    assert!(subscription.starts_with("sub_"));
    server.pass(100).await;
    let earned = earned(&server).await;
    let renewal = (json!("renewal"), json!(true));
    assert_eq!(
        earned[..4],
        [(json!("click"), json!(false)), renewal.clone(), renewal, (Value::Null, Value::Null)]
    );
    server.assert_sound().await;
}

#[tokio::test]
async fn the_first_payment_after_a_trial_is_not_a_renewal() {
    let (server, store) = TestServer::for_years().await;
    server.sql("update job set run_at = 4102444800000 where kind <> 'subscriptions.renew'").await;
    server.offer(json!({ "renewals": "none" })).await;
    let click = server.click("MOUNTAIN").await;
    server.clock.advance(60_000);
    let trial = json!({ "name": "Monthly", "trial_days": 14 });
    server.subscribed_with(&store, trial, json!({ "partner_click_id": click })).await;
    server.pass(50).await;

    let earned = earned(&server).await;

    let paid = (json!("renewal"), json!(false));
    assert_eq!(earned, [(json!("click"), json!(false)), paid, (Value::Null, Value::Null)]);
    server.assert_sound().await;
}

/// Returns how each order is attributed, oldest first, and whether it is a renewal.
async fn earned(server: &TestServer) -> Vec<(Value, Value)> {
    let orders = server.get(&Person::admin(), "/admin/orders?order=created_at").await.ok();
    let orders: Vec<String> = orders["orders"]
        .as_array()
        .expect("orders")
        .iter()
        .map(|order| order["id"].as_str().expect("an id").to_owned())
        .collect();
    // Long after the window.
    let mut earned = Vec::new();
    for order in &orders {
        // A report within a day of the order, as an event would be.
        let other = server.other_process();
        let id = order.parse().expect("an id");
        other
            .write(move |tx| quotient_partners::conversions::follow(tx, &id, ("test", 0)))
            .await
            .expect("it is followed");
        let made = server.conversion(order).await;
        earned.push((made["via"].clone(), made["is_renewal"].clone()));
    }
    earned
}

#[tokio::test]
async fn a_report_that_cannot_be_followed_does_not_hold_up_the_others() {
    let (server, store) = TestServer::with_store().await;
    server.offer(json!({})).await;
    let mut orders = Vec::new();
    for _ in 0..2 {
        let click = server.click("MOUNTAIN").await;
        orders.push(server.buy(&store, 1, json!({ "partner": { "click_id": click } })).await);
    }
    // The oldest is followed first.
    let broken = format!(
        "create trigger broken before insert on partner_conversion when new.order_id = '{}'
         begin select raise(abort, 'broken'); end",
        orders[0]
    );
    server.sql(broken).await;

    for order in &orders {
        let body = json!({ "order_id": order });
        server.post(&Person::nobody(), "/track/partners/conversion", body).await;
    }
    server.drain().await;

    assert_eq!(server.conversion(&orders[0]).await, Value::Null);
    assert_eq!(server.conversion(&orders[1]).await["status"], "pending");
}
