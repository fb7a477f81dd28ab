//! Time: instants in milliseconds, and the only place that reads the system clock.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{KnownFormat, SchemaFormat, Type};

/// A minute, in milliseconds.
pub const MINUTE_MS: i64 = 60 * 1_000;

/// An hour, in milliseconds.
pub const HOUR_MS: i64 = 60 * MINUTE_MS;

/// A day of 24 hours, in milliseconds.
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// The pattern of a calendar day, from year 1000 on.
macro_rules! day_pattern {
    () => {
        concat!(
            "([1-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)",
            "|02-(0[1-9]|1[0-9]|2[0-8]))",
            "|([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)-02-29)",
        )
    };
}

/// The pattern of a calendar day in requests, from year 1000 on.
pub const DAY_PATTERN: &str = concat!("^", day_pattern!(), "$");

/// The pattern of a time of day with its offset from UTC.
macro_rules! time_pattern {
    () => {
        r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
    };
}

/// The pattern of the texts that [`Timestamp`] parses, without anchors: an RFC 3339 instant, or a day.
pub(crate) const INSTANT_OR_DAY: &str = concat!("(", day_pattern!(), "(", time_pattern!(), ")?)");

/// An instant in milliseconds since 1970 in UTC; RFC 3339 with milliseconds and `Z` in JSON, an integer in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates an instant from milliseconds since 1970.
    pub const fn from_millis(at_ms: i64) -> Self {
        Self(at_ms)
    }

    /// Returns the milliseconds since 1970.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the instant `span_ms` later, or the last possible one.
    #[must_use]
    pub const fn plus_ms(self, span_ms: i64) -> Self {
        Self(self.0.saturating_add(span_ms))
    }

    /// Returns the instant `span_ms` earlier, or the first possible one.
    #[must_use]
    pub const fn minus_ms(self, span_ms: i64) -> Self {
        Self(self.0.saturating_sub(span_ms))
    }

    /// Converts to the calendar library's type; instants beyond year 9999 are clipped.
    pub fn to_jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(if self.0 < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        })
    }
}

/// Returns the time zone with an IANA name; none for any other name, and for `Etc/Unknown`, which is not a time zone.
pub fn time_zone(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).ok().filter(|zone| !zone.is_unknown())
}

/// Returns the first instant of a day in a time zone; none if the calendar library lacks it.
pub fn day_start(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    zone.to_zoned(day.at(0, 0, 0, 0)).ok().map(|zoned| zoned.timestamp().into())
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(at: jiff::Timestamp) -> Self {
        Self(at.as_millisecond())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.3}", self.to_jiff())
    }
}

/// A text that is neither an RFC 3339 instant nor a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is not an instant such as 2026-11-21T01:45:22Z, nor a day such as 2026-11-21")]
pub struct TimestampError;

impl FromStr for Timestamp {
    type Err = TimestampError;

    /// Parses RFC 3339 from year 1000 on, and a day as its first instant in UTC.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (day, time) = text.split_at_checked(DAY_LEN).ok_or(TimestampError)?;
        let is_day = has_form(day, "dddd-dd-dd") && !day.starts_with('0');
        let is_instant = time.is_empty() || is_time(time);
        if !is_day || !is_instant {
            return Err(TimestampError);
        }
        let of_time = if time.is_empty() { "T00:00:00Z" } else { time };
        if let Ok(at) = format!("{day}{of_time}").parse::<jiff::Timestamp>() {
            return Ok(at.into());
        }
        // The calendar library lacks the instants of the last hours of year 9999.
        let is_last = matches!(day, "9999-12-30" | "9999-12-31");
        if is_last { Ok(jiff::Timestamp::MAX.into()) } else { Err(TimestampError) }
    }
}

/// The length of a day such as `2026-11-21`.
pub(crate) const DAY_LEN: usize = 10;

/// Returns whether the text is a time with an offset from UTC, with at most nine decimals of the seconds.
fn is_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked("T01:45:22".len()) else { return false };
    let after_fraction =
        rest.strip_prefix('.').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let zone = after_fraction.unwrap_or(rest);
    let digits = rest.len().saturating_sub(zone.len());
    let is_fraction = after_fraction.is_none() || (2..=10).contains(&digits);
    // Leap seconds cannot be represented in milliseconds since 1970.
    has_form(clock, "Tdd:dd:dd")
        && !clock.ends_with("60")
        && is_fraction
        && (zone == "Z" || is_distance(zone))
}

/// Returns whether the text is an offset from UTC of less than a day.
fn is_distance(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']);
    unsigned.is_some_and(|hours| has_form(hours, "dd:dd") && hours < "24:00")
}

/// Returns whether the text matches the form, where `d` is a digit.
fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, of_form)| match of_form {
            b'd' => byte.is_ascii_digit(),
            _ => byte == of_form,
        })
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

crate::stored_as_inner!(Timestamp(i64));

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .pattern(Some(concat!("^(", day_pattern!(), time_pattern!(), ")$")))
            .examples(["2026-11-21T01:45:22.992Z"])
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

/// The server's source of time: the system clock, or a time set by a test.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    fixed_ms: Option<Arc<AtomicI64>>,
}

impl Clock {
    pub fn system() -> Self {
        Self::default()
    }

    /// Returns a clock that stands still until [`Clock::advance`] moves it.
    pub fn fixed(at: Timestamp) -> Self {
        Self { fixed_ms: Some(Arc::new(AtomicI64::new(at.as_millis()))) }
    }

    pub fn now(&self) -> Timestamp {
        match &self.fixed_ms {
            Some(at_ms) => Timestamp(at_ms.load(Ordering::SeqCst)),
            #[expect(
                clippy::disallowed_methods,
                reason = "the only place that reads the system clock"
            )]
            None => jiff::Timestamp::now().into(),
        }
    }

    /// Returns milliseconds since some past instant, which never decrease: for durations, not for dates.
    pub fn steady_ms(&self) -> i64 {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        match &self.fixed_ms {
            Some(at_ms) => at_ms.load(Ordering::SeqCst),
            None => i64::try_from(START.elapsed().as_millis()).unwrap_or(i64::MAX),
        }
    }

    /// Advances a fixed clock; does nothing to the system clock.
    pub fn advance(&self, span_ms: i64) {
        if let Some(at_ms) = &self.fixed_ms {
            at_ms.fetch_add(span_ms, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_written_with_milliseconds_and_read_back() {
        let at = Timestamp::from_millis(1_795_225_522_992);
        assert_eq!(at.to_string(), "2026-11-21T01:45:22.992Z");
        assert_eq!(at.to_string().parse::<Timestamp>().ok(), Some(at));
        assert_eq!(Timestamp::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn spans_are_added_and_subtracted_up_to_the_ends_of_time() {
        let at = Timestamp::from_millis(DAY_MS);
        assert_eq!(at.minus_ms(23 * HOUR_MS + 60 * MINUTE_MS), Timestamp::from_millis(0));
        assert_eq!(at.minus_ms(i64::MAX).minus_ms(i64::MAX), Timestamp::from_millis(i64::MIN));
        assert_eq!(at.minus_ms(i64::MIN), Timestamp::from_millis(i64::MAX));
        assert_eq!(at.plus_ms(i64::MAX), at.minus_ms(-i64::MAX));
    }

    #[test]
    fn a_date_alone_is_its_first_instant_and_other_text_is_refused() {
        assert_eq!(
            "1970-01-02".parse::<Timestamp>().ok(),
            Some(Timestamp::from_millis(86_400_000))
        );
        for text in [
            "",
            "0000-00-00",
            "0999-01-01",
            "2026-02-30",
            "2026-02-29T00:00:00Z",
            "2026-11-21T01:45:22",
            "2026-11-21 01:45:22Z",
            "2026-11-21t01:45:22z",
            "2026-11-21T01:45Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T01:45:60Z",
            "2026-11-21T01:45:22.Z",
            "2026-11-21T01:45:22.0123456789Z",
            "2026-11-21T01:45:22+24:00",
            "2026-11-21T01:45:22+0100",
            "2026-11-21T01:45:22Z[UTC]",
            "+002026-11-21T01:45:22Z",
            "2026-11-21é",
            "banana",
            "1e400",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_instant_of_rfc_3339_from_year_1000_on_is_read() {
        for (text, written) in [
            ("2026-11-21T01:45:22Z", "2026-11-21T01:45:22.000Z"),
            ("2026-11-21T01:45:22.9929+23:59", "2026-11-20T01:46:22.992Z"),
            ("2028-02-29", "2028-02-29T00:00:00.000Z"),
            ("2000-02-29T23:59:59.999999999-00:00", "2000-02-29T23:59:59.999Z"),
            ("1000-01-01T00:00:00+23:59", "0999-12-31T00:01:00.000Z"),
            ("9999-12-31T23:59:59Z", "9999-12-30T22:00:00.999Z"),
        ] {
            let read = text.parse::<Timestamp>().map(|at| at.to_string());
            assert_eq!(read.as_deref(), Ok(written), "{text}");
        }
    }

    #[test]
    fn a_fixed_clock_moves_only_when_advanced() {
        let clock = Clock::fixed(Timestamp::from_millis(10));
        clock.advance(5);
        assert_eq!(clock.now(), Timestamp::from_millis(15));
    }
}
