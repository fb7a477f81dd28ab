//! API keys.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quotient_server::database::Error;
use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

const KEYS: &str = "/admin/api-keys";

async fn make(server: &TestServer, kind: &str) -> Value {
    let body = json!({ "title": "Tests", "type": kind });
    server.post(&Person::admin(), KEYS, body).await.ok()["api_key"].clone()
}

fn path(key: &Value) -> String {
    format!("{KEYS}/{}", key["id"].as_str().expect("an id"))
}

async fn admin_status(server: &TestServer, authorization: &str) -> u16 {
    let request = axum::http::Request::get("/admin/customers")
        .header("authorization", authorization)
        .body(axum::body::Body::empty());
    server.send(request.expect("a request")).await.status
}

async fn store_status(server: &TestServer, key: &str) -> u16 {
    let request = axum::http::Request::get("/store/customers/me")
        .header("x-publishable-api-key", key)
        .header("authorization", Person::customer_a().headers().remove(0).1)
        .body(axum::body::Body::empty());
    server.send(request.expect("a request")).await.status
}

#[tokio::test]
async fn a_secret_key_is_shown_once_and_works_in_three_ways() {
    let server = TestServer::empty().await;

    let key = make(&server, "secret").await;

    let token = key["token"].as_str().expect("a token");
    assert!(token.starts_with("sk_") && token.len() == 67, "{token}");
    for authorization in [
        format!("Bearer {token}"),
        format!("Basic {token}"),
        format!("Basic {}", STANDARD.encode(format!("{token}:"))),
    ] {
        assert_eq!(admin_status(&server, &authorization).await, 200, "{authorization}");
    }
    let view = server.get(&Person::admin(), &path(&key)).await.ok()["api_key"].clone();
    assert_eq!(view["token"], view["redacted"]);
    assert_eq!(key["redacted"], view["redacted"]);
    assert_eq!(store_status(&server, token).await, 401);
}

#[tokio::test]
async fn a_publishable_key_is_shown_always_and_opens_the_store_only() {
    let server = TestServer::empty().await;

    let key = make(&server, "publishable").await;

    let token = key["token"].as_str().expect("a token");
    assert!(token.starts_with("pk_") && token.len() == 67, "{token}");
    let view = server.get(&Person::viewer(), &path(&key)).await.ok();
    assert_eq!(view["api_key"]["token"], token);
    assert_eq!(store_status(&server, token).await, 200);
    assert_eq!(admin_status(&server, &format!("Bearer {token}")).await, 401);
    for wrong in ["", " ", "pk_", &"f".repeat(300)] {
        assert_eq!(store_status(&server, wrong).await, 401, "{wrong}");
    }
}

#[tokio::test]
async fn a_key_without_a_sales_channel_sells_nothing() {
    let (server, store) = TestServer::with_store().await;
    let key = make(&server, "publishable").await;
    let token = key["token"].as_str().expect("a token");
    let shopper = Person::nobody().with_header("x-publishable-api-key", token);

    let sentence = "Publishable key needs to have a sales channel configured";
    for path in ["/store/products", "/store/products/prod_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"] {
        assert_eq!(server.get(&shopper, path).await.refused(400), sentence, "{path}");
    }
    let cart = json!({ "region_id": store.britain });
    assert_eq!(server.post(&shopper, "/store/carts", cart.clone()).await.refused(400), sentence);
    server.get(&shopper, "/store/regions").await.ok();

    let link = format!("{}/sales-channels", path(&key));
    server.post(&Person::admin(), &link, json!({ "add": [store.channel] })).await.ok();
    server.get(&shopper, "/store/products").await.ok();
    let made = server.post(&shopper, "/store/carts", cart).await.ok();
    assert_eq!(made["cart"]["sales_channel_id"], json!(store.channel));
}

#[tokio::test]
async fn a_revoked_key_is_worthless_at_once() {
    let server = TestServer::empty().await;
    for kind in ["secret", "publishable"] {
        let key = make(&server, kind).await;
        let token = key["token"].as_str().expect("a token").to_owned();
        let status = async || match kind {
            "secret" => admin_status(&server, &format!("Bearer {token}")).await,
            _ => store_status(&server, &token).await,
        };
        assert_eq!(status().await, 200);
        let early = server.delete(&Person::admin(), &path(&key)).await.refused(400);
        assert_eq!(early, "Cannot delete API keys that are not revoked");

        let revoke = format!("{}/revoke", path(&key));
        let revoked = server.post(&Person::admin(), &revoke, json!({})).await.ok();
        assert_eq!(revoked["api_key"]["revoked_by"], "user_01JD2Q8Z5M6T3W9XKCV4B7N001");

        assert_eq!(status().await, 401, "{kind}");
        server.post(&Person::admin(), &revoke, json!({ "revoke_in": 60 })).await.ok();
        assert_eq!(status().await, 401, "{kind}");
        server.delete(&Person::admin(), &path(&key)).await.ok();
        assert_eq!(server.get(&Person::admin(), &path(&key)).await.status, 404);
    }
}

#[tokio::test]
async fn a_key_may_be_revoked_for_later() {
    let server = TestServer::empty().await;
    let key = make(&server, "secret").await;
    let bearer = format!("Bearer {}", key["token"].as_str().expect("a token"));
    let revoke = format!("{}/revoke", path(&key));

    server.post(&Person::admin(), &revoke, json!({ "revoke_in": 60 })).await.ok();

    server.clock.advance(59_999);
    assert_eq!(admin_status(&server, &bearer).await, 200);
    server.clock.advance(1);
    assert_eq!(admin_status(&server, &bearer).await, 401);
}

#[tokio::test]
async fn a_publishable_key_is_linked_to_channels_and_a_secret_one_is_not() {
    let server = TestServer::empty().await;
    let channel = "sc_01JD2Q8Z5M6T3W9XKCV4B7N001";
    let insert = "insert into sales_channel (id, name, created_at, updated_at) values (?1, 'Web shop', 0, 0)";
    let made = server.db.write::<usize, Error>(move |tx| Ok(tx.execute(insert, [channel])?));
    made.await.expect("a channel");
    let key = make(&server, "publishable").await;
    let channels = format!("{}/sales-channels", path(&key));

    let add = json!({ "add": [channel] });
    let linked = server.post(&Person::admin(), &channels, add.clone()).await.ok();
    assert_eq!(linked["api_key"]["sales_channels"][0]["id"], channel);
    let unknown = json!({ "add": ["sc_01JD2Q8Z5M6T3W9XKCV4B7NZZZ"] });
    server.post(&Person::admin(), &channels, unknown).await.refused(400);
    let remove = json!({ "remove": [channel] });
    let none = server.post(&Person::admin(), &channels, remove).await.ok();
    assert_eq!(none["api_key"]["sales_channels"], json!([]));

    let secret = make(&server, "secret").await;
    let channels = format!("{}/sales-channels", path(&secret));
    server.post(&Person::admin(), &channels, add).await.refused(400);
}

/// Returns everything stored with idempotency keys.
async fn stored(server: &TestServer) -> String {
    // Uses other connections, because the server's own statements must not scan whole tables.
    let other = server.other_process();
    let stored = other.read::<_, Error>(|tx| {
        let sql = "select path || ' ' || cast(coalesce(body, '') as text) from idempotency_key";
        let mut statement = tx.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?.join("\n"))
    });
    stored.await.expect("what is kept can be read")
}

#[tokio::test]
async fn a_secret_is_not_stored_for_a_repeated_request() {
    let server = TestServer::empty().await;
    let send = async |path: &str, body: Value| {
        let mut request = axum::http::Request::post(path)
            .header("content-type", "application/json")
            .header("idempotency-key", "once");
        for (name, value) in Person::admin().headers() {
            request = request.header(name, value);
        }
        server.send(request.body(body.to_string().into()).expect("a request")).await
    };

    let new = json!({ "title": "Tests", "type": "secret" });
    let first = send(KEYS, new.clone()).await.ok()["api_key"].clone();
    let secret = first["token"].as_str().expect("a token");
    assert!(!stored(&server).await.contains(secret));
    let again = send(KEYS, new).await.ok()["api_key"].clone();
    assert_eq!((&again["id"], &again["token"]), (&first["id"], &first["redacted"]));

    server
        .db
        .write::<_, Error>(|tx| Ok(tx.execute_batch("delete from idempotency_key")?))
        .await
        .expect("emptied");
    let invited = json!({ "email": "grace@example.com" });
    let first = send("/admin/invites", invited.clone()).await.ok()["invite"].clone();
    assert!(!stored(&server).await.contains(first["token"].as_str().expect("a token")));
    let again = send("/admin/invites", invited).await.ok()["invite"].clone();
    assert_eq!((&again["id"], &again["token"]), (&first["id"], &Value::Null));

    server
        .db
        .write::<_, Error>(|tx| Ok(tx.execute_batch("delete from idempotency_key")?))
        .await
        .expect("emptied");
    send("/admin/invites/accept?token=a-secret-of-a-mail", json!({})).await;
    assert!(!stored(&server).await.contains("a-secret-of-a-mail"));
}

#[tokio::test]
async fn a_revoked_key_gets_no_cached_answer() {
    let server = TestServer::empty().await;
    let key = make(&server, "secret").await;
    let bearer = format!("Bearer {}", key["token"].as_str().expect("a token"));
    let send = async || {
        let request = axum::http::Request::post("/admin/customers")
            .header("content-type", "application/json")
            .header("idempotency-key", "once")
            .header("authorization", &bearer)
            .body(json!({ "email": "grace@example.com" }).to_string().into());
        server.send(request.expect("a request")).await
    };
    let first = send().await.ok();
    let again = send().await;
    assert_eq!(
        (&again.body, &again.headers["idempotent-replayed"]),
        (&first, &"true".parse().expect("a value"))
    );

    server.post(&Person::admin(), &format!("{}/revoke", path(&key)), json!({})).await.ok();

    let refused = send().await;
    assert_eq!(refused.status, 401, "{refused:?}");
    assert!(!refused.headers.contains_key("idempotent-replayed"));
}

#[tokio::test]
async fn a_key_that_another_process_revokes_is_worthless_within_a_second() {
    let server = TestServer::empty().await;
    let key = make(&server, "secret").await;
    let bearer = format!("Bearer {}", key["token"].as_str().expect("a token"));
    server.listen().await;
    assert_eq!(admin_status(&server, &bearer).await, 200);

    let id = key["id"].as_str().expect("an id").to_owned();
    let revoked = std::time::Instant::now();
    let sql = "update api_key set revoked_at = ?2, revoked_by = '' where id = ?1";
    let other = server.other_process();
    let revoking = other.write::<_, Error>(move |tx| {
        tx.execute(sql, (&id, tx.now()))?;
        Ok(())
    });
    revoking.await.expect("revoked");

    while admin_status(&server, &bearer).await == 200 {
        assert!(revoked.elapsed() < std::time::Duration::from_secs(5), "the key still holds");
        tokio::task::yield_now().await;
    }
}
