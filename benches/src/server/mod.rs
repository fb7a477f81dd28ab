//! The server as a separate process, measured from outside: by its clients, and by its use of system
//! resources.

mod client;
mod content;
pub mod events;
pub mod limits;
pub mod pages;
mod process;
pub mod renewals;
pub mod routes;
mod socket;
mod table;
mod times;

pub use client::Client;
pub(crate) use process::ADMIN;
pub use process::{Keys, Loaded, Process, Resident, binary, size_stripped};

use std::path::Path;
use std::time::Duration;

use crate::Failure;
use routes::{Call, Shop};

/// The extent of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The processor time that each figure is based on.
    pub cpu: Duration,
    /// Whether each call is made only once, to check that it is answered.
    pub once: bool,
}

impl Effort {
    /// Enough for figures that vary by a few per cent between runs: the system counts in ticks of 10 ms.
    pub const FULL: Self = Self { cpu: Duration::from_millis(1_500), once: false };
    /// One call each.
    pub const ONCE: Self = Self { cpu: Duration::ZERO, once: true };
}

/// The number of invoices of the store in which calls are only checked.
const SAMPLE_INVOICES: u32 = 400;

/// The numbers of concurrent connections.
const CONNECTIONS: [usize; 3] = [1, 8, 64];

/// Loads a demo store, measures all calls, and prints or writes the results.
///
/// # Errors
/// If the server does not start, or a response is not as expected.
pub fn run(target: &Path, effort: Effort, write: bool) -> Result<(), Failure> {
    let binary = binary()?;
    let folder = target.join("api");
    let loaded = Process::load(&binary, &folder, effort.once.then_some(SAMPLE_INVOICES))?;
    let keys = loaded.keys()?;
    // With the limits of a small shop, 64 administrators at once are too many.
    let (server, cold_start) = loaded.start_with(&["--running-requests", "1024"])?;
    let resident_at_start = server.resident()?;
    server.wait_until_idle()?;
    let shop = Shop::discover(Client::new(&server, &keys))?;
    let connections: &[usize] = if effort.once { &CONNECTIONS[..1] } else { &CONNECTIONS };
    let mut lines = Vec::new();
    for call in Call::ALL {
        for &count in connections {
            lines.push(table::Line::measure(call, count, &server, &shop, effort)?);
        }
    }
    let store = table::Store {
        load: loaded.took,
        cold_start,
        resident_at_start,
        resident: server.resident()?,
        binary_bytes: size_stripped(&binary)?,
    };
    server.stop()?;
    if effort.once {
        table::tested(&lines);
        return Ok(());
    }
    table::print(&lines, &store);
    if write { table::write(&lines, &store) } else { Ok(()) }
}

/// Returns the times of some calls in order.
fn in_order(
    rounds: usize,
    mut call: impl FnMut() -> Result<Duration, Failure>,
) -> Result<Vec<Duration>, Failure> {
    let mut times = (0..rounds).map(|_| call()).collect::<Result<Vec<_>, _>>()?;
    times.sort();
    Ok(times)
}

fn median(times: &[Duration]) -> Duration {
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn shown(time: Duration) -> String {
    format!("{}.{:03} ms", time.as_millis(), time.subsec_micros() % 1_000)
}
