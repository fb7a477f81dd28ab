//! Errors of calendar settings and requests.

use super::TimeUnit;

/// An error of a calendar's settings or of a request to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalendarError {
    /// The zone is not in the IANA database.
    #[error("unknown time zone `{name}`")]
    UnknownZone {
        /// The name as given.
        name: String,
    },
    /// Months are counted from 1 to 12.
    #[error("there is no month {month}")]
    NoSuchMonth {
        /// The number as given.
        month: i8,
    },
    /// The range holds more units than the limit.
    #[error("the period holds more than {limit} {}s", unit.name())]
    TooManyBuckets {
        /// The requested unit.
        unit: TimeUnit,
        /// The limit.
        limit: usize,
    },
}
