//! Price lists, price preferences and unit costs.

use serde_json::json;

use super::{Shop, id};
use crate::harness::{Person, TestServer};

/// Returns the calculated and the original amount of the product's first variant.
async fn amounts(shop: &Shop, product: &str) -> (String, String) {
    let path = format!("/store/products/{product}?region_id={}", shop.region);
    let view = shop.visit(&path).await;
    let price = &view["product"]["variants"][0]["calculated_price"];
    (price["calculated_amount"].to_string(), price["original_amount"].to_string())
}

fn pair(calculated: &str, original: &str) -> (String, String) {
    (calculated.into(), original.into())
}

#[tokio::test]
async fn a_price_list_lowers_prices_while_it_is_open() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Shirt")).await;
    let (product, variant) = (id(&made, "/id"), id(&made, "/variants/0/id"));
    let price = json!({"variant_id": variant, "currency_code": "usd", "amount": 9.99});
    let list = json!({"title": "Sale", "description": "", "type": "sale", "prices": [price]});
    shop.server.post(&Person::admin(), "/admin/price-lists", list).await.refused(400);
    let list = json!({"title": "Sale", "type": "sale", "prices": [price]});
    let list = shop.manage("/admin/price-lists", list).await;
    let path = format!("/admin/price-lists/{}", id(&list, "/price_list/id"));

    assert_eq!(amounts(&shop, &product).await, pair("12.99", "12.99"));
    shop.manage(&path, json!({"status": "active"})).await;
    assert_eq!(amounts(&shop, &product).await, pair("9.99", "12.99"));
    shop.manage(&path, json!({"ends_at": "2026-01-01T00:00:00Z"})).await;
    assert_eq!(amounts(&shop, &product).await, pair("12.99", "12.99"));
    shop.manage(&path, json!({"ends_at": null, "type": "override"})).await;
    assert_eq!(amounts(&shop, &product).await, pair("9.99", "9.99"));
    let bad = json!({"starts_at": "2026-02-01T00:00:00Z", "ends_at": "2026-01-01T00:00:00Z"});
    shop.server.post(&Person::admin(), &path, bad).await.refused(400);

    let price_id = id(&list, "/price_list/prices/0/id");
    let batch = json!({"update": [{"id": price_id, "variant_id": variant, "currency_code": "usd", "amount": 8}]});
    shop.server.clock.advance(1_000);
    let done = shop.manage(&format!("{path}/prices/batch"), batch.clone()).await;
    assert_eq!(done["updated"][0]["id"], json!(price_id));
    let created_at = &list["price_list"]["prices"][0]["created_at"];
    assert_eq!(done["updated"][0]["created_at"], *created_at, "it is the same price");
    assert_eq!(amounts(&shop, &product).await, pair("8", "8"));
    let price = batch["update"][0].clone();
    for twice in [
        json!({"update": [price, price]}),
        json!({"update": [price], "delete": [price_id]}),
        json!({"delete": [price_id, price_id]}),
    ] {
        let path = format!("{path}/prices/batch");
        let message = shop.server.post(&Person::admin(), &path, twice).await.refused(400);
        assert!(message.ends_with("is there twice"), "{message}");
    }
    shop.manage(&format!("{path}/prices/batch"), json!({"delete": [price_id]})).await;
    assert_eq!(amounts(&shop, &product).await, pair("12.99", "12.99"));
    shop.server.delete(&Person::admin(), &path).await.ok();
    shop.server.get(&Person::admin(), &path).await.refused(404);
}

#[tokio::test]
async fn a_list_has_one_price_for_a_case() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Shirt")).await;
    let variant = id(&made, "/variants/0/id");
    let price =
        |amount: i64| json!({"variant_id": variant, "currency_code": "usd", "amount": amount});
    let of_ten = json!({
        "variant_id": variant, "currency_code": "usd", "amount": 7, "min_quantity": 10,
    });
    let here = json!({
        "variant_id": variant, "currency_code": "usd", "amount": 6,
        "rules": {"region_id": shop.region},
    });
    let list = |prices| json!({"title": "Sale", "type": "sale", "prices": prices});
    let twice = list(json!([price(9), price(8)]));
    let message =
        shop.server.post(&Person::admin(), "/admin/price-lists", twice).await.refused(400);
    let expected = "Two prices in usd are for the same quantities and the same rules";
    assert!(message.ends_with(expected), "{message}");

    let made = shop.manage("/admin/price-lists", list(json!([price(9), of_ten, here]))).await;
    let batch = format!("/admin/price-lists/{}/prices/batch", id(&made, "/price_list/id"));
    for known in [price(8), of_ten, here] {
        let more = json!({"create": [known]});
        shop.server.post(&Person::admin(), &batch, more).await.refused(400);
    }
    let prices = made["price_list"]["prices"].as_array().expect("prices");
    let plain = prices.iter().find(|price| price["amount"] == json!(9)).expect("the first");
    let replaced = json!({"create": [price(8)], "delete": [plain["id"]]});
    shop.manage(&batch, replaced).await;
}

#[tokio::test]
async fn a_preference_says_that_tax_is_inside() {
    let shop = Shop::open().await;
    let product = id(&shop.make(shop.shirt("Shirt")).await, "/id");
    let path = "/admin/price-preferences";
    let list = shop
        .server
        .get(&Person::admin(), &format!("{path}?attribute=currency_code&value=usd"))
        .await
        .ok();
    for there in list["price_preferences"].as_array().into_iter().flatten() {
        shop.server.delete(&Person::admin(), &format!("{path}/{}", id(there, "/id"))).await.ok();
    }
    let body = json!({"attribute": "currency_code", "value": "USD", "is_tax_inclusive": true});
    let made = shop.manage(path, body.clone()).await;
    assert_eq!(made["price_preference"]["value"], "usd");
    shop.server.post(&Person::admin(), path, body).await.refused(422);

    let view = shop.visit(&format!("/store/products/{product}?region_id={}", shop.region)).await;
    assert_eq!(
        view.pointer("/product/variants/0/calculated_price/is_calculated_price_tax_inclusive"),
        Some(&json!(true))
    );
    let one = format!("{path}/{}", id(&made, "/price_preference/id"));
    let changed = shop.manage(&one, json!({"is_tax_inclusive": false})).await;
    assert_eq!(changed["price_preference"]["is_tax_inclusive"], false);
    shop.server.delete(&Person::admin(), &one).await.ok();
}

#[tokio::test]
async fn a_region_shows_and_keeps_its_preference() {
    let shop = Shop::open().await;
    let (admin, path) = (Person::admin(), "/admin/price-preferences");
    let own = format!("{path}?attribute=region_id&value={}", shop.region);
    let region = format!("/admin/regions/{}", shop.region);
    let of_region = format!("{region}?fields=%2Bis_tax_inclusive");
    let preferences = shop.server.get(&admin, &own).await.ok();
    let one = format!("{path}/{}", id(&preferences, "/price_preferences/0/id"));

    shop.manage(&one, json!({"is_tax_inclusive": true})).await;
    let shown = shop.server.get(&admin, &of_region).await.ok();
    assert_eq!(shown["region"]["is_tax_inclusive"], true);
    shop.manage(&region, json!({"name": "Elsewhere"})).await;
    let preferences = shop.server.get(&admin, &own).await.ok();
    assert_eq!(preferences["price_preferences"][0]["is_tax_inclusive"], true);
    let changed = shop.manage(&region, json!({"is_tax_inclusive": false})).await;
    assert_eq!(changed["region"]["is_tax_inclusive"], false);
    let preferences = shop.server.get(&admin, &own).await.ok();
    assert_eq!(preferences["price_preferences"][0]["is_tax_inclusive"], false);

    // Without a preference of its own, that of the currency applies, also after another change.
    shop.server.delete(&admin, &one).await.ok();
    shop.manage(&region, json!({"name": "Nowhere"})).await;
    let preferences = shop.server.get(&admin, &own).await.ok();
    assert_eq!(preferences["count"], 0);
}

#[tokio::test]
async fn prices_stay_changeable_when_the_region_of_one_is_deleted() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Shirt")).await;
    let (product, variant) = (id(&made, "/id"), id(&made, "/variants/0/id"));
    let region = json!({"name": "Canada", "currency_code": "usd", "countries": ["ca"]});
    let region = id(&shop.manage("/admin/regions", region).await, "/region/id");
    let path = format!("/admin/products/{product}/variants/{variant}");
    let there = json!({"currency_code": "usd", "amount": 11, "rules": {"region_id": region}});
    let with = |amount: i64| json!({"prices": [{"currency_code": "usd", "amount": amount}, there]});
    shop.manage(&path, with(12)).await;

    shop.server.delete(&Person::admin(), &format!("/admin/regions/{region}")).await.ok();

    shop.manage(&path, with(13)).await;
    assert_eq!(amounts(&shop, &product).await, pair("13", "13"));
    let other = format!("/admin/products/{product}/variants/{}", id(&made, "/variants/1/id"));
    shop.server.post(&Person::admin(), &other, with(13)).await.refused(400);
}

#[tokio::test]
async fn a_price_of_a_list_stays_changeable_when_its_region_is_deleted() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Shirt")).await;
    let region = json!({"name": "Canada", "currency_code": "usd", "countries": ["ca"]});
    let region = id(&shop.manage("/admin/regions", region).await, "/region/id");
    let price = |amount: i64| {
        json!({
            "variant_id": id(&made, "/variants/0/id"), "currency_code": "usd", "amount": amount,
            "rules": {"region_id": region},
        })
    };
    let list = json!({"title": "Sale", "prices": [price(9)]});
    let list = shop.manage("/admin/price-lists", list).await;
    let batch = format!("/admin/price-lists/{}/prices/batch", id(&list, "/price_list/id"));

    shop.server.delete(&Person::admin(), &format!("/admin/regions/{region}")).await.ok();

    let mut changed = price(8);
    changed["id"] = list["price_list"]["prices"][0]["id"].clone();
    let done = shop.manage(&batch, json!({"update": [changed]})).await;
    assert_eq!(done["updated"][0]["amount"], 8);
    let other = json!({"title": "Other", "prices": [price(9)]});
    shop.server.post(&Person::admin(), "/admin/price-lists", other).await.refused(400);
}

#[tokio::test]
async fn the_history_of_a_cost_stays() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Shirt")).await;
    let variant =
        format!("/admin/products/{}/variants/{}", id(&made, "/id"), id(&made, "/variants/0/id"));
    let path = format!("{variant}/costs");

    shop.manage(&path, json!({"currency_code": "usd", "amount": 5, "valid_from": "2026-01-01"}))
        .await;
    let both = shop.manage(&path, json!({"currency_code": "usd", "amount": 5.25})).await;

    assert_eq!(both["count"], 2);
    assert_eq!(
        (&both["costs"][0]["amount"], &both["costs"][1]["amount"]),
        (&json!(5.25), &json!(5))
    );
    shop.server
        .post(&Person::admin(), &path, json!({"currency_code": "usd", "amount": 5.001}))
        .await
        .refused(400);
    shop.server
        .post(&Person::analyst(), &path, json!({"currency_code": "usd", "amount": 5}))
        .await
        .refused(403);
    let missing = path.replace(&id(&made, "/variants/0/id"), "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE");
    shop.server.get(&Person::admin(), &missing).await.refused(404);
    shop.server.get(&Person::admin(), &format!("{variant}?fields=unit_cost")).await.ok();
}

#[tokio::test]
async fn a_cart_id_shows_no_prices_of_its_customers_groups_and_no_region_of_anothers_cart() {
    let (server, store) = TestServer::with_store().await;
    let (admin, visitor) = (Person::admin(), Person::visitor());
    let typed = json!({ "email": "buyer@trade.example" });
    let guest = server.post(&admin, "/admin/customers", typed).await.ok();
    let account = server.get(&Person::customer_a(), "/store/customers/me").await.ok();
    let group = server.post(&admin, "/admin/customer-groups", json!({ "name": "Trade" })).await;
    let group = id(&group.ok(), "/customer_group/id");
    let members = json!({ "add": [guest["customer"]["id"], account["customer"]["id"]] });
    server.post(&admin, &format!("/admin/customer-groups/{group}/customers"), members).await.ok();
    let list = json!({ "title": "Trade", "status": "active", "type": "override",
        "rules": { "customer.groups.id": [group] },
        "prices": [{ "variant_id": store.mug, "currency_code": "usd", "amount": 5 }] });
    server.post(&admin, "/admin/price-lists", list).await.ok();
    let cart = async |person: &Person, email: &str| {
        let body = json!({ "region_id": store.america, "email": email });
        id(&server.post(person, "/store/carts", body).await.ok(), "/cart/id")
    };
    let guests = cart(&visitor, "buyer@trade.example").await;
    let accounts = cart(&Person::customer_a(), "customer-a@example.com").await;
    let path = format!("/store/products/{}?fields=*variants.calculated_price", store.mug_product);
    let shown = async |person: &Person, cart: &str| {
        let view = server.get(person, &format!("{path}&cart_id={cart}")).await;
        let price = &view.body["product"]["variants"][0]["calculated_price"];
        json!([price["currency_code"], price["calculated_amount"]])
    };

    assert_eq!(shown(&visitor, &guests).await, json!(["usd", 12.99]));
    assert_eq!(shown(&Person::customer_a(), &accounts).await, json!(["usd", 5]));
    let unknown = shown(&visitor, "cart_01JD2Q8Z5M6T3W9XKCV4B7NZZZ").await;
    assert_ne!(unknown[0], "usd");
    for stranger in [&visitor, &Person::customer_b()] {
        assert_eq!(shown(stranger, &accounts).await, unknown);
    }
    // Once the region of the cart is deleted, that of the country applies.
    server.delete(&admin, &format!("/admin/regions/{}", store.america)).await.ok();
    let there = format!("{guests}&country_code=gb");
    assert_eq!(shown(&visitor, &there).await, json!(["gbp", 12.99]));
}
