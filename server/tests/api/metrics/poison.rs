//! A failing item in a batch leaves the other results unchanged.

use serde_json::{Map, Value, json};

use super::{Chance, active, order, registry};
use crate::harness::{Person, TestServer};

/// Returns items that fail or have a null result.
fn poisoned(chance: &mut Chance) -> Value {
    let several = [
        json!({"metric_id": "nothing"}),
        json!({"metric_id": "rate", "context": {}}),
        json!({"metric_id": "rate", "context": {"takings": "much", "visits": 1}}),
        json!({"metric_id": "rate", "context": {"takings": [1, 2], "visits": {"a": 1}}}),
        json!({"metric_id": "rate", "context": {"takings": 1e300, "visits": 1}}),
        json!({"metric_id": "asleep", "context": {"takings": 1, "visits": 1}}),
        json!({"metric_id": "unready", "context": {"takings": 1, "visits": 1}}),
        json!({"metric_id": "placed", "context": {"takings": 1}}),
    ];
    chance.of(&several).clone()
}

async fn inputs(server: &TestServer) {
    for key in ["takings", "visits"] {
        let body = json!({"key": key, "display_name": key, "data_source": "input", "source_field": key,
            "data_type": "number"});
        server.post(&Person::admin(), "/admin/metrics/placeholders", body).await.ok();
    }
    active(server, "Rate", "takings / visits").await;
    active(server, "Asleep", "takings + visits").await;
    let path = "/admin/metrics/catalog/asleep/lifecycle";
    server.post(&Person::admin(), path, json!({"state": "archived"})).await.ok();
    registry::make(server, "Unready", "takings * visits").await;
    active(server, "Placed", "count(orders)").await;
}

/// Returns an item's result without the parts that may differ.
fn comparable(item: &Value) -> Value {
    let mut item = item.clone();
    let members = item.as_object_mut().expect("an item");
    members.remove("execution_time_ms");
    members.remove("cached");
    item
}

#[tokio::test]
async fn a_context_that_fails_at_a_random_place_leaves_the_others_as_they_are_alone() {
    let server = TestServer::empty().await;
    inputs(&server).await;
    let compute = async |requests: Value| {
        let path = "/admin/metrics-registry/compute";
        server.post(&Person::viewer(), path, json!({"requests": requests})).await.ok()
    };
    let mut chance = Chance(12);
    let mut failed = 0;
    for round in 0..12 {
        let mut items = Vec::new();
        for number in 0..30_u64 {
            let context = json!({"takings": chance.below(100), "visits": chance.below(4)});
            let id = format!("item {number}");
            let healthy = json!({"id": id, "metric_id": "rate", "context": context});
            let mut item = if chance.below(3) == 0 { poisoned(&mut chance) } else { healthy };
            item["id"] = json!(id);
            items.push(item);
        }
        let together = compute(json!(items)).await;
        let named: Map<String, Value> = items
            .iter()
            .map(|item| (item["id"].as_str().expect("an id").to_owned(), item.clone()))
            .collect();
        let by_name = compute(json!(named)).await;
        let results = together["results"].as_array().expect("results");
        assert_eq!(results.len(), items.len());
        let mut succeeded = 0;
        for (item, result) in items.iter().zip(results) {
            let alone = compute(json!([item])).await;
            assert_eq!(
                comparable(result),
                comparable(&alone["results"][0]),
                "round {round}: {item}"
            );
            let name = item["id"].as_str().expect("an id");
            assert_eq!(comparable(&by_name["results"][name]), comparable(result), "{item}");
            assert_eq!(result["success"] == true, result["error"].is_null(), "{result}");
            succeeded += i64::from(result["success"] == true);
        }
        for summary in [&together["summary"], &by_name["summary"]] {
            assert_eq!((&summary["total"], &summary["succeeded"]), (&json!(30), &json!(succeeded)));
            assert_eq!(summary["failed"], 30 - succeeded);
        }
        failed += 30 - succeeded;
    }
    assert!(failed > 60 && failed < 300, "{failed}");
}

/// Returns batch items that fail.
fn unanswerable(chance: &mut Chance) -> Value {
    let several = [
        json!({"type": "weather"}),
        json!({"type": "metric"}),
        json!({"type": "metric", "metric": "nothing"}),
        json!({"type": "metric", "metric": "unready"}),
        json!({"type": "metric", "metric": 7}),
        json!({"type": "metric", "metric": "placed", "colour": "red"}),
        json!({"type": "summary", "filters": {"range": {"start": "2026-02-30"}}}),
        json!({"type": "summary", "filters": [1]}),
        json!({"type": "sales_channels", "filters": {"currency_code": "xyz1"}}),
        json!({"type": "dashboard", "filters": {"range": {"start": "2020-01-01", "end": "2026-01-01"}}}),
        json!({"type": "report", "report": {"metrics": ["nothing"]}}),
        json!({"type": "report"}),
    ];
    chance.of(&several).clone()
}

/// Returns batch items that succeed.
fn answerable(chance: &mut Chance) -> Value {
    let filters =
        json!({"currency_code": "gbp", "range": {"start": "2026-11-20", "end": "2026-11-21"}});
    let mut item = match chance.below(3) {
        0 => json!({"type": "metric", "metric": "placed"}),
        1 => json!({"type": *chance.of(&["summary", "sales_channels"])}),
        _ => {
            json!({"type": *chance.of(&["unfulfilled_orders", "unfulfilled_products", "dashboard"])})
        }
    };
    item["filters"] = filters;
    item
}

#[tokio::test]
async fn an_item_of_a_batch_that_fails_at_a_random_place_leaves_the_others_as_they_are_alone() {
    let (server, store) = TestServer::with_store().await;
    order(&server, &store, &store.mug, 2).await;
    inputs(&server).await;
    let batch = async |requests: &[Value]| {
        let body = json!({"requests": requests});
        server.post(&Person::viewer(), "/admin/metrics/batch", body).await.ok()
    };
    let mut chance = Chance(5);
    let (mut good, mut bad) = (0, 0);
    for round in 0..6 {
        let mut items = Vec::new();
        for number in 0..16_u64 {
            let is_poisoned = chance.below(3) == 0;
            let mut item =
                if is_poisoned { unanswerable(&mut chance) } else { answerable(&mut chance) };
            item["id"] = json!(format!("{}{number}", if is_poisoned { "bad" } else { "good" }));
            item["priority"] = json!(chance.below(9));
            items.push(item);
        }
        let healthy: Vec<Value> = items
            .iter()
            .filter(|item| item["id"].as_str().is_some_and(|id| id.starts_with("good")))
            .cloned()
            .collect();
        // Five batches per minute are allowed.
        server.clock.advance(60_000);
        let (all, alone) = (batch(&items).await, batch(&healthy).await);
        let results = all["results"].as_object().expect("results");
        assert_eq!(results.len(), items.len());
        for (id, result) in results {
            let is_good = id.starts_with("good");
            assert_eq!(result["success"], is_good, "round {round}: {result:#}");
            if is_good {
                let (mut own, mut other) = (comparable(result), comparable(&alone["results"][id]));
                for answer in [&mut own, &mut other] {
                    if let Some(data) = answer["data"].as_object_mut() {
                        data.remove("cached");
                    }
                }
                assert_eq!(own, other, "round {round}: {id}");
                good += 1;
            } else {
                assert!(result["error"]["message"].is_string() && result["data"].is_null());
                bad += 1;
            }
        }
        let summary = &all["summary"];
        assert_eq!(summary["total"], 16);
        assert_eq!(summary["succeeded"], healthy.len());
        assert_eq!(summary["failed"], 16 - healthy.len());
    }
    assert!(good > 40 && bad > 15, "{good} {bad}");
}
