//! Rate limits: a user never has more admitted requests than the limit plus the refill, whatever other users and
//! headers send.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{Chance, keep_credentials};
use crate::harness::{Person, Reply, TestServer};

const MINUTE_MS: i64 = 60_000;

/// A route with its own limit: its body, and the calls per minute and user.
type Limited = (&'static str, &'static str, Option<Value>, usize);

fn routes() -> [Limited; 4] {
    let item = json!({"id": "a", "type": "metric", "metric": "nothing"});
    [
        ("GET", "/admin/metrics", None, 60),
        ("POST", "/admin/metrics", Some(json!({})), 10),
        ("POST", "/admin/metrics/batch", Some(json!({"requests": [item]})), 5),
        ("POST", "/admin/metrics/catalog/validate", Some(json!({"formula": "1"})), 10),
    ]
}

/// Sends a call with headers that claim another origin.
async fn call(server: &TestServer, (method, path, body, _): &Limited, number: u64) -> Reply {
    let mut request = Request::builder()
        .method(*method)
        .uri(*path)
        .header("x-forwarded-for", format!("203.0.113.{}", number % 250))
        .header("x-real-ip", format!("198.51.100.{}", number % 250))
        .header("forwarded", format!("for=192.0.2.{}", number % 250))
        .header("x-user-id", format!("user_{number}"))
        .header("user-agent", format!("client {number}"))
        .header("content-type", "application/json");
    for (name, value) in Person::analyst().headers() {
        request = request.header(name, value);
    }
    let body = body.as_ref().map_or_else(Body::empty, |body| Body::from(body.to_string()));
    server.send(request.body(body).expect("a request")).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 16)]
async fn no_span_has_more_calls_than_the_limit_and_its_refunds_from_sixteen_spoofing_threads() {
    for route in routes() {
        let server = Arc::new(TestServer::empty().await);
        keep_credentials(&server).await;
        let route = Arc::new(route);
        let limit = route.3;
        let mut chance = Chance(u64::try_from(limit).expect("a number"));
        let mut accepted: Vec<i64> = Vec::new();
        let (mut number, mut refused) = (0, 0);
        for burst in 0..12 {
            // Mostly within the minute, sometimes at its edge or past it.
            let pause = *chance.of(&[0, 1, 7_000, 19_999, 20_001, 59_999, 60_000]);
            server.clock.advance(pause);
            let now_ms = server.clock.now().as_millis();
            let mut running = JoinSet::new();
            for _ in 0..16 {
                let (server, route) = (Arc::clone(&server), Arc::clone(&route));
                let calls = if burst == 0 { limit / 8 + 1 } else { 1 + limit / 16 };
                number += 1;
                running.spawn(async move {
                    let mut replies = Vec::new();
                    for _ in 0..calls {
                        replies.push(call(&server, &route, number).await);
                    }
                    replies
                });
            }
            while let Some(replies) = running.join_next().await {
                for reply in replies.expect("calls") {
                    if reply.status == 429 {
                        assert_eq!(reply.body["code"], "RATE_LIMITED");
                        assert_eq!(reply.headers["ratelimit-remaining"], "0");
                        let seconds = reply.headers["retry-after"].to_str().expect("a text");
                        assert!((1..=60).contains(&seconds.parse::<u64>().expect("seconds")));
                        refused += 1;
                    } else {
                        accepted.push(now_ms);
                        reply.ok();
                    }
                }
            }
            let count = accepted.len();
            assert!(burst > 0 || count == limit, "{route:?}: {count} of the first burst");
            // Clears the reported figures, but not the counters.
            server.delete(&Person::admin(), "/admin/metrics/rate-limit-status").await.ok();
        }
        for (index, first) in accepted.iter().enumerate() {
            for (count, at) in (1_i64..).zip(accepted.iter().skip(index)) {
                let span_ms = at - first;
                let given = i64::try_from(limit).expect("a number") * (MINUTE_MS + span_ms);
                assert!(count * MINUTE_MS <= given, "{route:?}: {count} in {span_ms} ms");
            }
        }
        assert!(
            accepted.len() > 2 * limit && refused > limit,
            "{route:?}: {} {refused}",
            accepted.len()
        );
    }
}

#[tokio::test]
async fn a_refused_call_costs_nothing_and_changes_nothing() {
    let server = TestServer::empty().await;
    let body = json!({"date": "2026-11-20"});
    for _ in 0..10 {
        server.post(&Person::analyst(), "/admin/metrics", body.clone()).await.ok();
    }
    server.clock.advance(MINUTE_MS / 10 - 1);
    for _ in 0..50 {
        let forced = json!({"date": "2026-11-20", "force": true});
        server.post(&Person::analyst(), "/admin/metrics", forced).await.refused(429);
    }
    let status = server.get(&Person::analyst(), "/admin/metrics/rate-limit-status").await.ok();
    let own = status["limits"].as_array().expect("limits").iter();
    let own = own.clone().find(|limit| limit["route"] == "POST /admin/metrics").expect("the route");
    assert_eq!(
        (&own["remaining"], &own["accepted"], &own["refused"]),
        (&json!(0), &json!(10), &json!(50))
    );
    // Other users and other routes are not limited.
    server.post(&Person::admin(), "/admin/metrics", body.clone()).await.ok();
    server.get(&Person::analyst(), "/admin/metrics").await.ok();
    // A token returns after a tenth of a minute, all of them after a minute.
    for (pause, calls) in [(1, 1), (MINUTE_MS, 10)] {
        server.clock.advance(pause);
        for _ in 0..calls {
            server.post(&Person::analyst(), "/admin/metrics", body.clone()).await.ok();
        }
        let refused = server.post(&Person::analyst(), "/admin/metrics", body.clone()).await;
        assert_eq!(refused.headers["retry-after"], "6");
        refused.refused(429);
    }
}

#[tokio::test]
async fn an_answer_states_the_limit_of_its_own_route() {
    let settings = ["--validate-per-minute=60", "--admin-per-minute=600"];
    let server = TestServer::with_settings(&settings).await;
    let validation = json!({"formula": "1"});
    let of_route = [
        ("POST", "/admin/metrics/validate", Some(validation.clone()), 60),
        ("POST", "/admin/metrics-registry/validate", Some(validation), 60),
        ("GET", "/admin/metrics/performance", None, 600),
    ];
    for (number, route) in (0_u64..).zip(routes().into_iter().chain(of_route)) {
        let reply = call(&server, &route, number).await;
        assert_eq!(reply.headers["ratelimit-limit"], route.3.to_string().as_str(), "{route:?}");
        reply.ok();
    }
}

#[tokio::test]
async fn a_limited_user_does_not_limit_others_at_the_same_address() {
    let server = TestServer::with_settings(&["--admin-per-minute=5"]).await;
    let path = "/admin/metrics/performance";
    for left in (0..5).rev() {
        let reply = server.get(&Person::viewer(), path).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        assert_eq!(reply.headers["ratelimit-remaining"], left.to_string().as_str());
    }
    server.get(&Person::viewer(), path).await.refused(429);
    assert_eq!(server.get(&Person::analyst(), path).await.status, 200);
    for status in [401, 401, 401, 401, 401, 429] {
        server.get(&Person::nobody(), path).await.refused(status);
    }
}
