//! Resolved periods.

use jiff::Timestamp;

/// A resolved period, half-open: it contains `start` but not `end`.
///
/// `as_of` is how far the period has elapsed: rows at or after it do not count yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Period {
    /// The first instant; `Timestamp::MIN` if the period has no beginning.
    pub start: Timestamp,
    /// The end, exclusive; `Timestamp::MAX` if the period has no end.
    pub end: Timestamp,
    /// The end, or the present if it is earlier. Never after `end`, never before `start`.
    pub as_of: Timestamp,
}

impl Period {
    /// All of time.
    pub const ALWAYS: Self =
        Self { start: Timestamp::MIN, end: Timestamp::MAX, as_of: Timestamp::MAX };

    /// Creates a fully elapsed period; an end before the start is moved to the start.
    pub fn new(start: Timestamp, end: Timestamp) -> Self {
        let end = end.max(start);
        Self { start, end, as_of: end }
    }

    /// Returns the same period as known at `now`.
    #[must_use]
    pub fn seen_at(self, now: Timestamp) -> Self {
        Self { as_of: self.end.min(now).max(self.start), ..self }
    }

    /// Returns whether the period is all of time.
    pub fn is_always(self) -> bool {
        self.start == Self::ALWAYS.start && self.end == Self::ALWAYS.end
    }

    /// Returns whether part of the period is in the future.
    pub fn is_partial(self) -> bool {
        self.as_of < self.end
    }

    /// Returns whether the instant lies in the elapsed part of the period.
    pub fn holds(self, at: Timestamp) -> bool {
        self.start <= at && at < self.as_of
    }
}
