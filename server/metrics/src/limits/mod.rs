//! Exact rate limits of each user over the last minute: a list of call times per user and route.
//!
//! Invariant: within any 60 seconds, a user's calls to a route are admitted only up to the limit. Refused calls do not
//! count. Time is read from a monotonic clock.

pub(crate) mod routes;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use routes::{admit, router};

use crate::clock::Clock;
use crate::config::LimitSettings;

/// How long a call counts, in milliseconds.
const WINDOW_MS: i64 = 60_000;

/// A route with a limit of calls per user and minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LimitedRoute {
    /// `GET /admin/metrics`.
    Values,
    /// `POST /admin/metrics`.
    Snapshots,
    /// `POST /admin/metrics/batch`.
    Batches,
    /// `POST /admin/metrics/catalog/validate`.
    Validations,
}

impl LimitedRoute {
    /// All routes.
    pub(crate) const ALL: [Self; 4] =
        [Self::Values, Self::Snapshots, Self::Batches, Self::Validations];

    pub(crate) const fn route(self) -> &'static str {
        match self {
            Self::Values => "GET /admin/metrics",
            Self::Snapshots => "POST /admin/metrics",
            Self::Batches => "POST /admin/metrics/batch",
            Self::Validations => "POST /admin/metrics/catalog/validate",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    pub limit: u32,
    pub remaining: u32,
    /// Milliseconds until the oldest call expires.
    pub(crate) reset_ms: i64,
}

/// Counts of calls to a route since the statistics were cleared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub accepted: u64,
    pub refused: u64,
}

/// The calls of the last minute.
#[derive(Debug)]
pub(crate) struct UserLimits {
    clock: Clock,
    limits: [(LimitedRoute, u32); 4],
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The times of each user's admitted calls, the oldest first.
    calls: BTreeMap<(LimitedRoute, String), VecDeque<i64>>,
    usage: BTreeMap<LimitedRoute, Usage>,
    now_ms: i64,
    /// When users without calls were last removed.
    swept_ms: i64,
}

impl UserLimits {
    pub(crate) fn new(clock: Clock, limits: &LimitSettings) -> Self {
        let limits = [
            (LimitedRoute::Values, limits.metrics_per_minute),
            (LimitedRoute::Snapshots, limits.snapshots_per_minute),
            (LimitedRoute::Batches, limits.batches_per_minute),
            (LimitedRoute::Validations, limits.catalog_validate_per_minute),
        ];
        Self { clock, limits, state: Mutex::default() }
    }

    pub(crate) fn take(&self, limited: LimitedRoute, user: &str) -> Result<Allowance, Allowance> {
        let limit = self.limit(limited);
        let mut state = self.lock();
        let now_ms = state.now_ms;
        let calls = state.calls.entry((limited, user.to_owned())).or_default();
        drop_old(calls, now_ms);
        let count = u32::try_from(calls.len()).unwrap_or(u32::MAX);
        let is_free = count < limit;
        if is_free {
            calls.push_back(now_ms);
        }
        let current = allowance(calls, limit, now_ms);
        let usage = state.usage.entry(limited).or_default();
        if is_free {
            usage.accepted = usage.accepted.saturating_add(1);
            Ok(current)
        } else {
            usage.refused = usage.refused.saturating_add(1);
            Err(current)
        }
    }

    /// Returns a user's remaining allowance without making a call.
    pub(crate) fn left(&self, limited: LimitedRoute, user: &str) -> Allowance {
        let limit = self.limit(limited);
        let mut state = self.lock();
        let now_ms = state.now_ms;
        match state.calls.get_mut(&(limited, user.to_owned())) {
            Some(calls) => {
                drop_old(calls, now_ms);
                allowance(calls, limit, now_ms)
            }
            None => Allowance { limit, remaining: limit, reset_ms: 0 },
        }
    }

    /// Returns the counts of calls to a route since the statistics were cleared.
    pub(crate) fn usage(&self, limited: LimitedRoute) -> Usage {
        self.lock().usage.get(&limited).copied().unwrap_or_default()
    }

    /// Clears the statistics. Calls of the last minute still count towards limits.
    pub(crate) fn clear_usage(&self) {
        self.lock().usage.clear();
    }

    fn limit(&self, limited: LimitedRoute) -> u32 {
        let own = self.limits.iter().find(|(route, _)| *route == limited);
        own.map_or(1, |(_, limit)| *limit)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.now_ms = state.now_ms.max(self.clock.steady_ms());
        let now_ms = state.now_ms;
        if now_ms.saturating_sub(state.swept_ms) >= WINDOW_MS {
            state.swept_ms = now_ms;
            state.calls.retain(|_, calls| {
                drop_old(calls, now_ms);
                !calls.is_empty()
            });
        }
        state
    }
}

fn drop_old(calls: &mut VecDeque<i64>, now_ms: i64) {
    while calls.front().is_some_and(|at_ms| now_ms.saturating_sub(*at_ms) >= WINDOW_MS) {
        calls.pop_front();
    }
}

fn allowance(calls: &VecDeque<i64>, limit: u32, now_ms: i64) -> Allowance {
    let count = u32::try_from(calls.len()).unwrap_or(u32::MAX);
    let oldest_ms = calls.front().copied();
    Allowance {
        limit,
        remaining: limit.saturating_sub(count),
        reset_ms: oldest_ms
            .map_or(0, |at_ms| at_ms.saturating_add(WINDOW_MS).saturating_sub(now_ms)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clock::Timestamp;

    const LIMIT: u32 = 5;

    fn windows() -> (UserLimits, Clock) {
        let clock = Clock::fixed(Timestamp::from_millis(1_795_262_400_000));
        let limits = LimitedRoute::ALL.map(|limited| (limited, LIMIT));
        (UserLimits { clock: clock.clone(), limits, state: Mutex::default() }, clock)
    }

    #[test]
    fn a_refused_call_counts_for_nothing_and_time_gives_calls_back() {
        let (windows, clock) = windows();
        for left in (0..LIMIT).rev() {
            assert_eq!(windows.take(LimitedRoute::Batches, "a").expect("a call").remaining, left);
            clock.advance(1_000);
        }
        let refused = windows.take(LimitedRoute::Batches, "a").expect_err("a refusal");
        assert_eq!((refused.limit, refused.remaining, refused.reset_ms), (LIMIT, 0, 55_000));
        assert!(windows.take(LimitedRoute::Batches, "b").is_ok());
        assert!(windows.take(LimitedRoute::Values, "a").is_ok());
        clock.advance(54_999);
        assert!(windows.take(LimitedRoute::Batches, "a").is_err());
        clock.advance(1);
        assert!(windows.take(LimitedRoute::Batches, "a").is_ok());
        assert!(windows.take(LimitedRoute::Batches, "a").is_err());
    }

    #[test]
    fn clearing_the_figures_gives_no_calls_back() {
        let (windows, _clock) = windows();
        for _ in 0..=LIMIT {
            let _taken = windows.take(LimitedRoute::Values, "a");
        }
        assert_eq!(windows.usage(LimitedRoute::Values), Usage { accepted: 5, refused: 1 });
        windows.clear_usage();
        assert_eq!(windows.usage(LimitedRoute::Values), Usage::default());
        assert!(windows.take(LimitedRoute::Values, "a").is_err());
    }

    #[test]
    fn sixteen_threads_get_no_more_than_one() {
        let (windows, _clock) = windows();
        let accepted: usize = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..16)
                .map(|_| {
                    scope.spawn(|| {
                        (0..10).filter(|_| windows.take(LimitedRoute::Batches, "a").is_ok()).count()
                    })
                })
                .collect();
            calls.into_iter().map(|call| call.join().expect("a thread")).sum()
        });
        assert_eq!(accepted, 5);
    }

    proptest! {
        #[test]
        fn no_minute_has_more_calls_than_the_limit(pauses in prop::collection::vec(0_i64..30_000, 1..200)) {
            let (windows, clock) = windows();
            let mut accepted: Vec<i64> = Vec::new();
            for pause in pauses {
                clock.advance(pause);
                if windows.take(LimitedRoute::Values, "a").is_ok() {
                    accepted.push(clock.now().as_millis());
                }
            }
            for (index, first) in accepted.iter().enumerate() {
                let within = accepted.iter().skip(index).take_while(|at| at.saturating_sub(*first) < WINDOW_MS).count();
                prop_assert!(within <= 5);
            }
        }
    }
}
