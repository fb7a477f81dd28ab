//! Plans on the lines of carts.

use serde_json::{Value, json};

use super::{PLANS, id_of};
use crate::harness::{Person, Store, TestServer, address};

/// A cart with a line of mugs, and its address.
struct Basket {
    path: String,
    line: String,
}

impl TestServer {
    async fn basket(&self, person: &Person, store: &Store, quantity: i64) -> Basket {
        let cart = self.cart_with(person, store, &store.mug, quantity).await;
        let path = format!("/store/carts/{cart}");
        let cart = self.get(person, &path).await.ok();
        let line = cart["cart"]["items"][0]["id"].as_str().expect("a line").to_owned();
        Basket { path, line }
    }

    /// Sets the plan of a basket's line.
    async fn choose(&self, person: &Person, basket: &Basket, plan: &Value) -> Value {
        let body = json!({ "items": [{ "item_id": basket.line, "plan_id": plan["id"] }] });
        self.post(person, &format!("{}/sync-subscription-pricing", basket.path), body).await.ok()
    }
}

/// Returns the plan, the price and the price without discount of the first line.
fn facts(cart: &Value) -> [Value; 3] {
    ["plan_id", "unit_price", "compare_at_unit_price"].map(|fact| cart["items"][0][fact].clone())
}

#[tokio::test]
async fn a_plan_prices_its_line_until_it_is_removed() {
    let (server, store) = TestServer::with_store().await;
    let plan = server.plan_with(&store, json!({})).await;
    let visitor = Person::visitor();
    let basket = server.basket(&visitor, &store, 2).await;
    let sync = format!("{}/sync-subscription-pricing", basket.path);

    let priced = server.choose(&visitor, &basket, &plan).await;
    assert_eq!(facts(&priced["cart"]), [plan["id"].clone(), json!(11.69), json!(12.99)]);
    assert_eq!(priced["cart"]["item_subtotal"], json!(23.38));
    assert_eq!(
        priced["changed"],
        json!([{ "item_id": basket.line, "plan_id": plan["id"], "unit_price_before": 12.99, "unit_price": 11.69 }])
    );

    let again = server.choose(&visitor, &basket, &plan).await;
    assert_eq!(again["changed"], json!([]));
    let nothing = server.post(&visitor, &sync, json!({})).await.ok();
    assert_eq!(nothing["changed"], json!([]));
    assert_eq!(facts(&nothing["cart"]), facts(&priced["cart"]));

    let body = json!({ "items": [{ "item_id": basket.line, "plan_id": null }] });
    let removed = server.post(&visitor, &sync, body).await.ok();
    assert_eq!(facts(&removed["cart"]), [Value::Null, json!(12.99), Value::Null]);
    assert_eq!(removed["changed"][0]["unit_price_before"], json!(11.69));
    server.assert_sound().await;
}

#[tokio::test]
async fn a_line_keeps_its_plan_and_price_through_every_change_of_the_cart() {
    let (server, store) = TestServer::with_store().await;
    let plan = server.plan_with(&store, json!({})).await;
    let visitor = Person::visitor();
    let basket = server.basket(&visitor, &store, 1).await;
    server.choose(&visitor, &basket, &plan).await;
    let priced = [plan["id"].clone(), json!(11.69), json!(12.99)];

    let line = format!("{}/line-items/{}", basket.path, basket.line);
    let more = server.post(&visitor, &line, json!({ "quantity": 3 })).await.ok();
    assert_eq!(facts(&more["cart"]), priced);
    let addresses = json!({ "shipping_address": address() });
    let moved = server.post(&visitor, &basket.path, addresses).await.ok();
    assert_eq!(facts(&moved["cart"]), priced);
    assert_eq!(moved["cart"]["item_tax_total"], json!(7.01), "20 % of three at 11.69");
    let once = json!({ "variant_id": store.mug, "quantity": 1 });
    let once = server.post(&visitor, &format!("{}/line-items", basket.path), once).await.ok();
    let lines = once["cart"]["items"].as_array().expect("lines");
    let plans: Vec<_> = lines.iter().map(|line| line["plan_id"].is_null()).collect();
    assert_eq!(plans, [false, true], "what is bought once is a line of its own");
    let code = json!({ "promo_codes": ["TENOFF"] });
    let off = server.post(&visitor, &format!("{}/promotions", basket.path), code).await.ok();
    assert_eq!(facts(&off["cart"]), priced, "promotions come off the price with the plan");
    assert_eq!(off["cart"]["items"][0]["adjustments"][0]["amount"], json!(3.51));
    server.assert_sound().await;
}

#[tokio::test]
async fn the_plan_comes_off_the_price_of_the_carts_own_context() {
    let (server, store) = TestServer::with_store().await;
    let amount = json!({ "discount": { "type": "amount", "value": 2, "currency_code": "gbp" } });
    let plan = server.plan_with(&store, amount).await;
    let visitor = Person::visitor();
    let basket = server.basket(&visitor, &store, 1).await;
    let priced = server.choose(&visitor, &basket, &plan).await;
    assert_eq!(facts(&priced["cart"])[1], json!(10.99));

    let price =
        json!({ "variant_id": store.mug, "currency_code": "gbp", "amount": 9, "min_quantity": 5 });
    let sale = json!({ "title": "Sale", "type": "sale", "status": "active", "prices": [price] });
    server.post(&Person::admin(), "/admin/price-lists", sale).await.ok();
    let line = format!("{}/line-items/{}", basket.path, basket.line);
    let many = server.post(&visitor, &line, json!({ "quantity": 5 })).await.ok();
    assert_eq!(facts(&many["cart"])[1..], [json!(7), json!(12.99)]);

    let abroad = json!({ "region_id": store.america });
    let abroad = server.post(&visitor, &basket.path, abroad).await.ok();
    let expected = [plan["id"].clone(), json!(12.99), Value::Null];
    assert_eq!(facts(&abroad["cart"]), expected, "pounds are not off dollars");
}

#[tokio::test]
async fn a_cart_takes_the_current_version_and_loses_a_plan_that_ends() {
    let (server, store) = TestServer::with_store().await;
    let plan = server.plan_with(&store, json!({})).await;
    let visitor = Person::visitor();
    let basket = server.basket(&visitor, &store, 1).await;
    server.choose(&visitor, &basket, &plan).await;
    let path = format!("{PLANS}/{}", id_of(&plan));
    let sync = format!("{}/sync-subscription-pricing", basket.path);

    let dearer = json!({ "discount": null });
    server.post(&Person::admin(), &path, dearer).await.ok();
    let priced = server.post(&visitor, &sync, json!({})).await.ok();
    assert_eq!(
        priced["changed"],
        json!([{ "item_id": basket.line, "plan_id": plan["id"], "unit_price_before": 11.69, "unit_price": 12.99 }])
    );
    server.delete(&Person::admin(), &path).await.ok();
    let ended = server.post(&visitor, &sync, json!({})).await.ok();
    assert_eq!(facts(&ended["cart"]), [Value::Null, json!(12.99), Value::Null]);
    assert_eq!(ended["changed"][0]["plan_id"], Value::Null);
    server.assert_sound().await;
}

#[tokio::test]
async fn impossible_plan_choices_are_refused_and_change_nothing() {
    let (server, store) = TestServer::with_store().await;
    let plan = server.plan_with(&store, json!({})).await;
    let visitor = Person::visitor();
    let basket = server.basket(&visitor, &store, 1).await;
    let sync = format!("{}/sync-subscription-pricing", basket.path);
    let lamp = json!({ "variant_id": store.lamp, "quantity": 1 });
    let cart = server.post(&visitor, &format!("{}/line-items", basket.path), lamp).await.ok();
    let lamp = cart["cart"]["items"][1]["id"].clone();
    let item = |id: &Value, plan_id: &Value| json!({ "item_id": id, "plan_id": plan_id });
    let mug = json!(basket.line);
    let unknown = json!("subplan_01JD2Q8Z5M6T3W9XKCV4B7N09Z");
    let nowhere = json!("cali_01JD2Q8Z5M6T3W9XKCV4B7N09Z");
    for (items, status, expected) in [
        (json!([item(&mug, &plan["id"]), item(&lamp, &plan["id"])]), 400, "is not a plan of"),
        (json!([item(&mug, &unknown)]), 400, "is not a plan of"),
        (json!([item(&nowhere, &plan["id"])]), 404, "was not found"),
        (json!([item(&mug, &plan["id"]), item(&mug, &Value::Null)]), 400, "twice"),
        (json!([{ "item_id": mug }]), 400, "`items.plan_id` is required"),
        (json!([{ "plan_id": plan["id"] }]), 400, "item_id"),
        (json!({}), 400, "items"),
    ] {
        let reply = server.post(&visitor, &sync, json!({ "items": items.clone() })).await;
        let refusal = reply.refused(status);
        assert!(refusal.contains(expected), "{items}: {refusal}");
    }
    let cart = server.get(&visitor, &basket.path).await.ok();
    assert_eq!(facts(&cart["cart"])[0], Value::Null, "all or none");

    let own = server.basket(&Person::customer_a(), &store, 1).await;
    let sync = format!("{}/sync-subscription-pricing", own.path);
    let body = json!({ "items": [item(&json!(own.line), &plan["id"])] });
    for person in [Person::visitor(), Person::customer_b()] {
        server.post(&person, &sync, body.clone()).await.refused(404);
    }
    server.post(&Person::customer_a(), &sync, body).await.ok();
}
