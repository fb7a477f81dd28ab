//! Every change of metrics and their parts has exactly one entry in the audit log, and the program detects tampering
//! with the audit log.

use std::process::Command;

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::registry::{definition, send};
use crate::harness::{Person, TestServer};

const REGISTRY: &str = "/admin/metrics-registry";

/// A call with the entries that it adds to the audit log: resource and action.
type Step = (&'static str, &'static str, Value, &'static [&'static str]);

fn catalog_metric(name: &str) -> Value {
    json!({"name": name, "category": "sales", "scope": "store", "formula": "count(orders)",
        "dataType": "number"})
}

/// Returns changes of metrics, in an order in which each is possible.
fn metrics() -> Vec<Step> {
    let formula = |formula: &str| json!({"formula": formula});
    vec![
        (
            "POST",
            "/admin/metrics-registry/definitions",
            definition("a", "count(orders)", "number"),
            &["metric create"],
        ),
        (
            "POST",
            "/admin/metrics/definitions",
            definition("b", "a + 1", "number"),
            &["metric create"],
        ),
        ("POST", "/admin/metrics/catalog", catalog_metric("c"), &["metric create"]),
        (
            "PATCH",
            "/admin/metrics-registry/definitions/a",
            formula("count(items)"),
            &["metric update"],
        ),
        ("PUT", "/admin/metrics/definitions/a", formula("count(carts)"), &["metric update"]),
        ("PUT", "/admin/metrics/catalog/a", formula("count(refunds)"), &["metric update"]),
        ("PUT", "/admin/metrics/catalog/a", json!({"name": "Another a"}), &["metric update"]),
        ("PUT", "/admin/metrics/catalog/a", formula("count(oders)"), &[]),
        ("PUT", "/admin/metrics/catalog/a", formula("b + 1"), &[]),
        ("POST", "/admin/metrics/catalog/a/versions", json!({"version": 99}), &[]),
    ]
}

/// Returns further changes of metrics.
fn later() -> Vec<Step> {
    let formula = |formula: &str| json!({"formula": formula});
    vec![
        (
            "POST",
            "/admin/metrics-registry/definitions/a/versions",
            json!({"version": 1}),
            &["metric rollback"],
        ),
        ("POST", "/admin/metrics/catalog/a/versions", json!({"version": 2}), &["metric rollback"]),
        (
            "POST",
            "/admin/metrics-registry/definitions/c/examples",
            json!({"context": {}, "expected": "0"}),
            &["metric example"],
        ),
        (
            "POST",
            "/admin/metrics/catalog/a/lifecycle",
            json!({"state": "active"}),
            &["metric lifecycle"],
        ),
        (
            "POST",
            "/admin/metrics-registry/definitions/b/lifecycle",
            json!({"state": "active"}),
            &["metric lifecycle"],
        ),
        ("POST", "/admin/metrics/catalog/b/lifecycle", json!({"state": "draft"}), &[]),
        ("DELETE", "/admin/metrics/catalog/a", Value::Null, &["metric refused_delete"]),
        (
            "PATCH",
            "/admin/metrics-registry/definitions/b",
            json!({"is_locked": true}),
            &["metric update"],
        ),
        (
            "PATCH",
            "/admin/metrics-registry/definitions/b",
            formula("2"),
            &["metric refused_update"],
        ),
        (
            "PATCH",
            "/admin/metrics-registry/definitions/b",
            json!({"formula": "2", "force_update": true}),
            &["metric forced_update"],
        ),
        (
            "DELETE",
            "/admin/metrics-registry/definitions/b?force_update=true",
            Value::Null,
            &["metric forced_delete"],
        ),
        ("DELETE", "/admin/metrics/definitions/a", Value::Null, &["metric delete"]),
        ("DELETE", "/admin/metrics/definitions/a", Value::Null, &[]),
        (
            "POST",
            "/admin/metrics/catalog/a/lifecycle",
            json!({"state": "draft"}),
            &["metric lifecycle"],
        ),
        ("POST", "/admin/metrics/catalog/seed-examples", json!({}), &["metric create"; 3]),
        ("POST", "/admin/metrics/catalog/seed-examples", json!({}), &[]),
        (
            "POST",
            "/admin/metrics/templates/aov/instantiate",
            json!({"name": "AOV"}),
            &["metric create"; 6],
        ),
    ]
}

/// Returns changes of other resources of metrics, and calls that change nothing.
fn others() -> Vec<Step> {
    let placeholder = |key: &str| {
        json!({"key": key, "display_name": key, "data_source": "input", "source_field": key,
            "data_type": "number"})
    };
    vec![
        (
            "POST",
            "/admin/metrics-registry/placeholders",
            placeholder("visits"),
            &["placeholder create"],
        ),
        ("POST", "/admin/metrics/placeholders", placeholder("clicks"), &["placeholder create"]),
        ("POST", "/admin/metrics/placeholders", placeholder("clicks"), &[]),
        ("POST", "/admin/metrics/compute", json!({"formula": "count(orders)"}), &[]),
        ("POST", "/admin/metrics-registry/validate", json!({"formula": "1"}), &[]),
        ("POST", "/admin/metrics-registry/execute", json!({"metric_id": "c"}), &[]),
        ("POST", "/admin/metrics/cache", json!({"ranges": ["today"]}), &[]),
        ("DELETE", "/admin/metrics/cache", Value::Null, &[]),
        ("GET", "/admin/metrics/suggestions", Value::Null, &[]),
        ("POST", "/admin/metrics/audit", json!({}), &[]),
    ]
}

/// Returns the actions in the audit log, oldest first.
async fn entries(server: &TestServer) -> Vec<String> {
    let other = server.other_process();
    let found = other.read::<_, Error>(|tx| {
        let mut statement =
            tx.prepare("select entity_type || ' ' || action from audit_entry order by seq")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<Vec<String>, _>>()?)
    });
    found.await.expect("an audit log")
}

async fn take(server: &TestServer, (method, path, body, left): Step) {
    let before = entries(server).await;
    let reply = if body.is_null() {
        server.call(&Person::admin(), method, path, None).await
    } else {
        send(server, &Person::admin(), (method, path), body).await
    };
    let after = entries(server).await;
    assert_eq!(after[before.len()..], *left, "{method} {path}: {} {:#}", reply.status, reply.body);
}

/// Returns what the program reports about the audit log of a server's database.
fn verified(server: &TestServer) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_quotient-server"))
        .args(["--database", &server.db.path().display().to_string(), "--log", "off"])
        .args(["audit", "verify"])
        .output()
        .expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), [text(&output.stdout), text(&output.stderr)].concat())
}

async fn tamper(server: &TestServer, sql: &'static str) {
    let other = server.other_process();
    let done = other.write::<_, Error>(move |tx| {
        tx.execute_batch(
            "drop trigger if exists audit_entry_stays; drop trigger if exists audit_entry_is_fixed;",
        )?;
        assert_eq!(tx.execute(sql, [])?, 1, "{sql}");
        Ok(())
    });
    done.await.expect("a tampered audit log");
}

#[tokio::test]
async fn every_change_has_exactly_one_entry_and_any_tampering_is_detected() {
    let server = TestServer::empty().await;
    for step in metrics().into_iter().chain(later()).chain(others()) {
        take(&server, step).await;
    }
    let alert =
        json!({"metric_id": "order_count", "condition": {"operator": "lt", "threshold": 1}});
    let path = "/admin/metrics/catalog/order_count/lifecycle";
    server.post(&Person::admin(), path, json!({"state": "active"})).await.ok();
    let before = entries(&server).await.len();
    let path = "/admin/metrics/alerts";
    let made = server.post(&Person::admin(), path, alert).await.ok();
    let path = format!("{path}/{}", made["alert"]["id"].as_str().expect("an id"));
    server.post(&Person::admin(), &path, json!({"severity": "critical"})).await.ok();
    server.post(&Person::admin(), &path, json!({"severity": "grave"})).await.refused(400);
    server.delete(&Person::admin(), &path).await.ok();
    server.delete(&Person::admin(), &path).await.refused(404);
    let left = ["alert create", "alert update", "alert delete"];
    let all = entries(&server).await;
    assert_eq!(all[before..], left);

    let list = server.get(&Person::admin(), "/admin/metrics/audit?limit=1").await.ok();
    assert_eq!(list["count"], all.len(), "the list counts every entry");
    let (is_whole, said) = verified(&server);
    assert!(is_whole && said.contains(&format!("{} entries", all.len())), "{said}");

    tamper(&server, "update audit_entry set actor_id = 'user_0' where seq = 7").await;
    let (is_whole, said) = verified(&server);
    assert!(!is_whole && said.contains('7'), "{said}");
}

#[tokio::test]
async fn a_dropped_entry_is_detected_in_the_middle_and_at_the_end() {
    for sql in [
        "delete from audit_entry where seq = 2",
        "delete from audit_entry where seq = (select max(seq) from audit_entry)",
    ] {
        let server = TestServer::empty().await;
        for name in ["a", "b", "c"] {
            let path = format!("{REGISTRY}/definitions");
            server
                .post(&Person::admin(), &path, definition(name, "count(orders)", "number"))
                .await
                .ok();
        }
        assert!(verified(&server).0);
        tamper(&server, sql).await;
        let (is_whole, said) = verified(&server);
        assert!(!is_whole && !said.is_empty(), "{sql}: {said}");
    }
}
