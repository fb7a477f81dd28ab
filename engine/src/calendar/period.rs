//! Resolved periods.

use jiff::Timestamp;

/// A resolved period, half-open: it contains `start` but not `end`.
///
/// `as_of` is how far the period is known: rows at or after it do not count yet. It may lie before
/// `start`: then the period has not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Period {
    /// The first instant; `Timestamp::MIN` if the period has no beginning.
    pub start: Timestamp,
    /// The end, exclusive; `Timestamp::MAX` if the period has no end.
    pub end: Timestamp,
    /// The end, or the instant up to which rows are known if that is earlier. Never after `end`.
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

    /// Returns the same period, known only up to an instant.
    #[must_use]
    pub fn seen_at(self, known_until: Timestamp) -> Self {
        Self { as_of: self.as_of.min(known_until), ..self }
    }

    /// Returns whether none of the period has elapsed. An empty period has.
    pub fn is_unbegun(self) -> bool {
        self.as_of <= self.start && self.start < self.end
    }

    /// Returns whether the period is all of time.
    pub fn is_always(self) -> bool {
        self.start == Self::ALWAYS.start && self.end == Self::ALWAYS.end
    }

    /// Returns whether part of the period is not known yet.
    pub fn is_partial(self) -> bool {
        self.as_of < self.end
    }

    /// Returns whether the instant lies in the elapsed part of the period.
    pub fn holds(self, at: Timestamp) -> bool {
        self.start <= at && at < self.as_of
    }
}
