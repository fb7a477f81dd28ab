//! Token buckets and counters: how often callers may do what.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::counts::Counts;
use super::token_bucket::{Allowance, Quota, TokenBucket};
use crate::clock::Clock;
use crate::config::LimitSettings;
use crate::http::HttpError;

/// A class of requests with its own buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bucket {
    Login,
    /// Formula checks.
    Validate,
    /// Formula checks of the catalog.
    CatalogValidate,
    /// Queries of metrics.
    Values,
    /// Snapshots of metrics.
    Snapshots,
    /// Batches of metrics.
    Batches,
    /// Other admin requests.
    Admin,
    /// Requests that a page makes for its viewer.
    Page,
    /// Formula checks while somebody types on a page.
    Typing,
    /// Incoming webhooks, by receiver and address.
    Webhook,
    /// Sessions of flows started by pages.
    FlowBegin,
    /// Button presses in flows.
    FlowPress,
    FlowRead,
    Conversion,
    /// Lookups of memberships, by address.
    Membership,
    /// Requests of the store, and all others.
    Store,
}

impl Bucket {
    fn quota(self, limits: &LimitSettings) -> Quota {
        let per_minute = match self {
            Self::Login => limits.login_per_minute,
            Self::Validate => limits.validate_per_minute,
            Self::CatalogValidate => limits.catalog_validate_per_minute,
            Self::Values => limits.metrics_per_minute,
            Self::Snapshots => limits.snapshots_per_minute,
            Self::Batches => limits.batches_per_minute,
            Self::Admin => limits.admin_per_minute,
            Self::Page => limits.admin_per_minute.saturating_mul(PAGE_REQUESTS),
            Self::Typing => return Quota { tokens: TYPING_PER_SECOND, fill_ms: SECOND_MS },
            Self::Webhook => limits.webhooks_per_minute,
            Self::FlowBegin => limits.flow_begins_per_minute,
            Self::FlowPress => limits.flow_presses_per_minute,
            Self::FlowRead => limits.flow_reads_per_minute,
            Self::Conversion => limits.conversions_per_minute,
            Self::Membership => MEMBERSHIPS_PER_MINUTE,
            Self::Store => limits.store_per_minute,
        };
        Quota { tokens: per_minute.max(1), fill_ms: MINUTE_MS }
    }
}

/// Counts of the requests of a class since they were cleared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub accepted: u64,
    pub refused: u64,
}

#[derive(Debug)]
pub struct RateLimits {
    clock: Clock,
    limits: LimitSettings,
    buckets: Mutex<Buckets>,
    failures: Counts,
    wrong_codes: Counts,
    refused_cards: Counts,
    exports: Counts,
}

#[derive(Debug, Default)]
struct Buckets {
    /// Those that are not full, and some that are.
    by_key: BTreeMap<(Bucket, String), TokenBucket>,
    usage: BTreeMap<Bucket, Usage>,
    /// When full buckets were last removed.
    swept_ms: u64,
}

impl RateLimits {
    /// Creates full buckets.
    pub fn new(clock: Clock, limits: LimitSettings) -> Self {
        Self {
            clock,
            limits,
            buckets: Mutex::default(),
            failures: Counts::within(MINUTE),
            wrong_codes: Counts::within(HOUR),
            refused_cards: Counts::within(HOUR),
            exports: Counts::within(HOUR),
        }
    }

    /// Returns whether an account is under attack: its failures from all addresses are ten times the limit of one address.
    pub fn is_attacked(&self, account: &str) -> bool {
        self.failures.count(account) >= self.max_failures().saturating_mul(ATTACK_FACTOR)
    }

    /// Returns the limit of failures per account, address and minute.
    pub fn max_failures(&self) -> u32 {
        self.limits.login_per_minute
    }

    /// Counts a log-in as failed until it succeeds, so that concurrent attempts are counted.
    ///
    /// # Errors
    /// 429 if the account has had `max_failures` failures from this address within a minute; the log-in is then not
    /// counted.
    pub fn begin_login(
        &self,
        (account, address): (&str, IpAddr),
        max_failures: u32,
    ) -> Result<(), HttpError> {
        self.failures.admit(&format!("{account} {address}"), max_failures)?;
        self.failures.admit(account, u32::MAX)
    }

    /// Removes the failure of a log-in that has succeeded.
    pub fn remove_failure(&self, account: &str, address: IpAddr) {
        self.failures.remove(&format!("{account} {address}"));
        self.failures.remove(account);
    }

    /// Counts a customer's code as wrong until it is accepted.
    ///
    /// # Errors
    /// 429 if five codes were wrong within an hour; the code is then not counted.
    pub fn begin_claim(&self, customer: &str) -> Result<(), HttpError> {
        self.wrong_codes.admit(customer, MAX_WRONG_CODES)
    }

    /// Reverts the count of a claim that was not rejected because of its code.
    pub fn end_claim(&self, customer: &str) {
        self.wrong_codes.remove(customer);
    }

    /// Counts a card used from an address as refused until it is accepted.
    ///
    /// # Errors
    /// 429 if ten cards were refused within an hour; the card is then not counted.
    pub fn begin_card(&self, address: IpAddr) -> Result<(), HttpError> {
        self.refused_cards.admit(&address.to_string(), MAX_REFUSED_CARDS)
    }

    /// Reverts the count of a payment whose card was not refused.
    pub fn end_card(&self, address: IpAddr) {
        self.refused_cards.remove(&address.to_string());
    }

    /// Counts an export of all data about a customer, which reads whole tables.
    ///
    /// # Errors
    /// 429 after five exports of the customer, or twenty from the address, within an hour.
    pub fn begin_export(&self, customer: &str, address: IpAddr) -> Result<(), HttpError> {
        self.exports.admit(customer, MAX_EXPORTS)?;
        self.exports
            .admit(&address.to_string(), MAX_ADDRESS_EXPORTS)
            .inspect_err(|_reached| self.exports.remove(customer))
    }

    /// Takes a token from the bucket of `key`: a user's id or an address.
    ///
    /// # Errors
    /// 429 with the seconds to wait if it is empty; then nothing is taken.
    pub fn check(&self, bucket: Bucket, key: &str) -> Result<Allowance, HttpError> {
        self.take(bucket, key).map_err(Allowance::refusal)
    }

    fn take(&self, bucket: Bucket, key: &str) -> Result<Allowance, Allowance> {
        let (mut buckets, now_ms) = self.buckets();
        let of_key = buckets.by_key.entry((bucket, key.to_owned())).or_default();
        let taken = of_key.take(bucket.quota(&self.limits), now_ms);
        let usage = buckets.usage.entry(bucket).or_default();
        let count = if taken.is_ok() { &mut usage.accepted } else { &mut usage.refused };
        *count = count.saturating_add(1);
        taken
    }

    /// Returns what is left in the bucket of `key`, without taking a token.
    pub fn left(&self, bucket: Bucket, key: &str) -> Allowance {
        let (buckets, now_ms) = self.buckets();
        let of_key = buckets.by_key.get(&(bucket, key.to_owned())).copied();
        of_key.unwrap_or_default().allowance(bucket.quota(&self.limits), now_ms)
    }

    /// Returns the counts of the requests of a class since they were cleared.
    pub fn usage(&self, bucket: Bucket) -> Usage {
        self.buckets().0.usage.get(&bucket).copied().unwrap_or_default()
    }

    /// Clears the counts of all classes, without refilling any bucket.
    pub fn clear_usage(&self) {
        self.buckets().0.usage.clear();
    }

    /// Returns the buckets and the time, after removing full buckets once a minute, in which every bucket fills.
    fn buckets(&self) -> (MutexGuard<'_, Buckets>, u64) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let now_ms = u64::try_from(self.clock.steady_ms()).unwrap_or(0);
        if now_ms.saturating_sub(buckets.swept_ms) >= MINUTE_MS {
            buckets.swept_ms = now_ms;
            buckets.by_key.retain(|(bucket, _key), state| {
                state.missing(bucket.quota(&self.limits), now_ms) > 0
            });
        }
        (buckets, now_ms)
    }
}

/// The maximum number of API requests per page, so that a person can open as many pages as a program can send requests.
const PAGE_REQUESTS: u32 = 10;

/// Limit: formula checks per second and person while typing.
const TYPING_PER_SECOND: u32 = 10;

/// The number of failures from all addresses that count as an attack, as a multiple of the limit per address.
const ATTACK_FACTOR: u32 = 10;

/// Limit: lookups of memberships within a minute, from one address.
const MEMBERSHIPS_PER_MINUTE: u32 = 30;

/// Limit: wrong codes of one customer within an hour.
const MAX_WRONG_CODES: u32 = 5;

/// Limit: refused cards from one address within an hour.
const MAX_REFUSED_CARDS: u32 = 10;

/// Limit: exports of a customer within an hour.
const MAX_EXPORTS: u32 = 5;

/// Limit: exports from an address within an hour.
const MAX_ADDRESS_EXPORTS: u32 = 20;

const HOUR: Duration = Duration::from_hours(1);
const MINUTE: Duration = Duration::from_mins(1);
const MINUTE_MS: u64 = 60_000;
const SECOND_MS: u64 = 1_000;

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "the numbers of a test are small")]
mod tests {
    use clap::Parser;
    use proptest::prelude::*;

    use super::*;
    use crate::clock::Timestamp;
    use crate::config::CommandLine;

    const LIMIT: u32 = 5;

    /// Returns rates with `limit` values, and `LIMIT` batches, per minute.
    fn rates(limit: u32) -> (RateLimits, Clock) {
        let settings = CommandLine::parse_from(["quotient-server"]).settings;
        let clock = Clock::fixed(Timestamp::from_millis(1_795_262_400_000));
        let limits = LimitSettings {
            metrics_per_minute: limit,
            batches_per_minute: LIMIT,
            ..settings.limits
        };
        (RateLimits::new(clock.clone(), limits), clock)
    }

    #[test]
    fn a_refused_call_takes_nothing_and_tokens_come_back_one_by_one() {
        let (rates, clock) = rates(LIMIT);
        for left in (0..LIMIT).rev() {
            assert_eq!(rates.take(Bucket::Batches, "a").expect("a call").remaining, left);
            clock.advance(1_000);
        }
        let refused = rates.take(Bucket::Batches, "a").expect_err("a refusal");
        assert_eq!(refused, Allowance { limit: LIMIT, remaining: 0, next_ms: 7_000 });
        assert!(rates.take(Bucket::Batches, "b").is_ok());
        assert!(rates.take(Bucket::Values, "a").is_ok());
        clock.advance(6_999);
        assert!(rates.take(Bucket::Batches, "a").is_err());
        clock.advance(1);
        assert!(rates.take(Bucket::Batches, "a").is_ok());
        assert!(rates.take(Bucket::Batches, "a").is_err());
        clock.advance(24_000);
        assert_eq!(rates.left(Bucket::Batches, "a").remaining, 2);
        clock.advance(60_000);
        let full = Allowance { limit: LIMIT, remaining: LIMIT, next_ms: 0 };
        assert_eq!(rates.left(Bucket::Batches, "a"), full);
        assert_eq!(rates.buckets().0.by_key.len(), 0);
    }

    #[test]
    fn clearing_the_figures_gives_no_calls_back() {
        let (rates, _clock) = rates(LIMIT);
        for _ in 0..=LIMIT {
            let _taken = rates.take(Bucket::Values, "a");
        }
        assert_eq!(rates.usage(Bucket::Values), Usage { accepted: 5, refused: 1 });
        rates.clear_usage();
        assert_eq!(rates.usage(Bucket::Values), Usage::default());
        assert!(rates.take(Bucket::Values, "a").is_err());
    }

    #[test]
    fn sixteen_threads_get_no_more_than_one() {
        let (rates, _clock) = rates(LIMIT);
        let accepted: usize = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..16)
                .map(|_| {
                    scope.spawn(|| {
                        (0..10).filter(|_| rates.take(Bucket::Batches, "a").is_ok()).count()
                    })
                })
                .collect();
            calls.into_iter().map(|call| call.join().expect("a thread")).sum()
        });
        assert_eq!(accepted, 5);
    }

    #[test]
    fn a_page_s_typing_is_limited_by_the_second() {
        let (rates, clock) = rates(LIMIT);
        let admitted = || (0..100).filter(|_| rates.take(Bucket::Typing, "a").is_ok()).count();
        assert_eq!(admitted(), 10);
        clock.advance(500);
        assert_eq!(admitted(), 5);
    }

    proptest! {
        #[test]
        fn no_span_has_more_calls_than_the_limit_and_its_refunds(
            limit in 1_u32..100,
            pauses in prop::collection::vec(0_i64..30_000, 1..200),
        ) {
            let (rates, clock) = rates(limit);
            let mut accepted: Vec<i64> = Vec::new();
            for pause in pauses {
                clock.advance(pause);
                let before = rates.left(Bucket::Values, "a");
                let taken = rates.take(Bucket::Values, "a");
                prop_assert_eq!(taken.is_ok(), before.remaining > 0);
                if let Err(refused) = taken {
                    clock.advance(i64::try_from(refused.next_ms)? - 1);
                    prop_assert!(rates.take(Bucket::Values, "a").is_err());
                    clock.advance(1);
                    prop_assert!(rates.take(Bucket::Values, "a").is_ok());
                }
                accepted.push(clock.now().as_millis());
            }
            for (index, first) in accepted.iter().enumerate() {
                for (count, at) in (1_i64..).zip(accepted.iter().skip(index)) {
                    let given = i64::from(limit) * (60_000 + at - first);
                    prop_assert!(count * 60_000 <= given, "{count} in {} ms", at - first);
                }
            }
        }
    }

    #[test]
    fn an_export_that_the_address_is_refused_does_not_count_for_the_customer() {
        let (rates, _clock) = rates(LIMIT);
        let (crowded, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        for number in 0..MAX_ADDRESS_EXPORTS {
            rates.begin_export(&format!("cus_{number}"), crowded).unwrap();
        }

        for _ in 0..MAX_EXPORTS {
            rates.begin_export("cus_a", crowded).unwrap_err();
        }

        rates.begin_export("cus_a", other).unwrap();
    }

    #[test]
    fn parallel_guesses_are_all_counted() {
        let (rates, _clock) = rates(LIMIT);
        let address = IpAddr::from([192, 0, 2, 1]);
        let admitted = std::thread::scope(|scope| {
            let guess = || rates.begin_login(("user a@example.com", address), 10).is_ok();
            let guesses: Vec<_> = (0..64).map(|_| scope.spawn(guess)).collect();
            guesses
                .into_iter()
                .filter_map(|guess| guess.join().ok())
                .filter(|is_admitted| *is_admitted)
                .count()
        });
        assert_eq!(admitted, 10);

        rates.remove_failure("user a@example.com", address);
        assert!(rates.begin_login(("user a@example.com", address), 10).is_ok());
        assert!(rates.begin_login(("user a@example.com", address), 10).is_err());
    }
}
