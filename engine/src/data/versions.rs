//! Which state of the rows a table of them shows: a number for each source and day.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use jiff::civil::Date;

/// Limit: days told apart in one change, about 27 years; a longer one counts for the whole source.
const MAX_DAYS: usize = 10_000;

/// The versions of a store's rows by source and day, and of its exchange rates.
///
/// A [`Cache`](crate::cache::Cache) keeps them and hands out copies for [`Data`](super::Data) made
/// from the same state of the store.
#[derive(Debug, Clone, Default)]
pub struct Versions {
    /// Which table of versions this is a copy of.
    table: Arc<()>,
    latest: u64,
    rates: Mark,
    /// By name in lower case.
    sources: BTreeMap<String, SourceVersions>,
}

/// The last change of something, and how many are under way.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    version: u64,
    under_way: u32,
}

/// The marks of one source.
#[derive(Debug, Clone, Default)]
struct SourceVersions {
    /// Changes that are not told apart by day.
    whole: Mark,
    /// Changes of rows that other rows may lead to, on whatever day.
    known: Mark,
    days: BTreeMap<Date, Mark>,
}

/// What a write to the store does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Touch {
    /// Rows are added on these days of the source's own date, which no row of another source leads
    /// to yet.
    Added(String, RangeInclusive<Date>),
    /// Rows of these days are changed, added or removed.
    Changed(String, RangeInclusive<Date>),
    /// Any rows of the source, as where it has no date.
    Source(String),
    /// Exchange rates.
    Rates,
}

/// What an answer was read from; sources by name in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Read {
    /// The rows of some days.
    Days(Arc<str>),
    /// All rows.
    All(Arc<str>),
    /// Rows that others lead to.
    Linked(Arc<str>),
    Rates,
}

/// The newest version among what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Stamp(pub(crate) u64);

impl Mark {
    const fn newest(self, other: Self) -> Self {
        let version = if self.version > other.version { self.version } else { other.version };
        Self { version, under_way: self.under_way.saturating_add(other.under_way) }
    }
}

impl Versions {
    /// Whether both are copies of one table.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.table, &other.table)
    }

    /// A write starts: what it touches has no version until it ends.
    pub(crate) fn begin(&mut self, touches: &[Touch]) {
        self.marks(touches, &mut |mark| mark.under_way = mark.under_way.saturating_add(1));
    }

    /// The write has ended, done or not.
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

    /// The version of what is read, where it is of days those from the first to the second; none
    /// while a write to a part of it is under way.
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
