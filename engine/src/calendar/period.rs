//! A resolved stretch of time.

use jiff::Timestamp;

/// A resolved stretch of time, half-open: `start` is in it, `end` is not.
///
/// `as_of` is how far it has elapsed: rows at or after it do not count yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Period {
    /// The first instant; `Timestamp::MIN` where the period has no beginning.
    pub start: Timestamp,
    /// One past the last instant; `Timestamp::MAX` where it has no end.
    pub end: Timestamp,
    /// The end, or the present if that comes first. Never after `end`, never before `start`.
    pub as_of: Timestamp,
}

impl Period {
    /// All of time.
    pub const ALWAYS: Self =
        Self { start: Timestamp::MIN, end: Timestamp::MAX, as_of: Timestamp::MAX };

    /// A period that has elapsed in full; an end before the start is moved to it.
    pub fn new(start: Timestamp, end: Timestamp) -> Self {
        let end = end.max(start);
        Self { start, end, as_of: end }
    }

    /// The same period as known at `now`.
    #[must_use]
    pub fn seen_at(self, now: Timestamp) -> Self {
        Self { as_of: self.end.min(now).max(self.start), ..self }
    }

    /// Whether part of it is still to come.
    pub fn is_partial(self) -> bool {
        self.as_of < self.end
    }

    /// Whether the instant lies in it and has been reached.
    pub fn holds(self, at: Timestamp) -> bool {
        self.start <= at && at < self.as_of
    }
}
