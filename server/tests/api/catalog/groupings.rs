//! Categories, collections, tags and types.

use serde_json::{Value, json};

use super::{Shop, each, id};
use crate::harness::Person;

#[tokio::test]
async fn categories_are_a_tree_that_shoppers_see_the_active_part_of() {
    let shop = Shop::open().await;
    let path = "/admin/product-categories";
    let make = async |name: &str, parent: Option<&str>, is_active: bool| {
        let body = json!({"name": name, "is_active": is_active, "parent_category_id": parent});
        id(&shop.manage(path, body).await, "/product_category/id")
    };
    let clothes = make("Clothes", None, true).await;
    let shirts = make("Shirts", Some(&clothes), true).await;
    make("Secret", Some(&clothes), false).await;
    let tees = make("T-Shirts", Some(&shirts), true).await;

    let tree = shop
        .visit(&format!("/store/product-categories/{clothes}?include_descendants_tree=true"))
        .await;
    let children = &tree["product_category"]["category_children"];
    assert_eq!(each(children, "name"), ["Shirts"]);
    assert_eq!(each(&children[0]["category_children"], "handle"), ["t-shirts"]);
    let above =
        shop.visit(&format!("/store/product-categories/{tees}?include_ancestors_tree=true")).await;
    let parent = &above["product_category"]["parent_category"];
    assert_eq!(
        (&parent["name"], &parent["parent_category"]["name"]),
        (&json!("Shirts"), &json!("Clothes"))
    );
    let list = shop.visit("/store/product-categories?parent_category_id=null").await;
    assert_eq!(
        (each(&list["product_categories"], "name"), &list["count"]),
        (vec!["Clothes"], &json!(1))
    );

    let admin = Person::admin();
    let body = json!({"parent_category_id": tees});
    shop.server.post(&admin, &format!("{path}/{clothes}"), body).await.refused(400);
    shop.server.delete(&admin, &format!("{path}/{clothes}")).await.refused(400);
    shop.server.delete(&admin, &format!("{path}/{tees}")).await.ok();
    shop.server.get(&admin, &format!("{path}/{tees}")).await.refused(404);
}

#[tokio::test]
async fn a_tree_is_returned_as_deep_as_its_fields_are_named() {
    let shop = Shop::open().await;
    let path = "/admin/product-categories";
    let mut parent = Value::Null;
    for name in ["A", "B", "C", "D"] {
        let body = json!({"name": name, "is_active": true, "parent_category_id": parent});
        parent = shop.manage(path, body).await["product_category"]["id"].clone();
    }
    // As the storefront starter requests it, with spaces after the commas.
    let fields =
        "*category_children, *products, *parent_category, *parent_category.parent_category"
            .replace(' ', "%20");
    let list = shop.visit(&format!("/store/product-categories?order=name&fields={fields}")).await;
    let rows = &list["product_categories"];

    assert_eq!((&rows[0]["name"], &rows[0]["parent_category"]), (&json!("A"), &Value::Null));
    assert_eq!(rows[0]["category_children"][0]["name"], "B");
    assert_eq!(rows[0]["category_children"][0].get("category_children"), None);
    assert_eq!(rows[1]["parent_category"]["parent_category"], Value::Null);
    let above = &rows[3]["parent_category"];
    assert_eq!((&above["name"], &above["parent_category"]["name"]), (&json!("C"), &json!("B")));
    assert_eq!(above["parent_category"]["parent_category"], Value::Null);

    let deepest = parent.as_str().unwrap_or_default();
    let plain = shop.visit(&format!("/store/product-categories/{deepest}")).await;
    assert_eq!(plain["product_category"]["parent_category"]["name"], "C");
    assert_eq!(plain["product_category"]["parent_category"].get("parent_category"), None);
    let too_deep = "/store/product-categories?fields=parent_category.parent_category.name";
    shop.server.get(&Person::visitor(), too_deep).await.refused(400);
}

#[tokio::test]
async fn shoppers_filter_by_visible_categories_only() {
    let shop = Shop::open().await;
    let mut products = Vec::new();
    for (name, is_active, is_internal) in
        [("Shirts", true, false), ("Next season", false, false), ("Returned", true, true)]
    {
        let body = json!({"name": name, "is_active": is_active, "is_internal": is_internal});
        let made = shop.manage("/admin/product-categories", body).await;
        let category = id(&made, "/product_category/id");
        let mut product = shop.shirt(name);
        product["categories"] = json!([{"id": category}]);
        shop.make(product).await;
        products.push((category, name));
    }

    for (category, name) in &products {
        let query = format!("products?category_id[]={category}");
        let all = shop.server.get(&Person::admin(), &format!("/admin/{query}")).await.ok();
        assert_eq!(each(&all["products"], "title"), [*name]);
        let seen = shop.visit(&format!("/store/{query}")).await;
        let expected = if *name == "Shirts" { vec!["Shirts"] } else { Vec::new() };
        assert_eq!(each(&seen["products"], "title"), expected, "{name}");
        let others = shop.visit(&format!("/store/products?category_id[$nin][]={category}")).await;
        assert_eq!(others["count"], products.len() - expected.len(), "{name}");
    }
    let gone = format!("/admin/product-categories/{}", products[0].0);
    for (is_active, count) in [(false, 0), (true, 1)] {
        shop.manage(&gone, json!({"is_active": is_active})).await;
        let seen = shop.visit(&format!("/store/products?category_id={}", products[0].0)).await;
        assert_eq!(seen["count"], count);
    }
    shop.server.delete(&Person::admin(), &gone).await.ok();
    let seen = shop.visit(&format!("/store/products?category_id={}", products[0].0)).await;
    assert_eq!(seen["count"], 0);
}

#[tokio::test]
async fn collections_and_categories_have_their_first_visible_products_on_request() {
    let shop = Shop::open().await;
    let summer = shop.manage("/admin/collections", json!({"title": "Summer"})).await;
    let summer = id(&summer, "/collection/id");
    shop.manage("/admin/collections", json!({"title": "Empty"})).await;
    let body = json!({"name": "Shirts", "is_active": true});
    let shirts = id(&shop.manage("/admin/product-categories", body).await, "/product_category/id");
    let body = json!({"name": "Empty", "is_active": true});
    shop.manage("/admin/product-categories", body).await;
    for number in 0..23 {
        let mut product = shop.shirt(&format!("Shirt {number:02}"));
        product["collection_id"] = json!(summer);
        product["categories"] = json!([{"id": shirts}]);
        match number {
            0 => product["status"] = json!("draft"),
            1 => product["sales_channels"] = json!([]),
            _ => {}
        }
        shop.make(product).await;
    }
    // Products created in the same millisecond have no order, so they are compared with those of
    // the list.
    let listed = shop.visit(&format!("/store/products?collection_id={summer}&limit=20")).await;
    let first = each(&listed["products"], "id");
    assert_eq!((first.len(), &listed["count"]), (20, &json!(21)));

    for (path, plural, name, own) in [
        ("/store/collections", "collections", "title", &summer),
        ("/store/product-categories", "product_categories", "name", &shirts),
    ] {
        let list = shop.visit(&format!("{path}?order={name}&fields={name},*products")).await;
        let [empty, full] = [0, 1].map(|index| &list[plural][index]);
        assert_eq!((&empty[name], &empty["products"]), (&json!("Empty"), &json!([])), "{list}");
        assert_eq!(each(&full["products"], "id"), first, "{path}");
        let product = &full["products"][0];
        assert_eq!(product["status"], "published");
        assert_eq!((product.get("variants"), product.get("collection")), (None, None));
        let some = shop.visit(&format!("{path}/{own}?fields=products.handle")).await;
        let one = some.as_object().and_then(|some| some.values().next());
        let products = one.map(|one| &one["products"]).expect("a group");
        assert_eq!(each(products, "id"), first, "{path}");
        assert!(products[0]["handle"].is_string());
        assert_eq!(products[0].as_object().map(serde_json::Map::len), Some(2));
        let plain = shop.visit(path).await;
        assert_eq!(plain[plural][0].get("products"), None);
        for refused in ["*products.variants", "products.deleted_at"] {
            let path = format!("{path}?fields={refused}");
            shop.server.get(&Person::visitor(), &path).await.refused(400);
        }
    }
}

#[tokio::test]
async fn the_ranks_of_siblings_have_no_gaps() {
    let shop = Shop::open().await;
    let path = "/admin/product-categories";
    let mut ids = Vec::new();
    for name in ["a", "b", "c", "d"] {
        ids.push(id(&shop.manage(path, json!({"name": name})).await, "/product_category/id"));
    }
    let order = async || {
        let list = shop.server.get(&Person::admin(), &format!("{path}?order=rank")).await.ok();
        let rows = list["product_categories"].as_array().cloned().unwrap_or_default();
        let ranks: Vec<Value> = rows.iter().map(|row| row["rank"].clone()).collect();
        assert_eq!(ranks, (0..rows.len()).map(|rank| json!(rank)).collect::<Vec<_>>());
        each(&list["product_categories"], "name").join("")
    };

    shop.manage(&format!("{path}/{}", ids[3]), json!({"rank": 0})).await;
    assert_eq!(order().await, "dabc");
    shop.manage(&format!("{path}/{}", ids[3]), json!({"rank": 2})).await;
    assert_eq!(order().await, "abdc");
    shop.server.delete(&Person::admin(), &format!("{path}/{}", ids[0])).await.ok();
    assert_eq!(order().await, "bdc");
}

#[tokio::test]
async fn products_are_put_into_collections_and_categories() {
    let shop = Shop::open().await;
    let product = id(&shop.make(shop.shirt("Shirt")).await, "/id");
    for (path, one) in
        [("/admin/collections", "collection"), ("/admin/product-categories", "product_category")]
    {
        let body = if one == "collection" {
            json!({"title": "Summer"})
        } else {
            json!({"name": "Summer", "is_active": true})
        };
        let made = id(&shop.manage(path, body).await, &format!("/{one}/id"));
        let filter = if one == "collection" { "collection_id" } else { "category_id" };
        let list = format!("/store/products?{filter}={made}");
        shop.manage(&format!("{path}/{made}/products"), json!({"add": [product]})).await;
        assert_eq!(shop.visit(&list).await["count"], 1, "{path}");
        shop.manage(&format!("{path}/{made}/products"), json!({"remove": [product]})).await;
        assert_eq!(shop.visit(&list).await["count"], 0, "{path}");
        let nothing = json!({"add": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"]});
        shop.server
            .post(&Person::admin(), &format!("{path}/{made}/products"), nothing)
            .await
            .refused(400);
    }
}

#[tokio::test]
async fn names_and_handles_are_unique() {
    let shop = Shop::open().await;
    for (path, body) in [
        ("/admin/product-tags", json!({"value": "organic"})),
        ("/admin/product-types", json!({"value": "clothing"})),
        ("/admin/collections", json!({"title": "Summer", "handle": "summer"})),
        ("/admin/product-categories", json!({"name": "Shirts", "handle": "shirts"})),
    ] {
        let made = shop.manage(path, body.clone()).await;
        let made =
            made.as_object().and_then(|made| made.values().next()).cloned().unwrap_or_default();
        shop.server.post(&Person::admin(), path, body.clone()).await.refused(422);
        let one = format!("{path}/{}", id(&made, "/id"));
        shop.manage(&one, body.clone()).await;
        shop.server.delete(&Person::admin(), &one).await.ok();
        shop.server.get(&Person::admin(), &one).await.refused(404);
        shop.manage(path, body).await;
    }
}
