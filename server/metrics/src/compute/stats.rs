//! Recent computations and how long they took.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::clock::Timestamp;
use crate::http::ToSchema;

/// Limit: computations that are recorded.
const CAPACITY: usize = 1_000;

/// How many of the slowest computations are reported.
const SLOWEST: usize = 10;

/// A recent computation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ComputationView)]
pub(crate) struct Computation {
    /// The number of the computation since the server started.
    pub number: u64,
    /// When it ended.
    pub at: Timestamp,
    /// The route of the computation: `values`, `compute`, `batch`, `snapshot`, `warm`.
    pub origin: &'static str,
    /// The metrics that were computed.
    pub metrics: Vec<String>,
    #[serde(rename = "duration_ms", serialize_with = "as_milliseconds")]
    #[schema(value_type = u64)]
    pub took: Duration,
    /// Whether no SQL statement had to run.
    #[serde(rename = "cached")]
    pub is_cached: bool,
    /// The number of metrics that failed.
    #[serde(rename = "errors")]
    pub failed: u64,
}

fn as_milliseconds<S: Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(milliseconds(*took))
}

impl Computation {
    /// Returns the computation without the metrics that a reader may not see.
    fn without(mut self, unseen: &BTreeSet<String>) -> Self {
        self.metrics.retain(|key| !unseen.contains(&key.to_lowercase()));
        self
    }
}

#[derive(Debug, Default)]
pub(crate) struct ComputeStats {
    ring: Mutex<Ring>,
}

#[derive(Debug, Default)]
struct Ring {
    recent: VecDeque<Computation>,
    count: u64,
    failed: u64,
}

/// Statistics of computations; times cover the last thousand computations.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PerformanceView {
    /// The number of computations since the server started.
    computations: u64,
    /// The median in milliseconds.
    p50_ms: u64,
    /// The 95th percentile in milliseconds.
    p95_ms: u64,
    /// The 99th percentile in milliseconds.
    p99_ms: u64,
    /// The slowest computations, the slowest first.
    slowest: Vec<Computation>,
    /// The number of metrics that failed since the server started.
    errors: u64,
}

impl ComputeStats {
    /// Records a computation under the next number.
    pub(crate) fn note(&self, computation: Computation) {
        let mut ring = self.lock();
        ring.count = ring.count.saturating_add(1);
        ring.failed = ring.failed.saturating_add(computation.failed);
        let number = ring.count;
        if ring.recent.len() >= CAPACITY {
            ring.recent.pop_front();
        }
        ring.recent.push_back(Computation { number, ..computation });
    }

    /// Returns a page of the recorded computations, newest first, without the metrics that the reader may not see, and
    /// how many there are.
    pub(crate) fn page(
        &self,
        (offset, limit): (usize, usize),
        unseen: &BTreeSet<String>,
    ) -> (Vec<Computation>, usize) {
        let ring = self.lock();
        let page = ring.recent.iter().rev().skip(offset).take(limit).cloned();
        (page.map(|own| own.without(unseen)).collect(), ring.recent.len())
    }

    /// Returns the statistics, without the metrics that the reader may not see.
    pub(crate) fn times(&self, unseen: &BTreeSet<String>) -> PerformanceView {
        let ring = self.lock();
        let mut times: Vec<Duration> = ring.recent.iter().map(|event| event.took).collect();
        times.sort_unstable();
        let mut slowest: Vec<&Computation> = ring.recent.iter().collect();
        slowest.sort_by_key(|event| std::cmp::Reverse((event.took, event.number)));
        slowest.truncate(SLOWEST);
        let percentile_ms = |percent| milliseconds(percentile(&times, percent));
        PerformanceView {
            computations: ring.count,
            p50_ms: percentile_ms(50),
            p95_ms: percentile_ms(95),
            p99_ms: percentile_ms(99),
            slowest: slowest.into_iter().map(|own| own.clone().without(unseen)).collect(),
            errors: ring.failed,
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
        let (page, count) = events.page((0, 2), &BTreeSet::new());
        assert_eq!(count, 1_000);
        assert_eq!(page.iter().map(|event| event.number).collect::<Vec<_>>(), [1_200, 1_199]);
        let times = events.times(&BTreeSet::new());
        assert_eq!(times.computations, 1_200);
        assert_eq!(times.p50_ms, 700);
        assert_eq!(times.p99_ms, 1_190);
        assert_eq!(times.slowest.first().map(|event| event.number), Some(1_200));
    }
}
