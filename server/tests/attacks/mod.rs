//! Attacks on the built program over loopback, while a shopper shops.
//!
//! Each prints a row: the attack, the shopper's times before and during it, and the memory of the server.
//! `QUOTIENT_FULL_TESTS=1` makes them as large as the goals, and `QUOTIENT_SERVER` attacks another build:
//!
//! ```console
//! QUOTIENT_FULL_TESTS=1 QUOTIENT_SERVER=target/release/quotient-server \
//!     cargo test -p quotient-server --test api -- attacks --nocapture --test-threads 1
//! ```

#![expect(clippy::arithmetic_side_effects, reason = "the numbers of an attack are small")]

mod accepts;
mod bombs;
mod crowds;
mod framing;
mod keys;
mod lives;
mod memory;
mod overload;
mod shopper;
mod stop;
mod strangers;
mod timing;
mod wire;

use std::path::{Path, PathBuf};
use std::time::Duration;

use quotient_server::database::Error;
use tempfile::TempDir;

use crate::harness::{PUBLISHABLE_ID, TestServer};
use crate::reliability::process::Process;
use shopper::{Shopper, Times};

/// The lowest priority of a thread.
const MAX_NICENESS: i32 = 19;

/// A server under attack, and the shopper beside it.
struct Siege {
    server: Process,
    shopper: Shopper,
    _folder: TempDir,
}

impl Siege {
    /// Starts the program on a copy of a server's database.
    async fn begin(server: TestServer, arguments: &'static [&'static str]) -> Self {
        let (folder, path) = server.copied().await;
        drop(server);
        Self::start(folder, &path, arguments)
    }

    fn start(folder: TempDir, path: &Path, arguments: &[&str]) -> Self {
        // A shopper who asks often enough to be measured exceeds the usual limit.
        let arguments = [&["--store-per-minute", "100000000"][..], arguments].concat();
        let server = Process::start_with(&[], path, &arguments);
        let shopper = Shopper::start(server.address);
        Self { server, shopper, _folder: folder }
    }

    /// Runs an attack; returns the shopper's times without it and during it, and the growth of the memory in MiB.
    #[expect(clippy::print_stdout, reason = "a measurement is for people")]
    fn run(self, name: &str, attack: impl FnOnce(&Process)) -> Outcome {
        self.shopper.watch_alone();
        let before = self.shopper.times();
        assert_eq!(before.failures, 0, "the shopper alone: {before}");
        let memory = peak_memory_mib(&self.server);
        // Attackers stand for other machines: this thread and those it starts take no processor time from the shopper.
        rustix::process::nice(MAX_NICENESS).expect("a lower priority");
        attack(&self.server);
        let during = self.shopper.times();
        let grown_mib = peak_memory_mib(&self.server).saturating_sub(memory);
        println!("{name}: alone {before}; meanwhile {during}; memory +{grown_mib} MiB");
        Outcome { during, grown_mib }
    }
}

/// What an attack did.
struct Outcome {
    during: Times,
    grown_mib: u64,
}

/// Returns the peak of the resident memory of a process.
fn peak_memory_mib(server: &Process) -> u64 {
    memory_mib(server, "VmHWM:")
}

/// Returns a figure of the memory of a process, by its name in the system's list.
fn memory_mib(server: &Process, name: &str) -> u64 {
    let path = PathBuf::from(format!("/proc/{}/status", server.id()));
    let status = std::fs::read_to_string(path).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("0");
    let kib = line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0);
    kib / 1024
}

/// Returns the processor time that a process has used, in user and system mode.
fn processor_time(server: &Process) -> Duration {
    /// Ticks per second in which the system counts it; on Linux always 100.
    const TICKS_A_SECOND: u64 = 100;

    let path = PathBuf::from(format!("/proc/{}/stat", server.id()));
    let stat = std::fs::read_to_string(path).unwrap_or_default();
    // The name of the program is the second field, in parentheses; its times are the fourteenth and the fifteenth.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1_000 / TICKS_A_SECOND)
}

/// Links the publishable key of visitors to every sales channel of the demo store.
async fn sell_in_all_channels(server: &TestServer) {
    let other_process = server.other_process();
    let linked = other_process.write::<_, Error>(|tx| {
        let link = "insert into api_key_sales_channel (api_key_id, sales_channel_id)
                    select ?1, id from sales_channel";
        Ok(tx.execute(link, [PUBLISHABLE_ID])?)
    });
    linked.await.expect("a key of the storefront");
}
