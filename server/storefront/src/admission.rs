//! How often a visitor may write: counts per customer, cart or address, within an hour and a day.

use std::time::Duration;

use crate::http::HttpError;
use crate::middleware::Counts;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// How often a visitor may do something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota {
    /// The action, such as `review`.
    pub(crate) what: &'static str,
    pub(crate) per_hour: u32,
    /// None for no limit per day.
    pub(crate) per_day: Option<u32>,
}

/// The counts of all visitors. A count begins with the first action and ends an hour or a day later. Cheap to
/// clone.
#[derive(Debug, Clone)]
pub(crate) struct Admission {
    hours: Counts,
    days: Counts,
}

impl Default for Admission {
    fn default() -> Self {
        Self { hours: Counts::within(HOUR), days: Counts::within(DAY) }
    }
}

impl Admission {
    /// Counts an action.
    ///
    /// # Errors
    /// 429 if a limit is reached; the action is then not counted.
    pub(crate) fn admit(&self, quota: Quota, visitor: &str) -> Result<(), HttpError> {
        let key = format!("{} {visitor}", quota.what);
        self.days.admit(&key, quota.per_day.unwrap_or(u32::MAX))?;
        self.hours.admit(&key, quota.per_hour).inspect_err(|_reached| self.days.remove(&key))
    }

    /// Reverts the count of a request that was rejected afterwards.
    pub(crate) fn take_back(&self, quota: Quota, visitor: &str) {
        let key = format!("{} {visitor}", quota.what);
        self.hours.remove(&key);
        self.days.remove(&key);
    }
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

        let admission = Admission { hours: Counts::within(HOUR), ..admission };
        let tries: Vec<bool> = (0..3).map(|_| admission.admit(quota, "a").is_ok()).collect();
        assert_eq!(tries, [true, false, false], "three of the first hour were counted in the day");
    }
}
