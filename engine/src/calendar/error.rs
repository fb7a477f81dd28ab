//! What can be wrong with a calendar's settings or a request to it.

use super::TimeUnit;

/// What can be wrong with a calendar's settings or a request to it.
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
    /// The range holds more units than the caller wants to see.
    #[error("the period holds more than {limit} {}s", unit.name())]
    TooManyBuckets {
        /// The unit it was to be cut into.
        unit: TimeUnit,
        /// How many were allowed.
        limit: usize,
    },
}
