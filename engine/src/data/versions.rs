//! Versions of rows: a number for each source and day.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use jiff::civil::Date;

/// Limit: days of one change, about 27 years; a longer change counts for the whole source.
const MAX_DAYS: usize = 10_000;

/// The versions of a store's rows by source and day, and of its exchange rates.
///
/// A [`Cache`](crate::cache::Cache) owns them and hands out copies for [`Data`](super::Data) that
/// is read from the same state of the store.
#[derive(Debug, Clone, Default)]
pub struct Versions {
    /// The identity of the table of versions that this is a copy of.
    table: Arc<()>,
    latest: u64,
    rates: Mark,
    /// By source name in lower case.
    sources: BTreeMap<String, SourceVersions>,
}

/// The version of the last change, and the number of changes in progress.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    version: u64,
    under_way: u32,
}

/// The marks of one source.
#[derive(Debug, Clone, Default)]
struct SourceVersions {
    /// Changes that are not tracked by day.
    whole: Mark,
    /// Changes of rows that other rows may link to, on any day.
    known: Mark,
    days: BTreeMap<Date, Mark>,
}

/// A part of the store that a write changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Touch {
    /// New rows on these days of the source's own date, to which no row of another source links yet.
    Added(String, RangeInclusive<Date>),
    /// Rows of these days that are changed, added or removed.
    Changed(String, RangeInclusive<Date>),
    /// Any rows of the source, for example of one without a date.
    Source(String),
    /// Exchange rates.
    Rates,
}

/// A part of the store that an answer was read from; source names are in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Read {
    /// The rows of some days.
    Days(Arc<str>),
    /// All rows.
    All(Arc<str>),
    /// Rows that other rows link to.
    Linked(Arc<str>),
    Rates,
}

/// The newest version of what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Stamp(pub(crate) u64);

impl Mark {
    const fn newest(self, other: Self) -> Self {
        let version = if self.version > other.version { self.version } else { other.version };
        Self { version, under_way: self.under_way.saturating_add(other.under_way) }
    }
}

impl Versions {
    /// Returns whether both are copies of the same table.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.table, &other.table)
    }

    /// Starts a write: what it touches has no version until the write ends.
    pub(crate) fn begin(&mut self, touches: &[Touch]) {
        self.marks(touches, &mut |mark| mark.under_way = mark.under_way.saturating_add(1));
    }

    /// Ends a write, whether it succeeded or not.
    pub(crate) fn end(&mut self, touches: &[Touch]) {
        self.latest = self.latest.saturating_add(1);
        let version = self.latest;
        self.marks(touches, &mut |mark| {
            *mark = Mark { version, under_way: mark.under_way.saturating_sub(1) };
        });
    }

    fn marks(&mut self, touches: &[Touch], change: &mut dyn FnMut(&mut Mark)) {
        for touch in touches {
            match touch {
                Touch::Added(source, days) => {
                    self.source(source).of_days(days, change);
                }
                Touch::Changed(source, days) => {
                    let marks = self.source(source);
                    change(&mut marks.known);
                    marks.of_days(days, change);
                }
                Touch::Source(source) => {
                    let marks = self.source(source);
                    change(&mut marks.known);
                    change(&mut marks.whole);
                }
                Touch::Rates => change(&mut self.rates),
            }
        }
    }

    fn source(&mut self, name: &str) -> &mut SourceVersions {
        self.sources.entry(name.to_lowercase()).or_default()
    }

    /// Returns the newest version of `reads`, with [`Read::Days`] from `first` to `last`; `None` while a
    /// write to any of them is in progress.
    pub(crate) fn stamp(&self, reads: &[Read], (first, last): (Date, Date)) -> Option<Stamp> {
        let mut newest = Mark::default();
        for read in reads {
            let of = |name: &str| self.sources.get(name);
            newest = newest.newest(match read {
                Read::Rates => self.rates,
                Read::Linked(name) => of(name).map_or(Mark::default(), |marks| marks.known),
                Read::All(name) => of(name).map_or(Mark::default(), SourceVersions::all),
                Read::Days(name) => {
                    of(name).map_or(Mark::default(), |marks| marks.days(first, last))
                }
            });
        }
        (newest.under_way == 0).then_some(Stamp(newest.version))
    }
}

impl SourceVersions {
    fn of_days(&mut self, days: &RangeInclusive<Date>, change: &mut dyn FnMut(&mut Mark)) {
        let count = days.start().until(*days.end()).map_or(i32::MAX, |span| span.get_days());
        if usize::try_from(count).is_ok_and(|count| count >= MAX_DAYS) {
            return change(&mut self.whole);
        }
        let mut day = *days.start();
        while day <= *days.end() {
            change(self.days.entry(day).or_default());
            let Ok(next) = day.tomorrow() else { return };
            day = next;
        }
    }

    fn all(&self) -> Mark {
        self.days.values().fold(self.whole, |newest, day| newest.newest(*day))
    }

    fn days(&self, first: Date, last: Date) -> Mark {
        if first > last {
            return self.whole;
        }
        let days = self.days.range(first..=last);
        days.fold(self.whole, |newest, (_, day)| newest.newest(*day))
    }
}
