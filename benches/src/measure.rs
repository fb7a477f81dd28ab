//! Contestants doing the same work in turns, so that what slows the machine down slows all of them.
//!
//! A round gives each contestant one batch of calls, in order; what counts is the ratio of two
//! contestants within a round, and the median of the ratios over the rounds. Time is that of the
//! thread on a processor, since a wall clock also measures what else the machine does.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

use std::hint::black_box;
use std::time::{Duration, Instant};

pub use clock::{process_time, thread_time};

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Batches of each contestant.
    pub rounds: u32,
    /// The least time of a batch.
    pub batch: Duration,
}

impl Effort {
    /// Enough for quartiles that lie close together.
    pub const FULL: Self = Self { rounds: 21, batch: Duration::from_millis(2) };
    /// One call each, to see that everybody answers.
    pub const ONCE: Self = Self { rounds: 1, batch: Duration::ZERO };
}

/// One of those who do the same work.
pub struct Contestant<'a> {
    name: &'static str,
    /// How many rows or calls one call stands for.
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
    /// One whose time is that of `call` on this thread.
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

    /// One that works on several threads: what counts is how long one waits.
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

    /// One that measures itself, such as a program beside this one.
    pub fn reporting(name: &'static str, timed: impl FnMut(u32) -> Duration + 'a) -> Self {
        Self { name, units: 1, calls: 1, timed: Box::new(timed) }
    }

    /// The same with a call that stands for several rows.
    #[must_use]
    pub fn of(self, units: u32) -> Self {
        Self { units, ..self }
    }

    /// Finds how many calls fill a batch.
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

/// The times of one contestant, a round each, in nanoseconds a call or row.
#[derive(Debug, Clone)]
pub struct Times {
    /// Who it was.
    pub name: &'static str,
    rounds: Vec<f64>,
}

impl Times {
    /// What was measured by other means, in nanoseconds, a round each.
    pub fn new(name: &'static str, rounds: Vec<f64>) -> Self {
        Self { name, rounds }
    }

    /// What `of` makes of the times of several in each round.
    #[must_use]
    pub fn together(name: &'static str, all: &[&Self], of: impl Fn(&[f64]) -> f64) -> Self {
        let count = all.iter().map(|times| times.rounds.len()).min().unwrap_or(0);
        let round = |index: usize| {
            let own = all.iter().filter_map(|times| times.rounds.get(index).copied());
            of(&own.collect::<Vec<_>>())
        };
        Self { name, rounds: (0..count).map(round).collect() }
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        Spread::of(self.rounds.clone()).median
    }
}

/// The middle of some measurements, and where the middle half of them lies.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    /// Half of them are less.
    pub median: f64,
    /// A quarter of them is less.
    pub low: f64,
    /// A quarter of them is more.
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

    /// How many times the one takes of what the other takes, round by round.
    pub fn ratio(one: &Times, other: &Times) -> Self {
        Self::of(one.rounds.iter().zip(&other.rounds).map(|(one, other)| one / other).collect())
    }

    /// Of the times themselves.
    pub fn time(times: &Times) -> Self {
        Self::of(times.rounds.clone())
    }
}

/// Lets the contestants take turns. The answer has their order.
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
    //! Time on a processor, as the system counts it.

    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    /// How long this thread has been on a processor.
    pub fn thread_time() -> Duration {
        Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
    }

    /// How long all threads together have been.
    pub fn process_time() -> Duration {
        Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
    }
}

#[cfg(not(unix))]
mod clock {
    //! The time of the wall, where the system does not say how long a thread was on a processor.

    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    /// How long ago this was first asked.
    pub fn thread_time() -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    pub use thread_time as process_time;
}
