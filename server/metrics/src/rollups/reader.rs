//! Reads rollups for formulas: the requested buckets, in the snapshot of a transaction.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;
use quotient::Inputs;
use quotient::rollup::{Grain, Rollup, RollupDefinition, RollupReader, RollupStore, Rollups};
use quotient::sql::Database;
use quotient::types::Currency;

use super::build::rollups_between;
use super::error::RollupError;
use super::pages::{self, DimensionKeys, LoadedPages};
use super::pending::PendingDeltas;
use super::plan::{PlanPart, PlannedTable, RollupPlan};
use super::prefix_sums::{self, PrefixSumReader};
use super::queries::tables::{self as queries, TableRow};
use super::table::{BucketRange, RollupTable, scale};
use crate::database::{Error, Tx};
use crate::registry::queries::stamp;

/// Limit: shorter ranges have no prefix sum.
const PREFIX_MIN_BUCKETS: i32 = 4;

/// The rollups of a snapshot in one currency.
pub struct StoredRollups<'t, 'c> {
    tx: &'t Tx<'c>,
    plan: Option<Arc<RollupPlan>>,
    prefix_sums: Option<PrefixSumReader<'t>>,
    tables: BTreeMap<String, TableRow>,
    cache: RefCell<ReaderCache>,
}

#[derive(Default)]
struct ReaderCache {
    /// Keys by the first and the last number of a read.
    keys: BTreeMap<(i64, i64), Rc<DimensionKeys>>,
    pending: Option<Arc<PendingDeltas>>,
    dirty: Option<Rc<BTreeSet<(i64, i32)>>>,
    loaded: BTreeMap<LoadKey, Rc<LoadedPages>>,
    /// By the index of the definition in its table.
    grids: BTreeMap<(LoadKey, u8), Option<Arc<Rollup>>>,
    counted: BTreeMap<CountedRange, Option<Rc<Rollups>>>,
    declined: BTreeMap<String, String>,
}

/// A table, and two instants in milliseconds between which its rows were folded.
type CountedRange = (i64, i64, i64);

/// A table, and its buckets that were loaded together.
type LoadKey = (i64, Vec<BucketRange>);

impl fmt::Debug for StoredRollups<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("StoredRollups")
            .field("tables", &self.tables.len())
            .finish_non_exhaustive()
    }
}

impl<'t, 'c> StoredRollups<'t, 'c> {
    pub fn read(
        tx: &'t Tx<'c>,
        currency: Currency,
        prefix_sums: Option<PrefixSumReader<'t>>,
    ) -> Result<Self, Error> {
        let plan = RollupPlan::of(currency, &stamp::read(tx)?.zone);
        let rows = queries::tables(tx)?.into_iter();
        let tables = rows.map(|row| (row.name.clone(), row)).collect();
        Ok(Self { tx, plan, prefix_sums, tables, cache: RefCell::default() })
    }

    /// Runs `work` over these rollups, and over the database where they decline.
    pub fn before<R>(&self, database: &Database<'_>, work: impl FnOnce(Inputs<'_>) -> R) -> R {
        let Some(plan) = self.plan.as_deref() else { return work(Inputs::store(database)) };
        let parts: Vec<PartReader<'_, 't, 'c>> =
            plan.parts.iter().map(|part| PartReader { rollups: self, plan, part }).collect();
        let [days, products, hours] = parts.as_slice() else {
            return work(Inputs::store(database));
        };
        let hours = RollupReader::new(&hours.part.definitions, hours).or_store(database);
        let products = RollupReader::new(&products.part.definitions, products).or_rollups(&hours);
        let days = RollupReader::new(&days.part.definitions, days).or_rollups(&products);
        let outcome = work(Inputs::rollups(&days));
        // The first reader's reason is the most specific.
        let reasons: BTreeMap<String, String> = days.declined().into_iter().collect();
        let declined = hours.declined().into_iter();
        self.cache.borrow_mut().declined.extend(declined.map(|(aggregate, reason)| {
            let first = reasons.get(&aggregate).cloned();
            (aggregate, first.unwrap_or(reason))
        }));
        outcome
    }

    /// Returns the aggregates that had to be read from rows, with the reasons.
    pub(crate) fn declined(&self) -> BTreeMap<String, String> {
        self.cache.borrow().declined.clone()
    }

    /// Returns how often pages were read from the database.
    pub(crate) fn load_count(&self) -> usize {
        self.cache.borrow().loaded.len()
    }

    /// Returns for how many ranges within an hour rows were folded.
    #[cfg(test)]
    pub(crate) fn counted_len(&self) -> usize {
        use crate::clock::HOUR_MS;

        let cache = self.cache.borrow();
        let is_short = |(_, from, to): &&CountedRange| to.saturating_sub(*from) < HOUR_MS;
        cache.counted.keys().filter(is_short).count()
    }

    fn dirty(&self) -> Result<Rc<BTreeSet<(i64, i32)>>, RollupError> {
        if let Some(known) = &self.cache.borrow().dirty {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(queries::dirty(self.tx, u32::MAX)?.into_iter().collect());
        self.cache.borrow_mut().dirty = Some(Rc::clone(&found));
        Ok(found)
    }

    fn pending(&self) -> Result<Arc<PendingDeltas>, RollupError> {
        if let Some(known) = &self.cache.borrow().pending {
            return Ok(Arc::clone(known));
        }
        let read = |plan| prefix_sums::pending_deltas(self.tx, plan, self.prefix_sums);
        let found = self.plan.as_ref().map(read).transpose()?.unwrap_or_default();
        self.cache.borrow_mut().pending = Some(Arc::clone(&found));
        Ok(found)
    }

    fn keys(&self, ends: (i64, i64)) -> Result<Rc<DimensionKeys>, RollupError> {
        if let Some(known) = self.cache.borrow().keys.get(&ends) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(pages::keys(self.tx, ends)?);
        self.cache.borrow_mut().keys.insert(ends, Rc::clone(&found));
        Ok(found)
    }

    fn loaded(
        &self,
        table: &RollupTable,
        row: &TableRow,
        ranges: &[BucketRange],
    ) -> Result<Rc<LoadedPages>, RollupError> {
        let load_key = (row.seq, ranges.to_vec());
        if let Some(known) = self.cache.borrow().loaded.get(&load_key) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(pages::load(self.tx, (table, row), ranges)?);
        self.cache.borrow_mut().loaded.insert(load_key, Rc::clone(&found));
        Ok(found)
    }

    fn grid(
        &self,
        of: (&RollupTable, &TableRow, u8),
        ranges: &[BucketRange],
    ) -> Result<Option<Rollup>, RollupError> {
        let (table, row, place) = of;
        let Some(definition) = table.definitions.get(usize::from(place)) else { return Ok(None) };
        let (mut early, mut read, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for (from, end) in ranges {
            let last = end.saturating_sub(1);
            let Some(key) = self.early((table, row, place), (*from, last), ranges)? else {
                rest.push((*from, *end));
                continue;
            };
            rest.push((last, *end));
            let known = self.prefix_sums.and_then(|prefix_sums| prefix_sums.find(&key));
            if known.is_none() {
                read.push((*from, last));
            }
            early.push((*end, key, known));
        }
        read.extend(&rest);
        let loaded = self.loaded(table, row, &read)?;
        let known = early.iter().filter_map(|(_, _, known)| known.as_ref());
        let keys = loaded.keys.into_iter().chain(known.filter_map(pages::ends_of));
        let keys = keys.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let keys = keys.map(|ends| self.keys(ends)).transpose()?.unwrap_or_default();
        let mut levels = loaded.levels((table, place), &keys, &rest)?;
        for (end, key, known) in early {
            let merged = if let Some(known) = known {
                known
            } else {
                let own = loaded.levels((table, place), &keys, &[key.buckets])?;
                let own = pages::merged(definition, (&keys, own), key.buckets);
                if let Some(prefix_sums) = self.prefix_sums {
                    prefix_sums.keep(key.clone(), &own, &table.dependencies);
                }
                own
            };
            pages::put_prefix(table.spans(), (key.buckets.0, end), &keys, &merged, &mut levels);
        }
        let pending = self.pending()?;
        let pending = pending.grid(definition).map(|grid| (grid, table.spans(), ranges));
        let grid = pages::part(definition, (&keys, levels), pending);
        let mut grid = self.described(row, place, definition, grid)?;
        // Buckets not built yet count as dirty.
        for (first, _) in ranges.iter().filter(|(first, end)| first < end) {
            if *first < row.built_from {
                grid.mark_dirty(*first);
            }
        }
        Ok(Some(grid))
    }

    /// Returns the key of the prefix sum of a range without its last bucket, if there is one.
    fn early(
        &self,
        (table, row, place): (&RollupTable, &TableRow, u8),
        buckets: BucketRange,
        ranges: &[BucketRange],
    ) -> Result<Option<prefix_sums::PrefixKey>, RollupError> {
        let (from, to) = buckets;
        let is_kept = self.prefix_sums.is_some()
            && table.first().is_some_and(|first| first.grain == Grain::Day)
            && to.saturating_sub(from) >= PREFIX_MIN_BUCKETS
            && to < i32::MAX.saturating_sub(1)
            && from >= row.built_from;
        let overlaps = |(first, end): &&BucketRange| *first <= to && *end > from;
        if !is_kept || ranges.iter().filter(overlaps).count() != 1 {
            return Ok(None);
        }
        let is_dirty = self.dirty()?.range((row.seq, from)..(row.seq, to)).next().is_some();
        let pending = self.pending()?;
        let definition = table.definitions.get(usize::from(place));
        let is_pending = definition.is_some_and(|own| pending.is_in(own, buckets));
        let key = || {
            let (table, layout) = (table.name.clone(), table.layout.clone());
            prefix_sums::PrefixKey { table, layout, place, buckets }
        };
        Ok((!is_dirty && !is_pending).then(key))
    }

    /// Adds all known facts about the rollup's buckets.
    fn described(
        &self,
        row: &TableRow,
        place: u8,
        definition: &RollupDefinition,
        mut grid: Rollup,
    ) -> Result<Rollup, RollupError> {
        for (_, bucket) in self.dirty()?.range((row.seq, i32::MIN)..=(row.seq, i32::MAX)) {
            grid.mark_dirty(*bucket);
        }
        let pending = self.pending()?;
        let pending = pending.grid(definition);
        grid.raise_scale(scale((row, place), pending));
        for (first, last) in row.extent.into_iter().chain(pending.and_then(Rollup::extent)) {
            grid.extend_extent(first);
            grid.extend_extent(last);
        }
        Ok(grid)
    }
}

fn readable<T>(found: Result<T, RollupError>) -> Option<T> {
    match &found {
        // The query is being stopped, and reports that itself.
        Ok(_) | Err(RollupError::Db(Error::Late)) => {}
        Err(error) => tracing::error!(%error, "rollups cannot be read"),
    }
    found.ok()
}

struct PartReader<'s, 't, 'c> {
    rollups: &'s StoredRollups<'t, 'c>,
    plan: &'s RollupPlan,
    part: &'s PlanPart,
}

impl fmt::Debug for PartReader<'_, '_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rollups.fmt(formatter)
    }
}

impl<'s> PartReader<'s, '_, '_> {
    /// Returns where a definition is stored, if its table has been started.
    fn place(&self, definition: &RollupDefinition) -> Option<(&'s RollupTable, &'s TableRow, u8)> {
        let (table, place) = self.part.place(definition)?;
        let row = self.rollups.tables.get(&table.name)?;
        let is_there = table.matches(row) && row.built_from != i32::MAX;
        is_there.then_some((table, row, place))
    }

    /// Returns the rollups of a table's rows between two instants; none if its rows have no date.
    fn counted(
        &self,
        table: &RollupTable,
        row: &TableRow,
        from: Timestamp,
        to: Timestamp,
    ) -> Option<Rc<Rollups>> {
        let ends = (millis_from(from), millis_from(to));
        let range = (row.seq, ends.0, ends.1);
        let known = self.rollups.cache.borrow().counted.get(&range).cloned();
        if let Some(known) = known {
            return known;
        }
        let planned = PlannedTable { plan: self.plan, part: self.part, table };
        let pending = readable(self.rollups.pending())?;
        let found = rollups_between(self.rollups.tx, planned, ends, &pending.ids.orders);
        let found = found.inspect_err(|error| tracing::error!(%error, "rows cannot be folded"));
        let found = found.ok().flatten().map(Rc::new);
        self.rollups.cache.borrow_mut().counted.insert(range, found.clone());
        found
    }

    /// Returns the rollup of the whole hours between two instants, with their first and last instant; none if there is
    /// no rollup by hour.
    fn hours(
        &self,
        definition: &RollupDefinition,
        from: Timestamp,
        to: Timestamp,
    ) -> Option<(Arc<Rollup>, (Timestamp, Timestamp))> {
        // Days depend on the time zone and hours do not, unless the rows are distinguished by the zone's days.
        let twins = [None, definition.calendar.clone()].map(|calendar| RollupDefinition {
            grain: Grain::Hour,
            calendar,
            ..definition.clone()
        });
        let parts = &self.plan.parts;
        let part_of = |twin| Some((parts.iter().find(|part| part.place(twin).is_some())?, twin));
        let (part, twin) = twins.iter().find_map(part_of)?;
        let calendar = &self.plan.engine.schema().store.calendar;
        let (first, last) =
            (Grain::Hour.bucket(from, calendar)?, Grain::Hour.bucket(to, calendar)?);
        let starts_there = Grain::Hour.start(first, calendar)? == from;
        let first = if starts_there { first } else { first.checked_add(1)? };
        let ends = (Grain::Hour.start(first, calendar)?, Grain::Hour.start(last, calendar)?);
        let own = PartReader { part, ..*self };
        let grid = (first < last).then(|| own.rollup(twin, &[(first, last)])).flatten()?;
        grid.dirty_in(first, last).is_none().then_some((grid, ends))
    }
}

impl RollupStore for PartReader<'_, '_, '_> {
    fn outline(&self, definition: &RollupDefinition) -> Option<Arc<Rollup>> {
        let (_, row, place) = self.place(definition)?;
        let none =
            Rollup::from_levels(definition.kind, definition.grain, Vec::new(), vec![Vec::new()]);
        readable(self.rollups.described(row, place, definition, none)).map(Arc::new)
    }

    fn rollup(&self, definition: &RollupDefinition, ranges: &[(i32, i32)]) -> Option<Arc<Rollup>> {
        let (table, row, place) = self.place(definition)?;
        let load_key = ((row.seq, ranges.to_vec()), place);
        if let Some(known) = self.rollups.cache.borrow().grids.get(&load_key) {
            return known.clone();
        }
        let grid = readable(self.rollups.grid((table, row, place), ranges));
        let grid = grid.flatten().map(Arc::new);
        self.rollups.cache.borrow_mut().grids.insert(load_key, grid.clone());
        grid
    }

    fn boundary(
        &self,
        definition: &RollupDefinition,
        from: Timestamp,
        to: Timestamp,
    ) -> Option<Arc<Rollup>> {
        let (table, row, place) = self.place(definition)?;
        let bucket = definition.grain.bucket(from, &self.plan.engine.schema().store.calendar)?;
        let mut grid = Rollup::new(definition.kind, definition.grain);
        let pending = readable(self.rollups.pending())?;
        grid.raise_scale(scale((row, place), pending.grid(definition)));
        let mut rest = vec![(from, to)];
        let is_of_day = definition.grain == Grain::Day;
        if let Some((hours, (first, last))) =
            is_of_day.then(|| self.hours(definition, from, to)).flatten()
        {
            for (_, tuple, partial) in hours.partials() {
                grid.merge_partial(bucket, tuple, partial);
            }
            rest = vec![(from, first), (last, to)];
        }
        for (from, to) in rest.into_iter().filter(|(from, to)| from < to) {
            let counted = self.counted(table, row, from, to)?;
            if let Some(own) = counted.rollup(definition) {
                grid.merge(own);
            }
        }
        Some(Arc::new(grid))
    }
}

/// Returns the first millisecond at or after an instant.
fn millis_from(at: Timestamp) -> i64 {
    let (millis, part) = (at.as_millisecond(), at.as_nanosecond() % 1_000_000);
    if part > 0 { millis.saturating_add(1) } else { millis }
}
