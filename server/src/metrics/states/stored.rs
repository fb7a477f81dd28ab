//! Cells as formulas read them: those of the slots that are asked for, in the snapshot of a transaction.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;
use quotient::Inputs;
use quotient::sql::Database;
use quotient::states::{CellStore, Cells, Grain, Grid, Reading, StateDefinition, Tuple};
use quotient::types::Currency;

use super::build::counted_between;
use super::fold::scales;
use super::keeping::{Keeping, Part};
use super::rows::StateError;
use super::sheet::{self, Body, Sheet};
use crate::database::Tx;
use crate::metrics::queries::stamp;
use crate::metrics::queries::states::{self as queries, SheetRow};

/// The states of a snapshot.
pub(in crate::metrics) struct States<'t, 'c> {
    tx: &'t Tx<'c>,
    keeping: Option<Arc<Keeping>>,
    sheets: BTreeMap<String, SheetRow>,
    kept: RefCell<Kept>,
    loads: Cell<usize>,
}

/// What was read so far.
#[derive(Default)]
struct Kept {
    keys: BTreeMap<i64, Option<Rc<Tuple>>>,
    dirty: BTreeMap<i64, Rc<Vec<i32>>>,
    loaded: BTreeMap<Wanted, Option<Rc<Vec<Loaded>>>>,
    counted: BTreeMap<Stretch, Option<Rc<Cells>>>,
    declined: BTreeMap<String, String>,
}

/// What is counted from rows at once: a sheet, and two instants in milliseconds.
type Stretch = (i64, i64, i64);

/// What is read at once: a sheet, and the pieces of its cells.
type Wanted = (i64, Vec<(i64, i32, i32)>);

/// A cell as it was read.
struct Loaded {
    level: usize,
    slot: i32,
    tuple: Rc<Tuple>,
    body: Body,
}

impl fmt::Debug for States<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("States").field("sheets", &self.sheets.len()).finish_non_exhaustive()
    }
}

impl<'t, 'c> States<'t, 'c> {
    /// What is kept of the orders in a currency.
    pub(in crate::metrics) fn read(
        tx: &'t Tx<'c>,
        currency: Currency,
    ) -> Result<Self, crate::database::Error> {
        let keeping = Keeping::of(currency, &stamp::read(tx)?.zone);
        let rows = queries::sheets(tx)?.into_iter();
        let sheets = rows.map(|row| (row.name.clone(), row)).collect();
        Ok(Self { tx, keeping, sheets, kept: RefCell::default(), loads: Cell::new(0) })
    }

    /// Computes with these states before a database.
    pub(in crate::metrics) fn before<R>(
        &self,
        database: &Database<'_>,
        work: impl FnOnce(Inputs<'_>) -> R,
    ) -> R {
        let Some(keeping) = self.keeping.as_deref() else { return work(Inputs::store(database)) };
        let parts: Vec<PartStates<'_, 't, 'c>> =
            keeping.parts.iter().map(|part| PartStates { states: self, keeping, part }).collect();
        let [days, products, hours] = parts.as_slice() else {
            return work(Inputs::store(database));
        };
        let hours = Reading::new(&hours.part.definitions, hours).or_store(database);
        let products = Reading::new(&products.part.definitions, products).or_states(&hours);
        let days = Reading::new(&days.part.definitions, days).or_states(&products);
        let done = work(Inputs::states(&days));
        // Of what the last ones were asked in vain, the first ones' reason says most.
        let reasons: BTreeMap<String, String> = days.declined().into_iter().collect();
        let declined = hours.declined().into_iter();
        self.kept.borrow_mut().declined.extend(declined.map(|(aggregate, reason)| {
            let first = reasons.get(&aggregate).cloned();
            (aggregate, first.unwrap_or(reason))
        }));
        done
    }

    /// What was asked for and not answered by states, with the reason: the rows answered it.
    pub(in crate::metrics) fn declined(&self) -> BTreeMap<String, String> {
        self.kept.borrow().declined.clone()
    }

    /// How often cells were read from the database.
    pub(in crate::metrics) const fn load_count(&self) -> usize {
        self.loads.get()
    }

    /// For how many stretches within a slot rows were counted.
    #[cfg(test)]
    pub(in crate::metrics) fn counted_len(&self) -> usize {
        self.kept.borrow().counted.values().flatten().count()
    }

    fn tuple(&self, key: i64) -> Result<Option<Rc<Tuple>>, StateError> {
        if let Some(known) = self.kept.borrow().keys.get(&key) {
            return Ok(known.clone());
        }
        let parts = queries::key_parts(self.tx, key)?;
        let found = parts.as_deref().map(sheet::tuple).transpose()?.map(Rc::new);
        self.kept.borrow_mut().keys.insert(key, found.clone());
        Ok(found)
    }

    fn dirty(&self, sheet: i64) -> Result<Rc<Vec<i32>>, StateError> {
        if let Some(known) = self.kept.borrow().dirty.get(&sheet) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(queries::dirty_of(self.tx, sheet)?);
        self.kept.borrow_mut().dirty.insert(sheet, Rc::clone(&found));
        Ok(found)
    }

    fn load(&self, (sheet, pieces): &Wanted) -> Result<Vec<Loaded>, StateError> {
        self.loads.set(self.loads.get().saturating_add(1));
        let mut loaded = Vec::new();
        for (level, first, end) in pieces {
            for row in queries::cells(self.tx, (*sheet, *level), (*first, *end))? {
                let Some(tuple) = self.tuple(row.key)? else { continue };
                loaded.push(Loaded {
                    level: usize::try_from(*level).unwrap_or(0),
                    slot: row.slot,
                    tuple,
                    body: sheet::read(&row.body)?,
                });
            }
        }
        Ok(loaded)
    }

    /// The cells of some pieces of a sheet; none where they cannot be read, which the log says.
    fn loaded(&self, wanted: Wanted) -> Option<Rc<Vec<Loaded>>> {
        if let Some(known) = self.kept.borrow().loaded.get(&wanted) {
            return known.clone();
        }
        let found = self.load(&wanted).map(Rc::new);
        let found =
            found.inspect_err(|error| tracing::error!(%error, "states cannot be read")).ok();
        self.kept.borrow_mut().loaded.insert(wanted, found.clone());
        found
    }
}

/// The cells of one part.
struct PartStates<'s, 't, 'c> {
    states: &'s States<'t, 'c>,
    keeping: &'s Keeping,
    part: &'s Part,
}

impl fmt::Debug for PartStates<'_, '_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.states.fmt(formatter)
    }
}

impl<'s> PartStates<'s, '_, '_> {
    /// Where a definition is kept, if all of its cells from some slot on are there.
    fn place(&self, definition: &StateDefinition) -> Option<(&'s Sheet, &'s SheetRow, u8)> {
        let (sheet, place) = self.part.place(definition)?;
        let row = self.states.sheets.get(&sheet.name)?;
        let is_there = row.layout == sheet.layout && row.built_from != i32::MAX;
        is_there.then_some((sheet, row, place))
    }

    /// The cells of a sheet's rows between two instants, counted; none where they cannot be.
    fn counted(
        &self,
        (sheet, row): (&Sheet, &SheetRow),
        (from, to): (Timestamp, Timestamp),
    ) -> Option<Rc<Cells>> {
        let ends = (millis_from(from), millis_from(to));
        let stretch = (row.seq, ends.0, ends.1);
        let known = self.states.kept.borrow().counted.get(&stretch).cloned();
        if let Some(known) = known {
            return known;
        }
        let found = counted_between(self.states.tx, (self.keeping, self.part, sheet), ends);
        let found = found.inspect_err(|error| tracing::error!(%error, "rows cannot be counted"));
        let found = found.ok().flatten().map(Rc::new);
        self.states.kept.borrow_mut().counted.insert(stretch, found.clone());
        found
    }

    /// The cells of the whole hours between two instants, and these hours' first and last instant; none where
    /// hours are not kept of it.
    fn hours(
        &self,
        definition: &StateDefinition,
        (from, to): (Timestamp, Timestamp),
    ) -> Option<(Arc<Grid>, (Timestamp, Timestamp))> {
        let same = |own: &&StateDefinition| {
            let (grain, calendar) = (definition.grain, definition.calendar.clone());
            StateDefinition { grain, calendar, ..(*own).clone() } == *definition
        };
        let in_hours = |part: &&Part| {
            part.definitions.iter().next().is_some_and(|first| first.grain == Grain::Hour)
        };
        let part = self.keeping.parts.iter().find(in_hours)?;
        let twin = part.definitions.iter().find(same)?;
        let calendar = &self.keeping.engine.schema().store.calendar;
        let (first, last) = (Grain::Hour.slot(from, calendar)?, Grain::Hour.slot(to, calendar)?);
        let starts_there = Grain::Hour.start(first, calendar)? == from;
        let first = if starts_there { first } else { first.checked_add(1)? };
        let ends = (Grain::Hour.start(first, calendar)?, Grain::Hour.start(last, calendar)?);
        let own = PartStates { part, ..*self };
        let grid = (first < last).then(|| own.grid(twin, &[(first, last)])).flatten()?;
        grid.dirty_in(first, last).is_none().then_some((grid, ends))
    }

    /// A grid without cells.
    fn empty(&self, (row, place): (&SheetRow, u8), mut grid: Grid) -> Option<Grid> {
        let dirty = self.states.dirty(row.seq);
        let dirty =
            dirty.inspect_err(|error| tracing::error!(%error, "states cannot be read")).ok()?;
        for slot in dirty.iter() {
            grid.mark_dirty(*slot);
        }
        grid.reach_scale(scales(row).get(usize::from(place)).copied().unwrap_or(0));
        if let Some((first, last)) = row.extent {
            grid.reach(first);
            grid.reach(last);
        }
        Some(grid)
    }
}

impl CellStore for PartStates<'_, '_, '_> {
    fn outline(&self, definition: &StateDefinition) -> Option<Arc<Grid>> {
        let (_, row, place) = self.place(definition)?;
        let grid = Grid::part(definition.kind, definition.grain, 0);
        self.empty((row, place), grid).map(Arc::new)
    }

    fn grid(&self, definition: &StateDefinition, ranges: &[(i32, i32)]) -> Option<Arc<Grid>> {
        let (sheet, row, place) = self.place(definition)?;
        let spans = sheet.spans();
        let pieces = pieces(spans, ranges);
        let blocks = spans.len().saturating_sub(1);
        let mut grid = Grid::part(definition.kind, definition.grain, blocks);
        // What is not there yet cannot be read, like what must be counted anew.
        for (first, _) in ranges.iter().filter(|(first, end)| first < end) {
            if *first < row.built_from {
                grid.mark_dirty(*first);
            }
        }
        let mut grid = self.empty((row, place), grid)?;
        for cell in self.states.loaded((row.seq, pieces))?.iter() {
            let own = cell.body.iter().find(|(own, _)| *own == place);
            if let Some((_, state)) = own {
                grid.put((cell.level, cell.slot), &cell.tuple, state.clone());
            }
        }
        Some(Arc::new(grid))
    }

    fn edge(
        &self,
        definition: &StateDefinition,
        (from, to): (Timestamp, Timestamp),
    ) -> Option<Arc<Grid>> {
        let (sheet, row, place) = self.place(definition)?;
        let slot = definition.grain.slot(from, &self.keeping.engine.schema().store.calendar)?;
        let mut grid = Grid::new(definition.kind, definition.grain);
        grid.reach_scale(scales(row).get(usize::from(place)).copied().unwrap_or(0));
        let mut rest = vec![(from, to)];
        let is_of_day = definition.grain == Grain::Day;
        if let Some((hours, (first, last))) =
            is_of_day.then(|| self.hours(definition, (from, to))).flatten()
        {
            for (_, tuple, state) in hours.cells() {
                grid.merge_cell(slot, tuple, state);
            }
            rest = vec![(from, first), (last, to)];
        }
        for (from, to) in rest.into_iter().filter(|(from, to)| from < to) {
            let counted = self.counted((sheet, row), (from, to))?;
            if let Some(own) = counted.grid(definition) {
                grid.merge(own);
            }
        }
        Some(Arc::new(grid))
    }
}

/// The first millisecond at an instant or after it.
fn millis_from(at: Timestamp) -> i64 {
    let (millis, part) = (at.as_millisecond(), at.as_nanosecond() % 1_000_000);
    if part > 0 { millis.saturating_add(1) } else { millis }
}

/// What to read for some ranges: of one range its blocks with the cells at both ends; of several, each of which its blocks
/// cut in another way, all cells and all blocks from the first to the last.
fn pieces(spans: &[i32], ranges: &[(i32, i32)]) -> Vec<(i64, i32, i32)> {
    if let [(first, end)] = ranges {
        let pieces = quotient::states::cover_by(spans, *first, *end).into_iter();
        return pieces
            .map(|piece| (i64::try_from(piece.level).unwrap_or(0), piece.first, piece.end))
            .collect();
    }
    let known = || ranges.iter().filter(|(first, end)| first < end);
    let first = known().map(|(first, _)| *first).min();
    let end = known().map(|(_, end)| *end).max();
    let Some((first, end)) = first.zip(end) else { return Vec::new() };
    let whole = |(level, span): (i64, &i32)| {
        let span = (*span).max(1);
        let up = first.saturating_add(span.saturating_sub(1)).div_euclid(span);
        (level, up, end.div_euclid(span))
    };
    (0_i64..).zip(spans).map(whole).collect()
}
