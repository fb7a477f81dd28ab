//! Alerts: conditions, states over time, and notifications.

mod cards;
mod channels;
mod conditions;
mod deliveries;
mod distance;
mod states;
mod thresholds;

use quotient_server::clock::Timestamp;
use quotient_server::database::Error;
use serde_json::{Value, json};

use super::registry::make;
use crate::harness::{Person, TestServer};

const ALERTS: &str = "/admin/metrics/alerts";
const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Creates a server with the metric `joined`, which counts new carts.
async fn server(settings: &[&str]) -> TestServer {
    let server = TestServer::with_settings(settings).await;
    make_active(&server, "Joined", "count(carts)").await;
    server
}

async fn make_active(server: &TestServer, name: &str, formula: &str) {
    let made = make(server, name, formula).await;
    let id = made["id"].as_str().expect("an id");
    let path = format!("/admin/metrics-registry/definitions/{id}/lifecycle");
    server.post(&Person::admin(), &path, json!({ "state": "active" })).await.ok();
}

/// Inserts a number of carts created at a time.
async fn join(server: &TestServer, at: Timestamp, count: usize) {
    let other = server.other_process();
    let joined = other.write::<_, Error>(move |tx| {
        for _ in 0..count {
            tx.execute(
                "insert into cart (id, currency, created_at, updated_at)
                 values (hex(randomblob(8)), 'usd', ?1, ?1)",
                [at],
            )?;
        }
        Ok(())
    });
    joined.await.expect("carts");
}

/// Deletes all carts.
async fn leave(server: &TestServer) {
    let other = server.other_process();
    let left = other.write::<_, Error>(|tx| Ok(tx.execute_batch("delete from cart")?));
    left.await.expect("no carts");
}

/// Returns the request body of an alert on `joined`, with changes.
fn body(changes: &Value) -> Value {
    let mut body = json!({ "metric_id": "joined", "condition": "joined > 2", "window": "current",
        "cooldown_minutes": 0 });
    let members = changes.as_object().expect("changes").clone();
    body.as_object_mut().expect("a body").extend(members);
    body
}

/// Creates an alert; returns its path.
async fn made(server: &TestServer, changes: Value) -> String {
    let reply = server.post(&Person::analyst(), ALERTS, body(&changes)).await;
    assert_eq!(reply.status, 201, "{reply:#?}");
    format!("{ALERTS}/{}", reply.body["alert"]["id"].as_str().expect("an id"))
}

async fn view(server: &TestServer, path: &str) -> Value {
    server.get(&Person::viewer(), path).await.ok()["alert"].clone()
}

/// Advances the clock by a minute and runs the due jobs: alerts are evaluated, then channels are notified.
async fn a_minute(server: &TestServer) {
    server.work().await;
    server.clock.advance(MINUTE_MS);
    server.work().await;
    server.work().await;
}

/// Returns the state changes of an alert, oldest first: from and to.
async fn turns(server: &TestServer, path: &str) -> Vec<(Value, Value)> {
    let list = server.get(&Person::viewer(), &format!("{path}/history?order=at")).await.ok();
    let turns = list["history"].as_array().expect("a history").iter();
    turns.map(|turn| (turn["from_state"].clone(), turn["state"].clone())).collect()
}

/// Returns the events of alerts in the outbox.
async fn events(server: &TestServer) -> Vec<(String, Value)> {
    let other = server.other_process();
    let events = other.read::<_, Error>(|tx| {
        let sql = "select name, payload from event where name like 'metric.alert.%' order by seq";
        let mut statement = tx.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let payload: String = row.get(1)?;
            Ok((row.get(0)?, serde_json::from_str(&payload).expect("JSON")))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    });
    events.await.expect("events")
}
