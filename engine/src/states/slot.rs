//! Where in time a cell stands, and which cells and blocks a range of time is merged from.

use jiff::Timestamp;
use jiff::civil::{Date, date};
use serde::{Deserialize, Serialize};

use crate::calendar::Calendar;

const EPOCH: Date = date(1970, 1, 1);
const MICROSECONDS_PER_HOUR: i64 = 3_600_000_000;
/// Cells that the smallest block above them spans: 32 days, or the hours of a day.
const DAYS: [i32; 2] = [1, 32];
const HOURS: [i32; 3] = [1, 24, 768];
const ALWAYS: [i32; 1] = [1];

/// How finely instants are cut. Rows dated by a day are cut by day either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Granularity {
    /// Days of the store's zone: the fewest cells, for requests in that zone.
    Day,
    /// Hours in UTC: for requests in any zone whose days begin at a whole hour of UTC.
    Hour,
}

/// What the number of a cell counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Grain {
    /// Rows without a date: one cell, numbered 0.
    Always,
    /// Days as they stand in the rows, whatever the zone, counted from 1970-01-01.
    Date,
    /// Days of the store's zone, counted from 1970-01-01.
    Day,
    /// Hours since 1970 in UTC.
    Hour,
}

impl Grain {
    /// How many cells the blocks of each level span; the cells themselves first.
    pub const fn spans(self) -> &'static [i32] {
        match self {
            Self::Always => &ALWAYS,
            Self::Date | Self::Day => &DAYS,
            Self::Hour => &HOURS,
        }
    }

    /// The first instant of a slot; `None` outside of the range of instants.
    pub fn start(self, slot: i32, calendar: &Calendar) -> Option<Timestamp> {
        start_of(self, slot, calendar)
    }

    /// The slot that holds an instant.
    pub fn slot(self, at: Timestamp, calendar: &Calendar) -> Option<i32> {
        slot_of(self, at.as_microsecond(), calendar)
    }

    /// The name in a listing.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Date => "date",
            Self::Day => "day",
            Self::Hour => "hour",
        }
    }
}

/// Consecutive cells, or blocks of cells, of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// 0 for cells, 1 for the blocks above them, 2 for those above these.
    pub level: usize,
    /// The number of the first: of a block, that of its first cell divided by its span.
    pub first: i32,
    /// One past the number of the last.
    pub end: i32,
}

/// The blocks that lie in a range of cells, with the cells that are left at both ends.
///
/// However long the range, there are fewer than two blocks' worth of pieces of each level below
/// the highest.
///
/// ```
/// use quotient::states::{Grain, Piece, cover};
///
/// let year = cover(Grain::Day, 20_454, 20_819);
///
/// assert_eq!(year.first(), Some(&Piece { level: 0, first: 20_454, end: 20_480 }));
/// assert_eq!(year.last(), Some(&Piece { level: 1, first: 640, end: 650 }));
/// ```
pub fn cover(grain: Grain, from: i32, to: i32) -> Vec<Piece> {
    cover_by(grain.spans(), from, to)
}

/// The same with blocks of these spans only, as a part of [`Grain::spans`].
pub fn cover_by(spans: &[i32], from: i32, to: i32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut add = |level, first: i32, end: i32| {
        if first < end {
            pieces.push(Piece { level, first, end });
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

/// The block that holds a cell.
pub(super) const fn block_of(slot: i32, span: i32) -> i32 {
    slot.div_euclid(if span > 0 { span } else { 1 })
}

/// The first block that begins at a cell or after it.
fn block_from(slot: i32, span: i32) -> i32 {
    block_of(slot.saturating_add(span.saturating_sub(1)), span)
}

/// The number of a day.
pub(super) fn day_number(day: Date) -> i32 {
    i32::try_from(day.duration_since(EPOCH).as_hours() / 24).unwrap_or(0)
}

/// The day of a number.
pub(super) fn date_of(number: i32) -> Option<Date> {
    EPOCH.checked_add(jiff::Span::new().try_days(number).ok()?).ok()
}

/// The cell that holds an instant, in microseconds.
pub(super) fn slot_of(grain: Grain, at: i64, calendar: &Calendar) -> Option<i32> {
    match grain {
        Grain::Always => Some(0),
        Grain::Hour => i32::try_from(at.div_euclid(MICROSECONDS_PER_HOUR)).ok(),
        Grain::Day | Grain::Date => {
            let at = Timestamp::from_microsecond(at).ok()?;
            Some(day_number(calendar.date_of(at)))
        }
    }
}

/// The first instant of a cell.
pub(super) fn start_of(grain: Grain, slot: i32, calendar: &Calendar) -> Option<Timestamp> {
    match grain {
        Grain::Always => Some(Timestamp::MIN),
        Grain::Hour => {
            Timestamp::from_microsecond(i64::from(slot).checked_mul(MICROSECONDS_PER_HOUR)?).ok()
        }
        Grain::Day | Grain::Date => calendar.start_of_day(date_of(slot)?),
    }
}

/// The first cell that begins at an instant or after it, and whether it begins right there.
pub(super) fn edge(grain: Grain, at: Timestamp, calendar: &Calendar) -> Option<(i32, bool)> {
    if at == Timestamp::MIN {
        return Some((i32::MIN, true));
    }
    if at == Timestamp::MAX {
        return Some((i32::MAX, true));
    }
    let slot = match grain {
        Grain::Always => return Some((0, true)),
        Grain::Hour => i32::try_from(at.as_second().div_euclid(3_600)).ok()?,
        Grain::Day | Grain::Date => day_number(calendar.date_of(at)),
    };
    let start = start_of(grain, slot, calendar)?;
    Some(if start >= at { (slot, start == at) } else { (slot.checked_add(1)?, false) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_into_blocks_and_edges_without_gap_or_overlap() {
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
    fn an_instant_between_two_cells_leads_to_the_next_one() {
        let calendar = Calendar::default();
        let at = |text: &str| text.parse().expect("an instant");
        let day = |text| edge(Grain::Day, at(text), &calendar);
        assert_eq!(day("1970-01-02T00:00:00Z"), Some((1, true)));
        assert_eq!(day("1970-01-02T00:00:01Z"), Some((2, false)));
        assert_eq!(edge(Grain::Hour, at("1970-01-02T00:00:01Z"), &calendar), Some((25, false)));
        assert_eq!(edge(Grain::Hour, at("1969-12-31T23:00:00Z"), &calendar), Some((-1, true)));
    }
}
