//! Token buckets and counters: how often callers may do what.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use super::counts::Counts;
use crate::config::LimitSettings;
use crate::http::HttpError;

type Limiter =
    RateLimiter<String, HashMapStateStore<String>, DefaultClock, StateInformationMiddleware>;

/// A class of requests with its own buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bucket {
    Login,
    /// Formula checks.
    Validate,
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
    const ALL: [Self; 12] = [
        Self::Login,
        Self::Validate,
        Self::Admin,
        Self::Page,
        Self::Typing,
        Self::Webhook,
        Self::FlowBegin,
        Self::FlowPress,
        Self::FlowRead,
        Self::Conversion,
        Self::Membership,
        Self::Store,
    ];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The capacity of the bucket.
    pub limit: u32,
    /// The remaining tokens.
    pub remaining: u32,
}

impl Allowance {
    /// Returns the headers that report it.
    pub fn headers(self) -> HeaderMap {
        let counts = [(LIMIT, self.limit), (REMAINING, self.remaining)];
        counts.into_iter().map(|(name, count)| (name, HeaderValue::from(count))).collect()
    }
}

#[derive(Debug)]
pub struct RateLimits {
    login: Limiter,
    validate: Limiter,
    admin: Limiter,
    page: Limiter,
    typing: Limiter,
    webhook: Limiter,
    flow_begin: Limiter,
    flow_press: Limiter,
    flow_read: Limiter,
    conversion: Limiter,
    membership: Limiter,
    store: Limiter,
    failures: Counts,
    wrong_codes: Counts,
    refused_cards: Counts,
    exports: Counts,
    max_failures: u32,
    clock: DefaultClock,
}

impl RateLimits {
    /// Creates full buckets.
    pub fn new(limits: &LimitSettings) -> Self {
        Self {
            login: per_minute(limits.login_per_minute),
            validate: per_minute(limits.validate_per_minute),
            admin: per_minute(limits.admin_per_minute),
            page: per_minute(limits.admin_per_minute.saturating_mul(PAGE_REQUESTS)),
            typing: per_second(TYPING_PER_SECOND),
            webhook: per_minute(limits.webhooks_per_minute),
            flow_begin: per_minute(limits.flow_begins_per_minute),
            flow_press: per_minute(limits.flow_presses_per_minute),
            flow_read: per_minute(limits.flow_reads_per_minute),
            conversion: per_minute(limits.conversions_per_minute),
            membership: per_minute(MEMBERSHIPS_PER_MINUTE),
            store: per_minute(limits.store_per_minute),
            failures: Counts::within(MINUTE),
            wrong_codes: Counts::within(HOUR),
            refused_cards: Counts::within(HOUR),
            exports: Counts::within(HOUR),
            max_failures: limits.login_per_minute,
            clock: DefaultClock::default(),
        }
    }

    /// Returns whether an account is under attack: its failures from all addresses are ten times the limit of one address.
    pub fn is_attacked(&self, account: &str) -> bool {
        self.failures.count(account) >= self.max_failures.saturating_mul(ATTACK_FACTOR)
    }

    /// Returns the limit of failures per account, address and minute.
    pub fn max_failures(&self) -> u32 {
        self.max_failures
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
        match self.limiter(bucket).check_key(&key.to_owned()) {
            Ok(left) => Ok(Allowance {
                limit: left.quota().burst_size().get(),
                remaining: left.remaining_burst_capacity(),
            }),
            Err(refused) => {
                let wait = refused.wait_time_from(self.clock.now());
                let wait_s = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).div_ceil(1_000);
                let wait_s = wait_s.max(1);
                let limit = refused.quota().burst_size().get();
                let none_left = Allowance { limit, remaining: 0 };
                let error = HttpError::rate_limited(wait_s)
                    .with_header(RESET, HeaderValue::from(wait_s))
                    .with_header(LIMIT, HeaderValue::from(none_left.limit))
                    .with_header(REMAINING, HeaderValue::from(none_left.remaining));
                Err(error)
            }
        }
    }

    /// Removes full buckets, every minute, forever.
    pub async fn forget_full(&self) {
        loop {
            tokio::time::sleep(MINUTE).await;
            for bucket in Bucket::ALL {
                self.limiter(bucket).retain_recent();
            }
        }
    }

    fn limiter(&self, bucket: Bucket) -> &Limiter {
        match bucket {
            Bucket::Login => &self.login,
            Bucket::Validate => &self.validate,
            Bucket::Admin => &self.admin,
            Bucket::Page => &self.page,
            Bucket::Typing => &self.typing,
            Bucket::Webhook => &self.webhook,
            Bucket::FlowBegin => &self.flow_begin,
            Bucket::FlowPress => &self.flow_press,
            Bucket::FlowRead => &self.flow_read,
            Bucket::Conversion => &self.conversion,
            Bucket::Membership => &self.membership,
            Bucket::Store => &self.store,
        }
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
pub(super) const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
pub(super) const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
pub(super) const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

fn per_minute(count: u32) -> Limiter {
    let quota = Quota::per_minute(NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN));
    RateLimiter::hashmap(quota).with_middleware()
}

fn per_second(count: u32) -> Limiter {
    let quota = Quota::per_second(NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN));
    RateLimiter::hashmap(quota).with_middleware()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::config::CommandLine;

    #[test]
    fn an_export_that_the_address_is_refused_does_not_count_for_the_customer() {
        let settings = CommandLine::parse_from(["quotient-server"]).settings;
        let rates = RateLimits::new(&settings.limits);
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
        let settings = CommandLine::parse_from(["quotient-server"]).settings;
        let rates = RateLimits::new(&settings.limits);
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
