//! The conditions of alerts: firing, backtests and refusals.

use quotient_server::clock::Timestamp;
use serde_json::{Value, json};

use super::{ALERTS, DAY_MS, SECRET, a_minute, body, join, made, make_active, server, view};
use crate::harness::{BEGIN, Person, TestServer};
use crate::metrics::registry::make;

#[tokio::test]
async fn a_condition_is_stored_as_its_formula() {
    let server = server(&[]).await;
    let formula = "joined < 50% * trailing(avg(joined per day), 28 days)";
    let threshold =
        |operator: &str, threshold: Value| json!({ "operator": operator, "threshold": threshold });
    for (sent, stored) in [
        (json!(formula), formula),
        (threshold("gt", json!(2)), "joined > 2"),
        (threshold("gte", json!(2.5)), "joined >= 2.5"),
        (threshold("lt", json!(-1)), "joined < -1"),
        (threshold("lte", json!(1e3)), "joined <= 1000"),
        (threshold("eq", json!(0)), "joined = 0"),
        (threshold("ne", json!(0)), "joined != 0"),
        (threshold("lt", json!(1_000_000_000_000_i64)), "joined < 1000000000000"),
        (threshold("change_gt", json!(0.1)), "growth(joined) > 0.1"),
        (threshold("change_lt", json!(-0.25)), "growth(joined) < -0.25"),
    ] {
        let reply =
            server.post(&Person::analyst(), ALERTS, body(&json!({ "condition": sent }))).await;
        assert_eq!(reply.status, 201, "{sent}: {reply:#?}");
        assert_eq!(reply.body["alert"]["condition"], stored);
        assert_eq!(reply.body["backtest"]["days"], 90);
    }
}

/// Returns how many days ago the midnights are at which the alert would have fired.
fn days_ago(backtest: &Value) -> Vec<i64> {
    let at = backtest["at"].as_array().expect("instants");
    assert_eq!(backtest["would_have_fired"], at.len());
    let midnight = BEGIN.as_millis().saturating_sub(DAY_MS / 2);
    at.iter()
        .map(|at| {
            let at: Timestamp = at.as_str().expect("an instant").parse().expect("an instant");
            midnight.saturating_sub(at.as_millis()) / DAY_MS
        })
        .collect()
}

#[tokio::test]
async fn the_back_test_names_the_days_on_which_it_would_have_fired() {
    let server = server(&[]).await;
    // Two pairs of consecutive days, a single day, the first day that counts, and the day before it.
    for days in [0, 1, 5, 6, 40, 89, 90] {
        join(&server, BEGIN.plus_ms(-days * DAY_MS - DAY_MS / 4), 3).await;
    }
    join(&server, BEGIN.plus_ms(-3 * DAY_MS), 2).await;
    for (changes, days) in [
        (json!({}), vec![89, 40, 6, 1]),
        (json!({ "window": "last_complete" }), vec![89, 40, 6, 1]),
        (json!({ "cooldown_minutes": 5 * 24 * 60 }), vec![89, 40, 6, 1]),
        (json!({ "cooldown_minutes": 6 * 24 * 60 }), vec![89, 40, 6, 0]),
        (json!({ "cooldown_minutes": 60 * 24 * 60 }), vec![89, 6]),
        (json!({ "condition": "joined > 3" }), vec![]),
        (json!({ "min_sample": 4 }), vec![]),
        // Days with too few carts to judge end nothing.
        (json!({ "min_sample": 3 }), vec![89]),
        (json!({ "min_sample": 1 }), vec![89, 1]),
        (json!({ "condition": "joined > 1" }), vec![89, 40, 6, 3, 1]),
    ] {
        let reply = server.post(&Person::analyst(), ALERTS, body(&changes)).await.ok();
        assert_eq!(days_ago(&reply["backtest"]), days, "{changes}");
    }
}

#[tokio::test]
async fn the_back_test_judges_whole_periods() {
    let server = server(&[]).await;
    // The 90 days begin on 24 August.
    join(&server, "2026-08-10T10:00:00.000Z".parse().expect("an instant"), 3).await;
    for window in ["last_complete", "current"] {
        let changes =
            json!({ "condition": "joined < 3", "granularity": "month", "window": window });
        let reply = server.post(&Person::analyst(), ALERTS, body(&changes)).await.ok();
        assert_eq!(reply["backtest"]["at"], json!(["2026-09-01T00:00:00.000Z"]), "{window}");
    }
}

#[tokio::test]
async fn an_alert_is_changed_back_tested_again_paused_and_removed() {
    let server = server(&[]).await;
    join(&server, BEGIN.plus_ms(-10 * DAY_MS), 3).await;
    let path = made(&server, json!({ "name": "Many", "description": "Too many" })).await;

    let change =
        json!({ "condition": { "operator": "gt", "threshold": 5 }, "severity": "critical" });
    let changed = server.post(&Person::analyst(), &path, change).await.ok();
    assert_eq!(changed["alert"]["condition"], "joined > 5");
    assert_eq!(changed["alert"]["name"], "Many");
    assert_eq!(changed["backtest"]["would_have_fired"], 0);
    let change = json!({ "condition": "joined >= 3", "description": null, "is_active": false });
    let changed = server.post(&Person::analyst(), &path, change).await.ok();
    assert_eq!(days_ago(&changed["backtest"]), [10]);
    assert_eq!(changed["alert"]["description"], Value::Null);
    assert_eq!(view(&server, &path).await, changed["alert"]);

    let list = server.get(&Person::viewer(), &format!("{ALERTS}?is_active=false")).await.ok();
    assert_eq!((&list["count"], &list["alerts"][0]), (&json!(1), &changed["alert"]));
    let gone = server.delete(&Person::analyst(), &path).await.ok();
    assert_eq!(gone, json!({ "id": changed["alert"]["id"], "object": "alert", "deleted": true }));
    assert_eq!(server.get(&Person::viewer(), ALERTS).await.ok()["count"], 0);
    server.get(&Person::viewer(), &path).await.refused(404);
    server.post(&Person::analyst(), &path, json!({})).await.refused(404);
    server.post(&Person::analyst(), &format!("{path}/test"), json!({})).await.refused(404);
    server.delete(&Person::analyst(), &path).await.refused(404);
}

async fn refused(server: &TestServer, changes: Value, status: u16) -> String {
    server.post(&Person::analyst(), ALERTS, body(&changes)).await.refused(status)
}

#[tokio::test]
async fn other_formulas_and_unreachable_channels_are_refused_with_the_reason() {
    let server = server(&[]).await;
    let channel = |channel: Value| json!({ "channels": [channel] });
    let webhook = |url: &str, secret: &str| {
        channel(json!({ "type": "webhook", "url": url, "secret": secret }))
    };

    assert!(
        refused(&server, json!({ "condition": "joined + 1" }), 422).await.contains("true or false")
    );
    refused(&server, json!({ "condition": "joind > 1" }), 422).await;
    refused(&server, json!({ "metric_id": "nothing" }), 404).await;
    let ten = vec![json!({ "type": "log" }); 11];
    assert!(refused(&server, json!({ "channels": ten }), 400).await.contains("ten"));
    let mail = channel(json!({ "type": "email", "to": "ops@shop.example" }));
    assert!(refused(&server, mail, 400).await.contains("smtp_host"));
    let own = refused(&server, webhook("http://127.0.0.1:9/", SECRET), 400).await;
    assert!(own.contains("private"), "{own}");
    let weak =
        refused(&server, webhook("https://hooks.shop.example/", "whsec_c2hvcnQ="), 400).await;
    assert!(weak.contains("16 bytes"), "{weak}");
    let plain = json!({ "type": "webhook", "url": "https://hooks.shop.example/" });
    assert!(refused(&server, channel(plain), 400).await.contains("secret"));
    assert_eq!(server.get(&Person::viewer(), ALERTS).await.ok()["count"], 0);
}

#[tokio::test]
async fn an_inactive_metric_has_no_alert() {
    let server = server(&[]).await;
    make(&server, "Draft", "count(carts)").await;
    let about = json!({ "metric_id": "draft", "condition": "draft > 1" });
    assert!(refused(&server, about, 422).await.contains("draft"));
    make_active(&server, "Used", "count(carts)").await;
    made(&server, json!({ "metric_id": "used", "condition": "used > 1" })).await;
    make_active(&server, "Old", "count(carts)").await;
    let watched = made(&server, json!({ "condition": "joined > old" })).await;
    let lifecycle = "/admin/metrics-registry/definitions/old/lifecycle";
    server
        .post(&Person::admin(), lifecycle, json!({ "state": "archived", "force_update": true }))
        .await
        .ok();
    for (condition, state) in [("joined > draft", "draft"), ("joined > old", "archived")] {
        let why = refused(&server, json!({ "condition": condition }), 422).await;
        assert!(why.contains(state), "{why}");
    }
    a_minute(&server).await;
    assert_eq!(view(&server, &watched).await["state"], "error");
}

#[tokio::test]
async fn a_condition_of_the_wrong_form_is_refused_with_the_right_ones() {
    let server = TestServer::empty().await;
    let condition = json!({"operator": "zz", "threshold": 1});
    let body = json!({"name": "x", "metric_id": "aov", "condition": condition});
    let message = server.post(&Person::analyst(), "/admin/metrics/alerts", body).await.refused(400);
    assert!(message.contains("operator") && message.contains("threshold"), "{message}");
    assert!(!message.contains("untagged"), "{message}");
}

#[tokio::test]
async fn a_threshold_that_is_too_long_or_too_large_is_refused() {
    let server = server(&[]).await;
    for threshold in [
        "0.12345678901234567890123456789",
        "1.23456789012345678901234567891e0",
        "1000000000000.01",
        "-1e13",
    ] {
        let threshold: Value = serde_json::from_str(threshold).expect("a number");
        let condition = json!({ "operator": "gt", "threshold": threshold });
        refused(&server, json!({ "condition": condition }), 400).await;
    }
}

/// Otherwise anybody who may create alerts could block every write of the shop for as long as a condition
/// takes.
#[tokio::test]
async fn a_condition_is_tried_before_the_write_that_keeps_its_alert() {
    let server = server(&[]).await;
    let path = made(&server, json!({})).await;
    let endless = json!({ "condition": "trailing(avg(joined per second), 3650 days) > 2" });
    let holder = server.locked().await;
    for (path, change) in [(ALERTS, body(&endless)), (path.as_str(), endless)] {
        let refused = server.post(&Person::analyst(), path, change).await;
        assert_eq!(refused.status, 422, "no write was waited for: {refused:#?}");
    }
    server.post(&Person::analyst(), ALERTS, body(&json!({}))).await.refused(503);

    holder.release().await;
    made(&server, json!({})).await;
}

#[tokio::test]
async fn an_alert_has_limits_and_a_condition_of_its_own_metric() {
    let server = server(&[]).await;
    for field in ["cooldown_minutes", "min_sample"] {
        let why = refused(&server, json!({ field: 1_000_000_001 }), 400).await;
        assert!(why.contains(field), "{why}");
    }
    make_active(&server, "Other", "count(carts)").await;
    let path = made(&server, json!({})).await;

    let other = json!({ "metric_id": "other" });
    let why = server.post(&Person::analyst(), &path, other).await.refused(400);

    assert!(why.contains("condition"), "{why}");
    let other = json!({ "metric_id": "other", "condition": "other > 2" });
    server.post(&Person::analyst(), &path, other).await.ok();
    server.post(&Person::analyst(), &path, json!({ "metric_id": "other" })).await.ok();
}
