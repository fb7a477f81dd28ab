//! Rollups from rows: sheets that are new, and slots that could not be kept up.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quotient::rollup::{EventTime, Grain, RollupSchema, Rollups};

use super::coverage::Reach;
use super::fold::{Keys, codes, keeping_of};
use super::key_numbers::{Naming, Numbers};
use super::page::{self, Page};
use super::pending;
use super::prefix_sums::Prefixes;
use super::queries::changes;
use super::queries::source_rows::{self, Extent};
use super::queries::tables::{self as queries, Place, SheetRow};
use super::retention::{Keeping, Part};
use super::rows::{self, Rows, StateError};
use super::table::Sheet;
use crate::clock::Timestamp;
use crate::database::{Db, Tx};
use crate::registry::queries::stamp;

/// How often is looked for what must be counted.
const EVERY: Duration = Duration::from_millis(500);
/// The pause before orders are put into cells that a reader had to count: others come meanwhile.
const GATHER: Duration = Duration::from_millis(50);
/// The pause after each write of a count: longer than another process waits between two looks at the file.
const PAUSE: Duration = Duration::from_millis(120);
/// Limit: days counted in one write, so that other writes do not wait long.
const DAYS_AT_ONCE: i32 = 32;
/// Limit: slots counted anew in one write.
const SLOTS_AT_ONCE: u32 = 32;
const HOURS_A_DAY: i32 = 24;

/// Counts what must be counted, for ever; what waits also when readers had to count much of it.
pub async fn keep_building(db: Db, prefixes: Arc<Prefixes>) {
    let mut every = tokio::time::interval(EVERY);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _now = every.tick() => {}
            () = prefixes.crowded() => tokio::time::sleep(GATHER).await,
        }
        if let Err(error) = pending::settle_all(&db).await {
            tracing::warn!(%error, "orders still wait to be put into states");
        }
        if let Err(error) = build(&db, PAUSE).await {
            tracing::warn!(%error, "states could not be counted");
        }
    }
}

/// Counts everything that must be counted, at once.
#[cfg(test)]
pub(crate) async fn build_all(db: &Db) -> Result<(), crate::database::Error> {
    build(db, Duration::ZERO).await
}

/// Counts everything that must be counted, with a pause after each write.
async fn build(db: &Db, pause: Duration) -> Result<(), crate::database::Error> {
    while db.read(|tx| Ok::<_, crate::database::Error>(is_behind(tx)?)).await? {
        db.write(|tx| Ok::<_, crate::database::Error>(step(tx)?)).await?;
        tokio::time::sleep(pause).await;
    }
    Ok(())
}

/// Whether a sheet is not complete, of another layout, or has slots to be counted anew.
fn is_behind(tx: &Tx<'_>) -> Result<bool, StateError> {
    if !queries::dirty(tx, 1)?.is_empty() {
        return Ok(true);
    }
    let kept = queries::sheets(tx)?;
    if kept.is_empty() {
        return Ok(false);
    }
    let zone = stamp::read(tx)?.zone;
    let is_open = kept.iter().any(|row| row.built_from != i32::MIN);
    Ok(is_open
        || codes(&kept).iter().filter_map(|code| keeping_of(code, &zone)).any(|keeping| {
            keeping.sheets().any(|(_, sheet)| !kept.iter().any(|row| sheet.is_kept_as(row)))
        }))
}

/// Does one piece of the work; none of it in a group whose earlier writes touched orders, which are folded when the group
/// ends and would be counted twice.
fn step(tx: &Tx<'_>) -> Result<(), StateError> {
    if !changes::touched(tx)?.is_empty() {
        return Ok(());
    }
    // What is counted from its rows must not be put in once more.
    pending::settle(tx)?;
    let zone = stamp::read(tx)?.zone;
    let kept = queries::sheets(tx)?;
    for code in codes(&kept) {
        let Some(keeping) = keeping_of(&code, &zone) else { continue };
        for (_, sheet) in keeping.sheets() {
            if !kept.iter().any(|row| sheet.is_kept_as(row)) {
                queries::begin_sheet(tx, (&sheet.name, &sheet.layout), false)?;
            }
        }
    }
    let kept = queries::sheets(tx)?;
    for (seq, slot) in queries::dirty(tx, SLOTS_AT_ONCE)? {
        let row = kept.iter().find(|row| row.seq == seq);
        if let Some(row) = row {
            with_sheet(row, &zone, |keeping, part, sheet| {
                anew(tx, (keeping, part, sheet), row, slot)
            })?;
        }
        queries::mark_clean(tx, seq, slot)?;
    }
    // One sheet in a write: other programs wait for the file, and no longer than some seconds.
    if let Some(row) = kept.iter().find(|row| row.built_from != i32::MIN) {
        let mut own = row.clone();
        let is_known = with_sheet(row, &zone, |keeping, part, sheet| {
            further(tx, (keeping, part, sheet), &mut own)
        })?;
        if !is_known {
            // A sheet that this program does not keep any more.
            queries::drop_sheet(tx, row.seq)?;
        }
    }
    Ok(())
}

/// Works on a sheet that the program keeps; whether it does.
fn with_sheet(
    row: &SheetRow,
    zone: &str,
    work: impl FnOnce(&Keeping, &Part, &Sheet) -> Result<(), StateError>,
) -> Result<bool, StateError> {
    let code = row.name.get(..3).unwrap_or_default();
    let Some(keeping) = keeping_of(code, zone) else { return Ok(false) };
    let found = keeping.sheets().find(|(_, sheet)| sheet.name == row.name);
    let Some((part, sheet)) = found else { return Ok(false) };
    work(&keeping, part, sheet)?;
    Ok(true)
}

/// The definitions of a sheet.
fn definitions(part: &Part, sheet: &Sheet) -> RollupSchema {
    part.definitions.only(|definition| sheet.definitions.contains(definition))
}

/// The cells of a sheet's slots from the rows, from the first to before the second.
pub(super) fn counted(
    tx: &Tx<'_>,
    (keeping, part, sheet): (&Keeping, &Part, &Sheet),
    (from, to): (i32, i32),
) -> Result<Rollups, StateError> {
    let start = |slot| instant(keeping, sheet, slot).map(Timestamp::as_millis);
    let ends = (start(from).unwrap_or(i64::MIN), start(to).unwrap_or(i64::MAX));
    cells_of(tx, (keeping, part, sheet), &extent(sheet, ends), Naming::Anew)
}

/// The cells of a sheet from the rows between two instants, in milliseconds; none if its rows are not found by them.
/// Nothing is written: all keys of these rows have numbers, or are orders that wait.
pub(super) fn counted_between(
    tx: &Tx<'_>,
    of: (&Keeping, &Part, &Sheet),
    (from, to): (i64, i64),
    waiting: &[String],
) -> Result<Option<Rollups>, StateError> {
    if matches!(date(of.2), Dated::Otherwise) {
        return Ok(None);
    }
    cells_of(tx, of, &extent(of.2, (from, to)), Naming::Known(waiting)).map(Some)
}

fn cells_of(
    tx: &Tx<'_>,
    (keeping, part, sheet): (&Keeping, &Part, &Sheet),
    extent: &Extent,
    naming: Naming<'_>,
) -> Result<Rollups, StateError> {
    let definitions = definitions(part, sheet);
    let read = rows::reads(&[&definitions]);
    let rows = source_rows::rows(tx, &read, (extent, &keeping.currency_code()))?;
    let rows = Rows::of(keeping, &rows)?;
    rows::cells(keeping, (&definitions, &rows), &mut Numbers::new(tx, naming))
}

/// The rows of a sheet that are dated between two instants, in milliseconds.
fn extent(sheet: &Sheet, (from, to): (i64, i64)) -> Extent {
    match date(sheet) {
        Dated::Ordered => Extent::Ordered(from, to),
        Dated::Refunded => Extent::Refunded(from, to),
        Dated::FirstOrdered => Extent::FirstOrdered(from, to),
        Dated::Otherwise => Extent::Customers,
    }
}

/// What places the rows of a sheet in time.
enum Dated {
    Ordered,
    Refunded,
    FirstOrdered,
    /// Nothing that rows could be found by.
    Otherwise,
}

fn date(sheet: &Sheet) -> Dated {
    let Some(first) = sheet.first() else { return Dated::Otherwise };
    match (first.source.as_str(), &first.event_time) {
        ("refunds", EventTime::By(column)) if column.as_str() == "created_at" => Dated::Refunded,
        ("orders" | "items" | "refunds", EventTime::By(_)) => Dated::Ordered,
        ("customers", EventTime::By(column)) if column.as_str() == "first_order_at" => {
            Dated::FirstOrdered
        }
        _ => Dated::Otherwise,
    }
}

/// The first instant of a slot; none for the first and the last of all.
fn instant(keeping: &Keeping, sheet: &Sheet, slot: i32) -> Option<Timestamp> {
    if slot == i32::MIN || slot == i32::MAX {
        return None;
    }
    let calendar = &keeping.engine.schema().store.calendar;
    sheet.first()?.grain.start(slot, calendar).map(Timestamp::from)
}

/// Counts the next stretch of a sheet, from the latest rows to the first.
fn further(
    tx: &Tx<'_>,
    of: (&Keeping, &Part, &Sheet),
    row: &mut SheetRow,
) -> Result<(), StateError> {
    let (keeping, _, sheet) = of;
    let to = row.built_from;
    let end = instant(keeping, sheet, to).unwrap_or(Timestamp::from_millis(i64::MAX));
    let last = match date(sheet) {
        Dated::Ordered | Dated::FirstOrdered => queries::last_before(tx, false, end)?,
        Dated::Refunded => queries::last_before(tx, true, end)?,
        Dated::Otherwise => None,
    };
    let calendar = &keeping.engine.schema().store.calendar;
    let grain = sheet.first().map_or(Grain::Always, |first| first.grain);
    let slot = last.and_then(|last| grain.bucket(last.to_jiff(), calendar));
    let from = slot.map_or(i32::MIN, |slot| {
        let span = if grain == Grain::Hour {
            DAYS_AT_ONCE.saturating_mul(HOURS_A_DAY)
        } else {
            DAYS_AT_ONCE
        };
        // A stretch begins with a block.
        slot.div_euclid(span).saturating_mul(span)
    });
    let is_empty = slot.is_none() && !matches!(date(sheet), Dated::Otherwise);
    if !is_empty {
        let cells = counted(tx, of, (from, to))?;
        Reach::of(sheet, &cells).widen(row);
        for (place, own) in pages(tx, (sheet, row.seq), (&cells, sheet.spans().len()))? {
            page::change(tx, place, |page| page.merge(sheet, &own))?;
        }
    }
    row.built_from = from;
    queries::update_sheet(tx, row)?;
    Ok(())
}

/// The cells of a fold by page, in so many levels: the cells themselves first, then the blocks above them.
fn pages(
    tx: &Tx<'_>,
    (sheet, seq): (&Sheet, i64),
    (cells, levels): (&Rollups, usize),
) -> Result<BTreeMap<Place, Page>, StateError> {
    let (mut keys, mut pages) = (Keys::default(), BTreeMap::<Place, Page>::new());
    for cell in sheet.cells(cells) {
        let (page, key) = sheet.page(keys.of(tx, cell.tuple)?);
        for (level, slot) in sheet.levels(cell.slot).take(levels) {
            let own = pages.entry(Place { sheet: seq, level, slot, page }).or_default();
            own.add((cell.place, key), cell.kind, cell.state);
        }
    }
    Ok(pages)
}

/// Counts one slot anew, and makes the blocks above it from their cells.
fn anew(
    tx: &Tx<'_>,
    of: (&Keeping, &Part, &Sheet),
    row: &SheetRow,
    slot: i32,
) -> Result<(), StateError> {
    let (_, _, sheet) = of;
    let end = slot.saturating_add(1);
    queries::clear_cells(tx, (row.seq, 0), (slot, end))?;
    let cells = counted(tx, of, (slot, end))?;
    let own = pages(tx, (sheet, row.seq), (&cells, 1))?.into_iter();
    for (place, page) in own.filter(|(place, _)| place.slot == slot) {
        queries::put_cells(tx, place, page.written()?.as_deref())?;
    }
    for (span, level) in sheet.spans().iter().zip(0_i64..).skip(1) {
        let block = slot.div_euclid((*span).max(1));
        let first = block.saturating_mul(*span);
        let mut whole: BTreeMap<i64, Page> = BTreeMap::new();
        for row in queries::cells(tx, (row.seq, 0), (first, first.saturating_add(*span)))? {
            whole.entry(row.page).or_default().merge(sheet, &Page::read(&row.body)?);
        }
        queries::clear_cells(tx, (row.seq, level), (block, block.saturating_add(1)))?;
        for (page, cells) in whole {
            let place = Place { sheet: row.seq, level, slot: block, page };
            queries::put_cells(tx, place, cells.written()?.as_deref())?;
        }
    }
    Ok(())
}
