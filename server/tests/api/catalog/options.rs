//! Product options across products.

use serde_json::json;

use super::each;
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn an_option_is_created_found_changed_and_removed_by_its_own_id() {
    let (server, _store) = TestServer::with_store().await;
    let admin = Person::admin();
    let bare = json!({"title": "Shirt"});
    let made = server.post(&admin, "/admin/products", bare).await.ok();
    let product = made["product"]["id"].as_str().expect("a product").to_owned();

    let new = json!({"product_id": product, "title": "Size", "values": ["S", "M"]});
    let option =
        server.post(&admin, "/admin/product-options?fields=%2Bproduct_id", new.clone()).await.ok();
    let id = option["product_option"]["id"].as_str().expect("an option").to_owned();
    assert_eq!(option["product_option"]["product_id"], product);
    assert_eq!(option["product_option"]["values"][1]["value"], "M");
    server.post(&admin, "/admin/product-options", new).await.refused(400);
    let homeless = json!({"title": "Size", "values": ["S"]});
    let refused = server.post(&admin, "/admin/product-options", homeless).await.refused(400);
    assert!(refused.ends_with("or use `/admin/products/:id/options`"), "{refused}");

    let path = format!("/admin/product-options/{id}");
    let change = json!({"values": ["S", "M", "L"]});
    let changed = server.post(&admin, &path, change).await.ok();
    assert_eq!(changed["product_option"]["values"][2]["value"], "L");
    assert_eq!(changed["product_option"]["title"], "Size");
    let found = server.get(&admin, &format!("/admin/product-options?product_id={product}")).await;
    assert_eq!(found.ok()["product_options"][0]["id"], json!(id));
    let all = server.get(&admin, "/admin/product-options?q=kind&order=-title&limit=2").await.ok();
    assert_eq!(
        (&all["count"], all["product_options"].as_array().map(Vec::len)),
        (&json!(3), Some(2))
    );

    let gone = server.delete(&admin, &path).await.ok();
    assert_eq!(gone, json!({"id": id, "object": "product_option", "deleted": true}));
    server.get(&admin, &path).await.refused(404);
    server.delete(&admin, &path).await.refused(404);
    let used = all["product_options"][0]["id"].as_str().expect("an option");
    server.delete(&admin, &format!("/admin/product-options/{used}")).await.refused(400);
}

#[tokio::test]
async fn options_exchange_their_titles() {
    let (server, _store) = TestServer::with_store().await;
    let admin = Person::admin();
    let options =
        json!([{"title": "Size", "values": ["S", "M"]}, {"title": "Fit", "values": ["slim"]}]);
    let made = server
        .post(&admin, "/admin/products", json!({"title": "Shirt", "options": options}))
        .await
        .ok();
    let (path, options) = (&made["product"]["id"], &made["product"]["options"]);
    let path = format!("/admin/products/{}", path.as_str().expect("a product"));
    let option = |index: usize, title: &str| json!({"id": options[index]["id"], "title": title});
    let change = json!({"options": [option(0, "Fit"), option(1, "Size")]});
    let changed = server.post(&admin, &path, change).await.ok();
    let options = &changed["product"]["options"];
    assert_eq!((&options[0]["title"], &options[1]["title"]), (&json!("Fit"), &json!("Size")));
    assert_eq!(options[0]["values"][1]["value"], "M");

    // One gets the title that a later one gives up.
    let change = json!({"options": [option(0, "Size"), option(1, "Cut")]});
    let changed = server.post(&admin, &path, change).await.ok();
    let options = &changed["product"]["options"];
    assert_eq!((&options[0]["title"], &options[1]["title"]), (&json!("Size"), &json!("Cut")));
}

#[tokio::test]
async fn variants_exchange_their_option_values() {
    let (server, _store) = TestServer::with_store().await;
    let admin = Person::admin();
    let sized = |size: &str| json!({"title": size, "prices": [], "options": {"Size": size}});
    let product = json!({"title": "Shirt", "options": [{"title": "Size", "values": ["S", "M"]}],
        "variants": [sized("S"), sized("M")]});
    let made = server.post(&admin, "/admin/products", product).await.ok();
    let (id, variants) = (&made["product"]["id"], &made["product"]["variants"]);
    let path = format!("/admin/products/{}", id.as_str().expect("a product"));
    let change = |index: usize, size: &str| {
        let id = &variants[index]["id"];
        json!({"id": id, "options": {"Size": size}})
    };

    let exchange = json!({"variants": [change(0, "M"), change(1, "S")]});
    let changed = server.post(&admin, &path, exchange).await.ok();
    let values = |index: usize| {
        let all = changed["product"]["variants"].as_array().expect("variants");
        let variant = all.iter().find(|one| one["id"] == variants[index]["id"]);
        variant.map(|one| one["options"][0]["value"].clone())
    };
    assert_eq!((values(0), values(1)), (Some(json!("M")), Some(json!("S"))));

    let back = json!({"update": [change(0, "S"), change(1, "M")]});
    let changed = server.post(&admin, &format!("{path}/variants/batch"), back).await.ok();
    assert_eq!(changed["updated"][0]["options"][0]["value"], "S");

    let same = json!({"variants": [change(0, "M"), change(1, "M")]});
    server.post(&admin, &path, same).await.refused(400);
    let twice = json!({"variants": [change(0, "S"), change(0, "M"), change(1, "S")]});
    server.post(&admin, &path, twice).await.refused(400);
}

#[tokio::test]
async fn the_values_of_an_option_have_the_order_in_which_they_were_sent() {
    let (server, _store) = TestServer::with_store().await;
    let admin = Person::admin();
    let product =
        json!({"title": "Shirt", "options": [{"title": "Size", "values": ["S", "M", "L"]}]});
    let made = server.post(&admin, "/admin/products", product).await.ok();
    let option = made["product"]["options"][0]["id"].as_str().expect("an option");
    let path = format!("/admin/product-options/{option}");
    for (sent, expected) in [
        (json!({"values": ["XS", "L", "S"]}), ["XS", "L", "S"]),
        (json!({"title": "Width"}), ["XS", "L", "S"]),
        (json!({"values": ["S", "XS", "L"]}), ["S", "XS", "L"]),
    ] {
        let changed = server.post(&admin, &path, sent).await.ok();
        assert_eq!(each(&changed["product_option"]["values"], "value"), expected);
        let shown = server.get(&admin, &path).await.ok();
        assert_eq!(each(&shown["product_option"]["values"], "value"), expected);
    }
}
