//! Thresholds, in the unit of the values they are compared with.

use serde_json::json;

use crate::harness::{Person, TestServer};
use crate::metrics::registry::definition;

#[tokio::test]
async fn a_threshold_is_in_the_unit_of_the_metrics_values() {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    for (name, formula, kind) in [
        ("Takings", "sum(orders.total)", "currency"),
        ("Placed", "count(orders)", "integer"),
        ("Basket", "takings / placed", "currency"),
        ("Wait", "avg(fulfillments.shipped_at - fulfillments.created_at)", "duration"),
        ("Large share", "count(orders where total > 10 USD) / placed", "percentage"),
    ] {
        let body = definition(name, formula, kind);
        let made = server.post(&admin, "/admin/metrics/definitions", body).await.ok();
        let key = made["metric"]["key"].as_str().expect("a key");
        let path = format!("/admin/metrics/catalog/{key}/lifecycle");
        server.post(&admin, &path, json!({"state": "active"})).await.ok();
    }
    for (metric, operator, threshold, condition) in [
        ("takings", "lt", json!(1000), "takings < 1000 USD"),
        ("basket", "gte", json!(12.5), "basket >= 12.5 USD"),
        ("basket", "change_lt", json!(-0.1), "growth(basket) < -0.1"),
        ("placed", "ne", json!(0), "placed != 0"),
        ("wait", "gt", json!(172_800), "wait > 172800 seconds"),
        ("large_share", "lte", json!(0.25), "large_share <= 0.25"),
    ] {
        let body = json!({"metric_id": metric, "condition": {"operator": operator, "threshold": threshold}});
        let made = server.post(&admin, "/admin/metrics/alerts", body).await.ok();
        assert_eq!(made["alert"]["condition"], condition);
    }
}
