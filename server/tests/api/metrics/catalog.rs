//! The catalog.

use serde_json::{Value, json};

use super::registry::send;
use crate::harness::{Person, TestServer};

const CATALOG: &str = "/admin/metrics/catalog";

fn metric(name: &str, formula: &str) -> Value {
    json!({"name": name, "category": "orders", "scope": "store", "formula": formula, "dataType": "number",
        "tags": ["board"], "formattingRules": {"decimals": 1, "null_text": "–"}})
}

#[tokio::test]
async fn a_catalog_that_cannot_be_written_says_so_as_documented() {
    let server = TestServer::empty().await;
    let holder = server.locked().await;
    let (admin, seed) = (Person::admin(), format!("{CATALOG}/seed-examples"));
    let (made, seeded) = tokio::join!(
        server.post(&admin, CATALOG, metric("Order count", "count(orders)")),
        server.post(&admin, &seed, json!({})),
    );
    for refusal in [made, seeded] {
        assert_eq!(refusal.status, 503, "{refusal:?}");
        assert!(refusal.body["error"].is_string(), "{refusal:?}");
        assert!(refusal.body.get("message").is_none(), "{refusal:?}");
        assert!(refusal.headers.contains_key("retry-after"), "{refusal:?}");
    }
    holder.release().await;
}

#[tokio::test]
async fn a_metric_of_the_catalog_is_made_found_changed_and_archived() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let made = server.post(&admin, CATALOG, metric("Order count", "count(orders)")).await;
    assert_eq!(made.status, 201, "{made:#?}");
    assert!(made.headers.contains_key("etag"));
    let made = made.body["metric"].clone();
    assert_eq!((&made["isActive"], &made["tags"]), (&json!(true), &json!(["board"])));
    assert_eq!(made["formattingRules"], json!({"decimals": 1, "null_text": "–"}));
    let path = format!("{CATALOG}/{}", made["id"].as_str().expect("an id"));
    server.post(&admin, CATALOG, metric("Item count", "count(items)")).await.ok();

    for (search, count) in
        [("search=order", 1), ("search=COUNT", 2), ("q=item", 1), ("search=none", 0)]
    {
        let list = server.get(&admin, &format!("{CATALOG}?{search}")).await.ok();
        assert_eq!(list["count"], count, "{search}");
    }
    let list =
        server.get(&admin, &format!("{CATALOG}?dataType=number&order=-createdAt&limit=1")).await;
    assert_eq!(list.ok()["metrics"].as_array().map(Vec::len), Some(1));
    server.get(&admin, &format!("{CATALOG}?data_type=number")).await.refused(400);

    let change = json!({"description": "All of them", "dependencies": []});
    let changed = send(&server, &admin, ("PUT", &path), change).await.ok();
    assert_eq!(changed["metric"]["description"], "All of them");
    let emptied = send(&server, &admin, ("PUT", &path), json!({"description": null})).await.ok();
    assert_eq!(emptied["metric"]["description"], Value::Null);

    let active =
        server.post(&admin, &format!("{path}/lifecycle"), json!({"state": "active"})).await.ok();
    assert_eq!(active["metric"]["state"], "active");
    server.post(&admin, &format!("{path}/lifecycle"), json!({"state": "draft"})).await.refused(422);
    let gone = server.delete(&admin, &path).await.ok();
    assert_eq!(
        (&gone["id"], &gone["object"], &gone["deleted"]),
        (&made["id"], &json!("metric"), &json!(true))
    );
    assert_eq!(gone["metric"]["state"], "archived");
    for _ in 0..2 {
        let list = server.get(&admin, &format!("{CATALOG}?state=archived")).await.ok();
        assert_eq!((&list["count"], &list["metrics"][0]), (&json!(1), &gone["metric"]));
        assert_eq!(server.get(&admin, &path).await.ok()["metric"], gone["metric"]);
        assert_eq!(server.delete(&admin, &path).await.ok(), gone);
    }
    assert_eq!(server.get(&admin, &format!("{path}/versions")).await.ok()["count"], 1);
    server.post(&admin, CATALOG, metric("Order count", "1")).await.refused(409);
}

#[tokio::test]
async fn a_metric_in_use_by_others_is_not_archived() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    for (name, formula) in [("a", "count(orders)"), ("b", "a + 1")] {
        server.post(&admin, CATALOG, metric(name, formula)).await.ok();
        let path = format!("{CATALOG}/{name}/lifecycle");
        server.post(&admin, &path, json!({"state": "active"})).await.ok();
    }
    let refused = server.delete(&admin, &format!("{CATALOG}/a")).await.refused(409);
    assert_eq!(refused, "`a` is used by b");
    let path = format!("{CATALOG}/a/lifecycle");
    server.post(&admin, &path, json!({"state": "archived"})).await.refused(409);
    let tree = server.get(&admin, &format!("{CATALOG}/b/dependencies")).await.ok();
    assert_eq!(tree["dependencies"]["children"][0]["state"], "active");
    let path = format!("{CATALOG}/b");
    let gone = server.delete(&admin, &path).await.ok();
    assert_eq!(gone["metric"]["dependencies"], json!(["a"]));
    let back = server.post(&admin, &format!("{path}/lifecycle"), json!({"state": "draft"})).await;
    assert_eq!(back.ok()["metric"]["state"], "draft");
    let users = server.get(&admin, &format!("{CATALOG}/a/dependents")).await.ok();
    assert_eq!((&users["count"], &users["dependents"][0]["key"]), (&json!(1), &json!("b")));
}

#[tokio::test]
async fn drafts_block_no_removal_on_any_surface() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    for surface in [CATALOG, "/admin/metrics/definitions", "/admin/metrics-registry/definitions"] {
        for (name, formula) in [("a", "count(orders)"), ("b", "a + 1")] {
            let name = format!("{name}{}", surface.len());
            let formula = formula.replace("a ", &format!("a{} ", surface.len()));
            server.post(&admin, CATALOG, metric(&name, &formula)).await.ok();
        }
        let (a, b) = (format!("a{}", surface.len()), format!("b{}", surface.len()));
        server.delete(&admin, &format!("{surface}/{a}")).await.ok();

        let draft = server.get(&admin, &format!("{surface}/{b}")).await.ok();
        assert_eq!(draft["metric"]["dependencies"], json!([a]), "{surface}");
        assert_eq!(draft["metric"]["problem"], Value::Null, "{surface}");
        let tree = server.get(&admin, &format!("{CATALOG}/{b}/dependencies")).await.ok();
        assert_eq!(tree["dependencies"]["children"][0]["state"], "archived", "{surface}");
        let path = format!("{CATALOG}/{b}/lifecycle");
        server.post(&admin, &path, json!({"state": "active"})).await.refused(422);
        server.delete(&admin, &format!("{surface}/{b}")).await.ok();
    }
}

#[tokio::test]
async fn versions_of_the_catalog_go_back_by_number_and_by_id() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    server.post(&admin, CATALOG, metric("a", "count(orders)")).await.ok();
    let path = format!("{CATALOG}/a");
    send(&server, &admin, ("PUT", &path), json!({"formula": "count(items)"})).await.ok();
    let versions = server.get(&admin, &format!("{path}/versions")).await.ok();
    let first = &versions["versions"][1];
    assert!(first["createdAt"].is_string() && first["restoredFrom"].is_null(), "{first}");
    let back = server
        .post(&admin, &format!("{path}/versions/rollback"), json!({"versionId": first["id"]}))
        .await
        .ok();
    assert_eq!(back["metric"]["formula"], "count(orders)");
    assert_eq!(back["message"], "Rolled back to version 1 as version 3");
    let both = json!({"versionId": first["id"], "version": 1});
    server.post(&admin, &format!("{path}/versions"), both).await.refused(400);
}

#[tokio::test]
async fn examples_are_seeded_once() {
    let server = TestServer::empty().await;
    let (admin, path) = (Person::admin(), "/admin/metrics/catalog/seed-examples");
    let one = server.post(&admin, path, json!({"names": ["example_orders_count"]})).await;
    assert_eq!(one.status, 200);
    assert_eq!(one.body["summary"], json!({"created": 1, "skipped": 0, "total": 1}));
    let rest = server.post(&admin, path, json!({})).await.ok();
    assert_eq!(rest["summary"], json!({"created": 2, "skipped": 1, "total": 3}));
    let keys: Vec<&Value> =
        rest["metrics"].as_array().into_iter().flatten().map(|metric| &metric["key"]).collect();
    assert_eq!(keys, ["example_daily_gmv", "example_average_order_value"]);
    let again = server.post(&admin, path, json!({})).await.ok();
    assert_eq!(again["summary"], json!({"created": 0, "skipped": 3, "total": 3}));
    server.post(&admin, path, json!({"names": ["example_nothing"]})).await.refused(400);
}

#[tokio::test]
async fn the_catalog_checks_ten_formulas_a_minute() {
    let server = TestServer::empty().await;
    let (admin, path) = (Person::admin(), "/admin/metrics/catalog/validate");
    for _ in 0..10 {
        let found = server.post(&admin, path, json!({"formula": "count(orders)"})).await.ok();
        assert_eq!(found["validation"]["defaultFormatting"], "1,235", "{found:#?}");
        assert_eq!(found["is_valid"], Value::Null);
    }
    let refused = server.post(&admin, path, json!({"formula": "1"})).await;
    assert!(refused.headers.contains_key("retry-after"));
    refused.refused(429);
    server.post(&Person::analyst(), path, json!({"formula": "1"})).await.ok();
}

#[tokio::test]
async fn a_filter_by_an_unknown_word_is_refused_with_the_possible_ones() {
    let server = TestServer::empty().await;
    for (query, possible) in [
        ("metrics-registry/definitions?state=foo", "draft, active, deprecated, archived"),
        ("metrics/definitions?data_type[]=number&data_type[]=foo", "number, integer, currency"),
        ("metrics/catalog?dataType=foo", "number, integer, currency"),
        ("metrics/catalog?category=foo", "sales, orders, customers"),
        ("metrics/catalog?scope=foo", "store, sales_channel"),
        ("metrics/catalog?visibility=foo", "private, organization, public"),
        ("metrics/placeholders?data_source=foo", "orders, items, refunds"),
        ("metrics-registry/placeholders?data_type=foo", "number, integer, currency"),
    ] {
        let path = format!("/admin/{query}");
        let message = server.get(&Person::viewer(), &path).await.refused(400);
        assert!(message.contains("'foo'") && message.contains(possible), "{query}: {message}");
    }
}
