//! Inventory and shipping for admins.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

async fn item(server: &TestServer, sku: &str) -> String {
    let path = format!("/admin/inventory-items?sku={sku}");
    let found = server.get(&Person::admin(), &path).await.ok();
    found["inventory_items"][0]["id"].as_str().expect("an item").to_owned()
}

#[tokio::test]
async fn levels_of_several_items_change_together_or_not_at_all() {
    let (server, store) = TestServer::with_store().await;
    let (admin, path) = (Person::admin(), "/admin/inventory-items/location-levels/batch");
    let (mug, lamp) = (item(&server, "MUG").await, item(&server, "LAMP").await);
    let place =
        json!({"name": "Shop", "address": {"address_1": "2 Dock Road", "country_code": "gb"}});
    let shop = server.post(&admin, "/admin/stock-locations", place).await.ok();
    let shop = shop["stock_location"]["id"].as_str().expect("a location").to_owned();
    let level = |item: &str, location: &str, pieces: i64| json!({"inventory_item_id": item, "location_id": location, "stocked_quantity": pieces});
    let total = "select sum(stocked_quantity) from inventory_level";

    let body = json!({
        "create": [level(&mug, &shop, 5), level(&lamp, &shop, 7)],
        "update": [level(&mug, &store.location, 900)],
    });
    let changed = server.post(&admin, path, body).await.ok();
    let pieces = |list: &Value| -> Vec<Value> {
        let levels = list.as_array().cloned().unwrap_or_default();
        levels.iter().map(|level| level["stocked_quantity"].clone()).collect()
    };
    assert_eq!(pieces(&changed["created"]), [json!(5), json!(7)]);
    assert_eq!(pieces(&changed["updated"]), [json!(900)]);
    assert_eq!(server.number(total).await, 900 + 5 + 7 + 1_000 + 10);

    let (made, unknown) = (&changed["created"][1]["id"], "ilev_01JD2Q8Z5M6T3W9XKCV4B7NZZZ");
    let body = json!({"update": [level(&mug, &shop, 6)], "delete": [made, unknown]});
    server.post(&admin, path, body).await.refused(404);
    assert_eq!(server.number(total).await, 900 + 5 + 7 + 1_000 + 10);
    let done = server.post(&admin, path, json!({"delete": [made]})).await.ok();
    assert_eq!(done, json!({"created": [], "updated": [], "deleted": [made]}));
    assert_eq!(server.number(total).await, 900 + 5 + 1_000 + 10);
    server.assert_sound().await;
}

#[tokio::test]
async fn pieces_are_reserved_for_lines_of_open_orders_and_leave_with_them() {
    let (server, store) = TestServer::with_store().await;
    let (admin, visitor) = (Person::admin(), Person::visitor());
    let mug = item(&server, "MUG").await;
    let (mut orders, mut lines) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let cart = server.ready_cart(&visitor, &store, &store.mug, 2).await;
        let order = server.complete(&visitor, &cart).await.ok()["order"].take();
        orders.push(order["id"].as_str().expect("an order").to_owned());
        lines.push(order["items"][0]["id"].clone());
    }
    let cancel = format!("/admin/orders/{}/cancel", orders[0]);
    server.post(&admin, &cancel, json!({})).await.ok();
    let reserve = |line: &Value| {
        json!({"inventory_item_id": mug, "location_id": store.location, "quantity": 2,
               "line_item_id": line})
    };
    let (path, reserved) =
        ("/admin/reservations", "select sum(reserved_quantity) from inventory_level");

    let unknown = json!("ordli_01JD2Q8Z5M6T3W9XKCV4B7NZZZ");
    let message = server.post(&admin, path, reserve(&unknown)).await.refused(400);
    assert!(message.starts_with("There is no order line"), "{message}");
    let message = server.post(&admin, path, reserve(&lines[0])).await.refused(400);
    assert!(message.ends_with("is canceled, archived or not placed"), "{message}");
    assert_eq!(server.number(reserved).await, 2);
    server.post(&admin, path, reserve(&lines[1])).await.ok();
    assert_eq!(server.number(reserved).await, 4);
    for query in ["created_by=null", "created_by[$ne]=null"] {
        let found = server.get(&admin, &format!("{path}?{query}")).await.ok();
        assert_eq!(found["count"], 1, "{query}");
    }
    let cancel = format!("/admin/orders/{}/cancel", orders[1]);
    server.post(&admin, &cancel, json!({})).await.ok();

    assert_eq!(server.number(reserved).await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn variants_that_share_an_item_share_its_stock_in_a_cart() {
    let (server, store) = TestServer::with_store().await;
    let (admin, visitor) = (Person::admin(), Person::visitor());
    let pair = json!({
        "title": "Pair", "status": "published", "sales_channels": [{"id": store.channel}],
        "options": [{"title": "Kind", "values": ["One"]}],
        "variants": [{"title": "One", "sku": "PAIR", "options": {"Kind": "One"}, "manage_inventory": true,
                      "prices": [{"currency_code": "gbp", "amount": 20}],
                      "inventory_items": [{"inventory_item_id": item(&server, "MUG").await, "required_quantity": 2}]}],
    });
    let product = server.post(&admin, "/admin/products", pair).await.ok()["product"].take();
    let pair = json!({"variant_id": product["variants"][0]["id"], "quantity": 1});
    let cart = server.cart_with(&visitor, &store, &store.mug, 999).await;
    let lines = format!("/store/carts/{cart}/line-items");
    let shown = server.get(&visitor, &format!("/store/carts/{cart}")).await.ok();
    let mugs = format!("{lines}/{}", shown["cart"]["items"][0]["id"].as_str().expect("a line"));

    let refused = server.post(&visitor, &lines, pair.clone()).await;
    assert_eq!((refused.status, &refused.body["code"]), (400, &json!("insufficient_inventory")));
    server.post(&visitor, &mugs, json!({"quantity": 998})).await.ok();
    server.post(&visitor, &lines, pair.clone()).await.ok();
    let refused = server.post(&visitor, &mugs, json!({"quantity": 999})).await;
    assert_eq!((refused.status, &refused.body["code"]), (400, &json!("insufficient_inventory")));

    // A shortage of what shares nothing is not in the way, nor is one for what is sold without stock.
    let level = format!(
        "/admin/inventory-items/{}/location-levels/{}",
        item(&server, "MUG").await,
        store.location
    );
    server.post(&admin, &level, json!({"stocked_quantity": 5})).await.ok();
    server.post(&visitor, &lines, json!({"variant_id": store.lamp, "quantity": 1})).await.ok();
    let id = |value: &Value| value["id"].as_str().expect("an id").to_owned();
    let (product, variant) = (id(&product), id(&product["variants"][0]));
    let path = format!("/admin/products/{product}/variants/{variant}");
    server.post(&admin, &path, json!({"allow_backorder": true})).await.ok();
    server.post(&visitor, &lines, pair).await.ok();
    server.assert_sound().await;
}

#[tokio::test]
async fn a_variant_of_several_pieces_leaves_whole_though_staff_reserved_one_piece_more() {
    let (server, store) = TestServer::with_store().await;
    let (admin, visitor) = (Person::admin(), Person::visitor());
    let mug = item(&server, "MUG").await;
    let pair = json!({
        "title": "Pair", "status": "published", "sales_channels": [{"id": store.channel}],
        "options": [{"title": "Kind", "values": ["One"]}],
        "variants": [{"title": "One", "sku": "PAIR", "options": {"Kind": "One"}, "manage_inventory": true,
                      "prices": [{"currency_code": "gbp", "amount": 20}],
                      "inventory_items": [{"inventory_item_id": mug, "required_quantity": 2}]}],
    });
    let pair = server.post(&admin, "/admin/products", pair).await.ok()["product"].take();
    let pair = pair["variants"][0]["id"].as_str().expect("a variant").to_owned();
    // The second order's reservation is stored as those of before were.
    for (index, is_old) in [false, true].into_iter().enumerate() {
        let cart = server.ready_cart(&visitor, &store, &pair, 3).await;
        let order = server.complete(&visitor, &cart).await.ok()["order"].take();
        let line = &order["items"][0]["id"];
        let more = json!({"inventory_item_id": mug, "location_id": store.location, "quantity": 1,
                          "line_item_id": line});
        let path = "/admin/reservations?fields=%2Brequired_quantity";
        let more = server.post(&admin, path, more).await.ok();
        assert_eq!(more["reservation"]["required_quantity"], 2);
        if is_old {
            server.sql("update reservation set required_quantity = 1 where quantity = 1").await;
        }
        let path =
            format!("/admin/orders/{}/fulfillments", order["id"].as_str().expect("an order"));
        let parcel = json!({"items": [{"id": line, "quantity": 3}], "location_id": store.location});
        server.post(&admin, &path, parcel).await.ok();

        let path = format!("/admin/inventory-items/{mug}/location-levels");
        let level = server.get(&admin, &path).await.ok()["inventory_levels"][0].take();
        assert_eq!(level["stocked_quantity"], [994, 988][index]);
    }
    server.assert_sound().await;
}

#[tokio::test]
async fn providers_are_listed() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    for (path, list, id) in [
        ("/admin/tax-providers", "tax_providers", "tp_system"),
        ("/admin/fulfillment-providers", "fulfillment_providers", "manual_manual"),
    ] {
        let found = server.get(&admin, path).await.ok();
        assert_eq!(found[list], json!([{"id": id, "is_enabled": true}]));
        assert_eq!(found["count"], 1);
    }
    let path = format!("/admin/stock-locations/{}?fields=*fulfillment_sets", store.location);
    let sets = server.get(&admin, &path).await.ok();
    let set =
        sets["stock_location"]["fulfillment_sets"][0]["id"].as_str().expect("a set").to_owned();
    let view = server.get(&admin, &format!("/admin/fulfillment-sets/{set}")).await.ok();
    let zone = &view["fulfillment_set"]["service_zones"][0];
    assert_eq!(zone["name"], "Everywhere");
    assert_eq!(zone["geo_zones"].as_array().map(Vec::len), Some(2));
    server
        .get(&admin, "/admin/fulfillment-sets/fuset_01JD2Q8Z5M6T3W9XKCV4B7NZZZ")
        .await
        .refused(404);
}

#[tokio::test]
async fn a_flat_option_answers_its_price_and_a_calculated_one_is_refused_where_nobody_calculates() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    let path = format!("/store/shipping-options/{}/calculate", store.postage);
    let body = json!({"cart_id": cart, "data": {"weight": 2}});
    let priced = server.post(&visitor, &path, body).await.ok();
    assert_eq!(priced["shipping_option"]["amount"], json!(9.95));

    let path = format!("/admin/shipping-options/{}", store.postage);
    let option = server.get(&Person::admin(), &path).await.ok()["shipping_option"].take();
    let new = json!({
        "name": "By weight", "service_zone_id": option["service_zone_id"], "price_type": "calculated",
        "shipping_profile_id": option["shipping_profile_id"], "provider_id": "manual_manual",
        "type": {"label": "Weight", "description": "By weight", "code": "weight"}, "prices": [],
    });
    let message = server.post(&Person::admin(), "/admin/shipping-options", new).await.refused(400);
    assert!(message.contains("manual_manual"), "{message}");
}

#[tokio::test]
async fn a_zone_and_a_set_are_deleted_though_carts_have_chosen_their_options() {
    for is_whole_set in [false, true] {
        let (server, store) = TestServer::with_store().await;
        let (visitor, admin) = (Person::visitor(), Person::admin());
        let bought = server.ready_cart(&visitor, &store, &store.mug, 1).await;
        let bought = server.complete(&visitor, &bought).await.ok()["order"]["id"].take();
        let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
        server.ship(&visitor, &store, &cart).await;
        let option = format!("/admin/shipping-options/{}?fields=*service_zone", store.postage);
        let option = server.get(&admin, &option).await.ok()["shipping_option"].take();
        let set = option["service_zone"]["fulfillment_set_id"].as_str().expect("a set");
        let mut path = format!("/admin/fulfillment-sets/{set}");
        if !is_whole_set {
            let zone = option["service_zone"]["id"].as_str().expect("a zone");
            path = format!("{path}/service-zones/{zone}");
        }

        server.delete(&admin, &path).await.ok();

        let line = json!({"variant_id": store.lamp, "quantity": 1});
        let path = format!("/store/carts/{cart}/line-items");
        let after = server.post(&visitor, &path, line).await.ok();
        assert_eq!(after["cart"]["shipping_methods"], json!([]), "{is_whole_set}");
        let order = format!("/admin/orders/{}", bought.as_str().expect("an order"));
        let order = server.get(&admin, &order).await.ok();
        let method = &order["order"]["shipping_methods"][0];
        assert_eq!(method["shipping_option_id"], store.postage.as_str());
        server.assert_sound().await;
    }
}

#[tokio::test]
async fn a_type_that_only_deleted_options_have_is_deleted() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    let option = format!("/admin/shipping-options/{}", store.postage);
    let shown = server.get(&admin, &option).await.ok()["shipping_option"].take();
    let path = shown["shipping_option_type_id"].as_str().expect("a type");
    let path = format!("/admin/shipping-option-types/{path}");
    server.delete(&admin, &path).await.refused(400);

    server.delete(&admin, &option).await.ok();

    server.delete(&admin, &path).await.ok();
    server.assert_sound().await;
}

#[tokio::test]
async fn a_shipping_rule_that_can_never_hold_is_refused() {
    let (server, store) = TestServer::with_store().await;
    let path = format!("/admin/shipping-options/{}", store.postage);
    for (attribute, operator, value, status) in [
        ("item_total", "gt", json!("much"), 400),
        ("item_total", "in", json!(["1", "much"]), 400),
        ("enabled_in_store", "eq", json!("maybe"), 400),
        ("enabled_in_store", "gt", json!("true"), 400),
        ("is_return", "lte", json!("false"), 400),
        ("item_total", "gte", json!(50.5), 200),
        ("enabled_in_store", "ne", json!("false"), 200),
        ("is_return", "in", json!([true, false]), 200),
    ] {
        let rule = json!({"attribute": attribute, "operator": operator, "value": value});
        let reply = server.post(&Person::admin(), &path, json!({"rules": [rule]})).await;
        assert_eq!(reply.status, status, "{rule}");
    }
}

#[tokio::test]
async fn an_item_has_the_name_of_its_variant_unless_it_has_its_own() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    let rename = async |variant: &str, body: Value| {
        let path = format!("/admin/product-variants?id={variant}");
        let found = server.get(&admin, &path).await.ok();
        let product = found["variants"][0]["product_id"].as_str().expect("a product").to_owned();
        server
            .post(&admin, &format!("/admin/products/{product}/variants/{variant}"), body)
            .await
            .ok();
    };
    let called = async |id: &str| {
        let shown = server.get(&admin, &format!("/admin/inventory-items/{id}")).await.ok();
        let own = &shown["inventory_item"];
        json!([own["sku"], own["title"], own["description"]])
    };
    let mug = item(&server, "MUG").await;
    let (lamp, print) = (item(&server, "LAMP").await, item(&server, "PRINT").await);

    rename(&store.mug, json!({ "sku": "CUP", "title": "Large" })).await;
    let path = format!("/admin/products/{}", store.mug_product);
    server.post(&admin, &path, json!({ "title": "Cup" })).await.ok();
    assert_eq!(called(&mug).await, json!(["CUP", "Large", "Cup"]));
    let again = json!({ "title": "Mug", "options": [{ "title": "Kind", "values": ["One"] }],
                        "variants": [{ "title": "One", "sku": "MUG", "options": { "Kind": "One" } }] });
    server.post(&admin, "/admin/products", again).await.ok();

    let shelf = json!({ "sku": "SHELF", "title": "Shelf" });
    server.post(&admin, &format!("/admin/inventory-items/{lamp}"), shelf.clone()).await.ok();
    let taken = server.post(&admin, "/admin/inventory-items", shelf).await.refused(422);
    assert_eq!(taken, "Inventory item with sku: SHELF, already exists.");
    rename(&store.lamp, json!({ "sku": "LIGHT", "title": "Small" })).await;
    assert_eq!(called(&lamp).await, json!(["SHELF", "Shelf", "Lamp"]));
    rename(&store.print, json!({ "sku": "SHELF" })).await;
    assert_eq!(called(&print).await, json!(["PRINT", "One", "Print"]));
    server.assert_sound().await;
}
