//! The audit log of changes.

use axum::body::Body;
use axum::http::Request;
use quotient_server::audit_log;
use quotient_server::database::Error;
use serde_json::{Value, json};

use crate::harness::{Person, Reply, TestServer};

const AUDIT: &str = "/admin/metrics/audit";

/// Makes six changes: creates, renames, revokes and deletes a key, changes an admin, and invites one.
async fn changed() -> (TestServer, String) {
    let server = TestServer::empty().await;
    let admin = Person::admin();
    let body = json!({ "title": "=Tests", "type": "secret" });
    let key = server.post(&admin, "/admin/api-keys", body).await.ok()["api_key"].clone();
    let id = key["id"].as_str().expect("an id").to_owned();
    let path = format!("/admin/api-keys/{id}");
    server.post(&admin, &path, json!({ "title": "Tests 2" })).await.ok();
    server.post(&admin, &format!("{path}/revoke"), json!({})).await.ok();
    server.delete(&admin, &path).await.ok();
    let users = server.get(&admin, "/admin/users?order=email").await.ok();
    let user = users["users"][0]["id"].as_str().expect("an admin").to_owned();
    let body = json!({ "first_name": "Grace" });
    server.post(&admin, &format!("/admin/users/{user}"), body).await.ok();
    let body = json!({ "email": "new@shop.example", "role": "viewer" });
    server.post(&admin, "/admin/invites", body).await.ok();
    (server, key["token"].as_str().expect("a token").to_owned())
}

async fn export(server: &TestServer, path: &str, body: Value) -> (String, String) {
    let mut request = Request::post(path).header("content-type", "application/json");
    for (name, value) in Person::admin().headers() {
        request = request.header(name, value);
    }
    let reply: Reply =
        server.send(request.body(Body::from(body.to_string())).expect("a request")).await;
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    let named = reply.headers["content-disposition"].to_str().expect("a text").to_owned();
    let text = reply.body.as_str().map_or_else(|| reply.body.to_string(), str::to_owned);
    (named, text)
}

#[tokio::test]
async fn an_export_is_no_response_that_a_key_replays() {
    let (server, _token) = changed().await;
    let admin = Person::admin().with_header("idempotency-key", "once");
    for _ in 0..2 {
        let reply = server.post(&admin, AUDIT, json!({})).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        assert!(!reply.headers.contains_key("idempotent-replayed"));
    }
    assert_eq!(server.number("select count(*) from idempotency_key").await, 0);
}

#[tokio::test]
async fn every_change_has_one_entry_with_who_did_it_and_the_request() {
    let (server, token) = changed().await;

    let list = server.get(&Person::admin(), AUDIT).await.ok();

    assert_eq!(
        (&list["count"], &list["limit"], &list["offset"]),
        (&json!(6), &json!(20), &json!(0))
    );
    let changes = list["changes"].as_array().expect("changes");
    let what: Vec<String> = changes
        .iter()
        .map(|change| format!("{} {}", change["entity_type"], change["action"]).replace('"', ""))
        .collect();
    assert_eq!(
        what,
        [
            "invite create",
            "user update",
            "api_key delete",
            "api_key revoke",
            "api_key update",
            "api_key create"
        ]
    );
    for change in changes {
        assert_eq!(change["actor_type"], "user");
        assert!(change["actor_id"].as_str().is_some_and(|id| id.starts_with("user_")));
        assert_ne!(change["request_id"], "", "{change}");
    }
    assert_eq!(changes[4]["before"]["title"], "=Tests");
    assert_eq!(changes[4]["after"]["title"], "Tests 2");
    assert_eq!(changes[1]["changed"], json!(["first_name"]));
    assert_eq!(changes[5]["before"], Value::Null);
    assert!(!list.to_string().contains(&token), "a secret is in the audit log");
}

#[tokio::test]
async fn the_audit_log_is_narrowed_by_entity_action_actor_and_time() {
    let (server, _) = changed().await;
    let admin = Person::admin();
    let all = server.get(&admin, AUDIT).await.ok();
    let key = all["changes"][3]["entity_id"].as_str().expect("an id").to_owned();
    let actor = all["changes"][0]["actor_id"].as_str().expect("an id").to_owned();

    for (query, count) in [
        (format!("entity_id={key}"), 4),
        ("entity_type=user".to_owned(), 1),
        ("action=create".to_owned(), 2),
        (format!("actor_id={actor}&limit=1"), 6),
        ("at[$gte]=2030-01-01T00:00:00Z".to_owned(), 0),
        ("at[$gte]=2020-01-01T00:00:00Z&entity_type[]=invite&entity_type[]=user".to_owned(), 2),
    ] {
        for path in [AUDIT, "/admin/metrics/audit/recent"] {
            let found = server.get(&admin, &format!("{path}?{query}")).await.ok();
            assert_eq!(found["count"], count, "{query}");
        }
    }
}

#[tokio::test]
async fn an_export_holds_every_entry_and_ends_with_the_head_of_the_chain() {
    let (server, token) = changed().await;
    let head = server.db.read(audit_log::head).await.expect("a head");
    let list = server.get(&Person::admin(), AUDIT).await.ok();
    let mut listed = list["changes"].as_array().expect("changes").clone();
    listed.reverse();

    for path in [AUDIT, "/admin/metrics/audit/export"] {
        let (name, text) = export(&server, path, json!({})).await;
        assert_eq!(name, "attachment; filename=\"audit.json\"");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(file["changes"], json!(listed));
        assert_eq!(file["count"], 6);
        assert_eq!(file["chain_head"], json!({ "entries": 6, "hash": head.hash }));

        let (_, text) = export(&server, path, json!({ "format": "ndjson" })).await;
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines[..6], listed);
        assert_eq!(lines[6]["chain_head"]["hash"], json!(head.hash));
        assert!(!text.contains(&token));

        let (name, text) = export(&server, path, json!({ "format": "csv" })).await;
        assert_eq!(name, "attachment; filename=\"audit.csv\"");
        assert_eq!(text.lines().count(), 1 + 6 + 1);
        assert!(text.lines().last().is_some_and(|line| line.ends_with(&head.hash)), "{text}");
    }
    let days = json!({ "start_date": "2026-11-22", "end_date": "2026-11-22" });
    let (_, text) = export(&server, AUDIT, days).await;
    let file: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&file["count"], &file["changes"]), (&json!(0), &json!([])));
    let today = json!({ "start_date": "2026-11-21", "end_date": "2026-11-21" });
    let (_, text) = export(&server, AUDIT, today).await;
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON")["count"], 6);
    let backwards = json!({ "start_date": "2026-11-22", "end_date": "2026-11-21" });
    let message = server.post(&Person::admin(), AUDIT, backwards).await.refused(400);
    assert!(message.contains("2026-11-21 is before start_date 2026-11-22"), "{message}");
}

#[tokio::test]
async fn the_days_of_an_export_are_those_of_the_store() {
    let (server, _store) = TestServer::with_store().await;
    server.write_store("gbp").await;
    let body = json!({ "title": "Made at noon", "type": "secret" });
    server.post(&Person::admin(), "/admin/api-keys", body).await.ok();
    let other = server.other_process();
    // It is noon in London, and the next day there.
    let moved = other.write::<_, Error>(|tx| {
        Ok(tx.execute("update store set time_zone = 'Pacific/Auckland'", [])?)
    });
    moved.await.expect("a zone");
    for (day, is_there) in [("2026-11-21", false), ("2026-11-22", true)] {
        let (_, text) = export(&server, AUDIT, json!({ "start_date": day, "end_date": day })).await;
        assert_eq!(text.contains("Made at noon"), is_there, "{day}: {text}");
    }
}

#[tokio::test]
async fn a_request_that_fails_leaves_no_entry() {
    let server = TestServer::empty().await;
    let body = json!({ "title": "Tests", "type": "publishable" });
    let key = server.post(&Person::admin(), "/admin/api-keys", body).await.ok();
    let path = format!("/admin/api-keys/{}", key["api_key"]["id"].as_str().expect("an id"));

    assert_eq!(server.delete(&Person::admin(), &path).await.status, 400);

    let entries = server
        .db
        .read(audit_log::verify)
        .await
        .expect("an audit log")
        .expect("a whole audit log")
        .seq;
    let counted = server
        .db
        .read::<_, Error>(|tx| {
            Ok(tx.query_row("select max(seq) from audit_entry", [], |row| row.get::<_, i64>(0))?)
        })
        .await;
    assert_eq!((entries, counted.expect("a count")), (1, 1));
}

#[tokio::test]
async fn only_users_with_write_access_read_the_audit_log() {
    let server = TestServer::empty().await;
    for person in [Person::viewer(), Person::analyst()] {
        assert_eq!(server.get(&person, AUDIT).await.status, 403);
        assert_eq!(server.post(&person, AUDIT, json!({})).await.status, 403);
    }
}
