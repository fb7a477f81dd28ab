//! Products for shoppers.

use serde_json::{Value, json};

use super::{Shop, each, id};
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_shopper_sees_products_published_in_a_channel_of_the_key() {
    let shop = Shop::open().await;
    shop.make(shop.shirt("Green Shirt")).await;
    let mut draft = shop.shirt("Draft");
    draft["status"] = json!("draft");
    let draft = shop.make(draft).await;
    let mut elsewhere = shop.shirt("Elsewhere");
    elsewhere["sales_channels"] = json!([]);
    let elsewhere = shop.make(elsewhere).await;

    let list = shop.visit("/store/products").await;
    assert_eq!(each(&list["products"], "title"), ["Green Shirt"]);
    assert_eq!(
        (&list["count"], &list["offset"], &list["limit"]),
        (&json!(1), &json!(0), &json!(50))
    );
    for hidden in [draft, elsewhere] {
        let path = format!("/store/products/{}", id(&hidden, "/id"));
        shop.server.get(&Person::visitor(), &path).await.refused(404);
    }
}

#[tokio::test]
async fn a_product_shows_its_variants_options_and_prices_where_the_shopper_is() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("Green Shirt")).await;
    let path = format!("/store/products/{}", id(&made, "/id"));

    let plain = shop.visit(&path).await;
    assert_eq!(plain["product"]["handle"], "green-shirt");
    assert_eq!(plain.pointer("/product/options/0/values/1/value"), Some(&json!("M")));
    assert_eq!(plain.pointer("/product/variants/0/options/0/option/title"), Some(&json!("Size")));
    for absent in [
        "/product/status",
        "/product/metadata",
        "/product/variants/0/prices",
        "/product/variants/0/calculated_price",
        "/product/variants/0/inventory_quantity",
    ] {
        assert_eq!(plain.pointer(absent), None, "{absent}");
    }

    let region = &shop.region;
    for query in [
        format!("region_id={region}"),
        "country_code=us".to_owned(),
        format!(
            "region_id={region}&fields=*variants.calculated_price,%2Bvariants.inventory_quantity"
        ),
    ] {
        let priced = shop.visit(&format!("{path}?{query}")).await;
        let price = &priced["product"]["variants"][0]["calculated_price"];
        assert_eq!(price["calculated_amount"], json!(12.99), "{query}: {priced}");
        assert_eq!(price["currency_code"], "usd");
        assert_eq!(price["original_price"]["price_list_id"], Value::Null);
        assert_eq!(price["calculated_amount_with_tax"].is_number(), query == "country_code=us");
    }
    let stock = shop.visit(&format!("{path}?fields=id,variants.inventory_quantity")).await;
    assert_eq!(stock["product"]["variants"][0]["inventory_quantity"], 0);
}

#[tokio::test]
async fn each_variant_has_the_images_of_its_product_on_request() {
    let shop = Shop::open().await;
    let mut green = shop.shirt("Green Shirt");
    let urls = ["https://example.com/a.png", "https://example.com/b.png"];
    green["images"] = json!([{"url": urls[0]}, {"url": urls[1]}]);
    shop.make(green).await;
    shop.make(shop.shirt("Red Shirt")).await;

    // As the storefront starter requests it, with a trailing comma.
    let fields = "*variants.calculated_price,%2Bvariants.inventory_quantity,*variants.images,%2Bmetadata,%2Btags,";
    let region = &shop.region;
    let path = format!("/store/products?order=title&region_id={region}&fields={fields}");
    let list = shop.visit(&path).await;
    let [green, red] = [0, 1].map(|index| &list["products"][index]);

    for variant in 0..2 {
        let images = &green["variants"][variant]["images"];
        assert_eq!(each(images, "url"), urls);
        assert_eq!(images, &green["images"]);
        assert_eq!(red["variants"][variant]["images"], json!([]));
    }
    assert_eq!(green["variants"][0]["calculated_price"]["calculated_amount"], json!(12.99));
    assert_eq!(green["tags"], json!([]));
    assert!(green.get("metadata").is_some());
    let some = shop.visit("/store/products?order=title&fields=variants.images.url").await;
    let variant = &some["products"][0]["variants"][1];
    assert_eq!(each(&variant["images"], "url"), urls);
    assert_eq!(some["products"][0]["images"], Value::Null);
}

#[tokio::test]
async fn a_list_is_searched_filtered_and_ordered() {
    let shop = Shop::open().await;
    let summer = shop.manage("/admin/collections", json!({"title": "Summer"})).await;
    let tag = shop.manage("/admin/product-tags", json!({"value": "organic"})).await;
    let shirts = shop
        .manage("/admin/product-categories", json!({"name": "Shirts", "is_active": true}))
        .await;
    let (summer, tag, shirts) = (
        id(&summer, "/collection/id"),
        id(&tag, "/product_tag/id"),
        id(&shirts, "/product_category/id"),
    );
    for (title, is_sorted) in [("Bear", true), ("Ant", true), ("Cat", false), ("Été", false)] {
        let mut product = shop.shirt(title);
        if is_sorted {
            product["collection_id"] = json!(summer);
            product["tags"] = json!([{"id": tag}]);
            product["categories"] = json!([{"id": shirts}]);
        }
        shop.make(product).await;
    }

    for (query, expected) in [
        ("order=title".to_owned(), vec!["Ant", "Bear", "Cat", "Été"]),
        ("order=-title&limit=1&offset=2".to_owned(), vec!["Bear"]),
        ("q=cat-m".to_owned(), vec!["Cat"]),
        ("q=été".to_owned(), vec!["Été"]),
        ("title[$ilike]=É_É".to_owned(), vec!["Été"]),
        ("q=%25".to_owned(), vec![]),
        ("handle=ant".to_owned(), vec!["Ant"]),
        (format!("collection_id[]={summer}&order=title"), vec!["Ant", "Bear"]),
        (format!("tag_id={tag}&order=title"), vec!["Ant", "Bear"]),
        (format!("category_id[]={shirts}&order=-title"), vec!["Bear", "Ant"]),
        (format!("sales_channel_id={}&q=ant", shop.channel), vec!["Ant"]),
        ("created_at[$lt]=2000-01-01".to_owned(), vec![]),
        ("limit=0".to_owned(), vec![]),
    ] {
        let list = shop.visit(&format!("/store/products?{query}")).await;
        assert_eq!(each(&list["products"], "title"), expected, "{query}");
    }
    for query in [
        "order=metadata",
        "foo=1",
        "limit=201",
        "fields=deleted_at",
        "sales_channel_id=sc_other",
        "$or[0][sales_channel_id]=sc_other&$or[1][title]=Ant",
        "region_id=x",
        "country_code=usa",
        "fields=variants.prices",
    ] {
        shop.server.get(&Person::visitor(), &format!("/store/products?{query}")).await.refused(400);
    }
}

#[tokio::test]
async fn prices_without_a_place_need_the_stores_own_region() {
    let shop = Shop::open().await;
    shop.make(shop.shirt("Green Shirt")).await;
    let path = "/store/products?fields=*variants.calculated_price";

    let reply = shop.server.get(&Person::visitor(), path).await;

    assert!(
        reply.status == 200
            || reply.body["message"]
                == "Missing required pricing context to calculate prices - region_id",
        "{reply:?}"
    );
}

#[tokio::test]
async fn the_statements_of_a_page_do_not_depend_on_its_size() {
    let shop = Shop::open().await;
    for number in 0..12 {
        let mut product = shop.shirt(&format!("Shirt {number}"));
        product["images"] = json!([{"url": "https://example.com/a.png"}]);
        shop.make(product).await;
    }
    let region = &shop.region;
    let visitor = Person::visitor();
    let mut counts = Vec::new();
    for limit in [1, 1, 12] {
        let path = format!(
            "/store/products?limit={limit}&region_id={region}&country_code=us&fields=%2Bvariants.inventory_quantity,*categories"
        );
        counts.push(shop.server.statements(shop.server.get(&visitor, &path)).await);
    }

    assert_eq!(counts[1], counts[2], "{counts:?}");
    assert!(counts[2] <= 22, "{counts:?}");
}

#[tokio::test]
async fn a_count_follows_creations_and_deletions() {
    let shop = Shop::open().await;
    let made = shop.make(shop.shirt("One")).await;
    let count = async || shop.visit("/store/products").await["count"].as_u64();
    assert_eq!(count().await, Some(1));
    shop.make(shop.shirt("Two")).await;
    assert_eq!(count().await, Some(2));
    let path = format!("/admin/products/{}", id(&made, "/id"));
    shop.manage(&path, json!({"status": "draft"})).await;
    assert_eq!(count().await, Some(1));
    shop.manage(&path, json!({"status": "published"})).await;
    assert_eq!(count().await, Some(2));
    let gone = shop.server.delete(&Person::admin(), &path).await.ok();
    assert_eq!(gone, json!({"id": id(&made, "/id"), "object": "product", "deleted": true}));
    assert_eq!(count().await, Some(1));
}

#[tokio::test]
async fn an_id_of_another_kind_is_not_found_and_named() {
    let (server, _) = TestServer::with_store().await;
    for id in ["red-mug", "cart_01JD2Q8Z5M6T3W9XKCV4B7N0RE"] {
        let reply = server.get(&Person::visitor(), &format!("/store/products/{id}")).await;
        let expected =
            format!("Not found: `{id}` is not an id of `prod_` and 26 digits and capital letters");
        assert_eq!(reply.refused(404), expected);
    }
}
