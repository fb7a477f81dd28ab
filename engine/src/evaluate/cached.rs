//! Answers of atoms that were computed before: what a key holds, and which rows it speaks of.
//!
//! The unit is an atom over one bucket that has elapsed in full. Everything else that the answer
//! depends on is in its key, so that an answer found is the answer that would be computed.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;

use super::atoms::Site;
use super::evaluator::Evaluator;
use super::footprint::Footprint;
use super::frame::{End, Frame};
use super::supply::Supply;
use crate::calendar::{Calendar, Period};
use crate::check::{NodeId, digest};
use crate::data::{Data, Read, Stamp, Versions};
use crate::types::{Missing, Value};

/// The answers of an atom for one bucket, group by group.
pub(crate) type Row = Arc<[Value]>;

/// What an answer is found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellKey {
    /// What the atom means.
    atom: u128,
    /// Calendar, currency, filters and groups around it.
    place: u128,
    start: Timestamp,
    end: Timestamp,
    /// Of the rows it reads.
    stamp: Stamp,
}

/// Which rows an evaluation reads, as a keeper sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The store's as they are, from a supply.
    Live,
    /// The store's in a state that the rows, or the supply, name.
    Stamped,
    /// Others, told apart by a number.
    Numbered(u64),
}

/// Keeps answers between evaluations.
pub(crate) trait Keeper: std::fmt::Debug + Sync {
    /// Looks at the rows of an evaluation, and at the supply that stands before them; `None` where
    /// nothing can be kept.
    fn seen(&self, data: Option<&Data>, supply: Option<&dyn Supply>) -> Option<Seen>;

    /// The version of what is read as it is now; `None` while it changes.
    fn live(&self, reads: &[Read], days: (Date, Date)) -> Option<Stamp>;

    /// Answers kept, and computed where they are not; `None` where computing failed.
    fn fetch(
        &self,
        keys: &[CellKey],
        holds: &dyn Fn(&Versions) -> bool,
        compute: &mut dyn FnMut(&[CellKey]) -> Option<Vec<Row>>,
    ) -> Vec<Option<Row>>;
}

/// What an evaluation keeps answers with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cached<'a> {
    pub(crate) keeper: &'a dyn Keeper,
    /// What the schema means.
    pub(crate) schema: u128,
    pub(crate) seen: Seen,
}

/// A bucket that can be kept: its place in the frame, its key, the days it reads.
struct Keyed {
    bucket: usize,
    key: CellKey,
    days: (Date, Date),
}

impl Evaluator<'_> {
    /// The answers of an atom in its frame, as far as they can be found or kept; `None` where none
    /// can.
    pub(super) fn cached_cells(&mut self, site: &Site<'_>, id: NodeId) -> Option<Vec<Value>> {
        let cached = self.context.cached?;
        let frame = self.frame(site.frame)?;
        let bucket_count = frame.buckets.len();
        let is_by_row = frame.groups.entity().is_some();
        if self.context.record.is_some() || is_by_row || frame.group_count() == 0 {
            return None;
        }
        let (keyed, reads) = self.keyed_buckets(cached, site, id)?;
        let keys: Vec<CellKey> = keyed.iter().map(|keyed| keyed.key).collect();
        let is_store = !matches!(cached.seen, Seen::Numbered(_));
        let holds = |versions: &Versions| {
            !is_store || keyed.iter().all(|k| versions.stamp(&reads, k.days) == Some(k.key.stamp))
        };
        let mut compute = |missing: &[CellKey]| {
            // Windows give several buckets one period, which is computed once.
            let places: BTreeMap<CellKey, usize> =
                keyed.iter().map(|keyed| (keyed.key, keyed.bucket)).collect();
            let buckets = missing.iter().filter_map(|key| places.get(key).copied());
            self.computed_rows((site, id), &buckets.collect::<Vec<_>>())
        };
        let found = cached.keeper.fetch(&keys, &holds, &mut compute);
        let mut rows: Vec<Option<Row>> = vec![None; bucket_count];
        for (keyed, row) in keyed.iter().zip(found) {
            *rows.get_mut(keyed.bucket)? = Some(row?);
        }
        self.fill_open((site, id), rows)
    }

    /// The keys of the buckets that have elapsed, where all that is read has a version.
    fn keyed_buckets(
        &mut self,
        cached: Cached<'_>,
        site: &Site<'_>,
        id: NodeId,
    ) -> Option<(Vec<Keyed>, Vec<Read>)> {
        let data = self.data()?;
        let supplied = self.context.supply.and_then(Supply::versions);
        let versions = supplied.or(data.versions.as_ref());
        let footprint = self.footprint(site, id);
        let atom = self.meaning(site.owner, id);
        let place = self.place_among(cached, data, (site, &footprint));
        let is_store = !matches!(cached.seen, Seen::Numbered(_));
        let reads = if is_store { footprint.reads(self.schema()) } else { Vec::new() };
        let frame = self.frame(site.frame)?;
        let closed = frame.buckets.iter().enumerate().filter(|(_, bucket)| !bucket.is_partial());
        let mut keyed = Vec::with_capacity(frame.buckets.len());
        for (index, bucket) in closed {
            let days = match cached.seen {
                Seen::Live | Seen::Stamped => self.days_read(bucket, frame.state),
                Seen::Numbered(_) => (Date::ZERO, Date::ZERO),
            };
            let stamp = match cached.seen {
                Seen::Live => cached.keeper.live(&reads, days),
                Seen::Stamped => versions.and_then(|versions| versions.stamp(&reads, days)),
                Seen::Numbered(_) => Some(Stamp::default()),
            };
            let Period { start, end, .. } = *bucket;
            keyed.extend(stamp.map(|stamp| Keyed {
                bucket: index,
                key: CellKey { atom, place, start, end, stamp },
                days,
            }));
        }
        (!keyed.is_empty()).then_some((keyed, reads))
    }

    /// The days of the rows that count in a bucket, by the store's calendar and by the request's.
    fn days_read(&self, bucket: &Period, state: Option<End>) -> (Date, Date) {
        let own = &self.schema().store.calendar;
        let asked = self.context.calendar;
        let last = state.and_then(|end| end.instant(bucket)).unwrap_or(bucket.end);
        let last = Calendar::add_nanoseconds(last, -1).unwrap_or(last);
        let mut days = (own.date_of(bucket.start), own.date_of(last));
        if own.zone() != asked.zone() {
            days.0 = days.0.min(asked.date_of(bucket.start));
            days.1 = days.1.max(asked.date_of(last));
        }
        match state {
            Some(End::Start | End::AsOf) => (Date::MIN, days.1),
            Some(End::Within) | None => days,
        }
    }

    /// Everything around an atom that its answers depend on.
    fn place_among(
        &mut self,
        cached: Cached<'_>,
        data: &Data,
        (site, footprint): (&Site<'_>, &Footprint),
    ) -> u128 {
        let key = (site.frame, footprint.knows_present, footprint.is_wide);
        if let Some(known) = self.surroundings.get(&key) {
            return *known;
        }
        let around = self.surroundings_of(site.frame);
        let now = footprint.knows_present.then_some(self.context.now);
        let start = footprint.is_wide.then(|| self.frame(site.frame).map(|f| f.request_start));
        let rows = match cached.seen {
            Seen::Live | Seen::Stamped => 0,
            Seen::Numbered(number) => number,
        };
        let (schema, filled) = (cached.schema, data.filled);
        let place = digest(&format!("{around} {schema} {rows} {filled} {now:?} {start:?}"));
        self.surroundings.insert(key, place);
        place
    }

    fn surroundings_of(&self, frame: usize) -> u128 {
        let mut text = format!("{:?}", self.context.calendar);
        let Some(frame) = self.frame(frame) else { return digest(&text) };
        write!(text, " {:?} {:?} {:?}", frame.currency, frame.state, frame.groups.keys).ok();
        write!(text, " {:?}", frame.groups.tuples).ok();
        for filter in &frame.filters {
            for (source, condition) in &filter.conditions {
                let meaning = self.meaning(filter.owner, *condition);
                write!(text, " where {} {meaning}", source.0).ok();
            }
        }
        digest(&text)
    }

    /// Computes some buckets of a frame; `None` where something went wrong that must not be kept.
    fn computed_rows(&mut self, site: (&Site<'_>, NodeId), buckets: &[usize]) -> Option<Vec<Row>> {
        let before = (self.findings.len(), self.missing_inputs.len());
        let rows = self.rows_of_buckets(site, buckets);
        let is_clean = before == (self.findings.len(), self.missing_inputs.len());
        // A null that knows where it began speaks of places in one text.
        let is_placed = |value: &Value| {
            value.as_missing().is_some_and(|Missing { origin, .. }| origin.is_some())
        };
        let is_free = !rows.iter().any(|row| row.iter().any(is_placed));
        (is_clean && is_free && !self.is_exhausted()).then_some(rows)
    }

    fn rows_of_buckets(&mut self, (site, id): (&Site<'_>, NodeId), buckets: &[usize]) -> Vec<Row> {
        let Some(frame) = self.frame(site.frame) else { return Vec::new() };
        let part = buckets.iter().filter_map(|bucket| frame.buckets.get(*bucket).copied());
        let inner = Frame { buckets: part.collect(), ..frame.clone() };
        let group_count = inner.group_count().max(1);
        let frame = self.intern(inner);
        let cells = self.fresh_cells(&Site { frame, ..*site }, id);
        cells.chunks(group_count).map(Row::from).collect()
    }

    /// All cells of a frame, those of buckets still open computed.
    fn fill_open(
        &mut self,
        site: (&Site<'_>, NodeId),
        mut rows: Vec<Option<Row>>,
    ) -> Option<Vec<Value>> {
        let open = rows.iter().enumerate().filter(|(_, row)| row.is_none());
        let open: Vec<usize> = open.map(|(bucket, _)| bucket).collect();
        if !open.is_empty() {
            let computed = self.rows_of_buckets(site, &open);
            for (bucket, row) in open.iter().zip(computed) {
                *rows.get_mut(*bucket)? = Some(row);
            }
        }
        let rows: Option<Vec<Row>> = rows.into_iter().collect();
        Some(rows?.iter().flat_map(|row| row.iter().cloned()).collect())
    }
}
