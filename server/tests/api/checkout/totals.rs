//! The totals of carts and their orders.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

/// Converts an amount with at most two decimals to minor units.
fn minor(amount: &Value) -> i64 {
    let text = amount.to_string();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{part:0<2}")
        .parse()
        .unwrap_or_else(|_error| panic!("{amount} has no two digits"))
}

#[tokio::test]
async fn a_cart_in_dollars_is_rounded_by_line_and_tax_line_and_adds_up() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let made =
        server.post(&visitor, "/store/carts", json!({"region_id": store.america})).await.ok();
    let cart = made["cart"]["id"].as_str().expect("a cart").to_owned();
    for variant in [&store.mug, &store.lamp] {
        let path = format!("/store/carts/{cart}/line-items");
        server.post(&visitor, &path, json!({"variant_id": variant, "quantity": 2})).await.ok();
    }
    let path = format!("/store/carts/{cart}/promotions");
    server.post(&visitor, &path, json!({"promo_codes": ["TENOFF"]})).await.ok();
    let path = format!("/store/carts/{cart}/shipping-methods");

    let reply = server.post(&visitor, &path, json!({"option_id": store.postage})).await.ok();

    let cart = &reply["cart"];
    // 55.96 less 10 %, 5.60 (2.60 + 3.00), and 7.25 % of 23.38, 26.98 and 9.95, each rounded.
    let expected = [
        ("item_subtotal", 5_596),
        ("discount_subtotal", 560),
        ("item_tax_total", 170 + 196),
        ("item_total", 5_596 - 560 + 366),
        ("shipping_total", 995 + 72),
        ("subtotal", 6_591),
        ("tax_total", 366 + 72),
        ("total", 6_591 - 560 + 438),
    ];
    for (name, amount) in expected {
        assert_eq!(minor(&cart[name]), amount, "{name}: {}", cart[name]);
    }
}

#[tokio::test]
async fn a_province_is_taxed_whatever_the_case_of_its_letters() {
    let (server, store) = TestServer::with_store().await;
    let (admin, visitor) = (Person::admin(), Person::visitor());
    let island = json!({
        "country_code": "gb", "province_code": "Île-de-Wight",
        "default_tax_rate": {"rate": 5, "code": "island", "name": "Island"},
    });
    server.post(&admin, "/admin/tax-regions", island.clone()).await.ok();
    let again = server.post(&admin, "/admin/tax-regions", island).await.refused(422);
    assert!(again.ends_with("already exists"), "{again}");
    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;

    for province in ["Île-de-Wight", "GB-ÎLE-DE-WIGHT", " île-de-wight"] {
        let to = json!({"shipping_address": {"country_code": "gb", "province": province}});
        let cart = server.post(&visitor, &format!("/store/carts/{cart}"), to).await.ok();
        let lines = &cart["cart"]["items"][0]["tax_lines"];
        assert_eq!(lines[0]["code"], "island", "{province}");
    }
}

#[tokio::test]
async fn a_declined_card_gives_everything_back_and_another_one_pays() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.cart_with(&visitor, &store, &store.print, 3).await;
    server.ship(&visitor, &store, &cart).await;
    server.pay(&visitor, &cart, "pm_card_declined").await;

    let refused = server.complete(&visitor, &cart).await.ok();

    assert_eq!(
        (&refused["type"], &refused["error"]["type"]),
        (&json!("cart"), &json!("payment_authorization_error"))
    );
    assert_eq!(server.number("select count(*) from orders").await, 0);
    assert_eq!(server.number("select sum(reserved_quantity) from inventory_level").await, 0);
    server.assert_sound().await;

    server.pay(&visitor, &cart, "pm_card_visa").await;
    let paid = server.complete(&visitor, &cart).await.ok();
    assert_eq!(paid["type"], "order");
    assert_eq!(minor(&paid["order"]["total"]), minor(&refused["cart"]["total"]));
    assert_eq!(server.number("select sum(reserved_quantity) from inventory_level").await, 3);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_completed_cart_and_its_order_stay_as_they_are() {
    let (server, store) = TestServer::with_store().await;
    let (visitor, admin) = (Person::visitor(), Person::admin());
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let completed = server.complete(&visitor, &cart).await.ok();
    let order = completed["order"].clone();
    let id = order["id"].as_str().expect("an order");
    let token = completed["order_token"].as_str().expect("a guest's token");

    let line = json!({"variant_id": store.lamp, "quantity": 1});
    server.post(&visitor, &format!("/store/carts/{cart}/line-items"), line).await.refused(400);
    let changed = json!({"title": "Cup"});
    server.post(&admin, &format!("/admin/products/{}", store.mug_product), changed).await.ok();

    let guest = visitor.with_header("x-order-token", token);
    let later = server.get(&guest, &format!("/store/orders/{id}")).await.ok();
    // `variant` is the current one; everything else is as of the purchase.
    let bought = |order: &Value| {
        let mut line = order["items"][0].clone();
        line["variant"] = Value::Null;
        line
    };
    assert_eq!(bought(&later["order"]), bought(&order));
    assert_eq!(later["order"]["total"], order["total"]);
}

#[tokio::test]
async fn the_statements_of_a_request_do_not_grow_with_its_answer() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let region = &store.britain;
    let page = |limit: u32| {
        format!(
            "/store/products?limit={limit}&region_id={region}&fields=*variants.calculated_price,+variants.inventory_quantity"
        )
    };
    // The first request of each kind warms the caches.
    server.get(&visitor, &page(1)).await.ok();
    let one = server.statements(server.get(&visitor, &page(1))).await;
    let all = server.statements(server.get(&visitor, &page(50))).await;
    assert_eq!(one, all, "a page of products");

    let cart = server.cart_with(&visitor, &store, &store.mug, 1).await;
    let add = |variant: String| {
        let path = format!("/store/carts/{cart}/line-items");
        let (server, visitor) = (&server, visitor.clone());
        async move { server.post(&visitor, &path, json!({"variant_id": variant, "quantity": 1})).await }
    };
    let second = server.statements(add(store.lamp.clone())).await;
    let third = server.statements(add(store.print.clone())).await;
    assert_eq!(second, third, "adding an item");
}
