//! Load, round after round: what a round took is released, and nothing grows.

use std::path::Path;
use std::time::Instant;

use quotient_server::testing::rounds;
use serde_json::{Value, json};

use super::memory_mib;
use super::shopper::milliseconds;
use super::wire::{Wire, request};
use crate::harness::{Person, TestServer};
use crate::reliability::process::Process;

/// Clients of a round.
const CLIENTS: u16 = 8;

/// The number of milliseconds after a round, in short and in full tests, in which the server releases what it holds for
/// connections and responses.
const PAUSE_MS: (u64, u64) = (1_000, 2_000);

/// Rounds until the memory has reached its level: in a short one, not every client has sent each request.
const WARM_UP: usize = 3;

/// Limit: growth of the resident memory after the first rounds.
const MAX_GROWTH_MIB: u64 = 32;

/// Limit: growth of the number of open files.
const MAX_FILES: usize = 2;

/// Limit: bytes of the log of writes beside the database.
const MAX_LOG_BYTES: u64 = 64 << 20;

/// What the server holds while idle.
#[derive(Debug, Clone, Copy)]
struct Holdings {
    memory_mib: u64,
    files: usize,
    log_bytes: u64,
}

impl Holdings {
    fn of(server: &Process, database: &Path) -> Self {
        let files = std::fs::read_dir(format!("/proc/{}/fd", server.id()));
        let log = std::fs::metadata(format!("{}-wal", database.display()));
        Self {
            memory_mib: memory_mib(server, "VmRSS:"),
            files: files.map_or(0, Iterator::count),
            log_bytes: log.map_or(0, |log| log.len()),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn load_leaves_nothing_behind_in_memory_files_and_the_log() {
    let server = TestServer::with_demo(rounds(50, 20_000)).await;
    super::sell_in_all_channels(&server).await;
    let (_folder, path) = server.copied().await;
    drop(server);
    let loaded = tokio::task::spawn_blocking(move || {
        let limits = ["--store-per-minute", "100000000", "--admin-per-minute", "100000000"];
        let server = Process::start_with(&[], &path, &limits);
        let mut held = Vec::new();
        for round in 0..WARM_UP + rounds(1, 27) {
            let answers = load(&server, round);
            std::thread::sleep(milliseconds(PAUSE_MS));
            let own = Holdings::of(&server, &path);
            println!("round {round}: {answers} answers, then {own:?}");
            held.push(own);
        }
        held
    });
    let held = loaded.await.expect("rounds");

    // Garbage of the first rounds may be freed at any time.
    let reached = held.iter().take(WARM_UP).map(|own| own.memory_mib).max().expect("rounds");
    let (second, last) = (held[1], held[held.len() - 1]);
    assert!(last.memory_mib <= reached + MAX_GROWTH_MIB, "{held:#?}");
    assert!(last.files <= second.files + MAX_FILES, "{held:#?}");
    assert!(held.iter().all(|own| own.log_bytes <= MAX_LOG_BYTES), "{held:#?}");
}

/// Lets clients shop, read and query figures for a while; returns the number of responses.
fn load(server: &Process, round: usize) -> usize {
    let end = Instant::now() + milliseconds((500, 20_000));
    let address = server.address;
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            std::thread::spawn(move || {
                let mut wire = Wire::open(number + 1, address).expect("a connection");
                // On a busy machine a round may be over before a client has connected.
                let mut answers = visit(&mut wire, round * 10_000);
                while Instant::now() < end {
                    answers += visit(&mut wire, round * 10_000 + answers);
                }
                answers
            })
        })
        .collect();
    clients.into_iter().map(|client| client.join().expect("every request is answered")).sum()
}

/// Fills a cart, reads lists and queries figures that were not queried before; returns the number of requests.
fn visit(wire: &mut Wire, number: usize) -> usize {
    let visitor = Person::visitor().header_lines();
    let admin = Person::program().header_lines();
    let mut ask = |method: &str, path: &str, headers: &str, body: &Value| {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = wire.call(&request(method, path, headers, &body)).expect("an answer");
        let text = String::from_utf8_lossy(&answer.body);
        assert!([200, 503].contains(&answer.status), "{path}: {} {text}", answer.status);
        serde_json::from_slice::<Value>(&answer.body).unwrap_or_default()
    };
    let regions = ask("GET", "/store/regions", &visitor, &Value::Null);
    ask("GET", "/store/products?limit=50&fields=*variants", &visitor, &Value::Null);
    ask("GET", "/admin/orders?limit=50&fields=*items", &admin, &Value::Null);
    let channels = ask("GET", "/admin/sales-channels?limit=1", &admin, &Value::Null);
    let (region, channel) = (&regions["regions"][0]["id"], &channels["sales_channels"][0]["id"]);
    let cart = json!({ "region_id": region, "sales_channel_id": channel });
    ask("POST", "/store/carts", &visitor, &cart);
    let formula = format!("sum(items.quantity) * {}", number + 1);
    let figures = json!({ "formula": formula, "granularity": "day", "group_by": ["product"],
        "start_date": "2026-11-12", "end_date": "2026-11-22" });
    ask("POST", "/admin/metrics/compute", &admin, &figures);
    6
}
