//! Products and variants for admins.

use serde_json::{Value, json};

use super::{Shop, each, id};
use crate::harness::Person;

#[tokio::test]
async fn an_admin_makes_changes_and_deletes_a_product() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Green Shirt")).await;
    assert_eq!(made["status"], "published");
    assert_eq!(made["variants"][1]["title"], "M");
    assert_eq!(made["variants"][0]["prices"][0]["amount"], json!(12.99));
    assert_eq!(made["sales_channels"][0]["name"], "Web shop");
    let path = format!("/admin/products/{}", id(&made, "/id"));

    let changed = shop
        .manage(&path, json!({"subtitle": "Soft", "metadata": {"a": 1, "b": ""}, "weight": 120}))
        .await;
    assert_eq!(changed["product"]["subtitle"], "Soft");
    assert_eq!(changed["product"]["metadata"], json!({"a": 1}));
    assert_eq!(changed["product"]["variants"].as_array().map(Vec::len), Some(2));
    let emptied = shop.manage(&path, json!({"subtitle": null, "metadata": {"a": null}})).await;
    assert_eq!(emptied["product"]["subtitle"], Value::Null);
    assert_eq!(emptied["product"]["metadata"], Value::Null);

    shop.server.delete(&Person::admin(), &path).await.ok();
    for reply in [
        shop.server.get(&Person::admin(), &path).await,
        shop.server.delete(&Person::admin(), &path).await,
        shop.server.post(&Person::admin(), &path, json!({"title": "x"})).await,
    ] {
        reply.refused(404);
    }
    shop.make(shop.shirt("Green Shirt")).await;
}

#[tokio::test]
async fn a_picture_is_at_a_path_or_at_http() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Green Shirt")).await;
    let product = format!("/admin/products/{}", id(&made, "/id"));
    let variant = format!("{product}/variants/{}", id(&made, "/variants/0/id"));
    let picture = |url: &str| json!({ "thumbnail": url });
    for url in
        ["javascript:alert(1)", "data:text/html,x", "shirt.png", "https://me:pw@example.com/"]
    {
        let mut new = shop.shirt("Red Shirt");
        new["thumbnail"] = json!(url);
        for (path, body, field) in [
            ("/admin/products", new, "thumbnail"),
            (product.as_str(), picture(url), "thumbnail"),
            (product.as_str(), json!({ "images": [{ "url": url }] }), "images[0].url"),
            (variant.as_str(), picture(url), "thumbnail"),
            ("/admin/inventory-items", picture(url), "thumbnail"),
        ] {
            let message = shop.server.post(&Person::admin(), path, body).await.refused(400);
            let expected = format!("Invalid request: Field '{field}': must be a path such as");
            assert!(message.starts_with(&expected), "{path} {url}: {message}");
        }
    }
    for url in ["/static/shirt.png", "http://localhost:9000/static/shirt.png"] {
        let changed = shop.manage(&product, picture(url)).await;
        assert_eq!(changed["product"]["thumbnail"], url);
    }
}

#[tokio::test]
async fn variants_are_made_changed_and_deleted_below_their_product() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Shirt")).await;
    let product = format!("/admin/products/{}", id(&made, "/id"));
    let small = format!("{product}/variants/{}", id(&made, "/variants/0/id"));

    let refused = shop
        .server
        .post(
            &Person::admin(),
            &format!("{product}/variants"),
            json!({"sku": "x", "options": {"Size": "S"}}),
        )
        .await
        .refused(400);
    assert_eq!(refused, "Variant (S) with provided options already exists.");
    let taken = shop.server.post(&Person::admin(), &small, json!({"sku": "Shirt-M"})).await;
    assert_eq!(taken.refused(422), "Product variant with sku: Shirt-M, already exists.");

    let size = id(&made, "/options/0/id");
    shop.manage(&format!("{product}/options/{size}"), json!({"values": ["S", "M", "L"]})).await;
    let large = json!({"sku": "Shirt-L", "options": {"Size": "L"}, "prices": [{"currency_code": "usd", "amount": 15}]});
    let after = shop.manage(&format!("{product}/variants"), large).await;
    assert_eq!(each(&after["product"]["variants"], "title"), ["S", "M", "L"]);

    let price = id(&made, "/variants/0/prices/0/id");
    let prices = json!({"prices": [{"id": price, "currency_code": "usd", "amount": 11.5}, {"currency_code": "eur", "amount": 10}]});
    shop.manage(&small, prices).await;
    let view = shop.server.get(&Person::analyst(), &small).await.ok();
    assert_eq!(view["variant"]["prices"].as_array().map(Vec::len), Some(2));
    assert_eq!(view["variant"]["prices"][1]["id"], json!(price));

    let gone = shop.server.delete(&Person::admin(), &small).await.ok();
    assert_eq!(each(&gone["parent"]["variants"], "title"), ["M", "L"]);
    shop.server.get(&Person::admin(), &small).await.refused(404);
    let list =
        shop.server.get(&Person::admin(), &format!("{product}/variants?order=title")).await.ok();
    assert_eq!(each(&list["variants"], "title"), ["L", "M"]);
}

#[tokio::test]
async fn a_new_variant_is_the_last_one_also_after_deletions() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Shirt")).await;
    let product = format!("/admin/products/{}", id(&made, "/id"));
    let size = id(&made, "/options/0/id");
    let values = json!({"values": ["S", "M", "L", "XL"]});
    shop.manage(&format!("{product}/options/{size}"), values).await;
    let add = async |size: &str| {
        let body = json!({"sku": size, "options": {"Size": size}});
        shop.manage(&format!("{product}/variants"), body).await
    };
    add("L").await;
    for place in ["/variants/0/id", "/variants/1/id"] {
        let path = format!("{product}/variants/{}", id(&made, place));
        shop.server.delete(&Person::admin(), &path).await.ok();
    }
    let after = add("XL").await;
    assert_eq!(each(&after["product"]["variants"], "title"), ["L", "XL"]);
    assert_eq!(after["product"]["variants"][1]["variant_rank"], 3);
}

#[tokio::test]
async fn options_in_use_by_variants_cannot_be_removed() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Shirt")).await;
    let product = format!("/admin/products/{}", id(&made, "/id"));
    let size = format!("{product}/options/{}", id(&made, "/options/0/id"));
    let admin = Person::admin();

    shop.server.delete(&admin, &size).await.refused(400);
    shop.server.post(&admin, &size, json!({"values": ["M"]})).await.refused(400);
    shop.server
        .post(&admin, &format!("{product}/options"), json!({"title": "Fit", "values": ["slim"]}))
        .await
        .refused(400);

    let only = json!({"variants": [{"id": id(&made, "/variants/1/id"), "title": "Medium"}], "options": [{"title": "Size", "values": ["M"]}]});
    let after = shop.manage(&product, only).await;
    assert_eq!(each(&after["product"]["variants"], "title"), ["Medium"]);
    assert_eq!(each(&after["product"]["options"][0]["values"], "value"), ["M"]);
}

#[tokio::test]
async fn a_batch_is_done_as_a_whole_or_not_at_all() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("One")).await;
    let one = id(&made, "/id");
    let batch =
        |create: Value| json!({"create": [create], "update": [{"id": one, "title": "First"}]});

    shop.server
        .post(
            &Person::admin(),
            "/admin/products/batch",
            batch(json!({"title": "Two", "handle": "one"})),
        )
        .await
        .refused(422);
    let unchanged = shop.server.get(&Person::admin(), &format!("/admin/products/{one}")).await.ok();
    assert_eq!(unchanged["product"]["title"], "One");

    let done = shop.manage("/admin/products/batch", batch(shop.shirt("Two"))).await;
    assert_eq!(
        (&done["created"][0]["title"], &done["updated"][0]["title"]),
        (&json!("Two"), &json!("First"))
    );
    let deleted = shop.manage("/admin/products/batch", json!({"delete": [one]})).await;
    assert_eq!(deleted["deleted"], json!({"ids": [one], "object": "product", "deleted": true}));
}

#[tokio::test]
async fn bad_products_are_refused_with_their_reason() {
    let shop = Shop::open().await;
    for (body, status) in [
        (json!({}), 400),
        (json!({"title": ""}), 400),
        (json!({"title": "x", "foo": 1}), 400),
        (json!({"title": "x", "status": "sold"}), 400),
        (json!({"title": "x", "handle": "No Handle"}), 400),
        (json!({"title": "x", "collection_id": "pcol_01JD2Q8Z5M6T3W9XKCV4B7N0RE"}), 400),
        (json!({"title": "x", "weight": -1}), 400),
        (json!({"title": "x", "variants": [{"title": "a", "variant_rank": -1}]}), 400),
        (
            json!({"title": "x", "variants": [{"prices": [{"currency_code": "usd", "amount": 1.999}]}]}),
            400,
        ),
        (
            json!({"title": "x", "variants": [{"prices": [{"currency_code": "xxx", "amount": 1}]}]}),
            400,
        ),
        (
            json!({"title": "x", "variants": [{"prices": [{"currency_code": "usd", "amount": -1}]}]}),
            400,
        ),
        (json!({"title": "x", "variants": [{"options": {"Size": "S"}}]}), 400),
        (json!({"title": "x", "metadata": {"a": "b".repeat(20_000)}}), 400),
    ] {
        let reply = shop.server.post(&Person::admin(), "/admin/products", body.clone()).await;
        assert_eq!(reply.status, status, "{body}: {reply:?}");
    }
}
