//! Time zones written by hand: offsets and the instants at which they change, from the rules of
//! each zone.
//!
//! Instants are seconds since 1970 in UTC, days are numbers from 1970-01-01. Only 2020 to 2027 are correct:
//! the rows are in the last of these years, and some windows before it.

use jiff::civil::{Date, Weekday};

/// Seconds from 1970-01-01T00:00:00Z.
pub(crate) type Instant = i64;

/// Days from 1970-01-01.
pub(crate) type Day = i64;

pub(crate) const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

const EPOCH: Date = jiff::civil::date(1970, 1, 1);

/// The number of a date.
pub(crate) fn day_number(date: Date) -> Day {
    i64::from((date - EPOCH).get_days())
}

/// The date with this number.
pub(crate) fn date(day: Day) -> Date {
    EPOCH + jiff::Span::new().days(day)
}

/// Zones whose clocks change by an hour, by half an hour or not at all, and two whose days may begin at 01:00.
pub(crate) const ZONES: [&str; 7] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Havana",
    "Africa/Cairo",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
];

/// The offsets of a zone.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    /// Seconds east of UTC outside of summer time.
    standard: i64,
    /// An instant and the offset from then on, in order.
    changes: Vec<(Instant, i64)>,
}

/// The nth Sunday of a month, from its end if `nth` is negative.
fn weekday(year: i16, month: i8, nth: i8, weekday: Weekday) -> Day {
    let first = jiff::civil::date(year, month, 1);
    day_number(first.nth_weekday_of_month(nth, weekday).expect("it occurs"))
}

impl Clock {
    pub(crate) fn of(zone: &str) -> Self {
        let minutes = match zone {
            "Europe/Berlin" => 60,
            "America/New_York" | "America/Havana" => -300,
            "Africa/Cairo" => 120,
            "Asia/Kolkata" => 330,
            "Australia/Lord_Howe" => 630,
            _ => 0,
        };
        let standard = minutes * 60;
        let years = 2020..=2027_i16;
        let changes = years.flat_map(|year| summer(zone, year, standard)).collect();
        Self { standard, changes }
    }

    fn offset(&self, at: Instant) -> i64 {
        let past = self.changes.iter().rev().find(|(from, _)| *from <= at);
        past.map_or(self.standard, |(_, offset)| *offset)
    }

    /// The local time: the day and the second of the day.
    pub(crate) fn shows(&self, at: Instant) -> (Day, i64) {
        let wall = at + self.offset(at);
        (wall.div_euclid(DAY), wall.rem_euclid(DAY))
    }

    pub(crate) fn day(&self, at: Instant) -> Day {
        self.shows(at).0
    }

    /// The first instant with a local time; a skipped time is as much later as the clock skips.
    pub(crate) fn at(&self, day: Day, second: i64) -> Instant {
        let wall = day * DAY + second;
        let offsets = self.changes.iter().map(|(_, offset)| *offset).chain([self.standard]);
        let shown =
            offsets.map(|offset| wall - offset).filter(|at| self.shows(*at) == (day, second));
        shown.min().unwrap_or(wall - self.standard)
    }

    /// The first instant of a day.
    pub(crate) fn midnight(&self, day: Day) -> Instant {
        self.at(day, 0)
    }

    pub(crate) fn is_midnight(&self, at: Instant) -> bool {
        self.midnight(self.day(at)) == at
    }
}

/// The beginning and the end of the summer time of a year in a zone.
fn summer(zone: &str, year: i16, standard: i64) -> Vec<(Instant, i64)> {
    // An instant by the clock of an offset.
    let by = |day: Day, second: i64, offset: i64| day * DAY + second - offset;
    let (saved, begins, ends) = match zone {
        "Europe/Berlin" => (
            HOUR,
            by(weekday(year, 3, -1, Weekday::Sunday), HOUR, 0),
            by(weekday(year, 10, -1, Weekday::Sunday), HOUR, 0),
        ),
        "America/New_York" => (
            HOUR,
            by(weekday(year, 3, 2, Weekday::Sunday), 2 * HOUR, standard),
            by(weekday(year, 11, 1, Weekday::Sunday), HOUR, standard),
        ),
        "America/Havana" => (
            HOUR,
            by(weekday(year, 3, 2, Weekday::Sunday), 0, standard),
            by(weekday(year, 11, 1, Weekday::Sunday), 0, standard),
        ),
        "Africa/Cairo" if year < 2023 => return Vec::new(),
        "Africa/Cairo" => (
            HOUR,
            by(weekday(year, 4, -1, Weekday::Friday), 0, standard),
            by(weekday(year, 10, -1, Weekday::Thursday) + 1, -HOUR, standard),
        ),
        "Australia/Lord_Howe" => {
            // In the south, summer begins in one year and ends in the next.
            let saved = HOUR / 2;
            let ends = by(weekday(year, 4, 1, Weekday::Sunday), 2 * HOUR, standard + saved);
            let begins = by(weekday(year, 10, 1, Weekday::Sunday), 2 * HOUR, standard);
            return vec![(ends, standard), (begins, standard + saved)];
        }
        _ => return Vec::new(),
    };
    vec![(begins, standard + saved), (ends, standard)]
}

#[test]
fn the_offsets_are_those_of_the_zones() {
    for zone in ZONES {
        let clock = Clock::of(zone);
        let known = jiff::tz::TimeZone::get(zone).expect("a zone");
        let (first, last) =
            (day_number(jiff::civil::date(2020, 7, 1)), day_number(jiff::civil::date(2027, 6, 1)));
        for at in (first * DAY..last * DAY).step_by(1_800) {
            let instant = jiff::Timestamp::from_second(at).expect("an instant");
            let offset = i64::from(known.to_offset(instant).seconds());
            assert_eq!(clock.offset(at), offset, "{zone} at {instant}");
        }
    }
}
