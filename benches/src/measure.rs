//! Contestants that do the same work in turns, so that other load slows all of them.
//!
//! A round gives each contestant one batch of calls, in order. The result is the ratio of two
//! contestants within a round, and the median of these ratios over the rounds. Times are processor
//! times of the thread, since wall-clock time includes other load of the machine.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

use std::hint::black_box;
use std::time::{Duration, Instant};

pub use clock::{process_time, thread_time};

/// The extent of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The number of batches of each contestant.
    pub rounds: u32,
    /// The minimum time of a batch.
    pub batch: Duration,
}

impl Effort {
    /// Enough for quartiles that are close together.
    pub const FULL: Self = Self { rounds: 21, batch: Duration::from_millis(2) };
    /// One call each, to check that every contestant answers.
    pub const ONCE: Self = Self { rounds: 1, batch: Duration::ZERO };
}

/// One contestant.
pub struct Contestant<'a> {
    name: &'static str,
    /// The number of rows or calls that one call counts for.
    units: u32,
    calls: u32,
    timed: Box<dyn FnMut(u32) -> Duration + 'a>,
}

impl std::fmt::Debug for Contestant<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Contestant").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Contestant<'a> {
    /// Creates a contestant timed by the processor time of `call` on this thread.
    pub fn new<T>(name: &'static str, mut call: impl FnMut() -> T + 'a) -> Self {
        let timed = move |calls| {
            let start = thread_time();
            for _ in 0..calls {
                black_box(call());
            }
            thread_time().saturating_sub(start)
        };
        Self { name, units: 1, calls: 1, timed: Box::new(timed) }
    }

    /// Creates a contestant that uses several threads, timed by the wall clock.
    pub fn waiting<T>(name: &'static str, mut call: impl FnMut() -> T + 'a) -> Self {
        let timed = move |calls| {
            let start = Instant::now();
            for _ in 0..calls {
                black_box(call());
            }
            start.elapsed()
        };
        Self { name, units: 1, calls: 1, timed: Box::new(timed) }
    }

    /// Creates a contestant that measures itself, such as another process.
    pub fn reporting(name: &'static str, timed: impl FnMut(u32) -> Duration + 'a) -> Self {
        Self { name, units: 1, calls: 1, timed: Box::new(timed) }
    }

    /// Sets the number of rows that one call counts for.
    #[must_use]
    pub fn of(self, units: u32) -> Self {
        Self { units, ..self }
    }

    /// Finds the number of calls that fill a batch.
    fn calibrate(&mut self, batch: Duration) {
        while self.calls < 1 << 24 && (self.timed)(self.calls) < batch {
            self.calls = self.calls.saturating_mul(2);
        }
    }

    fn nanoseconds(&mut self) -> f64 {
        let time = (self.timed)(self.calls).as_secs_f64() * 1e9;
        time / f64::from(self.calls) / f64::from(self.units)
    }
}

/// The times of one contestant by round, in nanoseconds per call or row.
#[derive(Debug, Clone)]
pub struct Times {
    /// The name of the contestant.
    pub name: &'static str,
    rounds: Vec<f64>,
}

impl Times {
    /// Creates times that were measured elsewhere, in nanoseconds by round.
    pub fn new(name: &'static str, rounds: Vec<f64>) -> Self {
        Self { name, rounds }
    }

    /// Combines the times of several contestants in each round with `of`.
    #[must_use]
    pub fn together(name: &'static str, all: &[&Self], of: impl Fn(&[f64]) -> f64) -> Self {
        let count = all.iter().map(|times| times.rounds.len()).min().unwrap_or(0);
        let round = |index: usize| {
            let own = all.iter().filter_map(|times| times.rounds.get(index).copied());
            of(&own.collect::<Vec<_>>())
        };
        Self { name, rounds: (0..count).map(round).collect() }
    }

    /// Returns the median.
    pub fn median(&self) -> f64 {
        Spread::of(self.rounds.clone()).median
    }
}

/// The median and the quartiles of some measurements.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The lower quartile.
    pub low: f64,
    /// The upper quartile.
    pub high: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |quarter: usize| {
            let index = values.len().saturating_sub(1).saturating_mul(quarter).div_euclid(4);
            values.get(index).copied().unwrap_or(f64::NAN)
        };
        Self { median: at(2), low: at(1), high: at(3) }
    }

    /// Returns the spread of the ratios of two contestants by round.
    pub fn ratio(one: &Times, other: &Times) -> Self {
        Self::of(one.rounds.iter().zip(&other.rounds).map(|(one, other)| one / other).collect())
    }

    /// Returns the spread of the times.
    pub fn time(times: &Times) -> Self {
        Self::of(times.rounds.clone())
    }
}

/// Measures the contestants in turns. The times are in their order.
pub fn measure(contestants: &mut [Contestant<'_>], effort: Effort) -> Vec<Times> {
    for contestant in &mut *contestants {
        contestant.calibrate(effort.batch);
    }
    let mut all: Vec<Times> = contestants
        .iter()
        .map(|contestant| Times { name: contestant.name, rounds: Vec::new() })
        .collect();
    for _ in 0..effort.rounds {
        for (contestant, times) in contestants.iter_mut().zip(&mut all) {
            times.rounds.push(contestant.nanoseconds());
        }
    }
    all
}

#[cfg(unix)]
mod clock {
    //! Processor time, as reported by the system.

    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    /// Returns the processor time of this thread.
    pub fn thread_time() -> Duration {
        Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
    }

    /// Returns the processor time of all threads.
    pub fn process_time() -> Duration {
        Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
    }
}

#[cfg(not(unix))]
mod clock {
    //! Wall-clock time, where the system does not report the processor time of a thread.

    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    /// Returns the time since the first call.
    pub fn thread_time() -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    pub use thread_time as process_time;
}
