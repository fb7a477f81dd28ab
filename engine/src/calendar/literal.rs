//! Period literals: `@2026`, `@2026-Q1`, `@2026-W09`, `@2026-03`, `@2026-03-31`.

use jiff::civil::{Date, ISOWeekDate, Weekday};

use super::days::day_number;
use super::units::month_number;
use super::{Calendar, Period, TimeUnit};

/// A period literal, which a calendar resolves to instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PeriodLiteral {
    /// `@2026`: a fiscal year, named by the calendar year in which it starts.
    Year(i16),
    /// `@2026-Q1`: a quarter of that fiscal year.
    Quarter(i16, i8),
    /// `@2026-W09`: an ISO 8601 week.
    Week(i16, i8),
    /// `@2026-03`: a month of the calendar; a retail calendar has its own March.
    Month(i16, i8),
    /// `@2026-03-31`: a day.
    Day(Date),
}

impl PeriodLiteral {
    /// Parses a period literal, with or without its `@`; `None` for another syntax and for a
    /// quarter, week, month or day that does not exist.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix('@').unwrap_or(text).split('-');
        let year = digits(parts.next()?, 4)?;
        let (second, third, fourth) = (parts.next(), parts.next(), parts.next());
        match (second, third, fourth) {
            (None, ..) => Some(Self::Year(year)),
            (Some(second), None, _) => Self::parse_part(year, second),
            (Some(month), Some(day), None) => {
                let (month, day) = (digits(month, 2)?, digits(day, 2)?);
                Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?)
                    .ok()
                    .map(Self::Day)
            }
            (Some(_), Some(_), Some(_)) => None,
        }
    }

    /// Parses the part after the year: `Q1`, `W09` or `03`.
    fn parse_part(year: i16, part: &str) -> Option<Self> {
        if let Some(quarter) = part.strip_prefix(['Q', 'q']) {
            let quarter = i8::try_from(digits(quarter, 1)?).ok()?;
            return (1..=4).contains(&quarter).then_some(Self::Quarter(year, quarter));
        }
        if let Some(week) = part.strip_prefix(['W', 'w']) {
            let week = i8::try_from(digits(week, 2)?).ok()?;
            // `jiff` knows which years have a week 53.
            let exists = ISOWeekDate::new(year, week, Weekday::Monday).is_ok();
            return exists.then_some(Self::Week(year, week));
        }
        let month = i8::try_from(digits(part, 2)?).ok()?;
        (1..=12).contains(&month).then_some(Self::Month(year, month))
    }

    /// Returns the day of a day literal.
    pub fn date(self) -> Option<Date> {
        match self {
            Self::Day(date) => Some(date),
            Self::Year(_) | Self::Quarter(..) | Self::Week(..) | Self::Month(..) => None,
        }
    }
}

impl Calendar {
    /// Resolves a literal to a period; `None` if it does not exist or is outside the range of
    /// instants.
    pub fn resolve(&self, literal: PeriodLiteral) -> Option<Period> {
        let (first, next) = match literal {
            PeriodLiteral::Year(year) => self.unit_days(TimeUnit::Year, i64::from(year))?,
            PeriodLiteral::Quarter(year, quarter) if (1..=4).contains(&quarter) => {
                let quarters = i64::from(year).checked_mul(4)?;
                let number = quarters.checked_add(i64::from(quarter))?.checked_sub(1)?;
                self.unit_days(TimeUnit::Quarter, number)?
            }
            PeriodLiteral::Week(year, week) => {
                let monday = ISOWeekDate::new(year, week, Weekday::Monday).ok()?;
                let first = day_number(monday.date());
                (first, first.checked_add(7)?)
            }
            PeriodLiteral::Month(year, month) if (1..=12).contains(&month) => {
                let number = month_number(i64::from(year), i64::from(month))?;
                self.unit_days(TimeUnit::Month, number)?
            }
            PeriodLiteral::Quarter(..) | PeriodLiteral::Month(..) => return None,
            PeriodLiteral::Day(date) => {
                let first = day_number(date);
                (first, first.checked_add(1)?)
            }
        };
        Some(Period::new(self.start_of_numbered_day(first)?, self.start_of_numbered_day(next)?))
    }

    /// Returns the first day of a unit and that of the next.
    fn unit_days(&self, unit: TimeUnit, number: i64) -> Option<(i64, i64)> {
        Some((self.first_day(unit, number)?, self.first_day(unit, number.checked_add(1)?)?))
    }
}

impl std::fmt::Display for PeriodLiteral {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Year(year) => write!(formatter, "@{year:04}"),
            Self::Quarter(year, quarter) => write!(formatter, "@{year:04}-Q{quarter}"),
            Self::Week(year, week) => write!(formatter, "@{year:04}-W{week:02}"),
            Self::Month(year, month) => write!(formatter, "@{year:04}-{month:02}"),
            Self::Day(date) => write!(formatter, "@{date}"),
        }
    }
}

impl From<PeriodLiteral> for String {
    fn from(literal: PeriodLiteral) -> Self {
        literal.to_string()
    }
}

impl TryFrom<String> for PeriodLiteral {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("`{text}` is no period"))
    }
}

/// Parses a number of exactly `count` ASCII digits, at most four.
fn digits(text: &str, count: usize) -> Option<i16> {
    let is_number = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}
