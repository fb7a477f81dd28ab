//! Time: instants in milliseconds, and the one place that asks the machine what time it is.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{KnownFormat, SchemaFormat, Type};

/// An instant in milliseconds since 1970 in UTC; RFC 3339 with milliseconds and `Z` outside, an
/// integer in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The instant so many milliseconds after 1970.
    pub const fn from_millis(at_ms: i64) -> Self {
        Self(at_ms)
    }

    /// Milliseconds since 1970.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The instant so many milliseconds later, or the last one there is.
    #[must_use]
    pub const fn plus_ms(self, span_ms: i64) -> Self {
        Self(self.0.saturating_add(span_ms))
    }

    /// The same instant as the calendar library knows it; instants past year 9999 are clipped.
    pub fn to_jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(if self.0 < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        })
    }
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

impl FromStr for Timestamp {
    type Err = jiff::Error;

    /// Reads RFC 3339, and a date alone as its first instant in UTC.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(at) = text.parse::<jiff::Timestamp>() {
            return Ok(at.into());
        }
        let date: jiff::civil::Date = text.parse()?;
        Ok(date.to_zoned(jiff::tz::TimeZone::UTC)?.timestamp().into())
    }
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

impl ToSql for Timestamp {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

impl FromSql for Timestamp {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64().map(Self)
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .examples(["2026-11-21T01:45:22.992Z"])
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

/// Where the server learns what time it is: the machine, or a time that a test sets.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    fixed_ms: Option<Arc<AtomicI64>>,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that stands still until [`Clock::advance`] moves it.
    pub fn fixed(at: Timestamp) -> Self {
        Self { fixed_ms: Some(Arc::new(AtomicI64::new(at.as_millis()))) }
    }

    /// What time it is.
    pub fn now(&self) -> Timestamp {
        match &self.fixed_ms {
            Some(at_ms) => Timestamp(at_ms.load(Ordering::SeqCst)),
            #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
            None => jiff::Timestamp::now().into(),
        }
    }

    /// Moves a fixed clock by so many milliseconds; the machine's clock goes by itself.
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
    fn a_date_alone_is_its_first_instant_and_what_is_no_date_is_refused() {
        assert_eq!(
            "1970-01-02".parse::<Timestamp>().ok(),
            Some(Timestamp::from_millis(86_400_000))
        );
        for text in ["", "0000-00-00", "2026-02-30", "banana", "1e400"] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_fixed_clock_moves_only_when_told() {
        let clock = Clock::fixed(Timestamp::from_millis(10));
        clock.advance(5);
        assert_eq!(clock.now(), Timestamp::from_millis(15));
    }
}
