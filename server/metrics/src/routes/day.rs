//! Days: in requests and responses, as numbers, and their first instants.

use std::fmt;

use jiff::civil::{Date, date};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

use crate::clock::DAY_PATTERN;
pub(crate) use crate::clock::day_start as start;
use crate::http::ToSchema;

/// The day from which days are counted.
const FIRST_DAY: Date = date(1970, 1, 1);

/// Returns the number of days since 1970-01-01.
pub(crate) fn number(day: Date) -> i64 {
    i64::from(day.since(FIRST_DAY).map_or(0, |span| span.get_days()))
}

/// Returns the day with a number.
pub(crate) fn of_number(number: i64) -> Date {
    jiff::Span::new().try_days(number).map_or(FIRST_DAY, |span| FIRST_DAY.saturating_add(span))
}

/// A day in a request: `2026-03-29`, from year 1000 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Day(pub Date);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_plain = text.len() == "2026-03-29".len()
            && text.starts_with(|c: char| ('1'..='9').contains(&c));
        let day = text.parse().ok().filter(|_| is_plain);
        day.map(Self).ok_or_else(|| {
            let sent: String = text.chars().take(16).collect();
            D::Error::custom(format!("must be a day such as 2026-03-29, and not `{sent}`"))
        })
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl utoipa::PartialSchema for Day {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
            .pattern(Some(DAY_PATTERN))
            .examples(["2026-03-29"])
            .into()
    }
}

impl ToSchema for Day {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_ten_letters_that_are_one() {
        for text in [
            "2026-3-1",
            "2026-02-30",
            "0000-01-01",
            "-2026-01-01",
            "20260301",
            "2026-03-01T00:00:00",
        ] {
            let refusal = serde_json::from_value::<Day>(text.into()).unwrap_err().to_string();
            assert!(refusal.contains(text.get(..10).unwrap_or(text)), "{refusal}");
        }
        assert!(serde_json::from_value::<Day>("2024-02-29".into()).is_ok());
    }
}
