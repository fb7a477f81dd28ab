//! The measurement of a call, and the table of all calls.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::routes::{Call, Shop};
use super::{Effort, Process, Resident};
use crate::Failure;
use crate::goals::report::replace;

/// The marks around the table in the file.
const MARKS: (&str, &str) =
    ("<!-- server: written by the benchmark -->\n", "<!-- end of server -->");

/// The cost of one call with a number of connections.
#[derive(Debug, Clone)]
pub(super) struct Line {
    call: Call,
    connections: usize,
    calls: usize,
    cpu: Duration,
    wall: Duration,
}

/// The cost of the store as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Store {
    pub(super) load: Duration,
    pub(super) cold_start: Duration,
    pub(super) resident_at_start: Resident,
    pub(super) resident: Resident,
    pub(super) binary_bytes: u64,
}

impl Line {
    /// Repeats a call until the server has used the processor time that a figure is based on.
    pub(super) fn measure(
        call: Call,
        connections: usize,
        server: &Process,
        shop: &Shop,
        effort: Effort,
    ) -> Result<Self, Failure> {
        shop.call(call, 0)?;
        if effort.once {
            return Ok(Self {
                call,
                connections,
                calls: 1,
                cpu: Duration::ZERO,
                wall: Duration::ZERO,
            });
        }
        let number = AtomicUsize::new(1);
        let finished = AtomicBool::new(false);
        let (start, before) = (Instant::now(), server.cpu()?);
        let outcome = thread::scope(|scope| {
            let clients: Vec<_> = (0..connections)
                .map(|_| {
                    let (shop, number, finished) = (shop.clone(), &number, &finished);
                    scope.spawn(move || {
                        while !finished.load(Ordering::Relaxed) {
                            let number = number.fetch_add(1, Ordering::Relaxed);
                            shop.call(call, number).map_err(|failure| failure.to_string())?;
                        }
                        Ok::<(), String>(())
                    })
                })
                .collect();
            let used = until(server, before, effort.cpu);
            finished.store(true, Ordering::Relaxed);
            for client in clients {
                client.join().map_err(|_panic| "a client panicked")??;
            }
            used
        });
        outcome?;
        let (wall, cpu) = (start.elapsed(), server.cpu()?.saturating_sub(before));
        Ok(Self { call, connections, calls: number.into_inner().saturating_sub(1), cpu, wall })
    }

    fn per_call(&self, time: Duration) -> f64 {
        let calls = u32::try_from(self.calls).unwrap_or(u32::MAX).max(1);
        time.as_secs_f64() * 1e3 / f64::from(calls)
    }

    fn cells(&self) -> [String; 7] {
        let cpu = self.per_call(self.cpu);
        let reference = self.call.reference().as_secs_f64() * 1e3;
        let times = reference / cpu;
        let (goal, met) = match self.call.goal() {
            Some(goal) if times >= f64::from(goal) => (format!("{goal}×"), "yes"),
            Some(goal) => (format!("{goal}×"), "no"),
            None => ("–".to_owned(), "–"),
        };
        [
            self.call.name().to_owned(),
            self.connections.to_string(),
            format!("{cpu:.3} ms"),
            format!("{:.0}", 1e3 / self.per_call(self.wall)),
            format!("{times:.0}×"),
            goal,
            met.to_owned(),
        ]
    }
}

/// Waits until the server has used this much processor time, or for at most ten times as long.
fn until(server: &Process, before: Duration, cpu: Duration) -> Result<(), Failure> {
    let start = Instant::now();
    while server.cpu()?.saturating_sub(before) < cpu && start.elapsed() < cpu.saturating_mul(10) {
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Prints that all calls were answered.
#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
pub(super) fn tested(lines: &[Line]) {
    println!("{} kinds of calls answered", lines.len());
}

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
pub(super) fn print(lines: &[Line], store: &Store) {
    println!("{}", text(lines, store));
}

/// Writes the table between its marks.
pub(super) fn write(lines: &[Line], store: &Store) -> Result<(), Failure> {
    replace(MARKS, &text(lines, store))
}

fn text(lines: &[Line], store: &Store) -> String {
    let mut rows = vec![
        "| what | connections | CPU per call | calls per second | less CPU than the reference | goal | met |".to_owned(),
        "|---|--:|--:|--:|--:|--:|---|".to_owned(),
    ];
    rows.extend(lines.iter().map(|line| format!("| {} |", line.cells().join(" | "))));
    let mib = |bytes: u64| format!("{} MiB", bytes / 1_048_576);
    let resident = |memory: Resident| {
        format!("{}, {} of it pages of the program", mib(memory.all), mib(memory.of_files))
    };
    format!(
        "{}\n\n| the whole store | measured | goal |\n|---|--:|--:|\n\
         | loading the demo store | {:.1} s | 30 s |\n\
         | start to the first answer, with an existing store | {} ms | 200 ms |\n\
         | resident memory at the first answer | {} | – |\n\
         | resident memory after all of the above | {} | 39 MiB |\n\
         | the binary, stripped | {} | 40 MB |\n",
        rows.join("\n"),
        store.load.as_secs_f64(),
        store.cold_start.as_millis(),
        resident(store.resident_at_start),
        resident(store.resident),
        mib(store.binary_bytes),
    )
}
