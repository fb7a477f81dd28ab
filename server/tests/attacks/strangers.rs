//! Callers without credentials who try to fill the memory and the log.

use quotient_server::testing::rounds;

use super::Siege;
use super::wire::{Wire, request};
use crate::harness::TestServer;

/// Limit: growth of the server's memory.
const MAX_GROWTH_MIB: u64 = 64;

/// Limit: growth of the page of Prometheus metrics, in bytes.
const MAX_PAGE_GROWTH: usize = 8 * 1024;

#[tokio::test(flavor = "multi_thread")]
async fn methods_that_nobody_knows_fill_neither_the_memory_nor_the_metrics() {
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
