//! The guards of metrics on every route: locks, and the protection of system metrics.

use serde_json::{Value, json};

use super::registry::{definition, make, send};
use crate::harness::{Person, TestServer};

const REGISTRY: &str = "/admin/metrics-registry/definitions";
const SHORT: &str = "/admin/metrics/definitions";
const CATALOG: &str = "/admin/metrics/catalog";

/// Returns every way to change a metric and to force it; a null body means that the query forces it.
fn changes() -> Vec<(&'static str, String, Value)> {
    let formula = |word: &str| json!({"formula": "count(items)", word: true});
    let state = |word: &str| json!({"state": "active", word: true});
    let version = |word: &str| json!({"version": 1, word: true});
    let (snake, camel) = ("force_update", "forceUpdate");
    vec![
        ("PATCH", format!("{REGISTRY}/a"), formula(snake)),
        ("PUT", format!("{SHORT}/a"), formula(snake)),
        ("PUT", format!("{CATALOG}/a"), formula(camel)),
        ("POST", format!("{REGISTRY}/a/versions"), version(snake)),
        ("POST", format!("{REGISTRY}/a/versions/rollback"), version(snake)),
        ("POST", format!("{CATALOG}/a/versions"), version(camel)),
        ("POST", format!("{CATALOG}/a/versions/rollback"), version(camel)),
        ("POST", format!("{REGISTRY}/a/lifecycle"), state(snake)),
        ("POST", format!("{CATALOG}/a/lifecycle"), state(camel)),
        ("DELETE", format!("{REGISTRY}/a"), json!({snake: true})),
        ("DELETE", format!("{SHORT}/a"), json!({snake: true})),
        ("DELETE", format!("{CATALOG}/a"), json!({camel: true})),
    ]
}

/// Makes a change, forced or not; a deletion is forced by its query.
async fn done(
    server: &TestServer,
    person: &Person,
    (method, path, body): (&str, &str, &Value),
    is_forced: bool,
) -> crate::harness::Reply {
    let mut body = body.clone();
    let words = ["force_update", "forceUpdate"];
    let force = words.into_iter().find(|word| !body[*word].is_null()).expect("a word");
    if method == "DELETE" {
        let path = if is_forced { format!("{path}?{force}=true") } else { path.to_owned() };
        return server.delete(person, &path).await;
    }
    if !is_forced {
        body[force] = json!(false);
    }
    send(server, person, (method, path), body).await
}

/// Returns the metric, and its actions in the audit log, latest first.
async fn state(server: &TestServer) -> (Value, Vec<Value>) {
    let metric = server.get(&Person::admin(), &format!("{REGISTRY}/a")).await.body;
    let audit_log = server.get(&Person::admin(), "/admin/metrics/audit?limit=200").await.ok();
    let actions = audit_log["changes"].as_array().expect("changes").iter();
    (metric, actions.map(|change| change["action"].clone()).collect())
}

#[tokio::test]
async fn a_lock_stops_every_change_on_every_surface_but_an_admins_by_force() {
    for (method, path, body) in changes() {
        let server = TestServer::empty().await;
        make(&server, "a", "count(orders)").await;
        let locked = json!({"formula": "count(carts)", "is_locked": true});
        send(&server, &Person::admin(), ("PATCH", &format!("{REGISTRY}/a")), locked).await.ok();
        let (before, actions) = state(&server).await;

        let change = (method, path.as_str(), &body);
        done(&server, &Person::admin(), change, false).await.refused(423);
        done(&server, &Person::analyst(), change, false).await.refused(423);
        let reply = done(&server, &Person::analyst(), change, true).await;
        assert_eq!(
            (&reply.body["type"], &reply.body["code"]),
            (&json!("locked"), &json!("LOCKED"))
        );
        assert_eq!(reply.status, 423, "{method} {path}");
        let (after, refused) = state(&server).await;
        assert_eq!(after["metric"], before["metric"], "{method} {path}");
        assert_eq!(refused.len(), actions.len() + 3, "{method} {path}: {refused:?}");
        assert!(refused[0].as_str().is_some_and(|action| action.starts_with("refused_")));

        done(&server, &Person::admin(), change, true).await.ok();
        let (changed, forced) = state(&server).await;
        assert_ne!(changed["metric"], before["metric"], "{method} {path}");
        assert_eq!(forced.len(), refused.len() + 1);
        assert!(forced[0].as_str().is_some_and(|action| action.starts_with("forced_")));
    }
}

#[tokio::test]
async fn a_lock_stops_new_examples_too() {
    let server = TestServer::empty().await;
    make(&server, "a", "2 + 2").await;
    let lock = json!({"is_locked": true});
    send(&server, &Person::admin(), ("PATCH", &format!("{REGISTRY}/a")), lock).await.ok();
    let body = json!({"context": {}, "expected": "4"});
    let path = format!("{REGISTRY}/a/examples");
    server.post(&Person::admin(), &path, body.clone()).await.refused(423);
    assert_eq!(server.get(&Person::admin(), &path).await.ok()["count"], 0);
    let mut forced = body;
    forced["force_update"] = json!(true);
    server.post(&Person::analyst(), &path, forced.clone()).await.refused(423);
    server.post(&Person::admin(), &path, forced).await.ok();
    assert_eq!(server.get(&Person::admin(), &path).await.ok()["count"], 1);
}

#[tokio::test]
async fn a_removed_metric_keeps_its_name_and_says_how_it_comes_back() {
    let server = TestServer::empty().await;
    make(&server, "a", "2 + 2").await;
    let again = definition("A", "2 + 3", "number");
    let taken = server.post(&Person::admin(), REGISTRY, again.clone()).await.refused(409);
    assert!(taken.contains("exists already"), "{taken}");
    server.delete(&Person::admin(), &format!("{REGISTRY}/a")).await.ok();

    let removed = server.post(&Person::admin(), REGISTRY, again).await.refused(409);

    assert!(removed.contains("was removed") && removed.contains("`draft`"), "{removed}");
    let path = format!("{REGISTRY}/a/lifecycle");
    server.post(&Person::admin(), &path, json!({"state": "draft"})).await.ok();
}

#[tokio::test]
async fn a_pattern_that_formats_nothing_is_refused() {
    let server = TestServer::empty().await;
    let rules = |pattern: &str| json!({"formatting_rules": {"pattern": pattern}});
    let mut body = definition("a", "2 + 2", "number");
    body["formatting_rules"] = rules("0 \"pcs")["formatting_rules"].clone();
    let refused = server.post(&Person::admin(), REGISTRY, body).await.refused(400);
    assert!(refused.contains("The pattern `0 \"pcs` is invalid"), "{refused}");
    make(&server, "a", "2 + 2").await;
    let path = format!("{REGISTRY}/a");
    for (pattern, status) in [("0 \"pcs", 400), ("0 \"pcs\"", 200)] {
        let changed = send(&server, &Person::admin(), ("PATCH", &path), rules(pattern)).await;
        assert_eq!(changed.status, status, "{changed:#?}");
    }
}

#[tokio::test]
async fn a_metric_of_the_system_is_deleted_on_no_surface_by_nobody() {
    let server = TestServer::empty().await;
    let mut body = definition("a", "count(orders)", "number");
    body["is_system"] = json!(true);
    server.post(&Person::admin(), REGISTRY, body).await.ok();
    let (before, _) = state(&server).await;
    assert_eq!(before["metric"]["is_system"], true);
    for (method, path, body) in changes().into_iter().filter(|(method, ..)| *method == "DELETE") {
        for person in [Person::admin(), Person::analyst(), Person::program()] {
            for is_forced in [false, true] {
                let reply = done(&server, &person, (method, &path, &body), is_forced).await;
                assert!(reply.refused(400).contains("belongs to the system"));
            }
        }
    }
    assert_eq!(state(&server).await.0["metric"], before["metric"]);
}

#[tokio::test]
async fn a_repeated_request_is_answered_with_the_headers_of_the_first_answer() {
    let server = TestServer::empty().await;
    let admin = Person::admin().with_header("idempotency-key", "once");
    let made = server.post(&admin, REGISTRY, definition("A", "2 + 2", "number")).await;

    let again = server.post(&admin, REGISTRY, definition("A", "2 + 2", "number")).await;

    assert_eq!((again.status, &again.body), (made.status, &made.body));
    assert_eq!(again.headers["idempotent-replayed"], "true");
    for name in ["etag", "content-type"] {
        assert_eq!(again.headers[name], made.headers[name], "{name}");
    }
}
