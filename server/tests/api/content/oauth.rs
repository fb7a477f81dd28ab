//! Clients of OAuth and their tokens.

use axum::body::Body;
use axum::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{header, id_of};
use crate::harness::{Person, Reply, TestServer};

const CLIENTS: &str = "/admin/oauth-clients";
const TOKEN: &str = "/store/oauth/token";

/// Creates a client; returns its id and its secret.
async fn make(server: &TestServer, scopes: Value) -> (String, String) {
    let made = server
        .post(&Person::admin(), CLIENTS, json!({ "name": "Web", "scopes": scopes }))
        .await
        .ok();
    let secret = made["oauth_client"]["secret"].as_str().expect("a secret").to_owned();
    (id_of(&made, "oauth_client"), secret)
}

fn grant((id, secret): &(String, String)) -> Value {
    json!({ "grant_type": "client_credentials", "client_id": id, "client_secret": secret })
}

/// Returns a token of a client.
async fn token(server: &TestServer, client: &(String, String)) -> String {
    let body = server.post(&Person::visitor(), TOKEN, grant(client)).await.ok();
    body["access_token"].as_str().expect("a token").to_owned()
}

/// Asks for a token with a form.
async fn by_form(server: &TestServer, basic: Option<&str>, form: &str) -> Reply {
    let request = Request::builder().method("POST").uri(TOKEN);
    let request = request.header("x-publishable-api-key", Person::PUBLISHABLE);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let request = match basic {
        Some(pair) => request.header("authorization", format!("Basic {}", STANDARD.encode(pair))),
        None => request,
    };
    server.send(request.body(Body::from(form.to_owned())).expect("a request")).await
}

#[tokio::test]
async fn a_token_is_issued_for_json_a_form_and_basic() {
    let (server, _store) = TestServer::with_store().await;
    let client = make(&server, json!(["storefront", "metrics:read"])).await;
    let reply = server.post(&Person::visitor(), TOKEN, grant(&client)).await;
    assert_eq!(header(&reply, "cache-control"), "no-store");
    let body = reply.ok();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("bearer"), &json!(3600)));
    assert_eq!(body["scope"], "storefront metrics:read");
    let issued = body["access_token"].as_str().expect("a token");
    server.assert_not_at_rest(issued).await;
    server.assert_not_at_rest(&client.1).await;

    let (id, secret) = &client;
    let form = format!(
        "grant_type=client_credentials&client_id={id}&client_secret={secret}&scope=metrics%3Aread"
    );
    assert_eq!(by_form(&server, None, &form).await.ok()["scope"], "metrics:read");
    let basic = format!("{id}:{secret}");
    by_form(&server, Some(&basic), "grant_type=client_credentials").await.ok();
}

#[tokio::test]
async fn refusals_have_the_shapes_of_oauth() {
    let (server, _store) = TestServer::with_store().await;
    let client = make(&server, json!(["storefront"])).await;
    let with = |field: &str, value: Value| {
        let mut body = grant(&client);
        body[field] = value;
        body
    };
    for (body, status, error) in [
        (json!({}), 400, "invalid_request"),
        (with("client_secret", Value::Null), 400, "invalid_request"),
        (with("grant_type", json!(7)), 400, "invalid_request"),
        (with("grant_type", json!("password")), 400, "unsupported_grant_type"),
        (with("scope", json!("tracking:write")), 400, "invalid_scope"),
        (with("client_secret", json!("ocs_wrong")), 401, "invalid_client"),
        (with("client_id", json!("oac_01JD2Q8Z5M6T3W9XKCV4B7NZZZ")), 401, "invalid_client"),
        (with("client_id", json!("x")), 401, "invalid_client"),
    ] {
        let reply = server.post(&Person::visitor(), TOKEN, body).await;
        assert_eq!((reply.status, &reply.body["error"]), (status, &json!(error)));
        let key = if error == "invalid_request" { "details" } else { "message" };
        assert!(reply.body[key].is_array() || reply.body[key].is_string(), "{reply:?}");
        assert_eq!(reply.body.as_object().map(serde_json::Map::len), Some(2));
    }
    server.post(&Person::nobody(), TOKEN, grant(&client)).await.refused(401);
    for _attempt in 0..7 {
        server
            .post(&Person::visitor(), TOKEN, with("client_secret", json!("no")))
            .await
            .refused(401);
    }
    server.post(&Person::visitor(), TOKEN, with("client_secret", json!("no"))).await.refused(429);
}

#[tokio::test]
async fn a_token_reads_only_metrics_until_its_client_is_revoked() {
    let (server, _store) = TestServer::with_store().await;
    let client = make(&server, json!(["metrics:read"])).await;
    let program = Person::nobody().with_bearer(&token(&server, &client).await);
    server.get(&program, "/admin/metrics/catalog").await.ok();
    server.post(&program, "/admin/metrics/catalog", json!({})).await.refused(403);
    server.get(&program, "/admin/orders").await.refused(403);
    let board = "/admin/metrics/boards/x";
    server.call(&program, "PUT", board, Some(b"{\"tiles\": []}".to_vec())).await.refused(403);
    server.delete(&program, board).await.refused(403);
    let shop = make(&server, json!(["storefront"])).await;
    let shop = Person::nobody().with_bearer(&token(&server, &shop).await);
    server.get(&shop, "/admin/metrics/catalog").await.refused(403);

    let path = format!("{CLIENTS}/{}", client.0);
    server.post(&Person::admin(), &path, json!({ "scopes": ["storefront"] })).await.ok();
    server.get(&program, "/admin/metrics/catalog").await.refused(403);
    server.post(&Person::admin(), &path, json!({ "scopes": ["metrics:read"] })).await.ok();
    server.get(&program, "/admin/metrics/catalog").await.ok();
    server.post(&Person::admin(), &path, json!({ "is_enabled": false })).await.ok();
    server.get(&program, "/admin/metrics/catalog").await.refused(401);
    server.post(&Person::visitor(), TOKEN, grant(&client)).await.refused(401);
    server.post(&Person::admin(), &path, json!({ "is_enabled": true })).await.ok();
    server.get(&program, "/admin/metrics/catalog").await.refused(401);

    let again = Person::nobody().with_bearer(&token(&server, &client).await);
    server.clock.advance(60 * 60 * 1_000);
    server.get(&again, "/admin/metrics/catalog").await.refused(401);
}

#[tokio::test]
async fn a_rotated_secret_and_a_deleted_client_end_their_tokens() {
    let (server, _store) = TestServer::with_store().await;
    let client = make(&server, json!(["metrics:read"])).await;
    let path = format!("{CLIENTS}/{}", client.0);
    let program = Person::nobody().with_bearer(&token(&server, &client).await);
    let rotated =
        server.post(&Person::admin(), &format!("{path}/rotate-secret"), json!({})).await.ok();
    server.get(&program, "/admin/metrics/catalog").await.refused(401);
    server.post(&Person::visitor(), TOKEN, grant(&client)).await.refused(401);
    let secret = rotated["oauth_client"]["secret"].as_str().expect("a secret").to_owned();
    let program = Person::nobody().with_bearer(&token(&server, &(client.0.clone(), secret)).await);
    let shown = server.get(&Person::viewer(), &path).await.ok();
    assert_eq!(shown["oauth_client"]["secret"], Value::Null);
    server.delete(&Person::admin(), &path).await.ok();
    server.get(&program, "/admin/metrics/catalog").await.refused(401);
    for scopes in [json!([]), json!(["everything"])] {
        server
            .post(&Person::admin(), CLIENTS, json!({ "name": "x", "scopes": scopes }))
            .await
            .refused(400);
    }
}

#[tokio::test]
async fn calls_with_a_token_for_the_storefront_count_per_client() {
    let (server, _store) = TestServer::with_store_and(&["--store-per-minute=20"]).await;
    let client = make(&server, json!(["storefront"])).await;
    let issued = token(&server, &client).await;
    let shop = Person::visitor().with_header("x-client-token", &issued);
    let left =
        |reply: &Reply| header(reply, "ratelimit-remaining").parse::<u32>().expect("a number");

    let by_address = left(&server.get(&Person::visitor(), "/store/custom").await);
    let by_client = left(&server.get(&shop, "/store/custom").await);
    assert_eq!(by_client, 19, "a bucket of its own");
    assert_eq!(left(&server.get(&Person::visitor(), "/store/custom").await), by_address - 1);
    let unknown = Person::visitor().with_header("x-client-token", "oat_unknown");
    assert_eq!(left(&server.get(&unknown, "/store/custom").await), by_address - 2);
}
