//! Time spans and units of time.

/// A unit of time.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum TimeUnit {
    /// One second.
    Second,
    /// 60 seconds.
    Minute,
    /// 3,600 seconds.
    Hour,
    /// A calendar day of the zone: 23, 24 or 25 hours.
    Day,
    /// Seven days from the calendar's first weekday.
    Week,
    /// A month of the calendar; with a retail calendar four or five weeks.
    Month,
    /// Three months, counted from the start of the fiscal year.
    Quarter,
    /// A fiscal year.
    Year,
    /// The length of the period being computed.
    Period,
}

impl TimeUnit {
    /// Every unit, shortest first.
    pub const ALL: [Self; 9] = [
        Self::Second,
        Self::Minute,
        Self::Hour,
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Quarter,
        Self::Year,
        Self::Period,
    ];

    /// Returns the singular name: `day`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::Period => "period",
        }
    }

    /// Returns the unit with this name, singular or plural, case-insensitively.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let singular = name.strip_suffix('s').unwrap_or(&name);
        Self::ALL.into_iter().find(|unit| unit.name() == singular)
    }

    /// Returns the fixed length in seconds, with days of 24 hours; `None` for months and longer
    /// units.
    pub const fn seconds(self) -> Option<i64> {
        match self {
            Self::Second => Some(1),
            Self::Minute => Some(60),
            Self::Hour => Some(3_600),
            Self::Day => Some(86_400),
            Self::Week => Some(604_800),
            Self::Month | Self::Quarter | Self::Year | Self::Period => None,
        }
    }
}

/// A calendar step such as `30 days` or `1 month`; negative steps go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct TimeSpan {
    /// The number of units.
    pub count: i64,
    /// The unit.
    pub unit: TimeUnit,
}

impl TimeSpan {
    /// Creates a step of `count` units.
    pub const fn new(count: i64, unit: TimeUnit) -> Self {
        Self { count, unit }
    }

    /// Returns the opposite step; `None` on 64-bit overflow.
    pub fn reversed(self) -> Option<Self> {
        self.count.checked_neg().map(|count| Self { count, unit: self.unit })
    }

    /// Returns the length in seconds if it is fixed, with days of 24 hours.
    pub fn seconds(self) -> Option<i64> {
        self.unit.seconds().and_then(|unit| unit.checked_mul(self.count))
    }
}

impl std::fmt::Display for TimeSpan {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural = if self.count == 1 { "" } else { "s" };
        write!(formatter, "{} {}{plural}", self.count, self.unit.name())
    }
}
