//! The users of a metric: metrics, boards and alerts, as far as the caller sees them.

use serde_json::{Value, json};

use super::registry::{definition, make};
use crate::harness::{Person, TestServer};

/// Defines a metric and puts it into use.
async fn active(server: &TestServer, name: &str, formula: &str) -> Value {
    let made = make(server, name, formula).await;
    let path = format!("/admin/metrics/catalog/{}/lifecycle", made["key"].as_str().expect("a key"));
    server.post(&Person::admin(), &path, json!({ "state": "active" })).await.ok();
    made
}

async fn alert(server: &TestServer, name: &str, metric: &str, condition: &str) {
    let body = json!({ "metric_id": metric, "name": name, "condition": condition });
    server.post(&Person::analyst(), "/admin/metrics/alerts", body).await.ok();
}

async fn pin(server: &TestServer, person: &Person, name: &str, is_shared: bool) {
    let body = json!({ "tiles": ["standard:net_sales", "base"], "is_shared": is_shared });
    let path = format!("/admin/metrics/boards/{name}");
    server.call(person, "PUT", &path, Some(body.to_string().into_bytes())).await.ok();
}

fn counts(uses: &Value) -> (&Value, &Value, &Value) {
    (&uses["metrics"], &uses["boards"], &uses["alerts"])
}

#[tokio::test]
async fn a_metric_says_who_uses_it() {
    let server = TestServer::empty().await;
    active(&server, "Base", "count(carts)").await;
    active(&server, "Above", "base * 2").await;
    active(&server, "Far above", "above * 2").await;
    pin(&server, &Person::analyst(), "Shared", true).await;
    pin(&server, &Person::analyst(), "Own", false).await;
    alert(&server, "About it", "base", "base > 10000").await;
    alert(&server, "Names it", "above", "above > 3 * base + 10000").await;
    alert(&server, "Another", "above", "above > 10000").await;

    let path = "/admin/metrics/definitions/base/uses";
    let uses = server.get(&Person::analyst(), path).await.ok()["uses"].clone();

    let names = |of: &str| -> Vec<String> {
        let all = uses[of].as_array().expect("a list").iter();
        all.map(|own| own["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("metrics"), ["Above"], "not what uses it only through another");
    assert_eq!(names("boards"), ["Own", "Shared"]);
    assert_eq!(names("alerts"), ["About it", "Names it"]);
    assert_eq!(counts(&uses["counts"]), (&json!(1), &json!(2), &json!(2)));
    let list = server.get(&Person::viewer(), "/admin/metrics/uses?q=base&order=key").await.ok();
    let listed = list["uses"].as_array().expect("a list");
    assert_eq!(list["count"], 2, "the list has the filters of the metrics: {list}");
    assert_eq!(counts(&listed[0]), (&json!(1), &json!(0), &json!(2)), "{list}");
    assert_eq!(
        counts(&listed[1]),
        (&json!(1), &json!(1), &json!(2)),
        "a viewer sees what is shared"
    );
    let unknown = server.get(&Person::viewer(), "/admin/metrics/definitions/nothing/uses").await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn private_metrics_of_others_do_not_show_that_they_use_one() {
    let server = TestServer::empty().await;
    active(&server, "Base", "count(carts)").await;
    let body = json!({ "name": "Secret", "category": "sales", "scope": "store", "data_type": "number",
                       "formula": "base * 2", "visibility": "private" });
    let made = server.post(&Person::analyst(), "/admin/metrics/definitions", body).await.ok();
    let key = made["metric"]["key"].as_str().expect("a key");
    let path = format!("/admin/metrics/catalog/{key}/lifecycle");
    server.post(&Person::analyst(), &path, json!({ "state": "active" })).await.ok();
    alert(&server, "Secret too", key, &format!("{key} > base + 10000")).await;

    let uses = async |person: Person| {
        let uses = server.get(&person, "/admin/metrics/definitions/base/uses").await.ok();
        let counts = &uses["uses"]["counts"];
        (counts["metrics"].clone(), counts["alerts"].clone())
    };
    assert_eq!(uses(Person::analyst()).await, (json!(1), json!(1)));
    assert_eq!(uses(Person::viewer()).await, (json!(0), json!(0)));
}

#[tokio::test]
async fn a_metric_has_the_unit_of_its_values() {
    let server = TestServer::empty().await;
    for (name, formula, data_type, unit) in [
        ("Money taken", "sum(orders.total)", "currency", json!("USD")),
        ("Carts begun", "count(carts)", "integer", json!("carts")),
        ("A share", "count(carts) / (count(carts) + 1)", "number", Value::Null),
    ] {
        let body = definition(name, formula, data_type);
        let made = server.post(&Person::analyst(), "/admin/metrics/definitions", body).await.ok();
        assert_eq!(made["metric"]["unit"], unit, "{name}");
    }
    let path = "/admin/metrics/catalog/money_taken";
    assert_eq!(server.get(&Person::viewer(), path).await.ok()["metric"]["unit"], "USD");
}
