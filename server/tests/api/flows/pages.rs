//! Pages without credentials: statuses, tokens, origins, limits and robots.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use super::draft;
use crate::harness::{Person, Reply, Store, TestServer};

async fn begun() -> (TestServer, Store, Value, Value, String) {
    let (server, store) = TestServer::with_store().await;
    let flow = server.flow("pre_purchase", draft(&store)).await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    let body = json!({ "flow_id": flow["public_token"], "cart_id": cart });
    let begun = server.post(&Person::nobody(), "/flow-builder/init", body).await.ok();
    server.clock.advance(1_000);
    (server, store, flow, begun, cart)
}

fn id_of(begun: &Value) -> String {
    begun["entry_button"]["id"].as_str().expect("an id").to_owned()
}

/// Sends a request with these headers.
async fn send(
    server: &TestServer,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<Value>,
) -> Reply {
    let mut request = Request::builder().method(method).uri(path).header("host", "api.example");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    if body.is_some() {
        request = request.header("content-type", "application/json");
    }
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    server.send(request.body(Body::from(body)).expect("a request")).await
}

#[tokio::test]
async fn the_errors_of_pages_have_the_statuses_of_their_table() {
    let (server, store, flow, begun, cart) = begun().await;
    let nobody = Person::nobody();
    let (id, token) = (id_of(&begun), begun["session"]["token"].clone());
    let unknown = "fbtn_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";
    let none = json!({});
    for (path, body, status, is_own) in [
        ("accept", json!({ "button_id": id }), 401, true),
        ("decline", json!({ "button_id": id, "session_token": "fst_no" }), 401, true),
        ("accept", json!({ "button_id": unknown, "session_token": token }), 404, false),
        ("accept", json!({ "session_token": token }), 400, false),
        ("accept", json!({ "button_id": id, "session_token": token, "quantity": 4 }), 400, false),
        ("accept", json!({ "button_id": id, "session_token": token, "price": 1 }), 400, false),
        ("init", json!({ "flow_id": "pf_no" }), 400, true),
        ("init", json!({ "flow_id": flow["id"] }), 400, true),
        (
            "init",
            json!({ "flow_id": flow["id"], "cart_id": "cart_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }),
            400,
            true,
        ),
        (
            "init",
            json!({ "flow_id": flow["id"], "cart_id": cart, "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" }),
            400,
            true,
        ),
        ("init", none.clone(), 400, false),
    ] {
        let reply = server.post(&nobody, &format!("/flow-builder/{path}"), body.clone()).await;
        assert_eq!(reply.status, status, "{path} {body}: {reply:?}");
        assert_eq!(reply.body["error"].is_string(), is_own, "{path} {body}: {reply:?}");
    }
    for (path, status) in [("receipt", 401), ("upsell", 400), (&format!("button/{unknown}"), 404)] {
        assert_eq!(
            server.get(&nobody, &format!("/flow-builder/{path}")).await.status,
            status,
            "{path}"
        );
    }
    // A token in the query never counts.
    let query = format!("/flow-builder/receipt?session_token={}", token.as_str().expect("a token"));
    assert_eq!(server.get(&nobody, &query).await.status, 401);
    let declined = server.press("decline", &token, &begun["entry_button"], json!({})).await.ok();
    let question = &declined["nextButton"];
    let missing = server.press("accept", &token, question, json!({})).await;
    assert_eq!(missing.status, 422);
    assert_eq!(missing.body["details"][0]["path"], "answers.size");
    let stale = server.press("accept", &token, &begun["entry_button"], json!({})).await;
    assert_eq!(stale.status, 409);
    let large = json!({ "button_id": id, "session_token": token, "answers": { "size": "x".repeat(17_000) } });
    server.post(&nobody, "/flow-builder/accept", large).await.refused(413);
    drop(store);
}

#[tokio::test]
async fn the_token_of_one_session_opens_nothing_of_another() {
    let (server, store, _flow, first, _cart) = begun().await;
    let other_flow = server.flow("pre_purchase", draft(&store)).await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    let body = json!({ "flow_id": other_flow["id"], "cart_id": cart });
    let second = server.post(&Person::nobody(), "/flow-builder/init", body).await.ok();

    let crossed = server
        .press("accept", &first["session"]["token"], &second["entry_button"], json!({}))
        .await;
    let token = first["session"]["token"].as_str().expect("a token");
    let person = Person::nobody().with_header("x-flow-session", token);
    let shown = server.get(&person, &format!("/flow-builder/button/{}", id_of(&second))).await;

    assert_eq!((crossed.status, shown.status), (404, 404));
    assert_eq!(server.number("select count(*) from flow_press where action <> 'shown'").await, 0);
    let both = json!({ "button_id": id_of(&first), "session_token": second["session"]["token"] });
    let differ = server.post(&person, "/flow-builder/decline", both).await;
    assert_eq!(differ.status, 401);
}

#[tokio::test]
async fn a_button_is_priced_with_a_token_and_shown_without_one() {
    let (server, _store, _flow, begun, _cart) = begun().await;
    let path = format!("/flow-builder/button/{}", id_of(&begun));
    let token = begun["session"]["token"].as_str().expect("a token");
    let person = Person::nobody().with_header("x-flow-session", token);

    let own = server.get(&person, &path).await.ok();
    let anybody = server.get(&Person::nobody(), &path).await.ok();

    assert_eq!(own["button"]["offer"]["total"], json!(14.39));
    assert_eq!(own["session"]["id"], begun["session"]["id"]);
    assert_eq!(own["session"]["token"], Value::Null);
    assert_eq!((&anybody["session"], &anybody["button"]["offer"]), (&Value::Null, &Value::Null));
    assert_eq!(anybody["button"]["title"], "A lamp?");
    let upsell = server.get(&person, "/flow-builder/upsell").await.ok();
    assert_eq!(upsell["button"], own["button"]);
    assert_eq!(upsell["expires_at"], own["session"]["expires_at"]);
}

#[tokio::test]
async fn only_the_origins_of_the_flow_may_read_and_never_with_credentials() {
    let (server, _store, flow, begun, cart) = begun().await;
    let init = json!({ "flow_id": flow["id"], "cart_id": cart });
    let listed = [("origin", "https://pages.example")];
    let foreign = [("origin", "https://evil.example")];

    let own = send(&server, "POST", "/flow-builder/init", &listed, Some(init.clone())).await;
    let other = send(&server, "POST", "/flow-builder/init", &foreign, Some(init)).await;

    assert_eq!((own.status, other.status), (200, 400));
    assert_eq!(own.headers["access-control-allow-origin"], "https://pages.example");
    let varies = own.headers.get_all("vary").iter();
    assert!(
        varies.into_iter().any(|value| value
            .to_str()
            .unwrap_or("")
            .to_lowercase()
            .contains("origin"))
    );
    for reply in [&own, &other] {
        assert!(!reply.headers.contains_key("access-control-allow-credentials"), "{reply:?}");
    }
    assert!(!other.headers.contains_key("access-control-allow-origin"));
    let token = begun["session"]["token"].as_str().expect("a token");
    let press = json!({ "button_id": id_of(&begun), "session_token": token, "quantity": 9 });
    let refused = send(&server, "POST", "/flow-builder/accept", &listed, Some(press)).await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.headers["access-control-allow-origin"], "https://pages.example");
    for (origin, is_allowed) in [("https://pages.example", true), ("https://evil.example", false)] {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "content-type,x-flow-session"),
        ];
        let preflight = send(&server, "OPTIONS", "/flow-builder/accept", &headers, None).await;
        assert_eq!(preflight.status, 204);
        assert_eq!(
            preflight.headers.contains_key("access-control-allow-origin"),
            is_allowed,
            "{origin}"
        );
        assert!(!preflight.headers.contains_key("access-control-allow-credentials"));
    }
}

#[tokio::test]
async fn the_cookie_counts_on_pages_of_this_server_only() {
    let (server, store, flow, _begun, _cart) = begun().await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
    let own = [("origin", "https://api.example")];
    let init = json!({ "flow_id": flow["id"], "cart_id": cart });
    let made = send(&server, "POST", "/flow-builder/init", &own, Some(init)).await;
    let cookie = made.headers["set-cookie"].to_str().expect("a cookie").to_owned();
    assert!(
        cookie.ends_with("; HttpOnly; Secure; SameSite=Lax; Path=/flow-builder; Max-Age=86400"),
        "{cookie}"
    );
    let pair = cookie.split(';').next().expect("a pair");
    server.clock.advance(1_000);
    let press = json!({ "button_id": id_of(&made.body) });

    for (origin, status) in [
        ("https://evil.example", 401),
        ("https://pages.example", 401),
        ("https://api.example", 200),
    ] {
        let headers = [("origin", origin), ("cookie", pair)];
        let reply =
            send(&server, "POST", "/flow-builder/decline", &headers, Some(press.clone())).await;
        assert_eq!(reply.status, status, "{origin}: {reply:?}");
    }
    let reply = send(&server, "GET", "/flow-builder/receipt", &[("cookie", pair)], None).await;
    assert_eq!(reply.status, 200);
}

#[tokio::test]
async fn a_robot_gets_the_usual_answer_and_no_event() {
    let (server, store, flow, _begun, _cart) = begun().await;
    let decline = async |more: Value, wait_ms: i64| {
        let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;
        let init = json!({ "flow_id": flow["id"], "cart_id": cart });
        let begun = server.post(&Person::nobody(), "/flow-builder/init", init).await.ok();
        server.clock.advance(wait_ms);
        let reply =
            server.press("decline", &begun["session"]["token"], &begun["entry_button"], more).await;
        assert_eq!(reply.status, 200);
        reply.body
    };
    let trapped = decline(json!({ "website": "https://spam.example" }), 1_000).await;
    let fast = decline(json!({}), 699).await;
    let person = decline(json!({ "website": "" }), 700).await;

    assert_eq!((&trapped, &fast), (&person, &person));
    assert_eq!(server.number("select count(*) from flow_press where is_spam = 1").await, 2);
    assert_eq!(server.events_named("flow.declined").await, 1);
}

#[tokio::test]
async fn sessions_and_presses_are_limited_by_address() {
    let settings =
        ["--flow-begins-per-minute=2", "--flow-presses-per-minute=3", "--flow-reads-per-minute=4"];
    let (server, _store) = TestServer::with_store_and(&settings).await;
    let nobody = Person::nobody();
    for (path, limit) in [("init", 2), ("accept", 3)] {
        let mut statuses = Vec::new();
        for _ in 0..=limit {
            statuses.push(
                server.post(&nobody, &format!("/flow-builder/{path}"), json!({})).await.status,
            );
        }
        assert_eq!(statuses.pop(), Some(429), "{path}");
        assert!(statuses.iter().all(|status| *status == 400), "{path}: {statuses:?}");
    }
    for _ in 0..4 {
        assert_eq!(server.get(&nobody, "/flow-builder/receipt").await.status, 401);
    }
    assert_eq!(server.get(&nobody, "/flow-builder/receipt").await.status, 429);
}

#[tokio::test]
async fn preflights_are_limited_as_reads_are() {
    let (server, _store) = TestServer::with_store_and(&["--flow-reads-per-minute=2"]).await;
    let headers = [("origin", "https://pages.example"), ("access-control-request-method", "POST")];

    let mut replies = Vec::new();
    for path in ["init", "accept", "decline"] {
        let path = format!("/flow-builder/{path}");
        replies.push(send(&server, "OPTIONS", &path, &headers, None).await);
    }

    let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [204, 204, 429]);
}

#[tokio::test]
async fn the_script_is_the_same_bytes_for_everybody_and_cached() {
    let (server, _store) = TestServer::with_store().await;
    let path = "/flow-builder/embed.js";
    let script = send(&server, "GET", path, &[("origin", "https://any.example")], None).await;
    let tag = script.headers["etag"].to_str().expect("a tag").to_owned();

    let again = send(&server, "GET", path, &[("if-none-match", &tag)], None).await;
    let version = tag.trim_matches('"');
    let named = send(&server, "GET", &format!("{path}?v={version}"), &[], None).await;
    let other = send(&server, "GET", &format!("{path}?v=0"), &[], None).await;

    assert_eq!((script.status, again.status), (200, 304));
    assert_eq!(again.body, Value::Null);
    assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
    assert_eq!(script.headers["cross-origin-resource-policy"], "cross-origin");
    assert_eq!(script.headers["x-content-type-options"], "nosniff");
    assert_eq!(script.headers["cache-control"], "public, max-age=300");
    assert_eq!(named.headers["cache-control"], "public, max-age=31536000, immutable");
    assert_eq!(other.headers["cache-control"], "public, max-age=300");
    assert_eq!((&named.body, &other.body), (&script.body, &script.body));
    let text = script.body.as_str().expect("a script");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packed, text.as_bytes()).expect("memory");
    assert!(packed.finish().expect("memory").len() <= 8 * 1024);
    for banned in [
        "innerHTML",
        "insertAdjacentHTML",
        "outerHTML",
        "document.write",
        "eval(",
        "postMessage",
        "'message'",
    ] {
        assert!(!text.contains(banned), "{banned}");
    }
}

#[tokio::test]
async fn the_demo_page_names_scripts_of_this_server_only() {
    let (server, store) = TestServer::with_store().await;
    let none = send(&server, "GET", "/flow-builder/embed-demo", &[], None).await;
    assert!(none.body.as_str().expect("a page").contains("There is no public flow"));
    let flow = server.flow("pre_purchase", draft(&store)).await;
    let cart = server.cart_with(&Person::visitor(), &store, &store.mug, 1).await;

    let page =
        send(&server, "GET", &format!("/flow-builder/embed-demo?cart={cart}"), &[], None).await;
    let forged =
        send(&server, "GET", "/flow-builder/embed-demo?cart=%22%3E%3Cscript%3E", &[], None).await;

    let policy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; base-uri 'none'";
    assert!(
        page.headers["content-security-policy"].to_str().expect("a policy").starts_with(policy)
    );
    let text = page.body.as_str().expect("a page");
    let token = flow["public_token"].as_str().expect("a token");
    assert!(
        text.contains(&format!("data-flow=\"{token}\" data-cart=\"{cart}\"></script>")),
        "{text}"
    );
    assert_eq!(text.matches("<script").count(), 1);
    assert_eq!(forged.status, 400);
}

#[tokio::test]
async fn reading_keeps_the_session_open() {
    const ALMOST_A_DAY_MS: i64 = 23 * 60 * 60_000;
    let (server, _store, flow, begun, cart) = begun().await;
    let token = begun["session"]["token"].clone();
    let shopper = Person::nobody().with_header("x-flow-session", token.as_str().expect("a token"));
    let button = format!("/flow-builder/button/{}", id_of(&begun));

    for path in ["/flow-builder/upsell", "/flow-builder/receipt", &button, "/flow-builder/upsell"] {
        server.clock.advance(ALMOST_A_DAY_MS);
        let shown = server.get(&shopper, path).await.ok();
        assert_eq!(shown["session"]["status"], "open", "{path}");
    }
    let body = json!({ "flow_id": flow["id"], "cart_id": cart });
    server.clock.advance(ALMOST_A_DAY_MS);
    let again = server.post(&Person::nobody(), "/flow-builder/init", body).await.ok();
    assert_eq!(again["session"]["id"], begun["session"]["id"]);
    server.clock.advance(ALMOST_A_DAY_MS);

    let pressed = server.press("decline", &token, &begun["entry_button"], json!({})).await.ok();
    server.clock.advance(ALMOST_A_DAY_MS + 60 * 60_000);
    let late = server.press("decline", &token, &pressed["nextButton"], json!({})).await;
    assert_eq!(late.status, 401, "{late:?}");
}
