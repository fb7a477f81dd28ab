//! `/store/products/:id/subscription-offer`.

use serde_json::{Value, json};

use super::{PLANS, id_of};
use crate::harness::{Person, Store, TestServer};

fn path_of(store: &Store) -> String {
    format!("/store/products/{}/subscription-offer", store.mug_product)
}

#[tokio::test]
async fn an_offer_has_each_plan_with_the_prices_of_each_variant() {
    let (server, store) = TestServer::with_store().await;
    let path = format!("{}?region_id={}", path_of(&store), store.britain);
    let none = server.get(&Person::visitor(), &path).await.ok();
    assert_eq!(none, json!({ "subscription_offer": null }));

    let first = server.plan_with(&store, json!({ "trial_days": 7 })).await;
    let amount = json!({
        "name": "Weekly", "interval": "week", "min_cycles": 2,
        "discount": { "type": "amount", "value": 20, "currency_code": "gbp" },
        "allowed_frequencies": [{ "interval": "week", "interval_count": 2 }],
    });
    let second = server.plan_with(&store, amount).await;
    let offer = server.get(&Person::visitor(), &path).await.ok();
    let variant = |unit_price: Value, saving: Value| {
        json!([{ "variant_id": store.mug, "one_time_price": 12.99, "unit_price": unit_price, "saving": saving,
                 "currency_code": "gbp", "available": true }])
    };
    let expected = json!({ "subscription_offer": {
        "product_id": store.mug_product, "default_plan_id": first["id"],
        "plans": [
            { "id": first["id"], "name": "Monthly", "kind": "delivery", "interval": "month", "interval_count": 1,
              "allowed_frequencies": [], "discount": first["discount"], "trial_days": 7, "min_cycles": null,
              "variants": variant(json!(11.69), json!(1.3)) },
            { "id": second["id"], "name": "Weekly", "kind": "delivery", "interval": "week", "interval_count": 1,
              "allowed_frequencies": [{ "interval": "week", "interval_count": 2 }], "discount": second["discount"],
              "trial_days": 0, "min_cycles": 2, "variants": variant(json!(0), json!(12.99)) },
        ],
    } });
    assert_eq!(offer, expected);

    let abroad = format!("{}?country_code=US", path_of(&store));
    let abroad = server.get(&Person::visitor(), &abroad).await.ok();
    let abroad = &abroad["subscription_offer"]["plans"][1]["variants"][0];
    let facts = ["unit_price", "saving", "currency_code"].map(|fact| abroad[fact].clone());
    assert_eq!(facts, [json!(12.99), json!(0), json!("usd")], "pounds are not off dollars");

    server
        .post(&Person::admin(), &format!("{PLANS}/{}", id_of(&first)), json!({ "name": "New" }))
        .await
        .ok();
    server.delete(&Person::admin(), &format!("{PLANS}/{}", id_of(&second))).await.ok();
    let offer = server.get(&Person::visitor(), &path).await.ok();
    let names: Vec<_> = offer["subscription_offer"]["plans"]
        .as_array()
        .expect("plans")
        .iter()
        .map(|plan| plan["name"].clone())
        .collect();
    assert_eq!(names, ["New"], "older versions and deleted plans are not offered");
}

#[tokio::test]
async fn the_price_of_the_offer_is_that_of_the_cart() {
    let (server, store) = TestServer::with_store().await;
    let plan = server
        .plan_with(&store, json!({ "discount": { "type": "percent", "value": 33.3333 } }))
        .await;
    let price = json!({ "variant_id": store.mug, "currency_code": "gbp", "amount": 7.77 });
    let sale = json!({ "title": "Sale", "type": "sale", "status": "active", "prices": [price] });
    server.post(&Person::admin(), "/admin/price-lists", sale).await.ok();
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    let line = server.get(&visitor, &format!("/store/carts/{cart}")).await.ok();
    let items = json!([{ "item_id": line["cart"]["items"][0]["id"], "plan_id": plan["id"] }]);
    let sync = format!("/store/carts/{cart}/sync-subscription-pricing");
    let synced = server.post(&visitor, &sync, json!({ "items": items })).await.ok();
    let offer = server.get(&visitor, &format!("{}?cart_id={cart}", path_of(&store))).await.ok();
    let offered = &offer["subscription_offer"]["plans"][0]["variants"][0];
    assert_eq!(offered["unit_price"], synced["cart"]["items"][0]["unit_price"]);
    assert_eq!((&offered["unit_price"], &offered["one_time_price"]), (&json!(5.18), &json!(7.77)));
}

#[tokio::test]
async fn a_product_that_is_not_sold_here_is_unknown() {
    let (server, store) = TestServer::with_store().await;
    server.plan_with(&store, json!({})).await;
    let unknown = "/store/products/prod_01JD2Q8Z5M6T3W9XKCV4B7N09Z/subscription-offer";
    server.get(&Person::visitor(), unknown).await.refused(404);
    let path = path_of(&store);
    let elsewhere = format!("{path}?region_id=reg_01JD2Q8Z5M6T3W9XKCV4B7N09Z");
    server.get(&Person::visitor(), &elsewhere).await.refused(400);
    server.get(&Person::visitor(), &format!("{path}?country_code=1")).await.refused(400);
    let draft = json!({ "status": "draft" });
    server
        .post(&Person::admin(), &format!("/admin/products/{}", store.mug_product), draft)
        .await
        .ok();
    server
        .get(&Person::visitor(), &format!("{path}?region_id={}", store.britain))
        .await
        .refused(404);
}

#[tokio::test]
async fn out_of_stock_products_are_not_available() {
    let (server, store) = TestServer::with_store().await;
    server.plan_with(&store, json!({})).await;
    let items = server.get(&Person::admin(), "/admin/inventory-items?sku=MUG").await.ok();
    let item = items["inventory_items"][0]["id"].as_str().expect("an item").to_owned();
    let level = format!("/admin/inventory-items/{item}/location-levels/{}", store.location);
    server.post(&Person::admin(), &level, json!({ "stocked_quantity": 0 })).await.ok();
    let path = format!("{}?region_id={}", path_of(&store), store.britain);
    let available =
        |offer: &Value| offer["subscription_offer"]["plans"][0]["variants"][0]["available"].clone();
    assert_eq!(available(&server.get(&Person::visitor(), &path).await.ok()), false);
    let variant = format!("/admin/products/{}/variants/{}", store.mug_product, store.mug);
    server.post(&Person::admin(), &variant, json!({ "allow_backorder": true })).await.ok();
    assert_eq!(available(&server.get(&Person::visitor(), &path).await.ok()), true);
}
