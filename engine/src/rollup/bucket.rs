//! Time buckets, and the cover of a range of time by buckets and blocks of buckets.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::calendar::{self, Calendar};

const MICROSECONDS_PER_HOUR: i64 = 3_600_000_000;
/// Buckets per entry of each level: blocks of 32 days, or of the 24 hours of a day.
const DAYS: [i32; 2] = [1, 32];
const HOURS: [i32; 3] = [1, 24, 768];
const ALWAYS: [i32; 1] = [1];

/// The size of buckets of instants. Rows that are dated by a day have daily buckets either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Granularity {
    /// Days of the store's zone: the fewest buckets, for requests in that zone.
    Day,
    /// Hours in UTC: for requests in any zone whose days begin at a whole hour of UTC.
    Hour,
}

/// The unit that numbers the buckets of a rollup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Grain {
    /// Rows without a date: one bucket, numbered 0.
    Always,
    /// Dates as the rows have them, independent of a zone, counted from 1970-01-01.
    Date,
    /// Days of the store's zone, counted from 1970-01-01.
    Day,
    /// Hours since 1970 in UTC.
    Hour,
}

impl Grain {
    /// Returns the number of buckets per entry of each level: 1 for the buckets themselves, then
    /// the blocks.
    pub const fn spans(self) -> &'static [i32] {
        match self {
            Self::Always => &ALWAYS,
            Self::Date | Self::Day => &DAYS,
            Self::Hour => &HOURS,
        }
    }

    /// Returns the first instant of a bucket; `None` outside the range of instants.
    pub fn start(self, bucket: i32, calendar: &Calendar) -> Option<Timestamp> {
        match self {
            Self::Always => Some(Timestamp::MIN),
            Self::Hour => {
                let at = i64::from(bucket).checked_mul(MICROSECONDS_PER_HOUR)?;
                Timestamp::from_microsecond(at).ok()
            }
            Self::Day | Self::Date => calendar.start_of_numbered_day(i64::from(bucket)),
        }
    }

    /// Returns the bucket of an instant.
    pub fn bucket(self, at: Timestamp, calendar: &Calendar) -> Option<i32> {
        match self {
            Self::Always => Some(0),
            Self::Hour => i32::try_from(at.as_microsecond().div_euclid(MICROSECONDS_PER_HOUR)).ok(),
            Self::Day | Self::Date => Some(day_number(calendar.date_of(at))),
        }
    }

    /// Returns the name in a listing.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Date => "date",
            Self::Day => "day",
            Self::Hour => "hour",
        }
    }
}

/// Consecutive buckets, or blocks, of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRange {
    /// 0 for buckets, 1 for the blocks above them, 2 for the blocks above those.
    pub level: usize,
    /// The number of the first; that of a block is its first bucket divided by its span.
    pub first: i32,
    /// One past the number of the last.
    pub end: i32,
}

/// Covers a range of buckets by the blocks inside it and the buckets left over at both ends.
///
/// However long the range, fewer than two blocks' worth of entries is left over on each level below the
/// highest.
///
/// ```
/// use quotient::rollup::{BlockRange, Grain, cover};
///
/// let year = cover(Grain::Day, 20_454, 20_819);
///
/// assert_eq!(year.first(), Some(&BlockRange { level: 0, first: 20_454, end: 20_480 }));
/// assert_eq!(year.last(), Some(&BlockRange { level: 1, first: 640, end: 650 }));
/// ```
pub fn cover(grain: Grain, from: i32, to: i32) -> Vec<BlockRange> {
    cover_by(grain.spans(), from, to)
}

/// Does the same as [`cover`] with blocks of these spans only, a prefix of [`Grain::spans`].
pub fn cover_by(spans: &[i32], from: i32, to: i32) -> Vec<BlockRange> {
    let mut pieces = Vec::new();
    let mut add = |level, first: i32, end: i32| {
        if first < end {
            pieces.push(BlockRange { level, first, end });
        }
    };
    let (mut first, mut end) = (from, to);
    for (level, span) in spans.iter().enumerate() {
        let above = spans.get(level.saturating_add(1)).and_then(|above| above.checked_div(*span));
        let Some(above) = above else {
            add(level, first, end);
            break;
        };
        let (up, down) = (block_from(first, above), block_of(end, above));
        if up >= down {
            add(level, first, end);
            break;
        }
        add(level, first, up.saturating_mul(above));
        add(level, down.saturating_mul(above), end);
        (first, end) = (up, down);
    }
    pieces
}

pub(super) const fn block_of(bucket: i32, span: i32) -> i32 {
    bucket.div_euclid(if span > 0 { span } else { 1 })
}

/// Returns the first block that begins at a bucket or after it.
fn block_from(bucket: i32, span: i32) -> i32 {
    block_of(bucket.saturating_add(span.saturating_sub(1)), span)
}

pub(super) fn day_number(day: Date) -> i32 {
    i32::try_from(calendar::day_number(day)).unwrap_or(0)
}

/// Returns the first bucket that begins at an instant or after it, and whether it begins exactly
/// there.
pub(super) fn bucket_from(grain: Grain, at: Timestamp, calendar: &Calendar) -> Option<(i32, bool)> {
    if at == Timestamp::MIN {
        return Some((i32::MIN, true));
    }
    if at == Timestamp::MAX {
        return Some((i32::MAX, true));
    }
    if grain == Grain::Always {
        return Some((0, true));
    }
    let bucket = grain.bucket(at, calendar)?;
    let start = grain.start(bucket, calendar)?;
    Some(if start >= at { (bucket, start == at) } else { (bucket.checked_add(1)?, false) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_into_blocks_and_buckets_without_gap_or_overlap() {
        for grain in [Grain::Day, Grain::Hour, Grain::Date, Grain::Always] {
            for (from, to) in [(-40, 41), (0, 32), (1, 63), (5, 6), (7, 7), (-900, 2_000)] {
                let mut cells = Vec::new();
                for piece in cover(grain, from, to) {
                    let span = grain.spans()[piece.level];
                    cells.extend(piece.first * span..piece.end * span);
                }
                cells.sort_unstable();
                assert_eq!(cells, (from..to).collect::<Vec<_>>(), "{grain:?} {from} {to}");
            }
        }
    }

    #[test]
    fn an_instant_within_a_bucket_leads_to_the_next_one() {
        let calendar = Calendar::default();
        let at = |text: &str| text.parse().expect("an instant");
        let day = |text| bucket_from(Grain::Day, at(text), &calendar);
        assert_eq!(day("1970-01-02T00:00:00Z"), Some((1, true)));
        assert_eq!(day("1970-01-02T00:00:01Z"), Some((2, false)));
        assert_eq!(
            bucket_from(Grain::Hour, at("1970-01-02T00:00:01Z"), &calendar),
            Some((25, false))
        );
        assert_eq!(
            bucket_from(Grain::Hour, at("1969-12-31T23:00:00Z"), &calendar),
            Some((-1, true))
        );
    }
}
