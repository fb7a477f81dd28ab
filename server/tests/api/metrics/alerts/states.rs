//! The states of alerts from minute to minute.

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::{
    ALERTS, MINUTE_MS, a_minute, events, join, leave, made, make_active, server, turns, view,
};
use crate::harness::{BEGIN, Person, TestServer};

async fn state(server: &TestServer, path: &str) -> Value {
    view(server, path).await["state"].clone()
}

#[tokio::test]
async fn an_alert_fires_once_and_is_in_the_history_and_the_outbox_until_it_ends() {
    let server = server(&[]).await;
    let path = made(&server, json!({ "name": "Many", "severity": "critical" })).await;
    a_minute(&server).await;
    let alert = view(&server, &path).await;
    assert_eq!((&alert["state"], &alert["last_value"]), (&json!("ok"), &json!(0)));

    join(&server, BEGIN, 3).await;
    for _ in 0..3 {
        a_minute(&server).await;
        assert_eq!(state(&server, &path).await, "firing");
    }
    let alert = view(&server, &path).await;
    assert_eq!((&alert["last_value"], &alert["last_error"]), (&json!(3), &Value::Null));
    assert_eq!(alert["last_fired_at"], "2026-11-21T12:02:00.000Z");
    assert_eq!(alert["last_evaluated_at"], "2026-11-21T12:04:00.000Z");
    leave(&server).await;
    a_minute(&server).await;

    assert_eq!(state(&server, &path).await, "ok");
    let (ok, firing) = (json!("ok"), json!("firing"));
    assert_eq!(turns(&server, &path).await, [(ok.clone(), firing.clone()), (firing, ok)]);
    let history = server.get(&Person::viewer(), &format!("{path}/history?order=at")).await.ok();
    let fired = &history["history"][0];
    assert_eq!((&fired["value"], &fired["note"]), (&json!(3), &Value::Null));
    assert_eq!(fired["period_start"], "2026-11-21T00:00:00.000Z");
    assert_eq!(fired["period_end"], "2026-11-22T00:00:00.000Z");
    let events = events(&server).await;
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["metric.alert.fired", "metric.alert.resolved"]);
    let data = &events[0].1;
    assert_eq!(
        (&data["id"], &data["name"], &data["severity"], &data["state"], &data["value"]),
        (&alert["id"], &json!("Many"), &json!("critical"), &json!("firing"), &json!(3))
    );
}

#[tokio::test]
async fn alerts_are_looked_at_every_minute_unless_they_are_paused() {
    let server = server(&[]).await;
    let path = made(&server, json!({})).await;
    let looked_at = async || view(&server, &path).await["last_evaluated_at"].clone();
    server.work().await;
    assert_eq!(looked_at().await, Value::Null);
    let mut seen = Vec::new();
    for _ in 0..7 {
        server.clock.advance(MINUTE_MS / 2);
        server.work().await;
        seen.push(looked_at().await);
    }
    seen.dedup();
    let at = |clock: &str| json!(format!("2026-11-21T{clock}.000Z"));
    assert_eq!(seen, [Value::Null, at("12:01:00"), at("12:02:00"), at("12:03:00")]);

    server.post(&Person::analyst(), &path, json!({ "is_active": false })).await.ok();
    join(&server, BEGIN, 3).await;
    a_minute(&server).await;
    a_minute(&server).await;
    assert_eq!((looked_at().await, state(&server, &path).await), (at("12:03:00"), json!("ok")));
    server.post(&Person::analyst(), &path, json!({ "is_active": true })).await.ok();
    a_minute(&server).await;
    assert_eq!(state(&server, &path).await, "firing");
}

#[tokio::test]
async fn a_metric_is_not_archived_or_removed_while_active_alerts_use_it() {
    let server = server(&[]).await;
    make_active(&server, "Old", "count(orders)").await;
    let about = made(&server, json!({ "name": "Crowd" })).await;
    made(&server, json!({ "name": "Rush", "condition": "joined > old" })).await;
    let mut own = super::super::registry::definition("Mine", "count(items)", "number");
    own["visibility"] = json!("private");
    let definitions = "/admin/metrics-registry/definitions";
    server.post(&Person::admin(), definitions, own).await.ok();
    let lifecycle = |key: &str| format!("{definitions}/{key}/lifecycle");
    let put = async |person: &Person, key: &str, body: Value| {
        server.post(person, &lifecycle(key), body).await
    };
    put(&Person::admin(), "mine", json!({ "state": "active" })).await.ok();
    let unseen = json!({ "metric_id": "mine", "condition": "mine > joined" });
    assert_eq!(server.post(&Person::admin(), ALERTS, unseen).await.status, 201);
    let analyst = Person::analyst();
    let archive = json!({ "state": "archived", "force_update": true });

    let refused = put(&analyst, "joined", archive.clone()).await.refused(409);

    let users = "the active alerts Crowd, Rush and 1 about private metrics of others";
    assert!(refused.contains(users), "{refused}");
    let deleted = server.delete(&analyst, &format!("{definitions}/old")).await.refused(409);
    assert!(deleted.contains("alerts Rush:"), "{deleted}");
    server.delete(&analyst, "/admin/metrics/catalog/joined").await.refused(409);
    put(&Person::admin(), "joined", archive).await.ok();
    server.delete(&analyst, &about).await.ok();
}

#[tokio::test]
async fn an_alert_whose_metric_is_archived_can_be_paused() {
    let server = server(&[]).await;
    let path = made(&server, json!({})).await;
    let metric = "/admin/metrics/catalog/joined/lifecycle";
    server
        .post(&Person::admin(), metric, json!({ "state": "archived", "forceUpdate": true }))
        .await
        .ok();
    a_minute(&server).await;
    assert_eq!(state(&server, &path).await, "error");
    let change = async |body: Value| server.post(&Person::analyst(), &path, body).await;
    let why = change(json!({ "name": "Other" })).await.refused(422);
    assert!(why.contains("`joined` is archived"), "{why}");

    let paused = change(json!({ "is_active": false })).await.ok();

    let shown = (&paused["alert"]["is_active"], &paused["backtest"]);
    assert_eq!(shown, (&json!(false), &Value::Null));
    change(json!({ "is_active": true })).await.refused(422);
}

#[tokio::test]
async fn within_its_cooldown_an_alert_fires_without_a_message() {
    let server = server(&[]).await;
    let path = made(&server, json!({ "cooldown_minutes": 10 })).await;
    join(&server, BEGIN, 3).await;
    a_minute(&server).await;
    leave(&server).await;
    a_minute(&server).await;
    join(&server, BEGIN, 3).await;

    let mut told = Vec::new();
    for _ in 0..10 {
        a_minute(&server).await;
        assert_eq!(state(&server, &path).await, "firing");
        told.push(events(&server).await.len());
    }

    assert_eq!(told, [2, 2, 2, 2, 2, 2, 2, 2, 3, 3]);
    let turned = turns(&server, &path).await;
    assert_eq!(turned.last(), Some(&(json!("ok"), json!("firing"))));
    assert_eq!(turned.len(), 3);
    leave(&server).await;
    a_minute(&server).await;
    assert_eq!(events(&server).await.len(), 4, "it is resolved");
}

#[tokio::test]
async fn an_alert_that_was_not_sent_is_not_reported_as_resolved() {
    let server = server(&[]).await;
    let path = made(&server, json!({ "cooldown_minutes": 10 })).await;
    for told in [1, 2] {
        join(&server, BEGIN, 3).await;
        a_minute(&server).await;
        assert_eq!(
            (state(&server, &path).await, events(&server).await.len()),
            (json!("firing"), told)
        );
        leave(&server).await;
        a_minute(&server).await;
        assert_eq!((state(&server, &path).await, events(&server).await.len()), (json!("ok"), 2));
    }
}

#[tokio::test]
async fn a_held_back_alert_is_sent_as_soon_as_the_cooldown_is_over() {
    let server = server(&[]).await;
    let path = made(&server, json!({ "cooldown_minutes": 5, "window": "last_complete" })).await;
    let yesterday = BEGIN.plus_ms(-24 * 60 * MINUTE_MS);
    let looked_at_again = async || {
        server.post(&Person::analyst(), &path, json!({ "description": "again" })).await.ok();
        a_minute(&server).await;
        (state(&server, &path).await, events(&server).await.len())
    };
    join(&server, yesterday, 3).await;
    assert_eq!(looked_at_again().await, (json!("firing"), 1));
    leave(&server).await;
    assert_eq!(looked_at_again().await, (json!("ok"), 2));
    join(&server, yesterday, 3).await;
    assert_eq!(looked_at_again().await, (json!("firing"), 2));

    let mut told = Vec::new();
    for _ in 0..4 {
        a_minute(&server).await;
        told.push(events(&server).await.len());
    }

    assert_eq!(told, [2, 2, 3, 3]);
}

#[tokio::test]
async fn null_never_fires_and_too_few_rows_are_no_data() {
    let server = server(&[]).await;
    make_active(&server, "Rate", "count(carts where completed_at is not null) / count(carts)")
        .await;
    let null = made(&server, json!({ "metric_id": "rate", "condition": "rate < 1" })).await;
    let few = made(&server, json!({ "min_sample": 4 })).await;
    a_minute(&server).await;
    assert_eq!(state(&server, &null).await, "no_data");
    assert_eq!(view(&server, &null).await["last_value"], Value::Null);

    join(&server, BEGIN, 3).await;
    a_minute(&server).await;
    assert_eq!(state(&server, &null).await, "firing", "now there is a rate, and it is 0");
    assert_eq!(state(&server, &few).await, "no_data");
    join(&server, BEGIN, 1).await;
    a_minute(&server).await;
    assert_eq!(state(&server, &few).await, "firing");
    leave(&server).await;
    a_minute(&server).await;
    assert_eq!(state(&server, &null).await, "no_data");
    let names: Vec<String> = events(&server).await.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["metric.alert.fired", "metric.alert.fired"]);
}

#[tokio::test]
async fn missing_data_and_errors_neither_resolve_an_alert_nor_repeat_it() {
    let server = server(&[]).await;
    make_active(&server, "Rate", "count(carts where completed_at is not null) / count(carts)")
        .await;
    let path = made(&server, json!({ "metric_id": "rate", "condition": "rate < 1" })).await;
    let lifecycle = "/admin/metrics-registry/definitions/rate/lifecycle";
    let put = async |state: &str| {
        server
            .post(&Person::admin(), lifecycle, json!({ "state": state, "force_update": true }))
            .await
            .ok();
    };
    let looked_at = async || {
        a_minute(&server).await;
        (state(&server, &path).await, events(&server).await.len())
    };
    join(&server, BEGIN, 1).await;
    assert_eq!(looked_at().await, (json!("firing"), 1));
    put("archived").await;
    assert_eq!(looked_at().await, (json!("error"), 1));
    put("draft").await;
    put("active").await;
    assert_eq!(looked_at().await, (json!("firing"), 1), "they know");
    leave(&server).await;
    assert_eq!(looked_at().await, (json!("no_data"), 1));

    join(&server, BEGIN, 1).await;
    let other = server.other_process();
    let complete = "update cart set completed_at = created_at";
    other.write::<_, Error>(move |tx| Ok(tx.execute_batch(complete)?)).await.expect("carts");

    assert_eq!(looked_at().await, (json!("ok"), 2));
    assert_eq!(events(&server).await[1].0, "metric.alert.resolved");
    assert_eq!(looked_at().await, (json!("ok"), 2));
    leave(&server).await;
    join(&server, BEGIN, 1).await;
    assert_eq!(looked_at().await, (json!("firing"), 3), "a new one is told");
}

#[tokio::test]
async fn a_missing_value_decides_nothing_unless_the_condition_asks_for_it() {
    let server = server(&[]).await;
    make_active(&server, "Rate", "count(carts where completed_at is not null) / count(carts)")
        .await;
    let mut alerts = Vec::new();
    for (condition, expected) in [
        (json!({ "operator": "ne", "threshold": 5 }), "no_data"),
        (json!("not (rate >= 5)"), "no_data"),
        (json!("rate not between 2 and 3"), "no_data"),
        (json!("rate != 5 and joined >= 0"), "no_data"),
        (json!("let r = rate; not r in (1, 2)"), "no_data"),
        (json!("rate != 5 or joined >= 0"), "firing"),
        (json!("rate is null"), "firing"),
        (json!("(rate default 0) < 5"), "firing"),
    ] {
        let alert = json!({ "metric_id": "rate", "condition": condition });
        alerts.push((made(&server, alert).await, condition, expected));
    }

    a_minute(&server).await;

    for (path, condition, expected) in &alerts {
        assert_eq!(state(&server, path).await, *expected, "{condition}");
    }
    join(&server, BEGIN, 1).await;
    a_minute(&server).await;
    for (path, condition, _) in &alerts {
        let expected = if *condition == "rate is null" { "ok" } else { "firing" };
        assert_eq!(state(&server, path).await, expected, "{condition}");
    }
}

#[tokio::test]
async fn an_alert_on_an_inactive_metric_is_an_error_and_the_others_continue() {
    let server = server(&[]).await;
    make_active(&server, "Old", "count(carts)").await;
    let broken = made(&server, json!({ "metric_id": "old", "condition": "old > 2" })).await;
    let sound = made(&server, json!({})).await;
    let lifecycle = "/admin/metrics-registry/definitions/old/lifecycle";
    server
        .post(&Person::admin(), lifecycle, json!({ "state": "archived", "force_update": true }))
        .await
        .ok();
    join(&server, BEGIN, 3).await;

    a_minute(&server).await;

    let alert = view(&server, &broken).await;
    assert_eq!(alert["state"], "error", "{alert:#}");
    assert!(alert["last_error"].as_str().is_some_and(|why| why.contains("archived")), "{alert:#}");
    assert_eq!(turns(&server, &broken).await, [(json!("ok"), json!("error"))]);
    assert_eq!(state(&server, &sound).await, "firing");
    server.post(&Person::admin(), lifecycle, json!({ "state": "draft" })).await.ok();
    server.post(&Person::admin(), lifecycle, json!({ "state": "active" })).await.ok();
    a_minute(&server).await;
    assert_eq!(state(&server, &broken).await, "firing");
    assert_eq!(view(&server, &broken).await["last_error"], Value::Null);
}
