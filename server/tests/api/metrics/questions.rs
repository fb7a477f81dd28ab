//! Questions about the store: what is computed for them, and what is kept.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

async fn compute(server: &TestServer, body: Value) -> Value {
    server.post(&Person::viewer(), "/admin/metrics/compute", body).await.ok()
}

#[tokio::test]
async fn an_answer_about_days_that_have_ended_still_follows_the_present() {
    let (server, store) = TestServer::with_store().await;
    super::order_of_yesterday(&server, &store, &store.mug, 1).await;
    super::active(&server, "Hours since", "(now() - period_start) / 1 hour").await;
    let late = "created_at > now() - 25 hours";
    let questions = [
        json!({ "formula": "now()" }),
        json!({ "metrics": ["hours_since"] }),
        json!({ "formula": "hours_since + 1" }),
        json!({ "formula": format!("count(orders where {late})") }),
        json!({ "formula": "count(orders)", "where": late }),
    ];
    let value = async |question: &Value| {
        let mut body = question.clone();
        for (field, own) in
            [("start_date", "2026-11-20"), ("end_date", "2026-11-20"), ("currency_code", "gbp")]
        {
            body[field] = json!(own);
        }
        let answer = compute(&server, body).await;
        let mut records = answer["metrics"].as_object().expect("records").values();
        records.next().expect("a record")["value"].clone()
    };
    let mut before = Vec::new();
    for question in &questions {
        before.push(value(question).await);
    }

    server.clock.advance(7_200_000);

    for (question, before) in questions.iter().zip(before) {
        assert_ne!(value(question).await, before, "{question}");
    }
}

#[tokio::test]
async fn a_formula_does_not_compute_what_is_archived() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Old", "count(orders)").await;
    super::registry::make(&server, "Tried", "count(orders)").await;
    let path = "/admin/metrics/catalog/old/lifecycle";
    server.post(&Person::analyst(), path, json!({ "state": "archived" })).await.ok();

    let body = json!({ "formula": "old + 0" });
    let why = server.post(&Person::viewer(), "/admin/metrics/compute", body).await.refused(422);

    assert!(why.contains("`old` is archived"), "{why}");
    compute(&server, json!({ "formula": "tried + 0" })).await;
}

#[tokio::test]
async fn an_item_of_a_batch_has_the_range_it_names_or_fails() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Span of days", "length(period) / 1 day").await;
    let result = async |filters: Value| {
        let item =
            json!({ "id": "a", "type": "metric", "metric": "span_of_days", "filters": filters });
        let body = json!({ "requests": [item] });
        let answer = server.post(&Person::viewer(), "/admin/metrics/batch", body).await.ok();
        server.clock.advance(12_000);
        answer["results"]["a"].clone()
    };
    for range in [
        json!({ "start": "2026-02-01", "end": "2026-02-10" }),
        json!({ "start_date": "2026-02-01", "end_date": "2026-02-10" }),
    ] {
        assert_eq!(result(json!({ "range": range })).await["data"]["value"], 10);
    }
    for (filters, part) in [
        (json!({ "range": "2026-03-01..2026-03-31" }), "filters.range must be an object"),
        (json!({ "range": { "start": "2026-03-01", "tz": "x" } }), "'filters.range.tz'"),
        (json!({ "range": { "start": "2026-03-01" }, "start_date": "2026-02-01" }), "start_date"),
        (json!({ "formula": "1" }), "'filters.formula'"),
        (json!({ "metrics": ["span_of_days"] }), "'filters.metrics'"),
    ] {
        let failed = result(filters).await["error"]["message"].to_string();
        assert!(failed.contains(part), "{failed}");
    }
}

#[tokio::test]
async fn a_hundred_names_fit_into_lists_of_some() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Placed", "count(orders)").await;
    // Lists of seven names and one more.
    let unknown = |count: usize| {
        (0..count).map(|number| {
            format!("{}{number:0>64}", if number % 7 == 0 { "&metrics=" } else { "," })
        })
    };
    let ask = async |names: String| {
        let path = format!("/admin/metrics?metrics=placed{names}");
        server.get(&Person::viewer(), &path).await
    };

    let answer = ask(unknown(99).collect()).await.ok();

    assert_eq!(answer["requestedMetrics"].as_array().map(Vec::len), Some(100));
    let refused = ask(unknown(100).collect()).await.refused(400);
    assert!(refused.contains("more than 100 metrics"), "{refused}");
    let refused = ask(format!(",{}", "a".repeat(65))).await.refused(400);
    assert!(refused.contains("64 letters"), "{refused}");
}

#[tokio::test]
async fn every_route_that_computes_a_deprecated_metric_says_so() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Fading", "count(orders)").await;
    let path = "/admin/metrics/catalog/fading/lifecycle";
    server.post(&Person::analyst(), path, json!({ "state": "deprecated" })).await.ok();
    let item = json!({ "metric_id": "fading", "context": { "orders": [] } });
    for (path, body, warnings) in [
        ("/admin/metrics/compute", json!({ "metrics": ["fading"] }), "/metrics/fading/warnings"),
        ("/admin/metrics-registry/execute", item.clone(), "/warnings"),
        ("/admin/metrics-registry/compute", json!({ "requests": [item] }), "/results/0/warnings"),
        ("/admin/metrics/report", json!({ "metrics": ["fading"] }), "/report/warnings"),
    ] {
        let answer = server.post(&Person::analyst(), path, body).await.ok();
        let warnings = answer.pointer(warnings);
        assert_eq!(warnings, Some(&json!(["The metric `fading` is deprecated"])), "{answer:#}");
    }
}
