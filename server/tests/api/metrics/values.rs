//! Values over the store and over contexts.

use serde_json::{Value, json};

use super::registry::make;
use crate::harness::{Person, TestServer};

async fn compute(server: &TestServer, body: Value) -> Value {
    server.post(&Person::viewer(), "/admin/metrics/compute", body).await.ok()
}

#[tokio::test]
async fn a_formula_that_is_not_saved_is_computed_cut_grouped_and_opened() {
    let (server, _store) = TestServer::with_store().await;
    let body = json!({ "formula": "count(orders)", "granularity": "week", "group_by": ["country"],
        "compare": "previous_period", "explain": true });

    let answer = compute(&server, body).await;

    let record = &answer["metrics"]["formula"];
    assert_eq!((&record["value"], &record["type"]), (&json!(0), &json!("integer")), "{record}");
    assert!(record["series"].as_array().is_some_and(|series| series.len() >= 4), "{record}");
    assert!(record["groups"].is_array() && record["definition"]["hash"].is_string(), "{record}");
    assert!(record["explanation"]["sql"].to_string().contains("metric_orders"), "{record}");
    assert_eq!(answer["filters"]["granularity"], "week");
    assert_eq!(
        (&answer["filters"]["start_date"], &answer["filters"]["end_date"]),
        (&json!("2026-10-23"), &json!("2026-11-21"))
    );
}

#[tokio::test]
async fn the_reason_for_values_without_rollups_is_stated() {
    let (server, store) = TestServer::with_store().await;
    super::order(&server, &store, &store.mug, 3).await;
    let evaluate = async |formula: &str| {
        let body = json!({ "formula": formula, "currency_code": "gbp", "explain": true });
        let answer = compute(&server, body).await;
        answer["metrics"]["formula"]["explanation"]["read_from_rows"].clone()
    };

    assert_eq!(evaluate("sum(orders.total) / count(orders)").await, json!([]));
    assert_eq!(
        evaluate("percentile(orders.total, 90%) / sum(orders.total)").await,
        json!([{ "aggregate": "percentile(orders.total, 90%)", "reason": "an exact percentile needs the rows" }])
    );
}

#[tokio::test]
async fn a_condition_with_parameters_narrows_every_formula() {
    let (server, store) = TestServer::with_store().await;
    super::order(&server, &store, &store.mug, 3).await;
    let count = async |condition: &str, parameters: Value| {
        let body = json!({ "formula": "count(orders)", "currency_code": "gbp", "where": condition,
            "parameters": parameters });
        server.post(&Person::viewer(), "/admin/metrics/compute", body).await
    };
    for (condition, parameters, expected) in [
        ("country = :country", json!({ "country": "gb" }), 1),
        ("country = :country", json!({ "country": "de" }), 0),
        ("country = :country", json!({ "country": "x' or 'a' = 'a" }), 0),
        ("total > :least", json!({ "least": "1 GBP" }), 1),
        ("total / 1 GBP > :least", json!({ "least": 1_000_000 }), 0),
        ("created_at >= :since", json!({ "since": "2026-01-01" }), 1),
    ] {
        let answer = count(condition, parameters.clone()).await.ok();
        assert_eq!(answer["metrics"]["formula"]["value"], expected, "{condition} {parameters}");
        assert_eq!(answer["filters"]["where"], condition);
    }
    for (condition, parameters, message) in [
        ("country = :country", json!({}), "`:country` has no value"),
        ("country = 'gb') or (true", json!({}), "bracket"),
        ("total > :least", json!({ "least": "much" }), "cannot compare"),
        ("country = 'gb'", json!({ "country": "gb" }), "no parameter `:country`"),
        ("total > :least", json!({ "least": "1 GBP", "leas": "2 GBP" }), "no parameter `:leas`"),
    ] {
        let refusal = count(condition, parameters).await;
        assert!(refusal.body.to_string().contains(message), "{condition}: {refusal:?}");
    }
    for value in [json!(null), json!([1]), json!({}), json!("x".repeat(257))] {
        let refusal = count("country = :country", json!({ "country": value })).await.refused(400);
        assert!(refusal.contains("parameters.country"), "{refusal}");
        assert!(refusal.contains("a truth value, a number, or a text"), "{refusal}");
    }
    let alone = json!({ "formula": "count(orders)", "parameters": { "country": "gb" } });
    let refusal = server.post(&Person::viewer(), "/admin/metrics/compute", alone).await;
    assert!(refusal.refused(400).contains("`where`"));
    let answer =
        server.get(&Person::viewer(), "/admin/metrics?where=country%20%3D%20'de'").await.ok();
    assert_eq!(answer["filters"]["where"], "country = 'de'", "{answer}");
}

#[tokio::test]
async fn computed_values_are_cached_until_one_of_their_rows_is_written() {
    let (server, _store) = TestServer::with_store().await;
    let body = json!({ "formula": "count(products)", "start_date": "2026-10-01", "end_date": "2026-10-31" });
    let before = compute(&server, body.clone()).await["metrics"]["formula"].clone();
    assert_eq!((&before["value"], &before["cached"]), (&json!(3), &json!(false)), "{before}");
    for _twice in 0..2 {
        let again = compute(&server, body.clone()).await["metrics"]["formula"].clone();
        assert_eq!((&again["value"], &again["cached"]), (&json!(3), &json!(true)), "{again}");
    }

    let product = json!({ "title": "Bowl", "options": [{ "title": "Kind", "values": ["One"] }] });
    server.post(&Person::admin(), "/admin/products", product).await.ok();
    let after = compute(&server, body).await["metrics"]["formula"].clone();

    assert_eq!((&after["value"], &after["cached"]), (&json!(4), &json!(false)), "{after}");
    assert!(after["data_version"].as_i64() > before["data_version"].as_i64());
}

#[tokio::test]
async fn an_answer_about_today_is_current_even_without_writes() {
    let (server, _store) = TestServer::with_store().await;
    let body =
        json!({ "formula": "count(orders)", "start_date": "2026-11-21", "end_date": "2026-11-21" });
    let as_of =
        async || compute(&server, body.clone()).await["metrics"]["formula"]["as_of"].clone();
    let (first, again) = (as_of().await, as_of().await);

    server.clock.advance(3_600_000);

    assert_eq!(first, again);
    assert!(as_of().await.as_str() > first.as_str(), "{first}");
}

#[tokio::test]
async fn closed_days_are_answered_without_a_statement_the_second_time() {
    let (server, _store) = TestServer::with_store().await;
    let body = json!({ "formula": "sum(orders.total)", "start_date": "2026-10-01", "end_date": "2026-10-31", "granularity": "day" });
    let first = compute(&server, body.clone()).await["metrics"]["formula"].clone();

    let mut second = compute(&server, body).await["metrics"]["formula"].clone();

    assert_eq!(second["cached"], true);
    second["cached"] = json!(false);
    assert_eq!(first, second);
    let figures = server.get(&Person::viewer(), "/admin/metrics/cache").await.ok();
    assert!(figures["cache"]["hits"].as_u64() > Some(0), "{figures}");
    server.delete(&Person::analyst(), "/admin/metrics/cache").await.ok();
    let figures = server.get(&Person::viewer(), "/admin/metrics/cache").await.ok();
    assert_eq!(figures["cache"]["entries"], 0);
}

#[tokio::test]
async fn a_question_past_its_limits_is_refused_by_name() {
    let server = TestServer::empty().await;
    let refused = async |body: Value| {
        server.post(&Person::viewer(), "/admin/metrics/compute", body).await.refused(400)
    };
    let long =
        json!({ "formula": "count(orders)", "start_date": "2016-01-01", "end_date": "2026-01-01" });
    assert!(refused(long).await.contains("3653 days"));
    for zone in ["Mars/Base", "Etc/Unknown"] {
        assert!(refused(json!({ "timezone": zone })).await.contains("not a time zone"), "{zone}");
    }
    assert!(refused(json!({ "group_by": ["colour"] })).await.contains("not a shared dimension"));
    let unknown = server.get(&Person::viewer(), "/admin/metrics?metrics=nothing").await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn a_batch_is_refused_in_three_ways_and_five_a_minute_are_taken() {
    let server = TestServer::empty().await;
    let item = json!({ "id": "a", "type": "metric", "metric": "nothing" });
    for body in [json!({}), json!({ "requests": [] }), json!({ "requests": [item, item] })] {
        let reply = server.post(&Person::viewer(), "/admin/metrics/batch", body).await;
        assert_eq!(reply.status, 400);
        assert!(reply.body["error"].is_string() && reply.body["message"].is_null(), "{reply:?}");
    }
    let answer = server
        .post(&Person::viewer(), "/admin/metrics/batch", json!({ "requests": [item] }))
        .await
        .ok();
    assert_eq!(
        (&answer["results"]["a"]["success"], &answer["summary"]["failed"]),
        (&json!(false), &json!(1))
    );
    server
        .post(&Person::viewer(), "/admin/metrics/batch", json!({ "requests": [item] }))
        .await
        .ok();

    let refused =
        server.post(&Person::viewer(), "/admin/metrics/batch", json!({ "requests": [item] })).await;

    assert_eq!(refused.status, 429);
    assert_eq!(
        (&refused.headers["retry-after"], &refused.headers["ratelimit-remaining"]),
        (&"12".parse().expect("a value"), &"0".parse().expect("a value"))
    );
    server
        .post(&Person::analyst(), "/admin/metrics/batch", json!({ "requests": [item] }))
        .await
        .ok();
    server.clock.advance(12_000);
    server
        .post(&Person::viewer(), "/admin/metrics/batch", json!({ "requests": [item] }))
        .await
        .ok();
}

#[tokio::test]
async fn a_batch_answers_boards_and_reports_as_their_own_routes_do() {
    let server = TestServer::empty().await;
    let range = json!({ "range": { "start": "2025-11-01", "end": "2025-11-21" } });
    let kinds =
        ["summary", "sales_channels", "unfulfilled_orders", "unfulfilled_products", "dashboard"];
    let mut items: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({ "id": kind, "type": kind, "filters": range, "priority": 2 }))
        .collect();
    let report = json!({ "name": "Weekly", "granularity": "week" });
    items.push(json!({ "id": "report", "type": "report", "report": report, "filters": range }));
    items.push(json!({ "id": "wrong", "type": "summary", "metric": "aov" }));
    items.push(json!({ "id": "unknown", "type": "weather" }));
    let answer = server
        .post(&Person::analyst(), "/admin/metrics/batch", json!({ "requests": items }))
        .await
        .ok();

    assert_eq!(answer["summary"]["succeeded"], 6, "{answer:#}");
    for (kind, path) in kinds.into_iter().zip([
        "/summary",
        "/sales-channels",
        "/unfulfilled-orders",
        "/unfulfilled-products",
        "",
    ]) {
        let path =
            format!("/admin/metrics/dashboard{path}?start_date=2025-11-01&end_date=2025-11-21");
        let alone = server.get(&Person::viewer(), &path).await.ok();
        assert_eq!(answer["results"][kind]["data"], alone, "{kind}");
    }
    let report = &answer["results"]["report"]["data"];
    assert_eq!((&report["name"], &report["granularity"]), (&json!("Weekly"), &json!("week")));
    assert_eq!(report["range"]["start_date"], "2025-11-01");
    let stored = server.get(&Person::viewer(), "/admin/metrics/reports").await.ok();
    assert_eq!(stored["reports"][0]["id"], report["id"]);
    for refused in ["wrong", "unknown"] {
        assert_eq!(answer["results"][refused]["success"], false);
        assert!(answer["results"][refused]["error"]["message"].is_string());
    }
}

#[tokio::test]
async fn the_catalog_checks_formulas_in_the_same_windows() {
    let server = TestServer::empty().await;
    let body = json!({ "formula": "count(orders)" });
    let path = "/admin/metrics/catalog/validate";
    let reply = server.post(&Person::analyst(), path, body.clone()).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let limit = reply.headers["ratelimit-limit"].to_str().expect("a text").to_owned();
    let left = reply.headers["ratelimit-remaining"].to_str().expect("a text").to_owned();
    let status = server.get(&Person::analyst(), "/admin/metrics/rate-limit-status").await.ok();
    let text = status.to_string();
    assert!(text.contains("POST /admin/metrics/catalog/validate"), "{text}");
    assert_eq!(
        limit.parse::<u32>().ok(),
        left.parse::<u32>().ok().map(|left| left.saturating_add(1))
    );
}

#[tokio::test]
async fn a_context_item_that_fails_leaves_the_others_as_they_are() {
    let server = TestServer::empty().await;
    let requests = json!({ "one": { "metric_id": "nothing" }, "two": { "metric_id": "nothing", "context": { "a": 1 } } });
    let answer = server
        .post(&Person::viewer(), "/admin/metrics-registry/compute", json!({ "requests": requests }))
        .await
        .ok();
    assert_eq!(answer["summary"]["total"], 2);
    assert_eq!(answer["summary"]["failed"], 2);
    assert_eq!(answer["results"]["two"]["error"]["code"], "NOT_FOUND");
    let missing = server
        .post(
            &Person::viewer(),
            "/admin/metrics-registry/execute",
            json!({ "metric_id": "nothing" }),
        )
        .await;
    assert_eq!(missing.status, 404);
}

#[tokio::test]
async fn an_unfinished_day_is_not_cached() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Placed", "count(orders)").await;
    for day in ["2026-11-21", "2027-05-02"] {
        let body = json!({"date": day, "metrics": ["placed"]});
        let message = server.post(&Person::analyst(), "/admin/metrics", body).await.refused(400);
        assert!(message.contains(day) && message.contains("is over"), "{message}");
    }
    let body = json!({"date": "2026-11-20", "metrics": ["placed"]});
    server.post(&Person::analyst(), "/admin/metrics", body).await.ok();
    let kept = server.post(&Person::analyst(), "/admin/metrics", json!({})).await.ok();
    assert_eq!(kept["date"], "2026-11-20");
}

#[tokio::test]
async fn an_item_of_the_wrong_form_fails_alone() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Base", "count(orders)").await;
    let path = "/admin/metrics-registry/compute";
    let good = json!({"metric_id": "base", "context": {"orders": []}});
    for (bad, part) in [
        (json!({"context": {}}), "metric_id"),
        (json!({"metric_id": "base", "contxt": {}}), "contxt"),
        (json!(7), ""),
    ] {
        let body = json!({"requests": [bad, good]});
        let answer = server.post(&Person::viewer(), path, body).await.ok();
        assert_eq!(
            (&answer["summary"]["failed"], &answer["summary"]["succeeded"]),
            (&json!(1), &json!(1))
        );
        let message = answer["results"][0]["error"]["message"].as_str().expect("a message");
        assert!(message.contains(part), "{message}");
        let body = json!({"requests": {"one": bad, "two": good}});
        let answer = server.post(&Person::viewer(), path, body).await.ok();
        assert_eq!(answer["results"]["one"]["success"], false, "{answer:#}");
        assert_eq!(answer["results"]["two"]["result"], 0, "{answer:#}");
    }
}

#[tokio::test]
async fn a_row_may_contain_its_linked_row_and_a_missing_period_is_null() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Gross", "sum(items.subtotal where order.status = 'completed')").await;
    let body = json!({"metric_id": "gross", "context": {"items": [
        {"subtotal": 10.5, "order": {"status": "completed"}},
        {"subtotal": 4, "order": {"id": "1", "status": "canceled"}},
        {"subtotal": 2, "order": {"id": "2", "status": "completed"}},
    ]}});
    let path = "/admin/metrics-registry/execute";
    let answer = server.post(&Person::viewer(), path, body).await.ok();
    assert_eq!((&answer["result"], &answer["period"]), (&json!(12.5), &Value::Null), "{answer:#}");
}

#[tokio::test]
async fn dimensions_are_split_at_commas_and_values_explained_on_request() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Placed", "count(orders)").await;
    let path = "/admin/metrics?metrics=placed&group_by=country,sales_channel&explain=true";
    let answer = server.get(&Person::viewer(), path).await.ok();
    assert_eq!(answer["filters"]["group_by"], json!(["country", "sales_channel"]));
    assert!(answer["metrics"]["placed"]["explanation"].is_object(), "{answer:#}");
    let path = "/admin/metrics?metrics=placed&group_by=country,sales_channel,region";
    server.get(&Person::viewer(), path).await.refused(400);
}

#[tokio::test]
async fn bodies_of_the_wrong_form_are_refused_where_all_fields_are_optional() {
    let server = TestServer::empty().await;
    let path = "/admin/metrics/performance/report";
    for body in [json!([]), json!({"a": 1})] {
        server.post(&Person::analyst(), path, body).await.refused(400);
    }
    assert_eq!(server.post(&Person::analyst(), path, json!({})).await.status, 201);
    let item = json!({"id": "a", "type": "summary", "priority": "x"});
    let body = json!({"requests": [item]});
    let reply = server.post(&Person::analyst(), "/admin/metrics/batch", body).await;
    assert_eq!(reply.status, 400, "{reply:?}");
    assert!(
        reply.body["error"].as_str().is_some_and(|text| text.contains("priority")),
        "{reply:?}"
    );
}

#[tokio::test]
async fn items_of_a_batch_are_recorded_one_by_one_with_their_errors() {
    let server = TestServer::empty().await;
    let item = |id: &str| json!({ "id": id, "type": "metric", "metric": "nothing" });
    make(&server, "Orders a day", "count(orders)").await;
    let draft = json!({ "id": "d", "type": "metric", "metric": "Orders_A_Day" });
    let items =
        json!({ "requests": [item("a"), item("b"), { "id": "c", "type": "summary" }, draft] });
    let batch = server.post(&Person::viewer(), "/admin/metrics/batch", items).await.ok();
    assert_eq!(batch["summary"]["failed"], 3, "{batch:#}");

    let stats = server.get(&Person::viewer(), "/admin/metrics/performance").await.ok();
    let stats = &stats["performance"];

    assert_eq!((&stats["computations"], &stats["errors"]), (&json!(4), &json!(3)), "{stats:#}");
    let named = stats["slowest"].as_array().expect("computations").iter();
    let named: Vec<&Value> = named.filter_map(|one| one["metrics"].get(0)).collect();
    assert_eq!(named, ["orders_a_day"], "{stats:#}");
    let cached = stats["slowest"].as_array().expect("computations").iter();
    assert!(cached.map(|one| &one["cached"]).all(|cached| cached == false), "{stats:#}");
    let misspelt = json!({ "requests": [item("a")], "priorty": 1 });
    server.post(&Person::viewer(), "/admin/metrics/batch", misspelt).await.refused(400);
}

#[tokio::test]
async fn a_snapshot_is_recorded_as_a_computation_unless_its_values_are_stored() {
    let server = TestServer::empty().await;
    super::active(&server, "Placed", "count(orders)").await;
    for _stored in [false, true] {
        let day = json!({ "date": "2026-11-20", "metrics": ["placed"] });
        server.post(&Person::analyst(), "/admin/metrics", day).await.ok();
    }

    let stats = server.get(&Person::viewer(), "/admin/metrics/performance").await.ok();

    let stats = &stats["performance"];
    assert_eq!(
        (&stats["computations"], &stats["slowest"][0]["origin"]),
        (&json!(1), &json!("snapshot"))
    );
}
