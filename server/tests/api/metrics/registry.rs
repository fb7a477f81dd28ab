//! Definitions in the registry, and under their shorter paths.

use serde_json::{Value, json};

use crate::harness::{Person, Reply, TestServer};

const DEFINITIONS: &str = "/admin/metrics-registry/definitions";

pub(super) fn definition(name: &str, formula: &str, data_type: &str) -> Value {
    json!({"name": name, "category": "sales", "scope": "store", "formula": formula, "data_type": data_type})
}

/// Sends a call with a JSON body.
pub(super) async fn send(
    server: &TestServer,
    person: &Person,
    (method, path): (&str, &str),
    body: Value,
) -> Reply {
    server.call(person, method, path, Some(body.to_string().into_bytes())).await
}

pub(super) async fn make(server: &TestServer, name: &str, formula: &str) -> Value {
    let body = definition(name, formula, "number");
    let made = server.post(&Person::analyst(), DEFINITIONS, body).await;
    assert_eq!(made.status, 201, "{made:#?}");
    made.body["metric"].clone()
}

fn path(metric: &Value) -> String {
    format!("{DEFINITIONS}/{}", metric["id"].as_str().expect("an id"))
}

/// Fields by name, with the values to send.
type Fields<'a> = &'a [(&'a str, Value)];

#[tokio::test]
async fn a_definition_is_made_changed_versioned_rolled_back_and_removed() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let made = make(&server, "Order count", "count(orders where status != 'canceled')").await;
    assert_eq!(made["key"], "order_count");
    assert_eq!(made["state"], "draft");
    assert_eq!((&made["version"], &made["dependencies"]), (&json!(1), &json!([])));
    let path = path(&made);

    let change =
        json!({"formula": "count(orders)", "description": "All", "updated_by": "somebody"});
    let changed = send(&server, &admin, ("PATCH", &path), change).await.ok();
    assert_eq!(changed["metric"]["version"], 2);
    assert_eq!(changed["metric"]["description"], "All");
    assert_eq!(changed["metric"]["key"], "order_count");

    let versions = server.get(&admin, &format!("{path}/versions")).await.ok();
    assert_eq!(versions["count"], 2);
    assert_eq!(versions["versions"][0]["version"], 2);
    let first = versions["versions"][1]["id"].clone();
    let back = server.post(&admin, &format!("{path}/versions"), json!({"version": 1})).await.ok();
    assert_eq!(back["message"], "Rolled back to version 1 as version 3");
    assert_eq!(back["metric"]["version"], 3);
    let rollback = format!("{path}/versions/rollback");
    let back = server.post(&admin, &rollback, json!({"version_id": first})).await.ok();
    assert_eq!(back["metric"]["version"], 4);
    server.post(&admin, &rollback, json!({})).await.refused(400);
    server.post(&admin, &rollback, json!({"version": 9})).await.refused(404);

    let by_key = server.get(&admin, &format!("{DEFINITIONS}/order_count")).await.ok();
    assert_eq!(by_key["metric"]["id"], made["id"]);
    let gone = server.delete(&admin, &path).await.ok();
    assert_eq!(gone, json!({"id": made["id"], "object": "metric", "deleted": true}));
    server.get(&admin, &path).await.refused(404);
    server.delete(&admin, &path).await.refused(404);
    assert_eq!(server.get(&admin, DEFINITIONS).await.ok()["count"], 0);
    let restored =
        server.post(&admin, &format!("{path}/lifecycle"), json!({"state": "draft"})).await;
    assert_eq!(restored.ok()["metric"]["deleted_at"], Value::Null);
    assert_eq!(server.get(&admin, &format!("{path}/versions")).await.ok()["count"], 4);
}

#[tokio::test]
async fn a_metric_of_one_surface_exists_on_the_others() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let made = make(&server, "Order count", "count(orders)").await;
    let id = made["id"].as_str().expect("an id");
    let short = server.get(&admin, &format!("/admin/metrics/definitions/{id}")).await;
    let long = server.get(&admin, &format!("{DEFINITIONS}/{id}")).await;
    assert_eq!(short.body, long.body);
    assert_eq!(short.headers["etag"], long.headers["etag"]);
    let catalog = server.get(&admin, &format!("/admin/metrics/catalog/{id}")).await;
    assert_eq!(catalog.headers["etag"], long.headers["etag"]);
    assert_eq!(catalog.body["metric"]["dataType"], "number");
    let put = ("PUT", &*format!("/admin/metrics/definitions/{id}"));
    send(&server, &admin, put, json!({"formula": "count(items)"})).await.ok();
    let seen = server.get(&admin, &format!("/admin/metrics/catalog/{id}")).await.ok();
    assert_eq!(seen["metric"]["formula"], "count(items)");
    server.delete(&admin, &format!("/admin/metrics/definitions/{id}")).await.ok();
    server.get(&admin, &format!("/admin/metrics/catalog/{id}")).await.refused(404);
}

#[tokio::test]
async fn a_field_that_is_not_updatable_is_refused_on_every_surface_and_stays() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let made = make(&server, "a", "count(orders)").await;
    let id = made["id"].as_str().expect("an id");
    let snake = [
        ("category", json!("orders")),
        ("scope", json!("order")),
        ("org_id", json!("org")),
        ("owner_id", json!("user")),
        ("is_system", json!(true)),
        ("key", json!("b")),
        ("state", json!("active")),
    ];
    let camel = [
        ("category", json!("orders")),
        ("scope", json!("order")),
        ("dataType", json!("integer")),
        ("orgId", json!("org")),
        ("ownerId", json!("user")),
        ("isSystem", json!(true)),
        ("key", json!("b")),
        ("state", json!("active")),
    ];
    let surfaces: [(&str, &str, Fields<'_>); 3] = [
        ("PATCH", DEFINITIONS, &snake),
        ("PUT", "/admin/metrics/definitions", &snake),
        ("PUT", "/admin/metrics/catalog", &camel),
    ];
    for (method, surface, fields) in surfaces {
        let path = format!("{surface}/{id}");
        for (field, value) in fields {
            let body = json!({ *field: value, "name": "other" });
            let refused = send(&server, &admin, (method, &path), body).await.refused(400);
            assert_eq!(refused, format!("Invalid request: Unrecognized fields: '{field}'"));
        }
    }
    let after = server.get(&admin, &format!("{DEFINITIONS}/{id}")).await.ok();
    assert_eq!(after["metric"], made);
}

#[tokio::test]
async fn errors_in_a_definition_are_reported() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    make(&server, "Net", "count(orders)").await;
    let plain = definition("Other", "net + 1", "number");
    let with = |field: &str, value: Value| {
        let mut body = plain.clone();
        body[field] = value;
        body
    };
    for (status, body) in [
        (400, json!({})),
        (400, with("category", json!("nothing"))),
        (400, with("name", json!(" "))),
        (400, with("name", json!("x".repeat(121)))),
        (400, with("name", json!("—"))),
        (400, with("formatting_rules", json!({"decimals": 29}))),
        (400, with("formatting_rules", json!({"colour": "red"}))),
        (400, with("extra", json!(1))),
        (409, with("name", json!("NET"))),
        (409, with("name", json!("Orders"))),
        (422, with("formula", json!("net +"))),
        (422, with("formula", json!("nett + 1"))),
        (422, with("data_type", json!("currency"))),
        (422, with("dependencies", json!(["net", "gross"]))),
        (422, with("dependencies", json!([]))),
    ] {
        let reply = server.post(&admin, DEFINITIONS, body.clone()).await;
        assert_eq!(reply.status, status, "{body} {reply:#?}");
    }
    let unknown = server.post(&admin, DEFINITIONS, with("formula", json!("nett + 1"))).await;
    let finding = &unknown.body["details"][0];
    assert_eq!((&finding["start"], &finding["end"]), (&json!(0), &json!(4)), "{unknown:#?}");
    assert!(finding["code"].as_str().is_some_and(|code| code.starts_with('E')));
    let system = server.post(&Person::analyst(), DEFINITIONS, with("is_system", json!(true))).await;
    assert_eq!(system.status, 403);
    assert_eq!(server.get(&admin, DEFINITIONS).await.ok()["count"], 1);

    let made = server.post(&admin, DEFINITIONS, with("dependencies", json!(["NET"]))).await.ok();
    assert_eq!(made["metric"]["dependencies"], json!(["net"]));
    let system = with("is_system", json!(true));
    let system = {
        let mut body = system;
        body["name"] = json!("System");
        server.post(&admin, DEFINITIONS, body).await.ok()
    };
    server.delete(&admin, &path(&system["metric"])).await.refused(400);
}

#[tokio::test]
async fn a_locked_metric_is_423_unless_an_admin_forces_it() {
    let server = TestServer::empty().await;
    let (admin, analyst) = (Person::admin(), Person::analyst());
    let path = path(&make(&server, "a", "count(orders)").await);
    send(&server, &admin, ("PATCH", &path), json!({"is_locked": true})).await.ok();
    let forced = json!({"formula": "2", "force_update": true});
    for (person, body) in [(&admin, json!({"formula": "2"})), (&analyst, forced.clone())] {
        let reply = send(&server, person, ("PATCH", &path), body).await;
        assert_eq!(reply.body["code"], "LOCKED");
        reply.refused(423);
    }
    server.delete(&admin, &path).await.refused(423);
    server
        .post(&admin, &format!("{path}/lifecycle"), json!({"state": "active"}))
        .await
        .refused(423);
    send(&server, &admin, ("PATCH", &path), forced).await.ok();
    server.delete(&admin, &format!("{path}?force_update=true")).await.ok();
}

#[tokio::test]
async fn an_edit_of_an_older_state_is_409() {
    let server = TestServer::empty().await;
    let path = path(&make(&server, "a", "count(orders)").await);
    let edit = async |tag: &str, formula: &str| {
        let mut request = axum::http::Request::builder().method("PATCH").uri(&path);
        for (name, value) in Person::admin().headers() {
            request = request.header(name, value);
        }
        let request = request.header("content-type", "application/json").header("if-match", tag);
        let body = json!({"formula": formula}).to_string();
        server.send(request.body(body.into()).expect("a request")).await
    };
    let view = server.get(&Person::admin(), &path).await;
    let tag = view.headers["etag"].to_str().expect("a tag").to_owned();
    let changed = edit(&tag, "count(items)").await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.headers["etag"].to_str().expect("a tag"), tag);
    edit(&tag, "count(carts)").await.refused(409);
    edit("*", "count(carts)").await.ok();
}

#[tokio::test]
async fn a_private_metric_exists_only_for_its_owner() {
    let server = TestServer::empty().await;
    let (owner, other) = (Person::analyst(), Person::admin());
    let mut body = definition("Secret", "count(orders)", "number");
    body["visibility"] = json!("private");
    let made = server.post(&owner, DEFINITIONS, body).await.ok();
    let path = path(&made["metric"]);
    server.get(&owner, &path).await.ok();
    assert_eq!(server.get(&owner, DEFINITIONS).await.ok()["count"], 1);
    assert_eq!(server.get(&other, DEFINITIONS).await.ok()["count"], 0);
    server.get(&other, &path).await.refused(404);
    server.get(&other, &format!("{path}/versions")).await.refused(404);
    send(&server, &other, ("PATCH", &path), json!({"name": "x"})).await.refused(404);
    server.delete(&other, &path).await.refused(404);
    server
        .post(&other, &format!("{path}/lifecycle"), json!({"state": "active"}))
        .await
        .refused(404);
}

#[tokio::test]
async fn a_formula_is_checked_with_its_effects_on_others() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    make(&server, "a", "count(orders)").await;
    make(&server, "b", "a * 2").await;
    make(&server, "c", "b + a").await;
    for path in ["/admin/metrics-registry/validate", "/admin/metrics/validate"] {
        let checked = server.post(&admin, path, json!({"formula": "C / b"})).await.ok();
        assert_eq!(checked["is_valid"], true);
        let found = &checked["validation"];
        assert_eq!(found["dependencies"], json!(["b", "c"]), "{found:#?}");
        assert_eq!(found["canonical"], "c / b");
        assert_eq!((&found["cycle"], &found["impact"]), (&Value::Null, &Value::Null));

        let wrong = server.post(&admin, path, json!({"formula": "c +"})).await.ok();
        assert_eq!(
            (&wrong["is_valid"], &wrong["validation"]["valid"]),
            (&json!(false), &json!(false))
        );
        assert!(wrong["validation"]["errors"][0]["code"].is_string());

        let body = json!({"formula": "c + 1", "metric_id": "a"});
        let cycle = server.post(&admin, path, body).await.ok();
        assert_eq!(cycle["is_valid"], false);
        assert_eq!(cycle["validation"]["cycle"], json!(["a", "c", "a"]), "{cycle:#?}");
        // Regardless of other errors in it.
        let body = json!({"formula": "c + 'text'", "metric_id": "a"});
        let cycle = server.post(&admin, path, body).await.ok();
        assert_eq!(cycle["validation"]["cycle"], json!(["a", "c", "a"]), "{cycle:#?}");

        let body = json!({"formula": "'text'", "metric_id": "a"});
        let breaking = server.post(&admin, path, body).await.ok();
        assert_eq!(breaking["is_valid"], false, "{breaking:#?}");
        assert_eq!(
            breaking["validation"]["impact"]["dependents"].as_array().map(Vec::len),
            Some(2)
        );
        server.post(&admin, path, json!({"formula": "1", "metric_id": "z"})).await.refused(404);
        server.post(&admin, path, json!({})).await.refused(400);
    }
    let path = format!("{DEFINITIONS}/a");
    let refused = send(&server, &admin, ("PATCH", &path), json!({"formula": "c + 1"})).await;
    assert!(refused.refused(422).contains("a → c → a"));
}

#[tokio::test]
async fn dependencies_are_a_tree_and_dependents_have_their_depth() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let placeholder = json!({"key": "Visits", "display_name": "Visits", "data_source": "input",
        "source_field": "visits", "data_type": "integer"});
    server.post(&admin, "/admin/metrics/placeholders", placeholder).await.ok();
    make(&server, "a", "count(orders) / visits").await;
    make(&server, "b", "previous(a)").await;
    make(&server, "c", "b + a").await;
    let tree = server.get(&admin, &format!("{DEFINITIONS}/c/dependencies")).await.ok();
    let top = &tree["dependencies"];
    assert_eq!((&top["key"], &top["uses"]), (&json!("c"), &json!([])));
    let keys = |node: &Value| -> Vec<Value> {
        node["children"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|child| child["key"].clone())
            .collect()
    };
    assert_eq!(keys(top), ["a", "b"]);
    assert_eq!(keys(&top["children"][0]), ["visits"]);
    let below = &top["children"][1]["children"][0];
    assert_eq!((&below["key"], &below["repeated"]), (&json!("a"), &json!(true)));
    assert_eq!(below["uses"], json!(["window"]));
    let users = server.get(&admin, &format!("{DEFINITIONS}/a/dependents")).await.ok();
    assert_eq!(users["count"], 2);
    assert_eq!(users["dependents"][0]["depth"], 1);
}

#[tokio::test]
async fn examples_must_hold_before_a_metric_is_active() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    for key in ["takings", "visits"] {
        let body = json!({"key": key, "display_name": key, "data_source": "input", "source_field": key,
            "data_type": "number"});
        let made = server.post(&admin, "/admin/metrics-registry/placeholders", body).await;
        assert_eq!(made.status, 201, "{made:#?}");
    }
    let path = path(&make(&server, "rate", "takings / visits").await);
    let examples = format!("{path}/examples");
    let add = async |context: Value, expected: &str| {
        server.post(&admin, &examples, json!({"context": context, "expected": expected})).await
    };
    assert_eq!(add(json!({"takings": 10, "visits": 4}), "2.5").await.status, 201);
    assert_eq!(add(json!({"takings": 10, "visits": 4}), "3").await.status, 201);
    add(json!([1]), "3").await.refused(400);
    let run = server.post(&admin, &format!("{examples}/run"), json!({})).await.ok();
    assert_eq!(
        (&run["total"], &run["passed"], &run["failed"]),
        (&json!(2), &json!(1), &json!(1)),
        "{run:#?}"
    );
    let refused =
        server.post(&admin, &format!("{path}/lifecycle"), json!({"state": "active"})).await;
    assert!(refused.refused(422).contains("Example 2"));
    assert_eq!(server.get(&admin, &examples).await.ok()["count"], 2);
}

#[tokio::test]
async fn placeholders_are_checked_against_the_store_and_listed() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let path = "/admin/metrics-registry/placeholders";
    let good = json!({"key": "refunded", "display_name": "Refunded", "data_source": "refunds",
        "source_field": "amount", "data_type": "currency", "default_aggregation": "sum"});
    let with = |field: &str, value: Value| {
        let mut body = good.clone();
        body[field] = value;
        body
    };
    for (status, body) in [
        (400, with("key", json!("9 lives"))),
        (400, with("source_field", json!("amuont"))),
        (400, with("data_source", json!("nothing"))),
        (409, with("key", json!("orders"))),
        (422, with("data_type", json!("date"))),
    ] {
        let reply = server.post(&admin, path, body.clone()).await;
        assert_eq!(reply.status, status, "{body} {reply:#?}");
    }
    assert_eq!(server.post(&admin, path, good.clone()).await.status, 201);
    server.post(&admin, path, good).await.refused(409);
    let list =
        server.get(&Person::viewer(), "/admin/metrics/placeholders?data_source=refunds").await.ok();
    assert_eq!((&list["count"], &list["placeholders"][0]["key"]), (&json!(1), &json!("refunded")));
    let body = definition("Given back", "refunded * 2", "currency");
    assert_eq!(server.post(&admin, DEFINITIONS, body).await.status, 201);
}
