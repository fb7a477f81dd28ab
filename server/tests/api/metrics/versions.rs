//! Version numbers: 1, 2, 3 …, under concurrent edits over all routes.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::registry::{make, send};
use crate::harness::{Person, TestServer};

/// The routes that change a definition.
const SURFACES: [(&str, &str); 3] = [
    ("PATCH", "/admin/metrics-registry/definitions"),
    ("PUT", "/admin/metrics/definitions"),
    ("PUT", "/admin/metrics/catalog"),
];

async fn versions(server: &TestServer) -> Vec<Value> {
    let path = "/admin/metrics-registry/definitions/a/versions";
    let list = server.get(&Person::viewer(), path).await.ok();
    let versions = list["versions"].as_array().expect("versions").clone();
    assert_eq!(list["count"], versions.len());
    versions
}

#[tokio::test(flavor = "multi_thread", worker_threads = 16)]
async fn sixteen_updates_at_once_over_three_surfaces_give_sixteen_versions_without_a_gap() {
    let server = Arc::new(TestServer::empty().await);
    make(&server, "a", "count(orders)").await;
    let mut running = JoinSet::new();
    for number in 0..16_usize {
        let server = Arc::clone(&server);
        running.spawn(async move {
            let (method, surface) = SURFACES[number % 3];
            let formula = format!("count(orders) + {}", number + 1);
            let path = format!("{surface}/a");
            let body = json!({"formula": formula});
            let done = send(&server, &Person::admin(), (method, &path), body).await.ok();
            assert_eq!(done["metric"]["formula"], formula);
            (done["metric"]["version"].as_u64().expect("a number"), formula)
        });
    }
    let mut given = Vec::new();
    while let Some(done) = running.join_next().await {
        given.push(done.expect("an update"));
    }
    given.sort_unstable();
    let numbers: Vec<u64> = given.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (2..=17).collect::<Vec<_>>());

    let before = versions(&server).await;
    let listed: Vec<u64> = before.iter().rev().filter_map(|own| own["version"].as_u64()).collect();
    assert_eq!(listed, (1..=17).collect::<Vec<_>>());
    for ((_, formula), version) in given.iter().zip(before.iter().rev().skip(1)) {
        assert_eq!(version["formula"], *formula, "each was told its own number");
    }

    server.clock.advance(1_000);
    let back = server
        .post(&Person::admin(), "/admin/metrics/catalog/a/versions", json!({"version": 5}))
        .await
        .ok();
    assert_eq!(back["metric"]["version"], 18);
    let after = versions(&server).await;
    assert_eq!(after[1..], before[..], "older versions stay as they were");
    let (newest, fifth) = (&after[0], &after[13]);
    assert_eq!((&newest["version"], &fifth["version"]), (&json!(18), &json!(5)));
    assert_eq!(newest["restored_from"], 5);
    for field in ["name", "formula", "canonical", "hash", "data_type", "formatting_rules"] {
        assert_eq!(newest[field], fifth[field], "{field}");
    }
    assert_ne!(newest["id"], fifth["id"]);
    assert!(newest["created_at"].as_str() > fifth["created_at"].as_str());
}

#[tokio::test]
async fn an_update_states_for_whom_and_why() {
    let server = TestServer::empty().await;
    make(&server, "Placed", "count(orders)").await;
    let path = "/admin/metrics-registry/definitions/placed";
    let body =
        json!({"formula": "count(items)", "updated_by": "finance team", "note": "lines count"});
    let made = send(&server, &Person::analyst(), ("PATCH", path), body).await.ok();
    assert_eq!(made["metric"]["updated_by"], "finance team", "{made:#}");
    let versions = server.get(&Person::viewer(), &format!("{path}/versions")).await.ok();
    let notes: Vec<_> =
        versions["versions"].as_array().expect("versions").iter().map(|v| &v["note"]).collect();
    assert!(notes.contains(&&json!("lines count")), "{versions:#}");
    let path = "/admin/metrics/catalog/placed";
    let body = json!({"formula": "count(orders)", "note": "orders count"});
    send(&server, &Person::analyst(), ("PUT", path), body).await.ok();
    let path = "/admin/metrics-registry/definitions/placed";
    let versions = server.get(&Person::viewer(), &format!("{path}/versions")).await.ok();
    assert_eq!(versions["versions"][0]["note"], "orders count", "{versions:#}");
    let count = versions["versions"].as_array().map(Vec::len);

    send(&server, &Person::analyst(), ("PATCH", path), json!({"updated_by": "ada"})).await.ok();
    let shown = server.get(&Person::viewer(), path).await.ok();
    assert_eq!(shown["metric"]["updated_by"], "ada", "{shown:#}");
    let versions = server.get(&Person::viewer(), &format!("{path}/versions")).await.ok();
    assert_eq!(versions["versions"].as_array().map(Vec::len), count, "{versions:#}");
}
