//! Many connections: idle ones, and clients that neither read nor write.

use std::io::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use quotient_server::start::raise_file_limit;
use quotient_server::testing::rounds;

use super::Siege;
use super::shopper::milliseconds;
use super::wire::{Wire, request};
use crate::harness::{Person, TestServer};

/// Connections that one address may hold.
const PER_ADDRESS: usize = 256;

/// Limit: growth of the server's memory.
const MAX_GROWTH_MIB: u64 = 1024;

/// Opens connections from as many addresses as it takes.
fn crowd(count: usize, server: SocketAddr) -> Vec<Wire> {
    (0..count)
        .map(|number| {
            let host = u16::try_from(number / (PER_ADDRESS - 8)).expect("an address") + 256;
            Wire::open(host, server).expect("a connection")
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_of_many_addresses_leave_room_for_shoppers() {
    let siege = Siege::begin(TestServer::with_store().await.0, &["--header-timeout-s", "30"]).await;
    let count = rounds(600, 10_000);
    let attack = tokio::task::spawn_blocking(move || {
        raise_file_limit();
        siege.run(&format!("{count} idle connections"), |server| {
            let crowd = crowd(count, server.address);
            std::thread::sleep(milliseconds((1_000, 30_000)));
            drop(crowd);
        })
    });
    let outcome = attack.await.expect("the attack ends");

    assert_eq!(outcome.during.failures, 0, "{}", outcome.during);
    assert!(outcome.grown_mib < MAX_GROWTH_MIB, "+{} MiB", outcome.grown_mib);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_cannot_hold_the_connections_of_all() {
    let siege = Siege::begin(TestServer::with_store().await.0, &[]).await;
    let count = rounds(400, 4_200);
    let attack = tokio::task::spawn_blocking(move || {
        raise_file_limit();
        siege.run(&format!("{count} connections of one address"), |server| {
            let address = server.address;
            let mut held: Vec<Wire> =
                (0..count).filter_map(|_| Wire::open(4, address).ok()).collect();
            let call = request("GET", "/health/live", "", "");
            let answered = held.iter_mut().filter_map(|wire| wire.call(&call).ok()).count();
            assert!(answered <= PER_ADDRESS, "{answered} answered");
        })
    });
    let outcome = attack.await.expect("the attack ends");

    assert_eq!(outcome.during.failures, 0, "{}", outcome.during);
}

/// Half of them send requests repeatedly and read nothing, half send a body byte by byte.
#[tokio::test(flavor = "multi_thread")]
async fn clients_that_neither_read_nor_write_are_cut_off() {
    const LIMITS: &[&str] = &["--write-timeout-s", "3", "--body-timeout-s", "3"];
    let siege = Siege::begin(TestServer::with_store().await.0, LIMITS).await;
    let per_address = rounds(8, 64);
    let attack = tokio::task::spawn_blocking(move || {
        raise_file_limit();
        siege.run(&format!("slow clients, {per_address} of each of 16 addresses"), |server| {
            let end = Instant::now() + milliseconds((1_000, 30_000));
            while Instant::now() < end {
                dawdle(per_address, server.address);
            }
        })
    });
    let outcome = attack.await.expect("the attack ends");

    assert_eq!(outcome.during.failures, 0, "{}", outcome.during);
    assert!(outcome.grown_mib < MAX_GROWTH_MIB, "+{} MiB", outcome.grown_mib);
}

/// Opens slow connections of 16 addresses, and waits until the server has ended them.
fn dawdle(per_address: usize, server: SocketAddr) {
    let mut slow: Vec<Wire> = (0..16_u16)
        .flat_map(|host| (0..per_address).map(move |number| (host, number)))
        .map(|(host, number)| dawdler(host + 5, number % 2 == 0, server))
        .collect();
    let begun = Instant::now();
    while !slow.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(40), "{} are still there", slow.len());
        std::thread::sleep(Duration::from_millis(200));
        slow.retain_mut(is_open);
    }
}

fn dawdler(host: u16, reads_nothing: bool, server: SocketAddr) -> Wire {
    let mut wire = Wire::open(host, server).expect("a connection");
    wire.stream.set_write_timeout(Some(Duration::from_millis(100))).expect("a pace");
    let call = if reads_nothing {
        request("GET", "/openapi.json", "", "").repeat(12)
    } else {
        let headers = Person::visitor().header_lines();
        format!(
            "POST /store/carts HTTP/1.1\r\nhost: a\r\n{headers}content-length: 900000\r\n\r\n{{"
        )
        .into_bytes()
    };
    wire.stream.write_all(&call).expect("the server reads");
    wire
}

/// Returns whether the server still takes bytes; sends one.
fn is_open(wire: &mut Wire) -> bool {
    match wire.stream.write_all(b" ") {
        Ok(()) => true,
        Err(error) => error.kind() == std::io::ErrorKind::WouldBlock,
    }
}
