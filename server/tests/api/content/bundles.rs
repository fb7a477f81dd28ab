//! Bundles: the admin's side, what storefronts see, and their price in carts and orders.

use std::collections::BTreeMap;

use quotient_server::testing::rounds;
use serde_json::{Value, json};

use super::id_of;
use crate::harness::{Chance, Person, Store, TestServer};

pub(super) const BUNDLES: &str = "/admin/bundle-products";

/// Returns the id of the lamp's product.
async fn lamp_product(server: &TestServer) -> String {
    let list = server.get(&Person::admin(), "/admin/products?title=Lamp").await.ok();
    list["products"][0]["id"].as_str().expect("an id").to_owned()
}

/// Creates a published bundle of a mug and two lamps at 10 % off; returns it.
pub(super) async fn tea(server: &TestServer, store: &Store) -> Value {
    let body = json!({
        "title": "Tea", "handle": "tea", "status": "published", "pricing": { "type": "percent_off", "value": 10 },
        "items": [
            { "title": "Mug", "product_id": store.mug_product, "default_variant_id": store.mug },
            { "title": "Lamps", "product_id": lamp_product(server).await, "quantity": 2, "default_variant_id": store.lamp },
        ],
    });
    server.post(&Person::admin(), BUNDLES, body).await.ok()["bundle_product"].clone()
}

/// Returns an empty cart's path of bundles.
pub(super) async fn bundles_of_cart(server: &TestServer, store: &Store) -> (String, String) {
    let body = json!({ "region_id": store.britain, "email": "ada@example.com" });
    let cart = id_of(&server.post(&Person::visitor(), "/store/carts", body).await.ok(), "cart");
    let path = format!("/store/carts/{cart}/line-item-bundles");
    (cart, path)
}

/// Returns the amounts of the discounts of bundles, line by line.
fn parts(body: &Value) -> Vec<Value> {
    let lines = body["cart"]["items"].as_array().expect("lines");
    let of_line = |line: &Value| {
        let own = line["adjustments"].as_array().expect("adjustments").iter();
        own.clone()
            .find(|one| one["code"] == "BUNDLE")
            .map_or(Value::Null, |one| one["amount"].clone())
    };
    lines.iter().map(of_line).collect()
}

#[tokio::test]
async fn a_storefront_is_shown_the_slots_the_price_and_the_sets_of_a_bundle() {
    let (server, store) = TestServer::with_store().await;
    let tea = tea(&server, &store).await;
    let id = tea["id"].as_str().expect("an id");

    for name in [id, "tea"] {
        let path = format!("/store/bundle-products/{name}?region_id={}", store.britain);
        let shown = server.get(&Person::visitor(), &path).await.ok()["bundle_product"].clone();
        let price = json!({ "currency_code": "gbp", "original_amount": 42.97, "amount": 38.67, "saving": 4.3 });
        assert_eq!(shown["price"], price);
        assert_eq!(shown["available_sets"], 500);
        assert_eq!(shown["pricing"], json!({ "type": "percent_off", "value": 10, "amounts": {} }));
        assert_eq!(shown["items"][1]["quantity"], 2);
        assert_eq!(shown["items"][1]["product"]["variants"][0]["id"], json!(store.lamp));
        assert_eq!(shown["items"][1]["product"]["variants"][0]["price"], 14.99);
        assert_eq!(shown["status"], Value::Null, "an admin's field");
    }
    let path = format!("{BUNDLES}/{id}");
    let fixed = json!({ "pricing": { "type": "fixed", "amounts": { "usd": 30 } } });
    server.post(&Person::admin(), &path, fixed).await.ok();
    let show = async |region: &str| {
        let path = format!("/store/bundle-products/tea?region_id={region}");
        server.get(&Person::visitor(), &path).await.ok()["bundle_product"]["price"].clone()
    };
    assert_eq!(show(&store.britain).await, Value::Null, "not sold in pounds");
    assert_eq!(show(&store.america).await["amount"], 30);

    let elsewhere = "/store/bundle-products/tea?region_id=reg_01JD2Q8Z5M6T3W9XKCV4B7N09Z";
    server.get(&Person::visitor(), elsewhere).await.refused(400);
    server.get(&Person::nobody(), "/store/bundle-products/tea").await.refused(401);
    server.post(&Person::admin(), &path, json!({ "status": "draft" })).await.ok();
    let path = format!("/store/bundle-products/tea?region_id={}", store.britain);
    server.get(&Person::visitor(), &path).await.refused(404);
    server.get(&Person::visitor(), "/store/bundle-products/unknown").await.refused(404);
}

#[tokio::test]
async fn a_storefront_is_shown_which_variants_are_in_stock_for_a_set() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    let variant = |kind: &str, allow_backorder: bool| {
        json!({ "title": kind, "options": { "Kind": kind }, "allow_backorder": allow_backorder,
                "prices": [{ "currency_code": "gbp", "amount": 5 }] })
    };
    let cup = json!({
        "title": "Cup", "status": "published", "sales_channels": [{ "id": store.channel }],
        "options": [{ "title": "Kind", "values": ["One", "Two"] }],
        "variants": [variant("One", false), variant("Two", true)],
    });
    let cup = server.post(&admin, "/admin/products", cup).await.ok()["product"].clone();
    let lamps =
        json!({ "title": "Lamps", "product_id": lamp_product(&server).await, "quantity": 2 });
    let set = json!({
        "title": "Set", "handle": "set", "status": "published", "pricing": { "type": "sum" },
        "items": [{ "title": "Cup", "product_id": cup["id"], "default_variant_id": cup["variants"][1]["id"] }, lamps],
    });
    server.post(&admin, BUNDLES, set).await.ok();
    let items = server.get(&admin, "/admin/inventory-items?sku=LAMP").await.ok();
    let lamp = items["inventory_items"][0]["id"].as_str().expect("an id");
    let level = format!("/admin/inventory-items/{lamp}/location-levels/{}", store.location);

    for (pieces, sets, is_available) in [(2, 1, true), (1, 0, false)] {
        server.post(&admin, &level, json!({ "stocked_quantity": pieces })).await.ok();
        let path = format!("/store/bundle-products/set?region_id={}", store.britain);
        let shown = server.get(&Person::visitor(), &path).await.ok()["bundle_product"].clone();
        assert_eq!(shown["available_sets"], sets, "{pieces} lamps");
        assert_eq!(shown["items"][0]["default_variant_id"], cup["variants"][1]["id"]);
        let available = |slot: usize, variant: usize| {
            shown["items"][slot]["product"]["variants"][variant]["available"].clone()
        };
        let of_cup = [available(0, 0), available(0, 1)];
        assert_eq!(of_cup, [json!(false), json!(true)], "the second is sold without stock");
        assert_eq!(available(1, 0), is_available);
    }
}

#[tokio::test]
async fn impossible_bundles_are_refused() {
    let (server, store) = TestServer::with_store().await;
    let lamp = lamp_product(&server).await;
    let slots = json!([{ "title": "Mug", "product_id": store.mug_product }, { "title": "Lamp", "product_id": lamp }]);
    let of = |field: &str, value: Value| {
        let mut body =
            json!({ "title": "T", "handle": "t", "pricing": { "type": "sum" }, "items": slots });
        body[field] = value;
        body
    };
    let unknown = "prod_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";
    for body in [
        of("items", json!([slots[0]])),
        of("items", json!(vec![slots[0].clone(); 13])),
        of("items", json!([slots[0], { "title": "X", "product_id": unknown }])),
        of("items", json!([slots[0], { "title": "X", "product_id": lamp, "quantity": 0 }])),
        of(
            "items",
            json!([slots[0], { "title": "X", "product_id": lamp, "default_variant_id": store.mug }]),
        ),
        of("product_id", json!(lamp)),
        of("handle", json!("Not A Handle")),
        of("pricing", json!({ "type": "percent_off" })),
        of("pricing", json!({ "type": "percent_off", "value": 101 })),
        of("pricing", json!({ "type": "fixed" })),
        of("pricing", json!({ "type": "fixed", "amounts": { "usd": 1.001 } })),
        of("pricing", json!({ "type": "fixed", "amounts": { "usd": -1 } })),
        of("sales_channel_ids", json!(["sc_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"])),
    ] {
        server.post(&Person::admin(), BUNDLES, body).await.refused(400);
    }
    let first = server.post(&Person::admin(), BUNDLES, of("status", json!("draft"))).await.ok();
    server.post(&Person::admin(), BUNDLES, of("status", json!("draft"))).await.refused(409);
    let path = format!("{BUNDLES}/{}", id_of(&first, "bundle_product"));
    let slot = first["bundle_product"]["items"][0].clone();
    let items = json!([{ "id": slot["id"], "title": "Big mug", "product_id": store.mug_product }, slots[1]]);
    let changed = server.post(&Person::admin(), &path, json!({ "items": items })).await.ok();
    assert_eq!(changed["bundle_product"]["items"][0]["id"], slot["id"], "a slot that stays");
    assert_eq!(changed["bundle_product"]["items"][0]["title"], "Big mug");
    server.delete(&Person::admin(), &path).await.ok();
    server.get(&Person::viewer(), &path).await.refused(404);
}

#[tokio::test]
async fn whole_sets_have_the_bundle_s_price_and_the_rest_its_own() {
    let (server, store) = TestServer::with_store().await;
    let tea = tea(&server, &store).await;
    let (cart, path) = bundles_of_cart(&server, &store).await;
    let visitor = Person::visitor();

    let body =
        server.post(&visitor, &path, json!({ "bundle_id": tea["id"], "quantity": 2 })).await.ok();
    assert_eq!(parts(&body), [json!(2.6), json!(5.99)], "8.59 off 85.94, split by price");
    assert_eq!(body["cart"]["items"][1]["bundle_product_id"], tea["id"]);
    assert_eq!(body["cart"]["items"][1]["bundle_item_id"], tea["items"][1]["id"]);

    // With one lamp less, one complete set is left.
    let lamps = body["cart"]["items"][1]["id"].as_str().expect("a line");
    let line = format!("/store/carts/{cart}/line-items/{lamps}");
    let body = server.post(&visitor, &line, json!({ "quantity": 3 })).await.ok();
    assert_eq!(parts(&body), [json!(1.3), json!(3)]);
    let left = server.delete(&visitor, &line).await.ok();
    assert_eq!(parts(&json!({ "cart": left["parent"] })), [Value::Null]);

    let one = tea["id"].as_str().expect("an id");
    let body = server.delete(&visitor, &format!("{path}/{one}")).await.ok();
    assert_eq!(body["cart"]["items"], json!([]));
    server.delete(&visitor, &format!("{path}/{one}")).await.refused(404);
}

#[tokio::test]
async fn slots_are_filled_one_by_one_and_an_open_instance_is_filled_first() {
    let (server, store) = TestServer::with_store().await;
    let tea = tea(&server, &store).await;
    let (_cart, path) = bundles_of_cart(&server, &store).await;
    let visitor = Person::visitor();
    let (mugs, lamps) = (&tea["items"][0]["id"], &tea["items"][1]["id"]);
    let fill = |slot: &Value, variant: &str| json!({ "item_id": slot, "variant_id": variant });

    let body = server.post(&visitor, &path, fill(mugs, &store.mug)).await.ok();
    assert_eq!(parts(&body), [Value::Null]);
    let body = server.post(&visitor, &path, fill(lamps, &store.lamp)).await.ok();
    assert_eq!(parts(&body), [json!(1.3), json!(3)]);
    let items = &body["cart"]["items"];
    assert_eq!(
        (&items[1]["quantity"], &items[1]["bundle_id"]),
        (&json!(2), &items[0]["bundle_id"])
    );
    let body = server.post(&visitor, &path, fill(mugs, &store.mug)).await.ok();
    assert_ne!(body["cart"]["items"][2]["bundle_id"], items[0]["bundle_id"], "a new instance");

    let unknown = "bitem_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";
    for (request, status) in [
        (fill(mugs, &store.lamp), 400),
        (fill(&json!(unknown), &store.mug), 404),
        (json!({ "bundle_id": "bun_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }), 404),
        (json!({ "bundle_id": tea["id"], "quantity": 0 }), 400),
        (json!({ "bundle_id": tea["id"], "quantity": 600 }), 400),
        (json!({ "bundle_id": tea["id"], "items": [fill(&json!(unknown), &store.mug)] }), 404),
        (
            json!({ "bundle_id": tea["id"], "items": [fill(mugs, &store.mug), fill(mugs, &store.mug)] }),
            400,
        ),
        (json!({ "bundle_id": tea["id"], "variant_id": store.mug }), 400),
        (json!({ "variant_id": store.mug }), 400),
        (json!({ "item_id": "x", "variant_id": store.mug }), 400),
        (json!({}), 400),
    ] {
        server.post(&visitor, &path, request).await.refused(status);
    }
    let cart = server.get(&visitor, path.trim_end_matches("/line-item-bundles")).await.ok();
    assert_eq!(cart["cart"]["items"].as_array().map(Vec::len), Some(3), "nothing was added");
}

/// Puts quantities of a mug and a lamp into a bundle, by filling its slots in an order or by sets; returns the total of the
/// cart, and that of each line by variant.
async fn put_together(
    (server, store, tea): (&TestServer, &Store, &Value),
    quantities: [i64; 2],
    order: &[usize],
) -> (Value, BTreeMap<String, Value>) {
    let visitor = Person::visitor();
    let (cart, path) = bundles_of_cart(server, store).await;
    let variants = [&store.mug, &store.lamp];
    for slot in order {
        let body = json!({ "item_id": tea["items"][*slot]["id"], "variant_id": variants[*slot] });
        server.post(&visitor, &path, body).await.ok();
    }
    if order.is_empty() {
        server.post(&visitor, &path, json!({ "bundle_id": tea["id"] })).await.ok();
    }
    let cart = format!("/store/carts/{cart}");
    let shown = format!("{cart}?fields=total,*items");
    let lines = async || server.get(&visitor, &shown).await.ok()["cart"].clone();
    for line in lines().await["items"].as_array().expect("lines") {
        let slot = usize::from(line["variant_id"] == store.lamp.as_str());
        let path = format!("{cart}/line-items/{}", line["id"].as_str().expect("an id"));
        server.post(&visitor, &path, json!({ "quantity": quantities[slot] })).await.ok();
    }
    let body = lines().await;
    let of_line = |line: &Value| (line["variant_id"].to_string(), line["total"].clone());
    (body["total"].clone(), body["items"].as_array().expect("lines").iter().map(of_line).collect())
}

#[tokio::test]
async fn a_bundle_costs_the_same_in_whatever_order_it_is_put_together() {
    let (server, store) = TestServer::with_store().await;
    let tea = tea(&server, &store).await;
    let mut chance = Chance(9);
    for _ in 0..rounds(4, 200) {
        // Two lamps often cost as much as a mug: the odd penny of a discount could be on either.
        let lamp = chance.below(2_000) + 1;
        let mug = 2 * lamp + chance.below(2);
        for (product, variant, pence) in [
            (store.mug_product.clone(), &store.mug, mug),
            (lamp_product(&server).await, &store.lamp, lamp),
        ] {
            let price = format!("{}.{:02}", pence / 100, pence % 100);
            let price: Value = serde_json::from_str(&price).expect("a number");
            let body = json!({ "prices": [{ "currency_code": "gbp", "amount": price }] });
            let path = format!("/admin/products/{product}/variants/{variant}");
            server.post(&Person::admin(), &path, body).await.ok();
        }
        let quantities = [i64::from(chance.below(4)) + 1, i64::from(chance.below(8)) + 1];
        let shop = (&server, &store, &tea);
        let first = put_together(shop, quantities, &[0, 1]).await;
        for order in [&[1, 0][..], &[]] {
            let other = put_together(shop, quantities, order).await;
            assert_eq!(other, first, "{quantities:?} at {mug} and {lamp}, {order:?}");
        }
    }
}

#[tokio::test]
async fn a_returned_part_of_a_bundle_refunds_its_share_of_the_price() {
    let (server, store) = TestServer::with_store().await;
    let tea = tea(&server, &store).await;
    let visitor = Person::visitor();
    let (cart, path) = bundles_of_cart(&server, &store).await;
    server.post(&visitor, &path, json!({ "bundle_id": tea["id"] })).await.ok();
    server.ship(&visitor, &store, &cart).await;
    server.pay(&visitor, &cart, "pm_card_visa").await;
    let order = id_of(&server.complete(&visitor, &cart).await.ok(), "order");
    let step = async |path: &str, body: Value| server.post(&Person::admin(), path, body).await.ok();
    let path = format!("/admin/orders/{order}?fields=*items");
    let lines = server.get(&Person::admin(), &path).await.ok()["order"]["items"].clone();
    let all = |count: &Value| json!({ "id": lines[1]["id"], "quantity": count });
    let parcel = json!({ "items": [all(&lines[1]["quantity"])], "location_id": store.location });
    let path = format!("/admin/orders/{order}/fulfillments");
    let packed = step(&path, parcel).await;
    let parcel = packed["order"]["fulfillments"][0]["id"].as_str().expect("a parcel");
    let labels =
        json!({ "labels": [{ "tracking_number": "1", "tracking_url": "#", "label_url": "#" }] });
    step(&format!("{path}/{parcel}/shipments"), labels).await;
    step(&format!("{path}/{parcel}/mark-as-delivered"), json!({})).await;

    let mut refunds = Vec::new();
    for _ in 0..2 {
        let begun = step("/admin/returns", json!({ "order_id": order })).await;
        let path = format!("/admin/returns/{}", id_of(&begun, "return"));
        let one = json!({ "items": [all(&json!(1))] });
        for (verb, body) in [
            ("request-items", &one),
            ("request", &json!({})),
            ("receive", &json!({})),
            ("receive-items", &one),
        ] {
            step(&format!("{path}/{verb}"), body.clone()).await;
        }
        let received = step(&format!("{path}/receive/confirm"), json!({})).await;
        refunds.push(received["return"]["refund_amount"].clone());
    }

    // Two lamps at 14.99 less 3.00, with 20 % tax.
    assert_eq!(lines[1]["total"], json!(32.38));
    assert_eq!(refunds, [json!(16.19), json!(16.19)]);
}

#[tokio::test]
async fn promotions_come_after_bundles_and_the_order_keeps_both() {
    let (server, store) = TestServer::with_store().await;
    let tea = tea(&server, &store).await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.print, 1).await;
    let path = format!("/store/carts/{cart}/line-item-bundles");
    server.post(&visitor, &path, json!({ "bundle_id": tea["id"] })).await.ok();
    let codes = json!({ "promo_codes": ["TENOFF"] });
    let body = server.post(&visitor, &format!("/store/carts/{cart}/promotions"), codes).await.ok();
    assert_eq!(parts(&body), [Value::Null, json!(1.3), json!(3)]);
    // 10 % of 25.00 + 11.69 + 26.98.
    assert_eq!(body["cart"]["discount_subtotal"], json!(10.67));

    server.ship(&visitor, &store, &cart).await;
    server.pay(&visitor, &cart, "pm_card_visa").await;
    let order = server.complete(&visitor, &cart).await.ok()["order"].clone();
    let path = format!(
        "/admin/orders/{}?fields=*items,*items.adjustments",
        order["id"].as_str().expect("an id")
    );
    let order = server.get(&Person::admin(), &path).await.ok()["order"].clone();
    let lines = order["items"].as_array().expect("lines");
    let of_bundle: Vec<_> =
        lines.iter().filter(|line| line["bundle_product_id"] == tea["id"]).collect();
    assert_eq!(of_bundle.len(), 2);
    assert!(of_bundle.iter().all(|line| line["bundle_id"].is_string()), "{order}");
    assert_eq!(of_bundle[0]["adjustments"][0]["code"], "BUNDLE");
    assert_eq!(of_bundle[0]["adjustments"][1]["code"], "TENOFF");
    // Events of this very instant are not in its figures yet.
    server.clock.advance(60_000);
    for (formula, expected) in [
        ("sum(bundle_sales.sets where bundle = 'Tea')", json!(1)),
        ("sum(bundle_sales.discount)", json!(4.3)),
        ("sum(bundle_sales.subtotal)", json!(34.8)),
        ("count(bundle_sales where order.promo_code = 'TENOFF')", json!(1)),
    ] {
        let body = json!({
            "formula": formula, "currency_code": "gbp", "start_date": "2026-11-21", "end_date": "2026-11-21",
        });
        let answer = server.post(&Person::admin(), "/admin/metrics/compute", body).await.ok();
        assert_eq!(answer["metrics"]["formula"]["value"], expected, "{formula}");
    }
    server.assert_sound().await;
}
