//! Recent computations and how long they took.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock::Timestamp;

/// Limit: computations that are recorded.
const CAPACITY: usize = 1_000;

/// How many of the slowest computations are reported.
const SLOWEST: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Computation {
    /// The number of the computation since the start, from 1.
    pub number: u64,
    pub at: Timestamp,
    /// The route of the computation, such as `values` or `batch`.
    pub origin: &'static str,
    pub metrics: Vec<String>,
    pub took: Duration,
    /// Whether no SQL statement had to run.
    pub is_cached: bool,
    pub failed: u64,
}

#[derive(Debug, Default)]
pub(crate) struct ComputeStats {
    ring: Mutex<Ring>,
}

#[derive(Debug, Default)]
struct Ring {
    last: VecDeque<Computation>,
    count: u64,
    failed: u64,
}

/// Statistics of computations: counts since the start, and times of the recorded ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ComputeTimes {
    pub computations: u64,
    pub failed: u64,
    pub p50: Duration,
    pub p95: Duration,
    pub p99: Duration,
    /// The slowest computations, the slowest first.
    pub slowest: Vec<Computation>,
}

impl ComputeStats {
    /// Records a computation under the next number.
    pub(crate) fn note(&self, computation: Computation) {
        let mut ring = self.lock();
        ring.count = ring.count.saturating_add(1);
        ring.failed = ring.failed.saturating_add(computation.failed);
        let number = ring.count;
        if ring.last.len() >= CAPACITY {
            ring.last.pop_front();
        }
        ring.last.push_back(Computation { number, ..computation });
    }

    /// Returns a page of the recorded computations, newest first, and how many there are.
    pub(crate) fn last(&self, offset: usize, limit: usize) -> (Vec<Computation>, usize) {
        let ring = self.lock();
        let page = ring.last.iter().rev().skip(offset).take(limit).cloned().collect();
        (page, ring.last.len())
    }

    pub(crate) fn times(&self) -> ComputeTimes {
        let ring = self.lock();
        let mut times: Vec<Duration> = ring.last.iter().map(|event| event.took).collect();
        times.sort_unstable();
        let mut slowest: Vec<Computation> = ring.last.iter().cloned().collect();
        slowest.sort_by_key(|event| std::cmp::Reverse((event.took, event.number)));
        slowest.truncate(SLOWEST);
        ComputeTimes {
            computations: ring.count,
            failed: ring.failed,
            p50: percentile(&times, 50),
            p95: percentile(&times, 95),
            p99: percentile(&times, 99),
            slowest,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn milliseconds(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

/// Returns a percentile of sorted times.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    let rank = times.len().saturating_mul(percent).div_ceil(100);
    times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computation(ms: u64) -> Computation {
        Computation {
            number: 0,
            at: Timestamp::from_millis(0),
            origin: "values",
            metrics: Vec::new(),
            took: Duration::from_millis(ms),
            is_cached: false,
            failed: 0,
        }
    }

    #[test]
    fn a_thousand_are_remembered_and_all_are_counted() {
        let events = ComputeStats::default();
        for ms in 1..=1_200 {
            events.note(computation(ms));
        }
        let (page, count) = events.last(0, 2);
        assert_eq!(count, 1_000);
        assert_eq!(page.iter().map(|event| event.number).collect::<Vec<_>>(), [1_200, 1_199]);
        let times = events.times();
        assert_eq!(times.computations, 1_200);
        assert_eq!(times.p50, Duration::from_millis(700));
        assert_eq!(times.p99, Duration::from_millis(1_190));
        assert_eq!(times.slowest.first().map(|event| event.number), Some(1_200));
    }
}
