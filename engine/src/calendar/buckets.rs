//! Division of a period into buckets.

use super::{Calendar, CalendarError, Period, TimeUnit};

impl Calendar {
    /// Divides a period into consecutive units; the first and the last are clipped to it.
    ///
    /// Each bucket is known as far as the period is: a future bucket has the period's `as_of`, before
    /// its own start. [`TimeUnit::Period`] gives the period itself, an empty period no bucket.
    pub fn buckets(
        &self,
        period: Period,
        unit: TimeUnit,
        limit: usize,
    ) -> Result<Vec<Period>, CalendarError> {
        let mut buckets = Vec::new();
        let mut start = period.start;
        while start < period.end {
            if buckets.len() == limit {
                return Err(CalendarError::TooManyBuckets { unit, limit });
            }
            // A unit without an end outlasts the range of instants, and so the period.
            let end = self.end_of(start, unit).map_or(period.end, |end| end.min(period.end));
            buckets.push(Period::new(start, end).seen_at(period.as_of));
            start = end;
        }
        Ok(buckets)
    }
}
