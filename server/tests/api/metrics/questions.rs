//! Queries about the store: what is computed for them, and what is cached.

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
async fn a_formula_does_not_compute_archived_metrics() {
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
        ("/admin/metrics/compute", json!({ "formula": "fading * 2" }), "/metrics/formula/warnings"),
        ("/admin/metrics-registry/execute", item.clone(), "/warnings"),
        ("/admin/metrics-registry/compute", json!({ "requests": [item] }), "/results/0/warnings"),
        ("/admin/metrics/report", json!({ "metrics": ["fading"] }), "/report/warnings"),
    ] {
        let answer = server.post(&Person::analyst(), path, body).await.ok();
        let warnings = answer.pointer(warnings);
        assert_eq!(warnings, Some(&json!(["The metric `fading` is deprecated"])), "{answer:#}");
    }
}

#[tokio::test]
async fn an_inactive_metric_is_computed_like_a_draft() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Resting", "count(orders)").await;
    super::active(&server, "Twice", "resting * 2").await;
    let analyst = Person::analyst();
    let path = "/admin/metrics-registry/definitions/resting";
    let set_use = async |is_active: bool| {
        let body = json!({ "is_active": is_active }).to_string().into_bytes();
        server.call(&Person::analyst(), "PATCH", path, Some(body)).await.ok();
    };
    set_use(false).await;

    let listed = server.get(&analyst, "/admin/metrics").await.ok();
    assert_eq!(listed["metrics"].get("resting"), None, "{listed:#}");
    for route in ["/admin/metrics/compute", "/admin/metrics/report"] {
        let body = json!({ "metrics": ["resting"] });
        let why = server.post(&analyst, route, body).await.refused(422);
        assert!(why.contains("`resting` is inactive"), "{route}: {why}");
    }
    let alert = json!({ "name": "Few", "metric_id": "resting",
        "condition": { "operator": "lt", "threshold": 1 } });
    server.post(&analyst, "/admin/metrics/alerts", alert).await.refused(422);
    let item = json!({ "metric_id": "resting", "context": { "orders": [] } });
    server.post(&analyst, "/admin/metrics-registry/execute", item).await.ok();
    compute(&server, json!({ "metrics": ["twice"], "formula": "resting + 0" })).await;

    set_use(true).await;
    let answer = compute(&server, json!({ "metrics": ["resting"] })).await;
    assert_eq!(answer["metrics"]["resting"]["value"], 0, "{answer:#}");
}

#[tokio::test]
async fn a_change_is_split_and_compared_under_the_filters_of_an_explanation() {
    let (server, store) = TestServer::with_store().await;
    super::order_of_yesterday(&server, &store, &store.mug, 1).await;
    super::active(&server, "Placed", "count(orders)").await;
    let base = "/admin/metrics/definitions/placed";
    let days = "start_date=2026-11-20&end_date=2026-11-20&currency_code=gbp";
    for (filters, value) in [
        ("", 1),
        ("&country_code=gb&where=total%20%3E%200", 1),
        ("&country_code=fr", 0),
        ("&where=total%20%3C%200", 0),
    ] {
        for (route, place) in [("decompose", "decomposition"), ("diff", "diff")] {
            let path = format!("{base}/{route}?{days}{filters}");
            let answer = server.get(&Person::viewer(), &path).await.ok();
            assert_eq!(answer[place]["to"]["value"], value, "{path}: {answer:#}");
            for side in ["from", "to"] {
                let is_filtered = filters.contains("country_code");
                assert_eq!(answer[side]["country_code"].is_string(), is_filtered, "{answer:#}");
            }
        }
        let path = format!("{base}/rows?aggregate=0&{days}{filters}");
        let rows = server.get(&Person::viewer(), &path).await.ok();
        assert_eq!(rows["count"], value, "{path}: {rows:#}");
    }
    let same = format!("{base}/diff?{days}&from_version=1");
    let same = server.get(&Person::viewer(), &same).await.ok();
    assert!(!same["diff"]["steps"].to_string().contains("definition"), "{same:#}");
    let wrong = format!("{base}/diff?{days}&where=total%20%3E");
    server.get(&Person::viewer(), &wrong).await.refused(422);
}

#[tokio::test]
async fn a_change_in_an_unfinished_range_is_split_against_the_compared_part_of_the_earlier_one() {
    let (server, store) = TestServer::with_store().await;
    super::order_of_yesterday(&server, &store, &store.mug, 1).await;
    // At two in the afternoon of yesterday, and it is noon.
    let later = super::order(&server, &store, &store.mug, 1).await;
    super::age(&server, later, 22).await;
    super::active(&server, "Placed", "count(orders)").await;
    let today = "start_date=2026-11-21&end_date=2026-11-21&currency_code=gbp";

    let compared = json!({ "metrics": ["placed"], "start_date": "2026-11-21",
        "end_date": "2026-11-21", "currency_code": "gbp", "compare": "previous_period" });
    let compared = compute(&server, compared).await;
    assert_eq!(compared["metrics"]["placed"]["previous"], 1, "{compared:#}");
    for (route, place) in [("decompose", "decomposition"), ("diff", "diff")] {
        let from = async |query: &str| {
            let path = format!("/admin/metrics/definitions/placed/{route}?{today}{query}");
            server.get(&Person::viewer(), &path).await.ok()[place]["from"]["value"].clone()
        };
        assert_eq!(from("").await, 1, "{route}");
        assert_eq!(from("&from_start_date=2026-11-20").await, 2, "{route}");
    }
    // A month is compared with the month before.
    let month = "start_date=2026-10-01&end_date=2026-10-31";
    let path = format!("/admin/metrics/definitions/placed/decompose?{month}");
    let split = server.get(&Person::viewer(), &path).await.ok();
    assert_eq!(split["from"]["start_date"], "2026-09-01", "{split:#}");
    assert_eq!(split["from"]["end_date"], "2026-09-30", "{split:#}");
}

#[tokio::test]
async fn a_metric_that_counts_states_its_entity() {
    let (server, _store) = TestServer::with_store().await;
    let admin = Person::admin();
    let metric = super::registry::definition("Placed", "count(orders)", "integer");
    let made = server.post(&admin, "/admin/metrics-registry/definitions", metric).await;
    let id = made.body["metric"]["id"].as_str().expect("an id").to_owned();
    let state = json!({ "state": "active" });
    server.post(&admin, &format!("/admin/metrics/catalog/{id}/lifecycle"), state).await.ok();

    let answer = compute(&server, json!({ "metrics": ["placed"], "formula": "placed" })).await;

    for key in ["placed", "formula"] {
        let record = &answer["metrics"][key];
        let of = (&record["type"], &record["unit"]);
        assert_eq!(of, (&json!("integer"), &json!("orders")), "{key}: {answer:#}");
    }
}

#[tokio::test]
async fn a_metric_has_the_same_definition_whatever_the_filters_of_the_question() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Placed", "count(orders)").await;
    super::active(&server, "Doubled", "placed * 2").await;
    let definition = async |body: Value| {
        compute(&server, body).await["metrics"]["doubled"]["definition"].clone()
    };

    let plain = definition(json!({ "metrics": ["doubled"] })).await;

    for filter in ["total > 10 USD", "status = 'completed'"] {
        let body = json!({ "metrics": ["doubled"], "where": filter });
        assert_eq!(definition(body).await, plain, "{filter}");
    }
    let path = "/admin/metrics/definitions/doubled/explain";
    let explained = server.get(&Person::viewer(), path).await.ok();
    assert_eq!(explained["explanation"]["definition"], plain["hash"], "{explained:#}");
}

#[tokio::test]
async fn computing_ahead_says_why_a_metric_failed() {
    let (server, _store) = TestServer::with_store().await;
    super::active(&server, "Placed", "count(orders)").await;
    let warm = async |metrics: &[&str]| {
        let body = json!({ "ranges": ["today"], "metrics": metrics });
        server.post(&Person::analyst(), "/admin/metrics/cache", body).await.ok()
    };

    let done = warm(&["placed", "nope"]).await;

    let range = &done["ranges"][0];
    assert_eq!((&range["warmed"], &range["failed"]), (&json!(1), &json!(1)), "{done:#}");
    assert_eq!(range["error"]["message"], "Metric with id: nope was not found");
    assert_eq!(warm(&["placed"]).await["ranges"][0].get("error"), None);
    let cleared = server.delete(&Person::analyst(), "/admin/metrics/cache").await.ok();
    assert_eq!(cleared["message"], "The metrics cache is cleared");
}
