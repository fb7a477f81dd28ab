//! The stop signal: no request is left unanswered, and a stalled reader of the log blocks nothing.

use std::fs::OpenOptions;
use std::time::{Duration, Instant};

use quotient_server::testing::rounds;

use super::wire::{Wire, request};
use crate::harness::{Person, TestServer};
use crate::reliability::process::Process;

/// The clients whose connections are kept alive.
const CLIENTS: u16 = 8;

/// Limit: the time from the signal to the end.
const MAX_END: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn the_stop_signal_leaves_no_request_without_an_answer() {
    let (_folder, path) = TestServer::with_store().await.0.copied().await;
    let life = tokio::task::spawn_blocking(move || {
        for _ in 0..rounds(1, 20) {
            let mut server = Process::start_with(&[], &path, &["--store-per-minute", "100000000"]);
            let address = server.address;
            let clients: Vec<_> = (0..CLIENTS)
                .map(|host| std::thread::spawn(move || ask_until_told(host + 1, address)))
                .collect();
            std::thread::sleep(Duration::from_millis(200));
            let begun = Instant::now();
            let status = server.stop();
            assert!(
                status.success() && begun.elapsed() < MAX_END,
                "{status} {:?}",
                begun.elapsed()
            );
            for client in clients {
                let answers = client.join().expect("every request has its whole answer");
                assert!(answers > 1, "the connection was kept");
            }
        }
    });
    life.await.expect("a life of the server");
}

/// Sends requests until a response announces that it is the connection's last; returns how many
/// there were.
fn ask_until_told(host: u16, server: std::net::SocketAddr) -> u32 {
    let call = request("GET", "/store/regions", &Person::visitor().header_lines(), "");
    let mut wire = Wire::open(host, server).expect("a connection");
    let mut answers = 0;
    loop {
        let answer = wire.call(&call).expect("an answer");
        assert_eq!(answer.status, 200);
        answers += 1;
        if answer.is_last {
            return answers;
        }
    }
}

/// A pipe holds 64 KiB, about three hundred requests.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_nobody_reads_stops_neither_requests_nor_the_stop_signal() {
    let (folder, path) = TestServer::with_store().await.0.copied().await;
    let pipe = folder.path().join("log");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    let life = tokio::task::spawn_blocking(move || {
        // Opened for reading and writing, so that the server finds a reader, which never reads.
        let reader = OpenOptions::new().read(true).write(true).open(&pipe).expect("the pipe");
        let command = format!("exec \"$0\" \"$@\" 2>'{}'", pipe.display());
        let arguments = ["--log", "info", "--store-per-minute", "100000000"];
        let mut server = Process::start_with(&["sh", "-c", &command], &path, &arguments);
        let mut wire = Wire::open(1, server.address).expect("a connection");
        let call = request("GET", "/store/regions", &Person::visitor().header_lines(), "");
        for number in 0..rounds(2_000, 20_000) {
            assert_eq!(wire.call(&call).expect("an answer").status, 200, "request {number}");
        }
        let begun = Instant::now();
        let status = server.stop();
        assert!(status.success() && begun.elapsed() < MAX_END, "{status} {:?}", begun.elapsed());
        drop(reader);
    });
    life.await.expect("a life of the server");
}
