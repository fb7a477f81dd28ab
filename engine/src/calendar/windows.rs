//! The windows of the language: each makes another period of the one being computed.
//!
//! A window never moves rows; what it returns is aggregated like any period. `None` says that it
//! leads outside the range of instants, or counts in a period that has no length.

use jiff::Timestamp;

use super::zone::later;
use super::{Calendar, Period, TimeSpan, TimeUnit};

impl Calendar {
    /// The period `count` of its own lengths before: of whole calendar units as many units back,
    /// else as many days, or under a day as much time. A negative count looks ahead.
    ///
    /// With `clip` the earlier period has elapsed as far as this one has, so that like is
    /// compared with like; without, it is full.
    pub fn previous(&self, period: Period, count: i64, clip: bool) -> Option<Period> {
        let back = TimeSpan::new(count, TimeUnit::Period).reversed()?;
        let earlier = self.shift(period, back)?;
        Some(if clip { earlier } else { Period::new(earlier.start, earlier.end) })
    }

    /// The same period one unit before: `last_week`, `last_month`, `last_year`.
    pub fn last(&self, period: Period, unit: TimeUnit) -> Option<Period> {
        self.shift(period, TimeSpan::new(-1, unit))
    }

    /// The stretch of a span that ends with what has elapsed, the present day included; without
    /// the current period it ends where that begins.
    pub fn trailing(&self, period: Period, span: TimeSpan, with_current: bool) -> Option<Period> {
        let end = if with_current { period.as_of } else { period.start };
        let back = span.reversed()?;
        let start = match back.unit {
            TimeUnit::Period => self.stepped(end, self.period_step(period, back.count)?),
            TimeUnit::Second
            | TimeUnit::Minute
            | TimeUnit::Hour
            | TimeUnit::Day
            | TimeUnit::Week
            | TimeUnit::Month
            | TimeUnit::Quarter
            | TimeUnit::Year => self.add(end, back),
        };
        Some(Period::new(start?.min(end), end))
    }

    /// From the start of the unit that holds the last elapsed instant, up to it. Where nothing
    /// has elapsed, the unit is the one that holds the start of the period.
    pub fn to_date(&self, period: Period, unit: TimeUnit) -> Option<Period> {
        let start = match unit {
            TimeUnit::Period => period.start,
            TimeUnit::Second
            | TimeUnit::Minute
            | TimeUnit::Hour
            | TimeUnit::Day
            | TimeUnit::Week
            | TimeUnit::Month
            | TimeUnit::Quarter
            | TimeUnit::Year => {
                let last = if period.as_of > period.start {
                    later(period.as_of, -1)?
                } else {
                    period.start
                };
                self.start_of(last, unit)?
            }
        };
        Some(Period::new(start, period.as_of))
    }

    /// Everything up to what has elapsed.
    pub fn lifetime(period: Period) -> Period {
        Period::new(Timestamp::MIN, period.as_of)
    }

    /// From the start of the whole request to the end of this bucket.
    pub fn running(request_start: Timestamp, bucket: Period) -> Period {
        Period { start: request_start.min(bucket.start), ..bucket }
    }
}
