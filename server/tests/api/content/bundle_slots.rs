//! Slots of bundles whose products and variants change.

use serde_json::{Value, json};

use super::bundles::{BUNDLES, bundles_of_cart, tea};
use super::id_of;
use crate::harness::{Person, Store, TestServer};

/// Creates a cup of two kinds, both sold without stock; returns it.
async fn cup(server: &TestServer, store: &Store) -> Value {
    let variant = |kind: &str| {
        json!({ "title": kind, "options": { "Kind": kind }, "allow_backorder": true,
                "prices": [{ "currency_code": "gbp", "amount": 5 }] })
    };
    let body = json!({
        "title": "Cup", "status": "published", "sales_channels": [{ "id": store.channel }],
        "options": [{ "title": "Kind", "values": ["One", "Two"] }], "variants": [variant("One"), variant("Two")],
    });
    server.post(&Person::admin(), "/admin/products", body).await.ok()["product"].take()
}

#[tokio::test]
async fn a_set_has_the_default_variants_that_the_bundle_shows() {
    let (server, store) = TestServer::with_store().await;
    let cup = cup(&server, &store).await;
    let (first, second) = (&cup["variants"][0]["id"], &cup["variants"][1]["id"]);
    let path = format!("/admin/products/{}", cup["id"].as_str().expect("an id"));
    let mut bundles = Vec::new();
    for (handle, default) in [("unnamed", &Value::Null), ("first", first)] {
        let body = json!({
            "title": "Cups", "handle": handle, "status": "published", "pricing": { "type": "sum" },
            "items": [{ "title": "Mug", "product_id": store.mug_product },
                      { "title": "Cup", "product_id": cup["id"], "default_variant_id": default }],
        });
        bundles.push(id_of(
            &server.post(&Person::admin(), BUNDLES, body).await.ok(),
            "bundle_product",
        ));
    }
    let deleted = format!("{path}/variants/{}", first.as_str().expect("an id"));
    server.delete(&Person::admin(), &deleted).await.ok();

    for bundle in bundles {
        let path = format!("/store/bundle-products/{bundle}?region_id={}", store.britain);
        let shown = server.get(&Person::visitor(), &path).await.ok();
        assert_eq!(&shown["bundle_product"]["items"][1]["default_variant_id"], second);
        let (_cart, path) = bundles_of_cart(&server, &store).await;
        let sets = json!({ "bundle_id": bundle });
        let cart = server.post(&Person::visitor(), &path, sets).await.ok()["cart"].take();
        let chosen = [&cart["items"][0]["variant_id"], &cart["items"][1]["variant_id"]];
        assert_eq!(chosen, [&json!(store.mug), second]);
    }
}

#[tokio::test]
async fn the_products_of_a_bundle_may_be_deleted_before_it_is_withdrawn() {
    let (server, store) = TestServer::with_store().await;
    let (admin, tea, channel) =
        (Person::admin(), tea(&server, &store).await, server.second_channel().await);
    let path = format!("{BUNDLES}/{}", tea["id"].as_str().expect("an id"));
    server.post(&admin, &path, json!({ "sales_channel_ids": [channel] })).await.ok();
    server.delete(&admin, &format!("/admin/products/{}", store.mug_product)).await.ok();
    server.delete(&admin, &format!("/admin/sales-channels/{channel}")).await.ok();

    let draft = server.post(&admin, &path, json!({ "status": "draft" })).await.ok();
    assert_eq!(draft["bundle_product"]["status"], "draft");
    server.post(&admin, &path, json!({ "items": tea["items"], "title": "Old tea" })).await.ok();
    let lamp = &tea["items"][1];
    let other = json!([lamp, { "title": "Mug", "product_id": lamp["product_id"], "default_variant_id": store.mug }]);
    server.post(&admin, &path, json!({ "items": other })).await.refused(400);
    let rest = json!([lamp, { "title": "Lamp", "product_id": lamp["product_id"] }]);
    server.post(&admin, &path, json!({ "items": rest, "sales_channel_ids": [] })).await.ok();
    server.post(&admin, &path, json!({ "items": tea["items"] })).await.refused(400);
}

#[tokio::test]
async fn slots_of_the_same_product_share_its_stock() {
    let (server, store) = TestServer::with_store().await;
    let slot = |title: &str, quantity: i64| json!({ "title": title, "product_id": store.mug_product, "quantity": quantity });
    let body = json!({
        "title": "Mugs", "handle": "mugs", "status": "published", "pricing": { "type": "sum" },
        "items": [slot("Yours", 1), slot("Mine", 3)],
    });
    server.post(&Person::admin(), BUNDLES, body).await.ok();

    let path = format!("/store/bundle-products/mugs?region_id={}", store.britain);
    let shown = server.get(&Person::visitor(), &path).await.ok();

    assert_eq!(shown["bundle_product"]["available_sets"], 250, "a thousand mugs, four a set");
}

#[tokio::test]
async fn a_bundle_is_not_sold_in_a_currency_in_which_it_has_no_price() {
    let (server, store) = TestServer::with_store().await;
    let tea = tea(&server, &store).await;
    let (cart, path) = bundles_of_cart(&server, &store).await;
    let bundle = format!("{BUNDLES}/{}", tea["id"].as_str().expect("an id"));
    for kind in ["fixed", "amount_off"] {
        let pricing = json!({ "pricing": { "type": kind, "amounts": { "usd": 30 } } });
        server.post(&Person::admin(), &bundle, pricing).await.ok();
        for body in [
            json!({ "bundle_id": tea["id"] }),
            json!({ "item_id": tea["items"][0]["id"], "variant_id": store.mug }),
        ] {
            let refused = server.post(&Person::visitor(), &path, body).await.refused(400);
            assert!(refused.ends_with("is not sold in gbp"), "{kind}: {refused}");
        }
    }

    // Nor does a cart take it along into a region of another currency.
    let pricing = json!({ "pricing": { "type": "fixed", "amounts": { "gbp": 30 } } });
    server.post(&Person::admin(), &bundle, pricing).await.ok();
    server.post(&Person::visitor(), &path, json!({ "bundle_id": tea["id"] })).await.ok();
    let cart = format!("/store/carts/{cart}");
    let region = json!({ "region_id": store.america });
    let refused = server.post(&Person::visitor(), &cart, region).await.refused(400);
    assert!(refused.ends_with("is not sold in usd"), "{refused}");
}
