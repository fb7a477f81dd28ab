//! The rate limits of metric routes: a token bucket per user and route.
//!
//! Invariant: a bucket holds a minute's calls and refills evenly, so within any span a user's admitted calls are at most
//! the limit plus the tokens refilled in the span. Refused calls take no token. Time is read from a monotonic clock.

pub(crate) mod routes;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use routes::{admit, router};

use crate::clock::Clock;
use crate::config::LimitSettings;

/// The time in which an empty bucket fills, in milliseconds.
const FILL_MS: i64 = 60_000;

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

/// What is left of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// The tokens of a full bucket.
    pub limit: u32,
    /// The whole tokens in the bucket.
    pub remaining: u32,
    /// Milliseconds until the next token; 0 if the bucket is full.
    pub(crate) next_ms: i64,
}

/// Counts of calls to a route since the statistics were cleared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub accepted: u64,
    pub refused: u64,
}

/// The buckets of all users.
#[derive(Debug)]
pub(crate) struct UserLimits {
    clock: Clock,
    limits: [(LimitedRoute, u32); 4],
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The buckets that are not full.
    buckets: BTreeMap<(LimitedRoute, String), Bucket>,
    usage: BTreeMap<LimitedRoute, Usage>,
    now_ms: i64,
    /// When full buckets were last removed.
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

    /// Takes a token for a call; without one, the error is the allowance.
    pub(crate) fn take(&self, limited: LimitedRoute, user: &str) -> Result<Allowance, Allowance> {
        let limit = self.limit(limited);
        let mut state = self.lock();
        let now_ms = state.now_ms;
        let bucket = state.buckets.entry((limited, user.to_owned()));
        let bucket = bucket.or_insert_with(|| Bucket::full(limit, now_ms));
        bucket.fill(now_ms);
        let is_taken = bucket.take();
        let left = bucket.allowance();
        let usage = state.usage.entry(limited).or_default();
        if is_taken {
            usage.accepted = usage.accepted.saturating_add(1);
            Ok(left)
        } else {
            usage.refused = usage.refused.saturating_add(1);
            Err(left)
        }
    }

    /// Returns a user's remaining allowance without making a call.
    pub(crate) fn left(&self, limited: LimitedRoute, user: &str) -> Allowance {
        let limit = self.limit(limited);
        let mut state = self.lock();
        let now_ms = state.now_ms;
        let bucket = state.buckets.get_mut(&(limited, user.to_owned()));
        bucket.map_or(Bucket::full(limit, now_ms).allowance(), |bucket| {
            bucket.fill(now_ms);
            bucket.allowance()
        })
    }

    /// Returns the counts of calls to a route since the statistics were cleared.
    pub(crate) fn usage(&self, limited: LimitedRoute) -> Usage {
        self.lock().usage.get(&limited).copied().unwrap_or_default()
    }

    /// Clears the statistics, without refilling any bucket.
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
        if now_ms.saturating_sub(state.swept_ms) >= FILL_MS {
            state.swept_ms = now_ms;
            state.buckets.retain(|_, bucket| {
                bucket.fill(now_ms);
                !bucket.is_full()
            });
        }
        state
    }
}

/// A token bucket. It counts parts of a token, of which every millisecond adds as many as the full bucket has
/// tokens: so a token has as many parts as a minute has milliseconds, and nothing is rounded.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    limit: u32,
    parts: i64,
    filled_ms: i64,
}

/// The parts of a token.
const TOKEN: i64 = FILL_MS;

impl Bucket {
    fn full(limit: u32, now_ms: i64) -> Self {
        Self { limit, parts: capacity(limit), filled_ms: now_ms }
    }

    fn is_full(&self) -> bool {
        self.parts >= capacity(self.limit)
    }

    /// Adds the tokens of the time that has passed.
    fn fill(&mut self, now_ms: i64) {
        let passed_ms = now_ms.saturating_sub(self.filled_ms);
        let added = passed_ms.saturating_mul(i64::from(self.limit));
        self.parts = self.parts.saturating_add(added).min(capacity(self.limit));
        self.filled_ms = now_ms;
    }

    /// Takes a token and returns whether there was one.
    fn take(&mut self) -> bool {
        let is_taken = self.parts >= TOKEN;
        if is_taken {
            self.parts = self.parts.saturating_sub(TOKEN);
        }
        is_taken
    }

    fn allowance(&self) -> Allowance {
        let whole = self.parts.div_euclid(TOKEN);
        let missing = TOKEN.saturating_sub(self.parts.rem_euclid(TOKEN));
        let limit = i64::from(self.limit).max(1);
        Allowance {
            limit: self.limit,
            remaining: u32::try_from(whole).unwrap_or(0),
            next_ms: if self.is_full() {
                0
            } else {
                missing.saturating_add(limit).saturating_sub(1).div_euclid(limit)
            },
        }
    }
}

fn capacity(limit: u32) -> i64 {
    i64::from(limit).saturating_mul(TOKEN)
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "the numbers of a test are small")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clock::Timestamp;

    const LIMIT: u32 = 5;

    fn buckets() -> (UserLimits, Clock) {
        let clock = Clock::fixed(Timestamp::from_millis(1_795_262_400_000));
        let limits = LimitedRoute::ALL.map(|limited| (limited, LIMIT));
        (UserLimits { clock: clock.clone(), limits, state: Mutex::default() }, clock)
    }

    #[test]
    fn a_refused_call_takes_nothing_and_tokens_come_back_one_by_one() {
        let (buckets, clock) = buckets();
        for left in (0..LIMIT).rev() {
            assert_eq!(buckets.take(LimitedRoute::Batches, "a").expect("a call").remaining, left);
            clock.advance(1_000);
        }
        let refused = buckets.take(LimitedRoute::Batches, "a").expect_err("a refusal");
        assert_eq!((refused.limit, refused.remaining, refused.next_ms), (LIMIT, 0, 7_000));
        assert!(buckets.take(LimitedRoute::Batches, "b").is_ok());
        assert!(buckets.take(LimitedRoute::Values, "a").is_ok());
        clock.advance(6_999);
        assert!(buckets.take(LimitedRoute::Batches, "a").is_err());
        clock.advance(1);
        assert!(buckets.take(LimitedRoute::Batches, "a").is_ok());
        assert!(buckets.take(LimitedRoute::Batches, "a").is_err());
        clock.advance(24_000);
        assert_eq!(buckets.left(LimitedRoute::Batches, "a").remaining, 2);
        clock.advance(FILL_MS);
        let full = Allowance { limit: LIMIT, remaining: LIMIT, next_ms: 0 };
        assert_eq!(buckets.left(LimitedRoute::Batches, "a"), full);
        assert_eq!(buckets.lock().buckets.len(), 0);
    }

    #[test]
    fn clearing_the_figures_gives_no_calls_back() {
        let (buckets, _clock) = buckets();
        for _ in 0..=LIMIT {
            let _taken = buckets.take(LimitedRoute::Values, "a");
        }
        assert_eq!(buckets.usage(LimitedRoute::Values), Usage { accepted: 5, refused: 1 });
        buckets.clear_usage();
        assert_eq!(buckets.usage(LimitedRoute::Values), Usage::default());
        assert!(buckets.take(LimitedRoute::Values, "a").is_err());
    }

    #[test]
    fn sixteen_threads_get_no_more_than_one() {
        let (buckets, _clock) = buckets();
        let accepted: usize = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..16)
                .map(|_| {
                    scope.spawn(|| {
                        (0..10).filter(|_| buckets.take(LimitedRoute::Batches, "a").is_ok()).count()
                    })
                })
                .collect();
            calls.into_iter().map(|call| call.join().expect("a thread")).sum()
        });
        assert_eq!(accepted, 5);
    }

    proptest! {
        #[test]
        fn no_span_has_more_calls_than_the_limit_and_its_refunds(
            limit in 1_u32..100,
            pauses in prop::collection::vec(0_i64..30_000, 1..200),
        ) {
            let (mut buckets, clock) = buckets();
            buckets.limits = LimitedRoute::ALL.map(|limited| (limited, limit));
            let mut accepted: Vec<i64> = Vec::new();
            for pause in pauses {
                clock.advance(pause);
                let before = buckets.left(LimitedRoute::Values, "a");
                let taken = buckets.take(LimitedRoute::Values, "a");
                prop_assert_eq!(taken.is_ok(), before.remaining > 0);
                if let Err(refused) = taken {
                    clock.advance(refused.next_ms - 1);
                    prop_assert!(buckets.take(LimitedRoute::Values, "a").is_err());
                    clock.advance(1);
                    prop_assert!(buckets.take(LimitedRoute::Values, "a").is_ok());
                }
                accepted.push(clock.now().as_millis());
            }
            for (index, first) in accepted.iter().enumerate() {
                for (count, at) in (1_i64..).zip(accepted.iter().skip(index)) {
                    let given = i64::from(limit) * (FILL_MS + at - first);
                    prop_assert!(count * FILL_MS <= given, "{count} in {} ms", at - first);
                }
            }
        }
    }
}
