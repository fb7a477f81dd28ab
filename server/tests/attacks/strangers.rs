//! Callers without credentials who try to fill the memory and the log, or to lock others out.

use quotient_server::testing::rounds;

use super::Siege;
use super::wire::{Wire, request};
use crate::harness::TestServer;

/// Limit: growth of the server's memory.
const MAX_GROWTH_MIB: u64 = 64;

/// Limit: growth of the page of Prometheus metrics, in bytes.
const MAX_PAGE_GROWTH: usize = 8 * 1024;

#[tokio::test(flavor = "multi_thread")]
async fn unknown_methods_fill_neither_the_memory_nor_the_metrics() {
    let siege = Siege::begin(TestServer::with_store().await.0, &[]).await;
    let count = rounds(200, 2_400);
    let attack = tokio::task::spawn_blocking(move || {
        siege.run(&format!("{count} unknown methods of 60,000 bytes"), |server| {
            let page = || {
                let mut wire = Wire::open(2, server.address).expect("a connection");
                wire.call(&request("GET", "/metrics", "", "")).expect("the metrics").body.len()
            };
            let before = page();
            for number in 0..count {
                let method = format!("{}{number}", "A".repeat(60_000));
                let mut wire = Wire::open(3, server.address).expect("a connection");
                // The server may close the connection before all of it is written.
                if let Ok(answer) = wire.call(&request(&method, "/x", "", "")) {
                    assert!([400, 404, 429, 431].contains(&answer.status), "{}", answer.status);
                }
            }
            let after = page();
            assert!(after < before + MAX_PAGE_GROWTH, "{before} bytes, then {after}");
        })
    });
    let outcome = attack.await.expect("the attack ends");

    assert_eq!(outcome.during.failures, 0, "{}", outcome.during);
    assert!(outcome.grown_mib < MAX_GROWTH_MIB, "+{} MiB", outcome.grown_mib);
}

/// Ten times as many failures as one address may have are an attack: then strangers have two a minute.
#[tokio::test(flavor = "multi_thread")]
async fn distributed_wrong_passwords_lock_nobody_out() {
    const LIMITS: &[&str] = &["--login-per-minute", "4"];
    let siege = Siege::begin(TestServer::with_store().await.0, LIMITS).await;
    let attack = tokio::task::spawn_blocking(move || {
        siege.run("wrong passwords from 20 addresses", |server| {
            let call = |host: u16, path: &str, password: &str| {
                let body = format!(r#"{{"email":"shopper@example.com","password":"{password}"}}"#);
                let path = format!("/auth/customer/emailpass{path}");
                let mut wire = Wire::open(host, server.address).expect("a connection");
                wire.call(&request("POST", &path, "", &body)).expect("an answer").status
            };
            assert_eq!(call(6, "/register", "correct horse battery"), 200);
            assert_eq!(call(7, "", "correct horse battery"), 200);
            let tries = (20..40).map(|host| (0..4).map(|_| call(host, "", "wrong")).collect());
            let tries: Vec<Vec<u16>> = tries.collect();
            assert_eq!(tries[0], [401, 401, 401, 401]);
            assert_eq!(tries[19], [401, 401, 429, 429], "the account is under attack");
            assert_eq!(call(7, "", "correct horse battery"), 200, "from a known address");
            assert_eq!(call(8, "", "correct horse battery"), 200, "from an unknown address");
        })
    });
    let outcome = attack.await.expect("the attack ends");

    assert_eq!(outcome.during.failures, 0, "{}", outcome.during);
}
