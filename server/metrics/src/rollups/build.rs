//! Builds rollups from rows: new tables, and dirty buckets.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quotient::rollup::{EventTime, Grain, Rollups};

use super::apply::{self, KeyCache, SourceData, codes, plan_of};
use super::error::RollupError;
use super::key_numbers::{KeyAssignment, StoredKeyNumbers};
use super::page::{self, Page};
use super::pending;
use super::plan::PlannedTable;
use super::prefix_sums::PrefixSums;
use super::queries::changes;
use super::queries::source_rows::{self, Extent};
use super::queries::tables::{self as queries, PageAddress, TableRow};
use super::table::{Coverage, RollupTable};
use crate::clock::Timestamp;
use crate::database::{Db, Tx};
use crate::registry::queries::stamp;

/// The polling interval.
const EVERY: Duration = Duration::from_millis(500);
/// The pause before a flush that a reader requests, during which more orders arrive.
const GATHER: Duration = Duration::from_millis(50);
/// How long writes follow one another before a pause.
const BURST: Duration = Duration::from_millis(100);
/// The pause: longer than the interval at which another process retries to lock the file.
const PAUSE: Duration = Duration::from_millis(120);
/// Limit: days built in one write.
const DAYS_AT_ONCE: i32 = 32;
/// Limit: orders or refunds built in one write, apart from those of one bucket, so that other writes do not wait
/// long.
const ROWS_AT_ONCE: u32 = 128;
/// Limit: dirty buckets rebuilt in one write.
const BUCKETS_AT_ONCE: u32 = 32;
const HOURS_A_DAY: i32 = 24;

/// Builds tables, rebuilds dirty buckets and flushes pending deltas, forever.
pub async fn build_continuously(db: Db, prefix_sums: Arc<PrefixSums>) {
    let mut every = tokio::time::interval(EVERY);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _now = every.tick() => {}
            () = prefix_sums.flush_due() => tokio::time::sleep(GATHER).await,
        }
        if let Err(error) = pending::flush_all(&db).await {
            tracing::warn!(%error, "pending orders could not be flushed");
        }
        if let Err(error) = build(&db, PAUSE).await {
            tracing::warn!(%error, "rollups could not be built");
        }
    }
}

/// Builds everything without pauses.
#[cfg(test)]
pub(crate) async fn build_all(db: &Db) -> Result<(), crate::database::Error> {
    build(db, Duration::ZERO).await
}

/// Builds everything, with a pause after each burst of writes.
async fn build(db: &Db, pause: Duration) -> Result<(), crate::database::Error> {
    let mut started = Instant::now();
    while db.read(|tx| Ok::<_, crate::database::Error>(is_behind(tx)?)).await? {
        db.write(|tx| Ok::<_, crate::database::Error>(step(tx)?)).await?;
        if started.elapsed() >= BURST {
            tokio::time::sleep(pause).await;
            started = Instant::now();
        }
    }
    Ok(())
}

/// Returns whether a table is incomplete, missing or of another layout, or a bucket is dirty.
fn is_behind(tx: &Tx<'_>) -> Result<bool, RollupError> {
    if !queries::dirty(tx, 1)?.is_empty() {
        return Ok(true);
    }
    let stored = queries::tables(tx)?;
    if stored.is_empty() {
        return Ok(false);
    }
    let zone = stamp::read(tx)?.zone;
    let is_open = stored.iter().any(|row| row.built_from != i32::MIN);
    Ok(is_open
        || codes(&stored)
            .iter()
            .filter_map(|code| plan_of(code, &zone))
            .any(|plan| plan.tables().any(|own| !stored.iter().any(|row| own.table.matches(row)))))
}

/// Does one step of the work. Does nothing in a group whose earlier writes touched orders: these are folded at the end
/// of the group and would be counted twice.
fn step(tx: &Tx<'_>) -> Result<(), RollupError> {
    if !changes::touched(tx)?.is_empty() {
        return Ok(());
    }
    // Pending orders are flushed first, as a rebuilt bucket includes their rows.
    pending::flush(tx)?;
    let zone = stamp::read(tx)?.zone;
    let stored = queries::tables(tx)?;
    for code in codes(&stored) {
        let Some(plan) = plan_of(&code, &zone) else { continue };
        for table in plan.tables().map(|planned| planned.table) {
            if !stored.iter().any(|row| table.matches(row)) {
                queries::begin_table(tx, &table.name, &table.layout, false)?;
            }
        }
    }
    let stored = queries::tables(tx)?;
    for (seq, bucket) in queries::dirty(tx, BUCKETS_AT_ONCE)? {
        let row = stored.iter().find(|row| row.seq == seq);
        if let Some(row) = row {
            with_table(row, &zone, |planned| rebuild_bucket(tx, planned, row, bucket))?;
        }
        queries::mark_clean(tx, seq, bucket)?;
    }
    // One table per write: other processes wait for the file, but only for some seconds.
    if let Some(row) = stored.iter().find(|row| row.built_from != i32::MIN) {
        let mut own = row.clone();
        let is_known = with_table(row, &zone, |planned| further(tx, planned, &mut own))?;
        if !is_known {
            // The program no longer uses this table.
            queries::drop_table(tx, row.seq)?;
        }
    }
    Ok(())
}

/// Works on a table that the program uses; returns whether it does.
fn with_table(
    row: &TableRow,
    zone: &str,
    work: impl FnOnce(PlannedTable<'_>) -> Result<(), RollupError>,
) -> Result<bool, RollupError> {
    let code = row.name.get(..3).unwrap_or_default();
    let Some(plan) = plan_of(code, zone) else { return Ok(false) };
    let found = plan.tables().find(|planned| planned.table.name == row.name);
    let Some(planned) = found else { return Ok(false) };
    work(planned)?;
    Ok(true)
}

/// Computes the rollups of a table from its rows, for buckets from the first to before the second.
pub(super) fn counted(
    tx: &Tx<'_>,
    planned: PlannedTable<'_>,
    (from, to): (i32, i32),
) -> Result<Rollups, RollupError> {
    let start = |bucket| instant(planned, bucket).map(Timestamp::as_millis);
    let ends = (start(from).unwrap_or(i64::MIN), start(to).unwrap_or(i64::MAX));
    rollups_of(tx, planned, &extent(planned.table, ends), KeyAssignment::Assign)
}

/// Computes the rollups of a table from its rows between two instants, in milliseconds; none if its rows have no date.
/// Nothing is written: all keys of these rows have numbers, or belong to pending orders.
pub(super) fn rollups_between(
    tx: &Tx<'_>,
    planned: PlannedTable<'_>,
    (from, to): (i64, i64),
    pending: &[String],
) -> Result<Option<Rollups>, RollupError> {
    let extent = extent(planned.table, (from, to));
    if matches!(extent, Extent::Customers) {
        return Ok(None);
    }
    rollups_of(tx, planned, &extent, KeyAssignment::Known(pending)).map(Some)
}

fn rollups_of(
    tx: &Tx<'_>,
    PlannedTable { plan, part, table }: PlannedTable<'_>,
    extent: &Extent,
    naming: KeyAssignment<'_>,
) -> Result<Rollups, RollupError> {
    let definitions = part.definitions.only(|own| table.definitions.contains(own));
    let read = apply::reads(&[&definitions]);
    let rows = source_rows::rows(tx, &read, (extent, &plan.currency_code()))?;
    let rows = SourceData::of(plan, &rows)?;
    apply::fold(plan, (&definitions, &rows), &mut StoredKeyNumbers::new(tx, naming))
}

/// Returns the rows of a table between two instants, by the event that dates them; all customers if none does.
fn extent(table: &RollupTable, (from, to): (i64, i64)) -> Extent {
    let Some(first) = table.first() else { return Extent::Customers };
    match (first.source.as_str(), &first.event_time) {
        ("refunds", EventTime::By(column)) if column.as_str() == "created_at" => {
            Extent::Refunded(from, to)
        }
        ("orders" | "items" | "refunds", EventTime::By(_)) => Extent::Ordered(from, to),
        ("customers", EventTime::By(column)) if column.as_str() == "first_order_at" => {
            Extent::FirstOrdered(from, to)
        }
        _ => Extent::Customers,
    }
}

/// Returns the first instant of a bucket; none for the minimum and the maximum bucket.
fn instant(planned: PlannedTable<'_>, bucket: i32) -> Option<Timestamp> {
    if bucket == i32::MIN || bucket == i32::MAX {
        return None;
    }
    let calendar = &planned.plan.engine.schema().store.calendar;
    planned.table.first()?.grain.start(bucket, calendar).map(Timestamp::from)
}

/// Builds the next batch of a table's buckets, from the latest to the first.
fn further(tx: &Tx<'_>, planned: PlannedTable<'_>, row: &mut TableRow) -> Result<(), RollupError> {
    let PlannedTable { plan, table, .. } = planned;
    let to = row.built_from;
    let end = instant(planned, to).unwrap_or(Timestamp::from_millis(i64::MAX));
    let before = extent(table, (i64::MIN, end.as_millis()));
    let ends = match before {
        Extent::Ordered(..) | Extent::FirstOrdered(..) => {
            queries::ends_before(tx, false, end, ROWS_AT_ONCE)?
        }
        Extent::Refunded(..) => queries::ends_before(tx, true, end, ROWS_AT_ONCE)?,
        Extent::Customers | Extent::Of { .. } => None,
    };
    let calendar = &plan.engine.schema().store.calendar;
    let grain = table.first().map_or(Grain::Always, |first| first.grain);
    let bucket = |instant: Timestamp| grain.bucket(instant.to_jiff(), calendar);
    let ends = ends.and_then(|(first, last)| bucket(first).zip(bucket(last)));
    let from = ends.map_or(i32::MIN, |(first, last)| {
        let span = if grain == Grain::Hour {
            DAYS_AT_ONCE.saturating_mul(HOURS_A_DAY)
        } else {
            DAYS_AT_ONCE
        };
        // Not over the start of a block, whose pages are written with those of its buckets.
        last.div_euclid(span).saturating_mul(span).max(first)
    });
    let is_empty = ends.is_none() && !matches!(before, Extent::Customers);
    if !is_empty {
        let rollups = counted(tx, planned, (from, to))?;
        Coverage::of(table, &rollups).widen(row);
        for (place, own) in pages(tx, (table, row.seq), (&rollups, table.spans().len()))? {
            page::change(tx, place, |page| page.merge(table, &own))?;
        }
    }
    row.built_from = from;
    queries::update_table(tx, row)?;
    Ok(())
}

/// Splits rollups into pages by level: buckets first, then the blocks above them.
fn pages(
    tx: &Tx<'_>,
    (table, seq): (&RollupTable, i64),
    (rollups, levels): (&Rollups, usize),
) -> Result<BTreeMap<PageAddress, Page>, RollupError> {
    let (mut keys, mut pages) = (KeyCache::default(), BTreeMap::<PageAddress, Page>::new());
    for entry in table.partials(rollups) {
        let (page, key) = table.page(keys.of(tx, entry.tuple)?);
        for (level, bucket) in table.levels(entry.bucket).take(levels) {
            let own = pages.entry(PageAddress { table: seq, level, bucket, page }).or_default();
            own.add((entry.place, key), entry.kind, entry.aggregate);
        }
    }
    Ok(pages)
}

/// Rebuilds a bucket from its rows, and the blocks above it from their buckets.
fn rebuild_bucket(
    tx: &Tx<'_>,
    planned: PlannedTable<'_>,
    row: &TableRow,
    bucket: i32,
) -> Result<(), RollupError> {
    let table = planned.table;
    let end = bucket.saturating_add(1);
    queries::clear_pages(tx, (row.seq, 0), (bucket, end))?;
    let rollups = counted(tx, planned, (bucket, end))?;
    let own = pages(tx, (table, row.seq), (&rollups, 1))?.into_iter();
    for (place, page) in own.filter(|(place, _)| place.bucket == bucket) {
        queries::put_page(tx, place, page.written()?.as_deref())?;
    }
    for (span, level) in table.spans().iter().zip(0_i64..).skip(1) {
        let block = bucket.div_euclid((*span).max(1));
        let first = block.saturating_mul(*span);
        let mut whole: BTreeMap<i64, Page> = BTreeMap::new();
        for row in queries::pages(tx, (row.seq, 0), (first, first.saturating_add(*span)))? {
            whole.entry(row.page).or_default().merge(table, &Page::read(&row.body)?);
        }
        queries::clear_pages(tx, (row.seq, level), (block, block.saturating_add(1)))?;
        for (page, rollups) in whole {
            let place = PageAddress { table: row.seq, level, bucket: block, page };
            queries::put_page(tx, place, rollups.written()?.as_deref())?;
        }
    }
    Ok(())
}
