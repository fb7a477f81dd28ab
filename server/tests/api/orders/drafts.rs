//! Draft orders of administrators: created, corrected, placed, paid.

use serde_json::{Value, json};

use super::{step, view};
use crate::harness::{Person, Store, TestServer};

fn address() -> Value {
    json!({"first_name": "Ada", "address_1": "1 High Street", "city": "London", "country_code": "gb"})
}

/// Returns a draft with two mugs at the current price, one at its own price, an engraving, shipping, and TENOFF.
fn offer(store: &Store) -> Value {
    json!({
        "region_id": store.britain, "sales_channel_id": store.channel, "email": "ada@example.com",
        "items": [
            {"variant_id": store.mug, "quantity": 2, "metadata": {"note": "blue"}},
            {"variant_id": store.print, "quantity": 1, "unit_price": 20},
            {"title": "Engraving", "quantity": 1, "unit_price": 5, "requires_shipping": false},
        ],
        "shipping_methods": [{"shipping_option_id": store.postage}],
        "shipping_address": address(), "billing_address": address(),
        "promo_codes": ["TENOFF"], "no_notification_order": true, "metadata": {"by": "phone"},
    })
}

async fn draft(server: &TestServer, store: &Store) -> Value {
    step(server, "/admin/draft-orders", offer(store)).await["draft_order"].take()
}

#[tokio::test]
async fn a_draft_costs_what_the_same_cart_costs() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.mug, 2).await;
    let codes = json!({"promo_codes": ["TENOFF"]});
    server.post(&visitor, &format!("/store/carts/{cart}/promotions"), codes).await.ok();
    server.ship(&visitor, &store, &cart).await;
    let cart = server.get(&visitor, &format!("/store/carts/{cart}")).await.ok()["cart"].take();
    let mut same = offer(&store);
    same["items"].as_array_mut().expect("items").truncate(1);

    let made = step(&server, "/admin/draft-orders", same).await["draft_order"].take();

    for total in [
        "total",
        "subtotal",
        "tax_total",
        "discount_total",
        "item_total",
        "shipping_total",
        "original_total",
    ] {
        let path =
            format!("/admin/draft-orders/{}?fields={total}", made["id"].as_str().expect("an id"));
        let view = server.get(&Person::admin(), &path).await.ok();
        assert_eq!(view["draft_order"][total], cart[total], "{total}");
    }
    assert_eq!(made["status"], "draft");
    assert_eq!(made["region_id"], store.britain);
    assert_eq!(made["metadata"], json!({"by": "phone"}));
    assert_eq!(made["items"][0]["metadata"], json!({"note": "blue"}));
    server.assert_sound().await;
}

#[tokio::test]
async fn a_draft_reserves_nothing_and_is_not_an_order() {
    let (server, store) = TestServer::with_store().await;
    let made = draft(&server, &store).await;
    let id = made["id"].as_str().expect("an id");
    let admin = Person::admin();

    // 25.98 + 20 + 5 is 50.98, less a tenth, with a fifth of tax; shipping is 9.95, with tax 11.94.
    assert_eq!(made["total"], json!(67));
    assert_eq!(server.number("select sum(reserved_quantity) from inventory_level").await, 0);
    assert_eq!(server.number("select sum(used_count) from promotion").await, 0);
    assert_eq!(server.number("select count(*) from event where name like 'order.%'").await, 0);
    assert_eq!(server.get(&admin, "/admin/orders").await.ok()["count"], 0);
    assert_eq!(server.get(&admin, "/admin/draft-orders").await.ok()["count"], 1);
    assert_eq!(server.get(&admin, "/admin/draft-orders?q=ada").await.ok()["count"], 1);
    for path in [format!("/admin/orders/{id}"), format!("/store/orders/{id}")] {
        let person = if path.starts_with("/store") { Person::visitor() } else { Person::admin() };
        server.get(&person, &path).await.refused(404);
    }
    for path in ["cancel", "complete", "archive", "fulfillments"] {
        let body = if path == "fulfillments" { json!({"items": []}) } else { json!({}) };
        let reply = server.post(&admin, &format!("/admin/orders/{id}/{path}"), body).await;
        assert!(matches!(reply.status, 400 | 404), "{path}: {reply:#?}");
    }
    let paid = json!({"order_id": id});
    server.post(&admin, "/admin/payment-collections", paid).await.refused(404);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_draft_is_corrected_converted_once_and_paid() {
    let (server, store) = TestServer::with_store().await;
    let made = draft(&server, &store).await;
    let (id, admin) = (made["id"].as_str().expect("an id"), Person::admin());
    let path = format!("/admin/draft-orders/{id}");

    let other = json!({"email": "grace@example.com", "shipping_address": {"city": "Leeds"}});
    let corrected = step(&server, &path, other).await;
    assert_eq!(corrected["draft_order"]["shipping_address"]["city"], "Leeds");
    let moved = json!({"shipping_address": {"country_code": "us"}});
    server.post(&admin, &path, moved).await.refused(400);

    let placed = step(&server, &format!("{path}/convert-to-order"), json!({})).await;
    assert_eq!(placed["order"]["status"], "pending");
    assert_eq!(placed["order"]["payment_status"], "not_paid");
    assert_eq!(placed["order"]["total"], made["total"]);
    assert_eq!(placed["order"]["email"], "grace@example.com");
    assert_eq!(server.number("select sum(reserved_quantity) from inventory_level").await, 3);
    assert_eq!(server.number("select used_count from promotion where code = 'TENOFF'").await, 1);
    assert_eq!(server.number("select count(*) from event where name = 'order.placed'").await, 1);
    server.post(&admin, &format!("{path}/convert-to-order"), json!({})).await.refused(400);
    server.get(&admin, &path).await.refused(404);
    server.delete(&admin, &path).await.refused(400);
    server.delete(&admin, &format!("/admin/orders/{id}")).await.refused(400);

    let opened = step(&server, "/admin/payment-collections", json!({"order_id": id})).await;
    let collection = opened["payment_collection"]["id"].as_str().expect("a collection").to_owned();
    let path = format!("/admin/payment-collections/{collection}/mark-as-paid");
    let marked = step(&server, &path, json!({"order_id": id})).await;
    assert_eq!(marked["payment_collection"]["payments"][0]["amount"], made["total"]);
    let paid = view(&server, id).await;
    assert_eq!(paid["payment_status"], "captured");
    assert_eq!(paid["summary"]["pending_difference"], 0);
    assert_eq!(server.get(&admin, "/admin/orders").await.ok()["count"], 1);
    assert_eq!(server.get(&admin, "/admin/draft-orders").await.ok()["count"], 0);
    step(&server, &format!("/admin/orders/{id}/cancel"), json!({})).await;
    assert_eq!(server.number("select sum(reserved_quantity) from inventory_level").await, 0);
    assert_eq!(server.number("select used_count from promotion where code = 'TENOFF'").await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_draft_with_missing_records_stays_a_draft() {
    let (server, store) = TestServer::with_store().await;
    let mut many = offer(&store);
    many["items"] = json!([{"variant_id": store.print, "quantity": 11}]);
    let admin = Person::admin();
    let made = step(&server, "/admin/draft-orders", many.clone()).await;
    let id = made["draft_order"]["id"].as_str().expect("an id");
    let path = format!("/admin/draft-orders/{id}");

    server.post(&admin, &format!("{path}/convert-to-order"), json!({})).await.refused(400);
    server.post(&admin, "/admin/orders", many).await.refused(400);

    assert_eq!(server.number("select count(*) from orders").await, 1);
    assert_eq!(server.get(&admin, &path).await.ok()["draft_order"]["status"], "draft");
    server.assert_sound().await;
    let gone = server.delete(&admin, &path).await.ok();
    assert_eq!(gone, json!({"id": id, "object": "draft-order", "deleted": true}));
    server.delete(&admin, &path).await.refused(404);
    assert_eq!(server.number("select count(*) from order_line").await, 0);
}

#[tokio::test]
async fn an_order_by_telephone_is_placed_at_once_and_sent() {
    let (server, store) = TestServer::with_store().await;

    let placed = step(&server, "/admin/orders", offer(&store)).await["order"].take();

    assert_eq!(
        (&placed["status"], &placed["payment_status"]),
        (&json!("pending"), &json!("not_paid"))
    );
    assert_eq!(placed["items"][2]["title"], "Engraving");
    assert_eq!(placed["items"][2]["requires_shipping"], false);
    let id = placed["id"].as_str().expect("an id");
    let lines: Vec<Value> = placed["items"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|line| json!({"id": line["id"], "quantity": line["quantity"]}))
        .collect();
    let body = json!({"items": lines, "location_id": store.location});
    let packed = step(&server, &format!("/admin/orders/{id}/fulfillments"), body).await;
    assert_eq!(packed["order"]["fulfillment_status"], "fulfilled");
    server.assert_sound().await;
}

#[tokio::test]
async fn an_order_that_costs_nothing_counts_as_paid() {
    let (server, store) = TestServer::with_store().await;
    let body = json!({
        "region_id": store.britain, "sales_channel_id": store.channel,
        "items": [{"variant_id": store.mug, "quantity": 1, "unit_price": 0}],
    });

    let placed = step(&server, "/admin/orders", body).await["order"].take();

    assert_eq!((&placed["total"], &placed["payment_status"]), (&json!(0), &json!("captured")));
    server.assert_sound().await;
}

#[tokio::test]
async fn unavailable_items_are_refused_by_name() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    let with = |key: &str, value: Value| {
        let mut body = offer(&store);
        body[key] = value;
        body
    };
    let item = |value: Value| with("items", json!([value]));
    for (body, says) in [
        (with("items", json!([])), "Field 'items' is required"),
        (item(json!({"quantity": 1})), "either a variant_id or a title"),
        (
            item(json!({"title": "A", "variant_id": store.mug, "quantity": 1})),
            "either a variant_id",
        ),
        (item(json!({"title": "A", "quantity": 1})), "Field 'unit_price' is required"),
        (item(json!({"title": "A", "quantity": 1, "unit_price": -1})), "zero or more"),
        (item(json!({"title": "A", "quantity": 1, "unit_price": 0.001})), "digits"),
        (item(json!({"variant_id": store.mug, "quantity": 0})), "too small"),
        (item(json!({"variant_id": store.mug, "quantity": 10_000})), "at most 9999"),
        (with("shipping_methods", json!([{"name": "Van"}])), "a name and an amount"),
        (with("promo_codes", json!(["NOBODY"])), "NOBODY"),
        (with("currency_code", json!("usd")), "paid in gbp"),
        (with("discount", json!(5)), "Unrecognized fields"),
    ] {
        let message = server.post(&admin, "/admin/draft-orders", body).await.refused(400);
        assert!(message.contains(says), "{message}");
    }
    let nowhere = with("region_id", json!("reg_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"));
    server.post(&admin, "/admin/draft-orders", nowhere).await.refused(404);
    assert_eq!(server.number("select count(*) from orders").await, 0);
}

#[tokio::test]
async fn a_page_of_drafts_takes_as_many_statements_as_one_draft() {
    let (server, store) = TestServer::with_store().await;
    let (admin, path) = (Person::admin(), "/admin/draft-orders?fields=+items,*shipping_methods");
    draft(&server, &store).await;
    server.get(&admin, path).await.ok();
    let of_one = server.statements(server.get(&admin, path)).await;
    for _ in 0..3 {
        draft(&server, &store).await;
    }

    assert_eq!(server.statements(server.get(&admin, path)).await, of_one);
}

#[tokio::test]
async fn the_taxes_of_a_draft_are_those_of_the_address_that_it_is_given() {
    let (server, store) = TestServer::with_store().await;
    let admin = Person::admin();
    let both = json!({"countries": ["us", "ca"]});
    server.post(&admin, &format!("/admin/regions/{}", store.america), both).await.ok();
    let country = server.get(&admin, "/admin/tax-regions?country_code=us").await.ok();
    let nevada = json!({
        "country_code": "us", "province_code": "nv", "parent_id": country["tax_regions"][0]["id"],
        "default_tax_rate": {"rate": 4.6, "code": "nv", "name": "Nevada"},
    });
    server.post(&admin, "/admin/tax-regions", nevada).await.ok();
    let offer = |address: Option<Value>| {
        let mut body = json!({
            "region_id": store.america, "sales_channel_id": store.channel, "promo_codes": ["TENOFF"],
            "items": [{"variant_id": store.mug, "quantity": 3}, {"title": "Engraving", "quantity": 1, "unit_price": 5}],
            "shipping_methods": [{"name": "Van", "amount": 8}],
        });
        if let Some(address) = address {
            body["shipping_address"] = address;
        }
        body
    };
    let made = step(&server, "/admin/draft-orders", offer(None)).await["draft_order"].take();
    let path = format!("/admin/draft-orders/{}", made["id"].as_str().expect("an id"));
    assert_eq!(made["tax_total"], json!(0));
    let abroad = json!({"shipping_address": {"country_code": "gb"}});
    let message = server.post(&admin, &path, abroad).await.refused(400);
    assert!(message.contains("does not have the country `gb`"), "{message}");

    for province in ["CA", "US-NV"] {
        let to = json!({"country_code": "us", "province": province});
        let same = step(&server, "/admin/draft-orders", offer(Some(to.clone()))).await;
        let moved = step(&server, &path, json!({"shipping_address": to})).await;
        let (moved, same) = (&moved["draft_order"], &same["draft_order"]);
        for key in [
            "total",
            "tax_total",
            "item_total",
            "shipping_total",
            "discount_total",
            "original_total",
        ] {
            assert_eq!(moved[key], same[key], "{key} in {province}");
        }
        for (moved, same) in [
            (&moved["items"][0], &same["items"][0]),
            (&moved["shipping_methods"][0], &same["shipping_methods"][0]),
        ] {
            assert_eq!(moved["total"], same["total"], "{province}");
            assert_eq!(moved["tax_lines"][0]["code"], same["tax_lines"][0]["code"], "{province}");
        }
        assert!(moved["tax_total"].as_f64() > Some(0.0), "{moved:#}");
    }
    let placed = "select count(*) from orders where country = 'us' and province = 'US-NV'";
    assert_eq!(server.number(placed).await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_draft_keeps_the_discount_of_a_promotion_that_is_deleted() {
    let (server, store) = TestServer::with_store().await;
    let made = draft(&server, &store).await;
    let path = format!("/admin/promotions/{}", store.promotion);
    server.delete(&Person::admin(), &path).await.ok();

    let path = format!("/admin/draft-orders/{}", made["id"].as_str().expect("an id"));
    let placed = step(&server, &format!("{path}/convert-to-order"), json!({})).await;

    assert_eq!(placed["order"]["total"], made["total"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_draft_spends_and_gives_back_the_campaign_that_its_promotion_has_when_it_is_placed() {
    let (server, store) = TestServer::with_store().await;
    let made = draft(&server, &store).await;
    let campaign = json!({
        "name": "Once", "campaign_identifier": "once", "budget": { "type": "usage", "limit": 1 },
    });
    let campaign = step(&server, "/admin/campaigns", campaign).await["campaign"]["id"].take();
    let path = format!("/admin/promotions/{}", store.promotion);
    step(&server, &path, json!({ "campaign_id": campaign })).await;
    let id = made["id"].as_str().expect("an id");

    let placed = format!("/admin/draft-orders/{id}/convert-to-order");
    for (path, used) in [(placed, 1), (format!("/admin/orders/{id}/cancel"), 0)] {
        step(&server, &path, json!({})).await;
        assert_eq!(server.number("select budget_used from campaign").await, used);
    }
    server.assert_sound().await;
}

#[tokio::test]
async fn a_draft_with_a_deleted_product_says_so_and_stays_a_draft() {
    let (server, store) = TestServer::with_store().await;
    let (made, admin) = (draft(&server, &store).await, Person::admin());
    server.delete(&admin, &format!("/admin/products/{}", store.mug_product)).await.ok();

    let path = format!("/admin/draft-orders/{}", made["id"].as_str().expect("an id"));
    let convert = server.post(&admin, &format!("{path}/convert-to-order"), json!({})).await;

    let message = convert.refused(400);
    assert_eq!(message, format!("Variants with ids: {} are not sold any more", store.mug));
    assert_eq!(server.get(&admin, &path).await.ok()["draft_order"]["status"], "draft");
    server.assert_sound().await;
}
