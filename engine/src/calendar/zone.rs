//! Conversion between instants and the days and wall clocks of the calendar's zone.
//!
//! A day lasts from its first instant to the first instant of the next, so days never overlap,
//! even if the clocks change at midnight.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::AmbiguousOffset;

use super::Calendar;
use super::days::date_of_number;
use super::open_end::open_end;

pub(super) const NANOSECONDS_PER_SECOND: i128 = 1_000_000_000;

impl Calendar {
    /// Returns the day that contains an instant.
    ///
    /// It is the date on the wall clock, except when clocks go back across midnight: the repeated
    /// hour belongs to the day that had already begun.
    pub fn date_of(&self, at: Timestamp) -> Date {
        let wall = self.wall_clock(at);
        // In every zone, clocks that go back across midnight show the afternoon or later (a test
        // checks this), so a time in the morning needs no second look-up.
        if wall.hour() < 12 {
            return wall.date();
        }
        let begun = |next: &Date| self.start_of_day(*next).is_some_and(|start| start <= at);
        wall.date().tomorrow().ok().filter(begun).unwrap_or(wall.date())
    }

    /// Returns the clock time at an instant.
    pub fn wall_clock(&self, at: Timestamp) -> DateTime {
        self.zone().to_datetime(at)
    }

    /// Returns the instant of a clock time: the first of two, and in a gap as much later as the
    /// time lies in the gap. `None` outside the range of instants.
    pub fn instant_of(&self, wall: DateTime) -> Option<Timestamp> {
        self.zone().to_ambiguous_timestamp(wall).compatible().ok()
    }

    /// Parses an instant with its offset, or a day or a time of this zone; with `after`, a day stands for its
    /// end.
    pub(crate) fn read_instant(&self, text: &str, after: bool) -> Option<Timestamp> {
        if let Some(instant) = text.parse().ok().or_else(|| open_end(text)) {
            return Some(instant);
        }
        if let Ok(date) = text.parse::<Date>()
            && text.len() <= 10
        {
            let date = if after { date.tomorrow().ok()? } else { date };
            return self.start_of_day(date);
        }
        self.instant_of(text.parse().ok()?)
    }

    /// Returns the first instant of a day: midnight, or the instant at which clocks skip midnight.
    /// `None` outside the range of instants.
    pub fn start_of_day(&self, date: Date) -> Option<Timestamp> {
        let midnight = date.at(0, 0, 0, 0);
        let ambiguous = self.zone().to_ambiguous_timestamp(midnight);
        match ambiguous.offset() {
            AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Fold { .. } => {
                ambiguous.compatible().ok()
            }
            AmbiguousOffset::Gap { before, after } => self.first_change(
                after.to_timestamp(midnight).ok()?,
                before.to_timestamp(midnight).ok()?,
            ),
        }
    }

    /// Returns the first instant of the day with this number.
    pub(crate) fn start_of_numbered_day(&self, number: i64) -> Option<Timestamp> {
        self.start_of_day(date_of_number(number)?)
    }

    /// Returns whether a day begins at this instant.
    pub(super) fn is_start_of_day(&self, at: Timestamp) -> bool {
        self.start_of_day(self.date_of(at)) == Some(at)
    }

    /// Returns the first whole second in (low, high] at which the zone's offset differs from that
    /// at `low`; `high` if there is none. At most one change may lie between them.
    pub(super) fn first_change(&self, low: Timestamp, high: Timestamp) -> Option<Timestamp> {
        let offset = self.zone().to_offset(low);
        let (mut same, mut other) = (floor_second(low), floor_second(high));
        while same.checked_add(1)? < other {
            let middle = same.midpoint(other);
            if self.zone().to_offset(Timestamp::from_second(middle).ok()?) == offset {
                same = middle;
            } else {
                other = middle;
            }
        }
        Timestamp::from_second(other).ok()
    }
}

/// Returns the whole seconds of an instant, rounded down.
pub(super) fn floor_second(at: Timestamp) -> i64 {
    if at.subsec_nanosecond() < 0 { at.as_second().saturating_sub(1) } else { at.as_second() }
}

pub(super) fn later(at: Timestamp, nanoseconds: i128) -> Option<Timestamp> {
    Timestamp::from_nanosecond(at.as_nanosecond().checked_add(nanoseconds)?).ok()
}
