//! Answers that are large individually are not all held at once.

use serde_json::json;

use super::active;
use crate::harness::{Person, TestServer};

/// A year of hours has some 3 MB as JSON.
const YEAR: (&str, &str) = ("2025-11-22", "2026-11-21");

#[tokio::test]
async fn a_batch_has_as_many_results_as_fit_a_response() {
    let server = TestServer::empty().await;
    active(&server, "Placed", "count(orders)").await;
    let item = |id: &str, granularity: &str| {
        let range = json!({ "start": YEAR.0, "end": YEAR.1 });
        json!({ "id": id, "type": "metric", "metric": "placed",
            "filters": { "range": range, "granularity": granularity } })
    };
    let ids = ["a", "b", "c", "d", "e", "f"];
    let mut items: Vec<_> = ids.iter().map(|id| item(id, "hour")).collect();
    items.push(item("small", "month"));

    let answer =
        server.post(&Person::viewer(), "/admin/metrics/batch", json!({ "requests": items })).await;

    let answer = answer.ok();
    let results = &answer["results"];
    assert_eq!(results["a"]["success"], true);
    let refused = &results["f"];
    assert_eq!((&refused["success"], &refused["data"]), (&json!(false), &json!(null)));
    let message = refused["error"]["message"].as_str().expect("a message");
    assert!(message.contains("too large"), "{message}");
    assert_eq!(results["small"]["success"], true, "what fits is answered");
    let failed = answer["summary"]["failed"].as_u64().expect("a count");
    assert!((2..6).contains(&failed), "{failed}");
}

#[tokio::test]
async fn reports_are_listed_with_as_many_results_as_fit_a_response() {
    let server = TestServer::empty().await;
    active(&server, "Placed", "count(orders)").await;
    let body = json!({ "metrics": ["placed"], "granularity": "hour", "start_date": YEAR.0,
        "end_date": YEAR.1 });
    for _ in 0..3 {
        server.post(&Person::analyst(), "/admin/metrics/report", body.clone()).await.ok();
    }
    let list = "/admin/metrics/reports";
    let message =
        server.get(&Person::viewer(), &format!("{list}?fields=%2Bresult")).await.refused(422);
    assert!(message.contains("too large"), "{message}");

    let one = server.get(&Person::viewer(), &format!("{list}?fields=%2Bresult&limit=1")).await.ok();
    assert_eq!(one["reports"][0]["result"]["rows"].as_array().map(Vec::len), Some(365 * 24));
    assert_eq!(server.get(&Person::viewer(), list).await.ok()["count"], 3);
}

#[tokio::test]
async fn a_report_has_as_many_values_as_any_answer() {
    let server = TestServer::empty().await;
    let names = ["One", "Two", "Three"];
    for name in names {
        active(&server, name, "count(orders)").await;
    }
    let report = |metrics: &[&str]| json!({ "metrics": metrics, "granularity": "hour", "start_date": YEAR.0, "end_date": YEAR.1 });
    let path = "/admin/metrics/report";
    server.post(&Person::analyst(), path, report(&["one", "two"])).await.ok();
    let message =
        server.post(&Person::analyst(), path, report(&["one", "two", "three"])).await.refused(422);
    assert!(message.contains("25000 are allowed"), "{message}");
}
