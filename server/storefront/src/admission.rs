//! How often a visitor may write: counts by customer, cart or address, within an hour and a day.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use moka::sync::Cache;

use crate::http::HttpError;

/// Limit: keys in memory; the least used are forgotten first.
const MAX_KEYS: u64 = 100_000;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// How often something may be done by one visitor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota {
    /// What is done, such as `review`.
    pub(crate) what: &'static str,
    pub(crate) per_hour: u32,
    /// None for no limit of its own.
    pub(crate) per_day: Option<u32>,
}

/// The counts of all visitors. Each begins with the first time and ends an hour or a day later. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Admission {
    hours: Counts,
    days: Counts,
}

type Counts = Cache<String, Arc<AtomicU32>>;

impl Default for Admission {
    fn default() -> Self {
        let counts = |window| Cache::builder().max_capacity(MAX_KEYS).time_to_live(window).build();
        Self { hours: counts(HOUR), days: counts(DAY) }
    }
}

impl Admission {
    /// Counts one more time.
    ///
    /// # Errors
    /// 429 if a limit is reached; then it is not counted.
    pub(crate) fn admit(&self, quota: Quota, visitor: &str) -> Result<(), HttpError> {
        let key = format!("{} {visitor}", quota.what);
        let per_day = quota.per_day.unwrap_or(u32::MAX);
        add(&self.days, &key, per_day)
            .map_err(|_reached| HttpError::rate_limited(DAY.as_secs()))?;
        add(&self.hours, &key, quota.per_hour).map_err(|_reached| {
            if let Some(count) = self.days.get(&key) {
                count.fetch_sub(1, Ordering::Relaxed);
            }
            HttpError::rate_limited(HOUR.as_secs())
        })
    }
}

/// The limit is reached.
struct Reached;

fn add(counts: &Counts, key: &str, limit: u32) -> Result<(), Reached> {
    let count = counts.get_with(key.to_owned(), Arc::default);
    let more = |count: u32| count.checked_add(1).filter(|more| *more <= limit);
    let added = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    added.map(drop).map_err(|_at_limit| Reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hour_and_the_day_have_their_limits_and_a_refusal_counts_in_neither() {
        let admission = Admission::default();
        let quota = Quota { what: "review", per_hour: 3, per_day: Some(4) };
        let tries: Vec<bool> = (0..6).map(|_| admission.admit(quota, "a").is_ok()).collect();
        assert_eq!(tries, [true, true, true, false, false, false]);
        assert!(admission.admit(quota, "b").is_ok());
        assert!(admission.admit(Quota { what: "vote", ..quota }, "a").is_ok());

        admission.hours.invalidate_all();
        let tries: Vec<bool> = (0..3).map(|_| admission.admit(quota, "a").is_ok()).collect();
        assert_eq!(tries, [true, false, false], "three of the first hour were counted in the day");
    }
}
