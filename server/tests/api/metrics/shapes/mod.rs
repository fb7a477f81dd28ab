//! The shapes of all metrics routes in the API document, on the demo store, for success and failure.
//!
//! `routes.tsv` lists the routes; a row without a case fails, and so does a case without a row.

mod boards;
mod catalog;
mod registry;
mod words;

use std::collections::BTreeSet;

use quotient_server::database::Error;
use serde_json::{Value, json};

use crate::harness::{Person, Reply, TestServer};

/// A call with its expected reply.
struct Call {
    /// The path with its parameters filled in, and the query.
    path: String,
    body: Option<Value>,
    person: Person,
    status: u16,
    /// See [`words`].
    shape: &'static str,
}

/// A route with a call that succeeds and one that fails.
struct Case {
    /// The route as in its row: `GET /admin/metrics`.
    route: &'static str,
    good: Call,
    bad: Call,
}

/// An error in the common shape.
const ERROR: &str = "type:text code:text message:text request_id:text details?:list";
/// A formula error, with the findings and their places.
const FORMULA_ERROR: &str = "type:text code:text message:text request_id:text details:[Finding]";

/// The contents of a call: a path and an optional body.
type Sent<'a> = (&'a str, Option<Value>);

fn good((path, body): Sent<'_>, status: u16, shape: &'static str) -> Call {
    Call { path: path.to_owned(), body, person: Person::admin(), status, shape }
}

fn bad((path, body): Sent<'_>, status: u16) -> Call {
    let shape = if status == 422 { FORMULA_ERROR } else { ERROR };
    Call { path: path.to_owned(), body, person: Person::admin(), status, shape }
}

/// Returns a call that is refused only because it has no credential.
fn unknown(path: &str) -> Call {
    let person = Person::nobody();
    Call { path: path.to_owned(), body: None, person, status: 401, shape: ERROR }
}

/// The demo store with metrics, a placeholder and alerts.
pub(super) struct Fixture {
    server: TestServer,
    /// An alert to return, and one to delete.
    alerts: [String; 2],
}

async fn fixture() -> Fixture {
    let server = TestServer::with_demo(50).await;
    let admin = Person::admin();
    let made = server
        .post(&admin, "/admin/metrics/templates/aov/instantiate", json!({"name": "AOV"}))
        .await
        .ok();
    let below = made["created"].as_array().expect("metrics").iter();
    let keys = below.chain([&made["metric"]]).map(|metric| metric["key"].clone());
    let keys: Vec<Value> = keys.collect();
    for key in keys {
        let key = key.as_str().expect("a key");
        let path = format!("/admin/metrics/catalog/{key}/lifecycle");
        server.post(&admin, &path, json!({"state": "active"})).await.ok();
    }
    for name in ["Plain", "Gone one", "Gone two", "Gone three"] {
        super::registry::make(&server, name, "count(orders)").await;
    }
    let visits = json!({"key": "visits", "display_name": "Visits", "data_source": "input",
        "source_field": "visits", "data_type": "integer"});
    server.post(&admin, "/admin/metrics/placeholders", visits).await.ok();
    super::registry::make(&server, "Per visit", "12 / visits").await;
    let mut alerts = [String::new(), String::new()];
    for alert in &mut alerts {
        let body =
            json!({"metric_id": "order_count", "condition": {"operator": "lt", "threshold": 1}});
        let made = server.post(&admin, "/admin/metrics/alerts", body).await.ok();
        made["alert"]["id"].as_str().expect("an id").clone_into(alert);
    }
    Fixture { server, alerts }
}

fn cases(fixture: &Fixture) -> Vec<Case> {
    let mut cases = registry::values();
    cases.extend(registry::definitions());
    cases.extend(registry::placeholders());
    cases.extend(registry::alerts(&fixture.alerts));
    cases.extend(registry::audit_and_cache());
    cases.extend(catalog::metrics());
    cases.extend(catalog::uses());
    cases.extend(boards::dashboards());
    cases.extend(boards::shorter_paths());
    cases.extend(boards::reports());
    cases.extend(boards::figures());
    cases.extend(boards::templates());
    cases
}

/// Returns the rows: each a method and a path.
fn rows() -> Vec<String> {
    let lines = include_str!("../routes.tsv").lines().filter(|line| !line.starts_with('#'));
    let rows = lines.skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [_section, method, path] = cells[..] else { panic!("routes.tsv: {line}") };
        format!("{method} {path}")
    });
    rows.collect()
}

/// Returns whether a path matches a route, whose parameters start with a colon.
fn is_of(path: &str, route: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let (own, pattern): (Vec<&str>, Vec<&str>) =
        (path.split('/').collect(), route.split('/').collect());
    own.len() == pattern.len()
        && own.iter().zip(pattern).all(|(own, pattern)| pattern.starts_with(':') || *own == pattern)
}

/// Returns the differences between a reply and what its call expects.
fn differences(call: &Call, reply: &Reply) -> Vec<String> {
    let mut found = Vec::new();
    if reply.status != call.status {
        found.push(format!("{} and not {}", reply.status, call.status));
    }
    found.extend(words::differences(&reply.body, call.shape));
    if call.shape.starts_with("type:") && call.status >= 400 {
        let (kind, code) = match call.status {
            400 => ("invalid_data", "INVALID_DATA"),
            401 => ("unauthorized", "UNAUTHORIZED"),
            403 => ("forbidden", "FORBIDDEN"),
            404 => ("not_found", "NOT_FOUND"),
            409 => ("conflict", "CONFLICT"),
            422 => ("validation_error", "VALIDATION_ERROR"),
            other => panic!("no error of {other}"),
        };
        if (&reply.body["type"], &reply.body["code"]) != (&json!(kind), &json!(code)) {
            found.push(format!("{} {}", reply.body["type"], reply.body["code"]));
        }
    }
    found
}

#[tokio::test]
async fn every_metrics_route_answers_in_its_shape_when_it_does_and_when_it_does_not() {
    let fixture = fixture().await;
    let cases = cases(&fixture);
    let rows = rows();
    assert_eq!(rows.len(), 26 + 11 + 26);
    let listed: BTreeSet<&str> = rows.iter().map(String::as_str).collect();
    let covered: BTreeSet<&str> = cases.iter().map(|case| case.route).collect();
    assert_eq!(covered, listed, "rows and cases");
    assert_eq!(cases.len(), rows.len(), "a case each");

    let mut wrong = Vec::new();
    for case in &cases {
        let (method, route) = case.route.split_once(' ').expect("a method and a path");
        // The failing call comes first, because the other one may delete the resource.
        for call in [&case.bad, &case.good] {
            assert!(is_of(&call.path, route), "{} is not of {}", call.path, case.route);
            let body = call.body.as_ref().map(|body| body.to_string().into_bytes());
            let reply = fixture.server.call(&call.person, method, &call.path, body).await;
            let found = differences(call, &reply);
            if !found.is_empty() {
                wrong.push(format!("{method} {}: {found:#?}\n{:#}", call.path, reply.body));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Routes with their own shape of server errors.
const FAILURES: &[(&str, &str, &str)] = &[
    ("POST", "/admin/metrics/batch", "error:text"),
    ("POST", "/admin/metrics/cache", "error:text"),
    ("DELETE", "/admin/metrics/cache", "error:text"),
    ("GET", "/admin/metrics/cache", "error:text"),
    ("POST", "/admin/metrics/catalog/seed-examples", "error:text message:text"),
    ("GET", "/admin/metrics/dashboard", "code:text type:text message:text error:text details:list"),
    ("GET", "/admin/metrics", ERROR),
    ("GET", "/admin/metrics/dashboard/summary", ERROR),
];

#[tokio::test]
async fn internal_errors_have_the_documented_shape_of_their_route() {
    let server = TestServer::empty().await;
    let broken = server.other_process();
    let broken = broken.write::<_, Error>(|tx| {
        Ok(tx.execute_batch("alter table token rename to token_that_nobody_finds")?)
    });
    broken.await.expect("a broken database");
    let mut wrong = Vec::new();
    for (method, path, shape) in FAILURES {
        let body = (*method == "POST").then(|| json!({"requests": []}).to_string().into_bytes());
        let reply = server.call(&Person::admin(), method, path, body).await;
        let found = words::differences(&reply.body, shape);
        if reply.status != 500 || !found.is_empty() || reply.body.to_string().contains("token") {
            wrong.push(format!("{method} {path}: {} {found:?} {:#}", reply.status, reply.body));
        }
    }
    // The plans of its statements are checked when the test ends, and need the table.
    let mended = server.other_process();
    let mended = mended.write::<_, Error>(|tx| {
        Ok(tx.execute_batch("alter table token_that_nobody_finds rename to token")?)
    });
    mended.await.expect("a mended database");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
