//! The windows of the language: each derives another period from the current one.
//!
//! A window never moves rows; the resulting period is aggregated like any other. `None` means that
//! the result is outside the range of instants, or depends on a period without a length.

use jiff::Timestamp;

use super::zone::later;
use super::{Calendar, Period, TimeSpan, TimeUnit};

impl Calendar {
    /// Returns the period `count` lengths earlier: the same number of whole calendar units back,
    /// otherwise of days or, below a day, of exact time. A negative count looks ahead.
    ///
    /// With `clip`, the earlier period has elapsed as far as this one, so that like is compared
    /// with like; without, it is full.
    pub fn previous(&self, period: Period, count: i64, clip: bool) -> Option<Period> {
        let back = TimeSpan::new(count, TimeUnit::Period).reversed()?;
        let earlier = self.shift(period, back)?;
        Some(if clip { earlier } else { Period::new(earlier.start, earlier.end) })
    }

    /// Returns the same period one unit earlier: `last_week`, `last_month`, `last_year`.
    pub fn last(&self, period: Period, unit: TimeUnit) -> Option<Period> {
        self.shift(period, TimeSpan::new(-1, unit))
    }

    /// Returns the span that ends at `as_of`, including the present day; without the current
    /// period, it ends at the period's start.
    pub fn trailing(&self, period: Period, span: TimeSpan, with_current: bool) -> Option<Period> {
        let end = if with_current { period.as_of } else { period.start };
        let back = span.reversed()?;
        let start = if back.unit == TimeUnit::Period {
            self.stepped(end, self.period_step(period, back.count)?)?
        } else {
            self.add(end, back)?
        };
        Some(Period::new(start.min(end), end))
    }

    /// Returns the period from the start of the unit that contains the last elapsed instant, up to
    /// that instant. If the present is the start of the period, the unit is the one that begins
    /// there.
    pub fn to_date(&self, period: Period, unit: TimeUnit) -> Option<Period> {
        if unit == TimeUnit::Period {
            let elapsed = Period::new(period.start, period.as_of);
            return Some(if period.is_unbegun() { period } else { elapsed });
        }
        let last =
            if period.as_of == period.start { period.start } else { later(period.as_of, -1)? };
        Some(Period::new(self.start_of(last, unit)?, period.as_of))
    }

    /// Returns the period of everything up to `as_of`.
    pub fn lifetime(period: Period) -> Period {
        Period::new(Timestamp::MIN, period.as_of)
    }

    /// Returns the period from the start of the request to the end of this bucket.
    pub fn running(request_start: Timestamp, bucket: Period) -> Period {
        Period { start: request_start.min(bucket.start), ..bucket }
    }
}
