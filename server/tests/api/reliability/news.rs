//! Notifications of an alert when the server is killed during delivery.

use std::path::PathBuf;

use serde_json::json;
use tempfile::TempDir;

use super::process::{Process, wait};
use crate::harness::{Person, Receiver, TestServer};

/// Allows webhooks to this machine.
const PRIVATE: [&str; 2] = ["env", "QUOTIENT_WEBHOOK_PRIVATE_TARGETS=true"];

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Creates a store with an alert that has fired without a notification yet; returns a copy of it.
async fn fired(receiver: &Receiver) -> (TempDir, PathBuf) {
    let server = TestServer::with_settings(&["--webhook-private-targets=true"]).await;
    let metric = json!({ "name": "Fixed", "category": "sales", "scope": "store",
        "formula": "count(orders) * 0 + 3", "data_type": "number" });
    let definitions = "/admin/metrics-registry/definitions";
    server.post(&Person::admin(), definitions, metric).await.ok();
    let state = json!({ "state": "active" });
    server.post(&Person::admin(), &format!("{definitions}/fixed/lifecycle"), state).await.ok();
    let alert = json!({ "metric_id": "fixed", "condition": "fixed > 2", "window": "current",
        "channels": [{ "type": "webhook", "url": receiver.url(), "secret": SECRET }] });
    server.post(&Person::admin(), "/admin/metrics/alerts", alert).await.ok();
    server.work().await;
    server.clock.advance(60_000);
    server.work().await;
    server.copied().await
}

#[tokio::test]
async fn news_interrupted_by_a_kill_are_sent_after_the_restart() {
    // The first call gets no response.
    let mut receiver = Receiver::answering(&[0]).await;
    let (_folder, path) = fired(&receiver).await;
    #[expect(clippy::disallowed_methods, reason = "the test opens the file as another program")]
    let connection = rusqlite::Connection::open(&path).expect("the copy");
    let kind = "kind = 'metrics.deliver_alert'";
    // The process uses the system clock.
    connection.execute(&format!("update job set run_at = 0 where {kind}"), []).expect("due");

    let at = path.clone();
    let start = move || Process::start_under(&PRIVATE, &at);
    let mut server = tokio::task::spawn_blocking(start.clone()).await.expect("a server");
    let cut_off = receiver.next().await;
    server.kill();
    let server = tokio::task::spawn_blocking(start).await.expect("a server");
    let call = receiver.next().await;

    assert_eq!(call.headers["webhook-id"], cut_off.headers["webhook-id"]);
    assert_eq!(call.body, cut_off.body);
    assert!(call.body.contains("metric.alert.fired"), "{}", call.body);
    let left = format!("select count(*) from job where {kind}");
    let is_over = move || connection.query_row(&left, [], |row| row.get::<_, i64>(0)) == Ok(0);
    let pending = tokio::task::spawn_blocking(move || wait("it is told for ever", is_over));
    pending.await.expect("it ends");
    drop(server);
}
