//! The recurring revenue in formulas, after a customer's actions.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

/// Returns the value of a formula over one day.
async fn on(server: &TestServer, day: &str, formula: &str) -> Value {
    let body = json!({
        "formula": formula, "currency_code": "gbp", "start_date": day, "end_date": day,
    });
    let answer = server.post(&Person::admin(), "/admin/metrics/compute", body).await.ok();
    answer["metrics"]["formula"]["value"].clone()
}

#[tokio::test]
async fn each_change_of_a_subscription_moves_the_recurring_revenue_of_its_day() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.pass(3).await;
    server.act(&id, "pause", json!({})).await.ok();
    server.pass(3).await;
    server.act(&id, "resume", json!({})).await.ok();
    server.pass(3).await;
    server.act(&id, "cancellation", json!({ "at": "now", "reason": "quality" })).await.ok();
    server.pass(2).await;
    server.subscribed(&store, json!({})).await;
    server.pass(1).await;

    for (day, change, kind, revenue, running) in [
        ("2026-11-21", json!(11.69), "new", json!(11.69), 1),
        ("2026-11-22", json!(0), "new", json!(11.69), 1),
        ("2026-11-24", json!(-11.69), "pause", json!(0), 1),
        ("2026-11-27", json!(11.69), "resume", json!(11.69), 1),
        ("2026-11-30", json!(-11.69), "churn", json!(0), 0),
        ("2026-12-02", json!(11.69), "reactivation", json!(11.69), 1),
    ] {
        assert_eq!(on(&server, day, "sum(mrr_movements.change)").await, change, "{day}");
        let moved = format!("sum(mrr_movements.change where kind = '{kind}')");
        assert_eq!(on(&server, day, &moved).await, change, "{kind} on {day}");
        let total = on(&server, day, "lifetime(sum(mrr_movements.change))").await;
        assert_eq!(total, revenue, "after {day}");
        let count = "count(subscriptions where started_at < period_end
                           and (ended_at is null or ended_at >= period_end))";
        assert_eq!(on(&server, day, count).await, running, "after {day}");
    }
    let first = "count(subscription_cycles where status = 'paid' and order is not null)";
    assert_eq!(on(&server, "2026-11-21", first).await, 1);
    let reason = "count(subscriptions where cancellation_reason = 'quality' and plan = 'Monthly')";
    assert_eq!(on(&server, "2026-11-30", reason).await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn the_revenue_of_prices_with_tax_is_without_it() {
    let (server, store) = TestServer::for_years().await;
    let preference =
        json!({ "attribute": "currency_code", "value": "gbp", "is_tax_inclusive": true });
    server.post(&Person::admin(), "/admin/price-preferences", preference).await.ok();

    let id = server.subscribed(&store, json!({})).await;

    // 11.69 contain 1.95 of tax, at 20 %.
    let subscription = server.mine(&id).await;
    assert_eq!(subscription["items"][0]["unit_price"], json!(11.69), "{subscription}");
    assert_eq!(subscription["mrr"], json!(9.74));
    server.assert_sound().await;
}
