//! Who sees an order in a storefront.

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};

async fn placed(server: &TestServer, store: &Store, buyer: &Person) -> Value {
    let cart = server.ready_cart(buyer, store, &store.mug, 1).await;
    server.complete(buyer, &cart).await.ok()
}

fn path(completed: &Value) -> String {
    format!("/store/orders/{}", completed["order"]["id"].as_str().expect("an order"))
}

#[tokio::test]
async fn a_guests_order_is_shown_for_its_token_or_for_a_day_for_its_email() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let completed = placed(&server, &store, &visitor).await;
    let (path, token) = (path(&completed), completed["order_token"].as_str().expect("a token"));
    server.assert_not_at_rest(token).await;
    let by_token = visitor.clone().with_header("x-order-token", token);
    let by_email = visitor.clone().with_header("x-order-email", "Ada@example.com");

    for viewer in [&by_token, &by_email] {
        let seen = server.get(viewer, &path).await.ok();
        assert_eq!(seen["order"]["id"], completed["order"]["id"]);
    }
    let other = visitor.clone().with_header("x-order-email", "bob@example.com");
    let guess =
        visitor.clone().with_header("x-order-token", &token.chars().rev().collect::<String>());
    for viewer in [&visitor, &other, &guess, &Person::customer_a()] {
        server.get(viewer, &path).await.refused(404);
    }

    let other_process = server.other_process();
    let aged = other_process.write::<_, quotient_server::database::Error>(|tx| {
        Ok(tx.execute_batch("update orders set placed_at = placed_at - 86400000")?)
    });
    aged.await.expect("an older order");
    server.get(&by_email, &path).await.refused(404);
    server.get(&by_token, &path).await.ok();
}

#[tokio::test]
async fn a_repeated_completion_returns_no_token_and_the_database_has_none() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let first = server.complete(&visitor, &cart).await.ok();
    let second = server.complete(&visitor, &cart).await.ok();

    assert!(first["order_token"].is_string());
    assert_eq!(second["order"]["id"], first["order"]["id"]);
    assert_eq!(second["order_token"], Value::Null);
    let plain = "select count(*) from orders where typeof(token_digest) <> 'blob' or length(token_digest) <> 32";
    assert_eq!(server.number(plain).await, 0);
}

#[tokio::test]
async fn a_shopper_sees_the_payments_and_the_products_of_an_order_on_request() {
    let (server, store) = TestServer::with_store().await;
    let buyer = Person::customer_a();
    let completed = placed(&server, &store, &buyer).await;
    // As the storefront starter requests it.
    let one = "*payment_collections.payments,*items,*items.metadata,*items.variant,*items.product";
    let one = server.get(&buyer, &format!("{}?fields={one}", path(&completed))).await.ok();
    let list = "/store/orders?limit=10&offset=0&order=-created_at\
                &fields=*items,%2Bitems.metadata,*items.variant,*items.product";
    let list = server.get(&buyer, list).await.ok();
    let (one, listed) = (&one["order"], &list["orders"][0]);

    let payment = &one["payment_collections"][0]["payments"][0];
    assert_eq!(payment["amount"], one["total"]);
    assert_eq!(payment["payment_collection_id"], one["payment_collections"][0]["id"]);
    assert!(payment["provider_id"].is_string() && payment["created_at"].is_string());
    for hidden in ["data", "captures", "refunds"] {
        assert_eq!(payment.get(hidden), None, "{hidden}");
    }
    for order in [one, listed] {
        let item = &order["items"][0];
        let product = &item["product"];
        assert_eq!((&product["id"], &product["title"]), (&item["product_id"], &json!("Mug")));
        assert_eq!(item["variant"]["id"], item["variant_id"]);
        assert!(item["metadata"].is_object());
    }
    for refused in ["payment_collections.payments.data", "*payment_collections.payments.refunds"] {
        let path = format!("{}?fields={refused}", path(&completed));
        server.get(&buyer, &path).await.refused(400);
    }

    let product = format!("/admin/products/{}", store.mug_product);
    server.delete(&Person::admin(), &product).await.ok();
    let path = format!("{}?fields=*items.product", path(&completed));
    let after = server.get(&buyer, &path).await.ok();
    let item = &after["order"]["items"][0];
    assert_eq!((&item["product"], &item["variant"]), (&Value::Null, &Value::Null));
    assert_eq!((&item["product_title"], &item["variant_sku"]), (&json!("Mug"), &json!("MUG")));
}

#[tokio::test]
async fn an_order_says_of_variants_and_shipping_methods_what_clients_know_of_them() {
    let (server, store) = TestServer::with_store().await;
    let buyer = Person::customer_a();
    let variant = format!("/admin/products/{}/variants/{}", store.mug_product, store.mug);
    let change = json!({ "ean": "4006381333931", "weight": 300, "metadata": { "glaze": "blue" } });
    server.post(&Person::admin(), &variant, change).await.ok();
    let completed = placed(&server, &store, &buyer).await;

    let order = server.get(&buyer, &path(&completed)).await.ok()["order"].take();

    let (variant, method) = (&order["items"][0]["variant"], &order["shipping_methods"][0]);
    assert_eq!((&variant["ean"], &variant["weight"]), (&json!("4006381333931"), &json!(300)));
    assert_eq!(variant["metadata"], json!({ "glaze": "blue" }));
    for name in
        ["barcode", "upc", "hs_code", "origin_country", "mid_code", "material", "deleted_at"]
    {
        assert_eq!(variant.get(name), Some(&Value::Null), "{name}");
    }
    for name in ["allow_backorder", "manage_inventory", "variant_rank", "created_at", "updated_at"]
    {
        assert!(variant.get(name).is_some_and(|value| !value.is_null()), "{name}");
    }
    let detail = &method["detail"];
    assert_eq!((&detail["shipping_method_id"], &detail["order_id"]), (&method["id"], &order["id"]));
    assert!(detail["version"].is_i64());
}

#[tokio::test]
async fn the_order_of_an_account_is_shown_to_its_customer_alone() {
    let (server, store) = TestServer::with_store().await;
    let buyer = Person::customer_a();
    let completed = placed(&server, &store, &buyer).await;
    let (path, email) =
        (path(&completed), completed["order"]["email"].as_str().expect("an e-mail"));

    server.get(&buyer, &path).await.ok();

    let by_email = Person::visitor().with_header("x-order-email", email);
    for viewer in [&Person::visitor(), &Person::customer_b(), &by_email] {
        server.get(viewer, &path).await.refused(404);
    }
}

#[tokio::test]
async fn orders_and_carts_are_shown_in_the_storefronts_of_their_sales_channel_alone() {
    let (server, store) = TestServer::with_store().await;
    let completed = placed(&server, &store, &Person::visitor()).await;
    let of_account = placed(&server, &store, &Person::customer_a()).await;
    let admin = Person::admin();
    let channel =
        server.post(&admin, "/admin/sales-channels", json!({"name": "Wholesale"})).await.ok();
    let key = json!({"title": "Another storefront", "type": "publishable"});
    let made = server.post(&admin, "/admin/api-keys", key).await.ok();
    let id = made["api_key"]["id"].as_str().expect("an id");
    let link = json!({"add": [channel["sales_channel"]["id"]]});
    server.post(&admin, &format!("/admin/api-keys/{id}/sales-channels"), link).await.ok();
    let key = made["api_key"]["token"].as_str().expect("a key");
    let elsewhere = Person::visitor().in_storefront(key);
    let token = completed["order_token"].as_str().expect("a token");
    for (name, value) in [("x-order-token", token), ("x-order-email", "ada@example.com")] {
        let proof = elsewhere.clone().with_header(name, value);
        server.get(&proof, &path(&completed)).await.refused(404);
        server.get(&Person::visitor().with_header(name, value), &path(&completed)).await.ok();
    }
    let customer = Person::customer_a();
    server.get(&customer, &path(&of_account)).await.ok();
    server.get(&customer.in_storefront(key), &path(&of_account)).await.refused(404);
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;

    server.get(&elsewhere, &path(&completed)).await.refused(404);
    server.get(&elsewhere, &format!("/store/carts/{cart}")).await.refused(404);
    server.get(&Person::visitor(), &format!("/store/carts/{cart}")).await.ok();
}

#[tokio::test]
async fn a_customer_finds_the_orders_of_the_storefronts_sales_channels_alone() {
    let (server, store) = TestServer::with_store().await;
    let buyer = Person::customer_a();
    placed(&server, &store, &buyer).await;
    assert_eq!(server.get(&buyer, "/store/orders").await.ok()["count"], 1);

    let channel = json!({"name": "Wholesale"});
    let made = server.post(&Person::admin(), "/admin/sales-channels", channel).await.ok();
    let channel = made["sales_channel"]["id"].as_str().expect("a channel");
    server.sql(&format!("update orders set sales_channel_id = '{channel}'")).await;

    let listed = server.get(&buyer, "/store/orders").await.ok();
    assert_eq!((&listed["count"], &listed["orders"]), (&json!(0), &json!([])));
}
