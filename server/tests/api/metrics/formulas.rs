//! Formulas in requests: their limits, corrections of wrong ones, examples, and the form of null.

use serde_json::{Value, json};

use super::registry::{definition, make, send};
use crate::harness::{Person, TestServer};

const DEFINITIONS: &str = "/admin/metrics-registry/definitions";

#[tokio::test]
async fn an_example_expects_a_number_or_a_text() {
    let server = TestServer::empty().await;
    let takings = json!({"key": "takings", "display_name": "Takings", "data_source": "input",
        "source_field": "takings", "data_type": "number"});
    server.post(&Person::admin(), "/admin/metrics-registry/placeholders", takings).await.ok();
    make(&server, "rate", "takings / 4").await;
    let examples = format!("{DEFINITIONS}/rate/examples");
    let rounded: Value = serde_json::from_str("0.12345678901234567890123456789").expect("a number");
    for (expected, status) in [
        (json!(2.5), 201),
        (json!(25e-1), 201),
        (json!("5 / 2"), 201),
        (json!(-7), 201),
        (json!(true), 400),
        (json!([2.5]), 400),
        (rounded, 400),
    ] {
        let body = json!({"context": {"takings": 10}, "expected": expected});
        let added = server.post(&Person::analyst(), &examples, body).await;
        assert_eq!(added.status, status, "{expected}: {added:?}");
    }

    let run = server.post(&Person::viewer(), &format!("{examples}/run"), json!({})).await.ok();

    assert_eq!((&run["passed"], &run["failed"]), (&json!(3), &json!(1)), "{run:#}");
    for place in 4..=50 {
        let body = json!({"context": {"takings": 10}, "expected": 2.5});
        let added = server.post(&Person::analyst(), &examples, body).await;
        assert_eq!(added.status, if place < 50 { 201 } else { 400 }, "{place}: {added:?}");
    }
}

#[tokio::test]
async fn a_wrong_example_is_removed_and_its_metric_becomes_active() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    make(&server, "four", "2 + 2").await;
    let four = format!("{DEFINITIONS}/four");
    let examples = format!("{four}/examples");
    let mut paths = Vec::new();
    for expected in [4, 5, 4] {
        let body = json!({"context": {}, "expected": expected});
        let added = server.post(&admin, &examples, body).await.ok()["example"].clone();
        paths.push(format!("{examples}/{}", added["id"].as_str().expect("an id")));
    }
    let lifecycle = format!("{four}/lifecycle");
    let active = json!({"state": "active"});
    server.post(&admin, &lifecycle, active.clone()).await.refused(422);

    let removed = server.delete(&Person::analyst(), &paths[1]).await.ok();

    assert_eq!(removed["deleted"], true);
    server.delete(&admin, &paths[1]).await.refused(404);
    server.delete(&admin, &format!("{DEFINITIONS}/five/examples/metex_none")).await.refused(404);
    server.post(&admin, &lifecycle, active).await.ok();
    let lock = json!({"is_locked": true});
    send(&server, &admin, ("PATCH", &four), lock).await.ok();
    server.delete(&Person::analyst(), &paths[0]).await.refused(423);
    server.delete(&admin, &format!("{}?force_update=true", paths[0])).await.ok();
    assert_eq!(server.get(&admin, &examples).await.ok()["count"], 1);
    let log = server.get(&admin, "/admin/metrics/audit?limit=200").await.ok().to_string();
    for action in ["remove_example", "refused_remove_example", "forced_remove_example"] {
        assert!(log.contains(&format!("\"{action}\"")), "{action}: {log}");
    }
}

#[tokio::test]
async fn a_formula_over_a_metric_that_is_not_in_use_has_a_warning() {
    let server = TestServer::empty().await;
    make(&server, "tried", "count(orders)").await;
    make(&server, "old", "count(items)").await;
    let archive = json!({"state": "archived"});
    server.post(&Person::admin(), &format!("{DEFINITIONS}/old/lifecycle"), archive).await.ok();
    super::active(&server, "used", "count(carts)").await;
    for path in ["metrics/validate", "metrics-registry/validate", "metrics/catalog/validate"] {
        for metric in [Value::Null, json!("used")] {
            let field = if path.contains("catalog") { "metricId" } else { "metric_id" };
            let mut body = json!({"formula": "tried + old"});
            body[field] = metric.clone();

            let told = server.post(&Person::viewer(), &format!("/admin/{path}"), body).await.ok();

            let warnings = told["validation"]["warnings"].as_array().expect("warnings").iter();
            let messages: Vec<&Value> = warnings.map(|own| &own["message"]).collect();
            let all = ["the metric `tried` is a draft", "the metric `old` is archived"];
            assert!(all.iter().all(|one| messages.contains(&&json!(one))), "{path}: {told:#}");
            assert_eq!(told["validation"]["valid"], metric.is_null(), "{path}: {told:#}");
        }
    }
}

#[tokio::test]
async fn a_refused_formula_shows_the_corrected_one_wherever_it_is_sent() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let (wrong, right) = ("sum(orders.totl) + 1 GBP", "sum(orders.total) + 1 GBP");
    let validate = json!({"formula": wrong});
    let path = "/admin/metrics/validate";
    let told = server.post(&admin, path, validate).await.ok()["validation"]["errors"][0].clone();
    assert_eq!(told["suggestion"], right, "{told:#}");

    make(&server, "any", "count(orders)").await;
    let made = format!("{DEFINITIONS}/any");
    let calls = [
        ("POST", DEFINITIONS, definition("Wrong", wrong, "currency")),
        ("PATCH", &made, json!({"formula": wrong})),
    ];
    for (method, path, body) in calls {
        let refused = send(&server, &admin, (method, path), body).await;
        assert_eq!(refused.status, 422, "{method} {refused:?}");
        assert_eq!(refused.body["details"][0], told, "{method}");
    }
    let body = json!({"formula": wrong});
    let computed = server.post(&admin, "/admin/metrics/compute", body).await;
    assert!(computed.body.to_string().contains(&told.to_string()), "{computed:#?}");
}

#[tokio::test]
async fn a_formula_has_at_most_8_kib() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    for (length, status) in [(8_192, 201), (8_193, 400)] {
        let start = "count(orders) // ";
        let formula = format!("{start}{}", "a".repeat(length - start.len()));
        let body = definition(&format!("Of {length}"), &formula, "integer");
        let reply = server.post(&admin, DEFINITIONS, body).await;
        assert_eq!(reply.status, status, "{length}: {:?}", reply.body["message"]);
    }
}

#[tokio::test]
async fn null_is_shown_as_a_dash_or_as_its_metric_says() {
    let server = TestServer::empty().await;
    for (name, rules, shown) in
        [("plain", json!({}), "–"), ("own", json!({"null_text": "none"}), "none")]
    {
        let mut body = definition(name, "1 / count(orders)", "number");
        body["formatting_rules"] = rules;
        server.post(&Person::admin(), DEFINITIONS, body).await.ok();
        let body = json!({"metric_id": name, "context": {"orders": []}});
        let path = "/admin/metrics-registry/execute";
        let answer = server.post(&Person::viewer(), path, body).await.ok();
        assert_eq!((&answer["result"], &answer["formatted"]), (&Value::Null, &json!(shown)));
        assert_eq!(answer["null_reason"], "division_by_zero", "{answer:#}");
    }
}

#[tokio::test]
async fn a_formula_is_checked_as_it_is_sent_and_may_be_blank() {
    let server = TestServer::empty().await;
    for path in ["metrics/validate", "metrics-registry/validate", "metrics/catalog/validate"] {
        let path = format!("/admin/{path}");
        let check = async |formula: &str| {
            server.post(&Person::viewer(), &path, json!({ "formula": formula })).await
        };
        let found = check("  nope").await.ok()["validation"]["errors"][0].clone();
        assert_eq!((&found["start"], &found["end"]), (&json!(2), &json!(6)), "{path}: {found:#}");
        for blank in ["", " \n "] {
            let found = check(blank).await.ok()["validation"].clone();
            assert_eq!(found["valid"], false, "{path}: {found:#}");
            assert_eq!(found["errors"][0]["code"], "E102", "{path}: {found:#}");
        }
        let long = "1 ".repeat(4_097);
        for wrong in ["1\u{0}", long.as_str()] {
            assert!(check(wrong).await.refused(400).contains("'formula'"), "{path}");
        }
    }
}

#[tokio::test]
async fn a_metric_is_named_in_any_script() {
    let server = TestServer::empty().await;
    let keys: Vec<Value> = [
        make(&server, "Durée d'été", "2 + 2").await,
        make(&server, "売上", "2 + 3").await,
        make(&server, "Продажи", "2 + 4").await,
    ]
    .map(|made| made["key"].clone())
    .into();

    assert_eq!(keys, ["duree_d_ete", "metric_2", "metric_3"]);
    make(&server, "In all", "metric_2 + [Продажи]").await;
}
