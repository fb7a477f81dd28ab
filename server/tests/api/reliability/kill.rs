//! A server that is killed while eight clients write keeps all acknowledged writes.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quotient_server::testing::rounds;

use super::clients::{Acknowledged, shop_during};
use super::process::Process;
use crate::harness::{Store, TestServer};

/// Limit: responses per run. Slightly more than eight clients need for one order each, on any machine.
const ANSWERS_MAX: usize = 64;
/// Limit: time to wait for them.
const LIFE_MAX: Duration = Duration::from_secs(20);

/// Runs a server once: eight clients write until it is killed.
fn live_and_die(path: &Path, store: &Store, acknowledged: &Arc<Acknowledged>, cycle: usize) {
    let mut server = Process::start(path);
    // Kills it after between one and `ANSWERS_MAX` responses, a different number in each cycle.
    let enough = (cycle.wrapping_mul(37) % ANSWERS_MAX).saturating_add(1);
    let enough = acknowledged.answer_count().saturating_add(enough);
    let url = server.url.clone();
    shop_during(&url, store, acknowledged, || {
        let start = Instant::now();
        while acknowledged.answer_count() < enough && start.elapsed() < LIFE_MAX {
            std::thread::sleep(Duration::from_millis(1));
        }
        server.kill();
    });
}

#[tokio::test]
async fn kills_under_eight_writers_lose_nothing_that_was_acknowledged() {
    let cycles = rounds(6, 100);
    let (server, store) = TestServer::with_store().await;
    let (_folder, path) = server.copied().await;
    let acknowledged = Arc::new(Acknowledged::default());

    for cycle in 0..cycles {
        let (path_of_server, store, list) =
            (path.clone(), store.clone(), Arc::clone(&acknowledged));
        tokio::task::spawn_blocking(move || live_and_die(&path_of_server, &store, &list, cycle))
            .await
            .expect("a life of the server");
        acknowledged.verify(&path, &format!("after kill {cycle}")).await;
    }

    let orders = acknowledged.order_count();
    assert!(orders > cycles.saturating_mul(3) / 10, "only {orders} orders were acknowledged");
}
