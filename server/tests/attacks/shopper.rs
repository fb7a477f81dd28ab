//! A shopper from a separate address, who requests products all the time.

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quotient_server::testing::rounds;

use super::wire::{Wire, request};
use crate::harness::Person;

/// The last two numbers of the shopper's address.
const ADDRESS: u16 = 0xfffe;

/// The milliseconds between two requests, in short and in full tests: a percentile of a few hundred requests would be random.
const PAUSE_MS: (u64, u64) = (60, 10);

/// The milliseconds in which the first requests warm the caches, and those for which the shopper is measured before an attack,
/// in short and in full tests.
const WARM_UP_MS: (u64, u64) = (200, 1_000);
const ALONE_MS: (u64, u64) = (300, 60_000);

/// A thread that requests products, and its record.
pub(super) struct Shopper {
    record: Arc<Mutex<Vec<Option<Duration>>>>,
    is_done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Shopper {
    pub(super) fn start(server: SocketAddr) -> Self {
        let (record, is_done) =
            (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (own, done) = (Arc::clone(&record), Arc::clone(&is_done));
        let thread = std::thread::spawn(move || {
            let call =
                request("GET", "/store/products?limit=12", &Person::visitor().header_lines(), "");
            let mut wire = None;
            while !done.load(Ordering::Relaxed) {
                let begun = Instant::now();
                let is_answered = ask(&mut wire, server, &call);
                let took = is_answered.then(|| begun.elapsed());
                own.lock().unwrap_or_else(PoisonError::into_inner).push(took);
                std::thread::sleep(milliseconds(PAUSE_MS));
            }
        });
        Self { record, is_done, thread: Some(thread) }
    }

    /// Waits while nothing else happens.
    pub(super) fn watch_alone(&self) {
        std::thread::sleep(milliseconds(WARM_UP_MS));
        drop(self.times());
        std::thread::sleep(milliseconds(ALONE_MS));
    }

    /// Returns the times since the last call.
    pub(super) fn times(&self) -> Times {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        Times::of(std::mem::take(&mut *record))
    }
}

/// Returns the shorter or the longer time, as the tests are run.
pub(super) fn milliseconds((short, full): (u64, u64)) -> Duration {
    Duration::from_millis(rounds(short, full))
}

impl Drop for Shopper {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

/// Sends one request over a kept-alive connection; returns whether the response was 200.
fn ask(wire: &mut Option<Wire>, server: SocketAddr, call: &[u8]) -> bool {
    if wire.is_none() {
        *wire = Wire::open(ADDRESS, server).ok();
    }
    let answer = wire.as_mut().and_then(|open| open.call(call).ok());
    if answer.is_none() {
        *wire = None;
    }
    answer.is_some_and(|answer| answer.status == 200)
}

/// The times of requests.
pub(super) struct Times {
    sorted: Vec<Duration>,
    /// Requests without a 200 response.
    pub(super) failures: usize,
}

impl Times {
    pub(super) fn of(record: Vec<Option<Duration>>) -> Self {
        let failures = record.iter().filter(|took| took.is_none()).count();
        let mut sorted: Vec<Duration> = record.into_iter().flatten().collect();
        sorted.sort();
        Self { sorted, failures }
    }

    pub(super) fn count(&self) -> usize {
        self.sorted.len()
    }

    fn percentile(&self, percent: usize) -> Duration {
        let at = self.sorted.len().saturating_mul(percent) / 100;
        self.sorted.get(at).or(self.sorted.last()).copied().unwrap_or_default()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "p50 {:.1?}, p99 {:.1?}, max {:.1?}, {} answered, {} failed",
            self.percentile(50),
            self.percentile(99),
            self.percentile(100),
            self.sorted.len(),
            self.failures
        )
    }
}
