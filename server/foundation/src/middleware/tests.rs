//! Tests of the layers around a small router.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use clap::Parser;
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use super::*;
use crate::clock::Clock;
use crate::config::CommandLine;
use crate::context::Context;
use crate::database::{Db, temporary};
use crate::http::Json;

fn app(arguments: &[&str]) -> Router {
    let line = std::iter::once("quotient-server").chain(arguments.iter().copied());
    let settings = CommandLine::parse_from(line).settings;
    let router = Router::new()
        .route("/store/echo", post(async |Json(body): Json<Value>| Json(body)))
        .route("/store/panic", get(async || panic_now()))
        .route("/store/slow", get(async || std::future::pending::<()>().await))
        .route("/admin/metrics/catalog", get(async || std::future::pending::<()>().await))
        .route("/store/large", get(async || "a".repeat(10_000)))
        .route("/{part}/patient", get(async || Context::is_patient().to_string()));
    let clock = Clock::fixed("2026-01-01T00:00:00.000Z".parse().unwrap());
    let rates = Arc::new(RateLimits::new(clock.clone(), settings.limits.clone()));
    let db = Db::open(&temporary::options(&clock)).unwrap();
    let keys = Arc::new(Keys::new(db, clock.now()));
    wrap(router, &settings, &Metrics::default(), (rates, keys), (|router| router, |router| router))
}

fn panic_now() {
    panic!("a secret of the inside");
}

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Request {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::from(body.to_owned())).unwrap()
}

async fn json(response: Response) -> Value {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice(&bytes).unwrap()
}

#[tokio::test]
async fn every_answer_has_an_id_and_security_headers_and_errors_repeat_the_id() {
    let response = app(&[]).oneshot(request("GET", "/nowhere", &[], "")).await.unwrap();

    let headers = response.headers().clone();
    assert_eq!(response.status(), 404);
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert!(headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
    let body = json(response).await;
    assert_eq!(body["type"], "not_found");
    assert_eq!(body["request_id"], headers["x-request-id"].to_str().unwrap());
}

#[tokio::test]
async fn a_wrong_method_is_refused_with_the_right_ones() {
    let response = app(&[]).oneshot(request("PUT", "/store/echo", &[], "")).await.unwrap();

    assert_eq!(response.status(), 405);
    assert_eq!(response.headers()["allow"], "POST");
    assert_eq!(json(response).await["code"], "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn an_empty_body_that_calls_itself_json_is_an_empty_object() {
    let headers = [("content-type", "application/json")];
    let response = app(&[]).oneshot(request("POST", "/store/echo", &headers, "")).await.unwrap();

    assert_eq!(response.status(), 200);
    assert_eq!(json(response).await, serde_json::json!({}));
}

#[tokio::test]
async fn a_panic_is_a_500_that_says_nothing() {
    let response = app(&[]).oneshot(request("GET", "/store/panic", &[], "")).await.unwrap();

    assert_eq!(response.status(), 500);
    let body = json(response).await;
    assert_eq!(body["code"], "UNEXPECTED_STATE");
    assert!(!body.to_string().contains("secret"), "{body}");
}

#[tokio::test(start_paused = true)]
async fn slow_requests_are_aborted() {
    let response = app(&[]).oneshot(request("GET", "/store/slow", &[], "")).await.unwrap();

    assert_eq!(response.status(), 503);
    assert_eq!(response.headers()["retry-after"], "1");
    assert_eq!(json(response).await["code"], "UNAVAILABLE");

    let catalog = request("GET", "/admin/metrics/catalog", &[], "");
    let response = app(&[]).oneshot(catalog).await.unwrap();
    assert_eq!(response.headers()["retry-after"], "1");
    let body = serde_json::json!({ "error": "The catalog is not available; try again" });
    assert_eq!(json(response).await, body);
}

#[tokio::test]
async fn reads_of_staff_leave_connections_to_shoppers() {
    for (part, expected) in [("admin", "true"), ("app", "true"), ("auth", "false")] {
        let path = format!("/{part}/patient");
        let response = app(&[]).oneshot(request("GET", &path, &[], "")).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, expected, "{part}");
    }
}

#[tokio::test]
async fn an_empty_bucket_is_refused_with_the_time_to_wait() {
    let app = app(&["--store-per-minute", "2"]);
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let response = app.clone().oneshot(request("GET", "/store/large", &[], "")).await.unwrap();
        statuses.push(response.status());
        assert_eq!(response.headers()["ratelimit-reset"], "30", "the next token");
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(response.headers()["retry-after"], "30");
            assert_eq!(response.headers()["ratelimit-remaining"], "0");
        }
    }
    assert_eq!(statuses, [200, 200, 429]);
}

#[tokio::test(start_paused = true)]
async fn more_requests_than_places_are_refused_and_other_classes_are_not() {
    let app = app(&["--running-requests", "4", "--waiting-requests", "4"]);
    let slow = |_| tokio::spawn(app.clone().oneshot(request("GET", "/store/slow", &[], "")));
    let pending: Vec<_> = (0..8).map(slow).collect();
    tokio::task::yield_now().await;

    let refused = app.clone().oneshot(request("GET", "/store/large", &[], "")).await.unwrap();
    let headers = [("origin", "https://a.example"), ("access-control-request-method", "POST")];
    let preflight = request("OPTIONS", "/flow-builder/init", &headers, "");
    let preflight = app.clone().oneshot(preflight).await.unwrap();
    let other = app.clone().oneshot(request("GET", "/admin/nowhere", &[], "")).await.unwrap();

    assert_eq!(refused.status(), 503);
    assert_eq!(preflight.status(), 503, "it reads the database");
    assert_eq!(other.status(), 404);
    drop(pending);
}

#[tokio::test]
async fn only_configured_origins_are_let_in() {
    let app = app(&["--allowed-origins", "https://shop.example"]);
    for (origin, expected) in [
        ("https://shop.example", Some("https://shop.example")),
        ("https://evil-shop.example", None),
        ("https://shop.example.evil", None),
        ("null", None),
    ] {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            (
                "access-control-request-headers",
                "content-type,x-medusa-locale,x-publishable-api-key",
            ),
        ];
        let response =
            app.clone().oneshot(request("OPTIONS", "/store/echo", &headers, "")).await.unwrap();
        let allowed = response.headers().get("access-control-allow-origin");
        assert_eq!(allowed.map(|value| value.to_str().unwrap()), expected, "{origin}");
    }
}

#[tokio::test]
async fn pages_can_send_and_read_every_header_of_the_description() {
    let app = app(&["--allowed-origins", "https://shop.example"]);
    let headers = [("origin", "https://shop.example"), ("access-control-request-method", "POST")];
    let preflight = request("OPTIONS", "/store/echo", &headers, "");
    let preflight = app.clone().oneshot(preflight).await.unwrap();
    let answer = app.oneshot(request("GET", "/store/large", &headers, "")).await.unwrap();

    for (response, list, names) in [
        (
            preflight,
            "access-control-allow-headers",
            [
                "idempotency-key",
                "if-match",
                "x-flow-session",
                "x-order-email",
                "x-order-token",
                "x-session-id",
            ],
        ),
        (
            answer,
            "access-control-expose-headers",
            [
                "etag",
                "ratelimit-limit",
                "ratelimit-remaining",
                "ratelimit-reset",
                "retry-after",
                "x-request-id",
            ],
        ),
    ] {
        let listed: Vec<&str> = response.headers()[list].to_str().unwrap().split(',').collect();
        for name in names {
            assert!(listed.contains(&name), "{name}: {listed:?}");
        }
    }
}

#[tokio::test]
async fn large_answers_are_compressed_on_request() {
    let headers = [("accept-encoding", "gzip")];
    let response = app(&[]).oneshot(request("GET", "/store/large", &headers, "")).await.unwrap();

    assert_eq!(response.headers()["content-encoding"], "gzip");
}

#[tokio::test]
async fn a_head_that_no_route_takes_is_refused_before_its_route_and_ends_the_connection() {
    let long = "a".repeat(MAX_HEAD_BYTES);
    for (header, expected) in [
        (("content-type", "application/json; charset=utf-16"), 415),
        (("content-encoding", "gzip"), 415),
        (("x-long", long.as_str()), 431),
    ] {
        for path in ["/store/echo", "/nowhere"] {
            let request = request("POST", path, &[header], "{}");
            let response = app(&[]).oneshot(request).await.unwrap();

            assert_eq!(response.status(), expected, "{} {path}", header.0);
            assert_eq!(response.headers()["connection"], "close");
            assert!(json(response).await["request_id"].is_string());
        }
    }
}
