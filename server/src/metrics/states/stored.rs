//! Cells as formulas read them: those of the slots that are asked for, in the snapshot of a transaction.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;
use quotient::Inputs;
use quotient::sql::Database;
use quotient::states::{
    CellStore, Cells, Grain, Grid, Piece, Reading, State, StateDefinition, Tuple, cover_by,
};
use quotient::types::Currency;

use super::build::counted_between;
use super::fold::scales;
use super::keeping::{Keeping, Part};
use super::page;
use super::rows::StateError;
use super::sheet::{self, Sheet};
use crate::database::Tx;
use crate::metrics::queries::stamp;
use crate::metrics::queries::states::{self as queries, CellRow, SheetRow};

/// The states of a snapshot.
pub(in crate::metrics) struct States<'t, 'c> {
    tx: &'t Tx<'c>,
    keeping: Option<Arc<Keeping>>,
    sheets: BTreeMap<String, SheetRow>,
    kept: RefCell<Kept>,
}

/// What was read so far.
#[derive(Default)]
struct Kept {
    /// By the first and the last number of what was read at once.
    keys: BTreeMap<(i64, i64), Rc<KeysRead>>,
    /// Each with its sheet.
    dirty: Option<Rc<BTreeSet<(i64, i32)>>>,
    loaded: BTreeMap<Wanted, Option<Rc<Loaded>>>,
    /// By the place of the definition in its sheet.
    grids: BTreeMap<(Wanted, u8), Option<Arc<Grid>>>,
    counted: BTreeMap<Stretch, Option<Rc<Cells>>>,
    declined: BTreeMap<String, String>,
}

/// What is counted from rows at once: a sheet, and two instants in milliseconds.
type Stretch = (i64, i64, i64);

/// What is read at once: a sheet, and the slots of its cells.
type Wanted = (i64, Vec<(i32, i32)>);

/// The cells of some slots, as they are kept.
#[derive(Debug)]
struct Loaded {
    /// By level.
    rows: Vec<Vec<CellRow>>,
    keys: Rc<KeysRead>,
}

/// Keys of cells.
#[derive(Debug, Default)]
struct KeysRead {
    tuples: Vec<Tuple>,
    /// By the number of a key the place of its tuple.
    places: BTreeMap<i64, u32>,
}

/// The cells of a definition by level, each with its number and the place of its tuple.
type Levels = Vec<Vec<((i32, u32), State)>>;

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
        Ok(Self { tx, keeping, sheets, kept: RefCell::default() })
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
    pub(in crate::metrics) fn load_count(&self) -> usize {
        self.kept.borrow().loaded.len()
    }

    /// For how many stretches within an hour rows were counted.
    #[cfg(test)]
    pub(in crate::metrics) fn counted_len(&self) -> usize {
        let kept = self.kept.borrow();
        let is_short = |(_, from, to): &&Stretch| to.saturating_sub(*from) < 60 * 60 * 1_000;
        kept.counted.keys().filter(is_short).count()
    }

    /// The slots of all sheets that must be counted anew.
    fn dirty(&self) -> Result<Rc<BTreeSet<(i64, i32)>>, StateError> {
        if let Some(known) = &self.kept.borrow().dirty {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(queries::dirty(self.tx, u32::MAX)?.into_iter().collect());
        self.kept.borrow_mut().dirty = Some(Rc::clone(&found));
        Ok(found)
    }

    /// The cells of some slots of a sheet, with the blocks that they are merged from.
    fn load(
        &self,
        (sheet, row): (&Sheet, &SheetRow),
        ranges: &[(i32, i32)],
    ) -> Result<Loaded, StateError> {
        let mut rows: Vec<Vec<CellRow>> = sheet.spans().iter().map(|_| Vec::new()).collect();
        for Piece { level, first, end } in pieces(sheet.spans(), ranges) {
            let of = (row.seq, i64::try_from(level).unwrap_or(0));
            if let Some(own) = rows.get_mut(level) {
                own.append(&mut queries::cells(self.tx, of, (first, end))?);
            }
        }
        let pages: BTreeSet<i64> = rows.iter().flatten().map(|row| row.page).collect();
        let ends = pages.first().zip(pages.last()).map(|(first, last)| {
            (sheet.first_key(*first), sheet.first_key(last.saturating_add(1)).saturating_sub(1))
        });
        let keys = ends.map(|ends| self.keys(ends)).transpose()?.unwrap_or_default();
        Ok(Loaded { rows, keys })
    }

    /// The keys with numbers from the first to the last.
    fn keys(&self, ends: (i64, i64)) -> Result<Rc<KeysRead>, StateError> {
        if let Some(known) = self.kept.borrow().keys.get(&ends) {
            return Ok(Rc::clone(known));
        }
        let mut found = KeysRead::default();
        for ((key, parts), place) in queries::key_parts(self.tx, ends)?.into_iter().zip(0_u32..) {
            found.places.insert(key, place);
            found.tuples.push(sheet::tuple(&parts)?);
        }
        let found = Rc::new(found);
        self.kept.borrow_mut().keys.insert(ends, Rc::clone(&found));
        Ok(found)
    }

    /// The cells of one definition of a sheet.
    fn grid(
        &self,
        (sheet, row, place): (&Sheet, &SheetRow, u8),
        (loaded, ranges): (&Loaded, &[(i32, i32)]),
    ) -> Result<Option<Grid>, StateError> {
        let Some(definition) = sheet.definitions.get(usize::from(place)) else { return Ok(None) };
        let mut levels = Levels::with_capacity(loaded.rows.len());
        for rows in &loaded.rows {
            let mut cells = Vec::new();
            for row in rows {
                let first = sheet.first_key(row.page);
                let columns = page::columns(&row.body)?;
                let Some(own) = columns.iter().find(|column| column.place == place) else {
                    continue;
                };
                for state in own.states() {
                    let (key, state) = state?;
                    let tuple = loaded.keys.places.get(&first.saturating_add(i64::from(key)));
                    cells.extend(tuple.map(|tuple| ((row.slot, *tuple), state)));
                }
            }
            levels.push(cells);
        }
        let tuples = loaded.keys.tuples.clone();
        let grid = Grid::part(definition.kind, definition.grain, tuples, levels);
        let mut grid = self.described((row, place), grid)?;
        // What is not there yet cannot be read, like what must be counted anew.
        for (first, _) in ranges.iter().filter(|(first, end)| first < end) {
            if *first < row.built_from {
                grid.mark_dirty(*first);
            }
        }
        Ok(Some(grid))
    }

    /// The same grid with what is known of all of its cells.
    fn described(&self, (row, place): (&SheetRow, u8), mut grid: Grid) -> Result<Grid, StateError> {
        for (_, slot) in self.dirty()?.range((row.seq, i32::MIN)..=(row.seq, i32::MAX)) {
            grid.mark_dirty(*slot);
        }
        grid.reach_scale(scales(row).get(usize::from(place)).copied().unwrap_or(0));
        if let Some((first, last)) = row.extent {
            grid.reach(first);
            grid.reach(last);
        }
        Ok(grid)
    }

    /// The cells of some slots of a sheet; none where they cannot be read, which the log says.
    fn loaded(&self, (sheet, row): (&Sheet, &SheetRow), wanted: &Wanted) -> Option<Rc<Loaded>> {
        if let Some(known) = self.kept.borrow().loaded.get(wanted) {
            return known.clone();
        }
        let found = readable(self.load((sheet, row), &wanted.1)).map(Rc::new);
        self.kept.borrow_mut().loaded.insert(wanted.clone(), found.clone());
        found
    }
}

/// What was read; the log says what cannot be.
fn readable<T>(found: Result<T, StateError>) -> Option<T> {
    found.inspect_err(|error| tracing::error!(%error, "states cannot be read")).ok()
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
        let is_there = sheet.is_kept_as(row) && row.built_from != i32::MAX;
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
        // Days are those of a zone, and hours of none, unless the rows are told apart by the zone's days.
        let twins = [None, definition.calendar.clone()].map(|calendar| StateDefinition {
            grain: Grain::Hour,
            calendar,
            ..definition.clone()
        });
        let parts = &self.keeping.parts;
        let kept = |twin| Some((parts.iter().find(|part| part.place(twin).is_some())?, twin));
        let (part, twin) = twins.iter().find_map(kept)?;
        let calendar = &self.keeping.engine.schema().store.calendar;
        let (first, last) = (Grain::Hour.slot(from, calendar)?, Grain::Hour.slot(to, calendar)?);
        let starts_there = Grain::Hour.start(first, calendar)? == from;
        let first = if starts_there { first } else { first.checked_add(1)? };
        let ends = (Grain::Hour.start(first, calendar)?, Grain::Hour.start(last, calendar)?);
        let own = PartStates { part, ..*self };
        let grid = (first < last).then(|| own.grid(twin, &[(first, last)])).flatten()?;
        grid.dirty_in(first, last).is_none().then_some((grid, ends))
    }
}

impl CellStore for PartStates<'_, '_, '_> {
    fn outline(&self, definition: &StateDefinition) -> Option<Arc<Grid>> {
        let (_, row, place) = self.place(definition)?;
        let none = Grid::part(definition.kind, definition.grain, Vec::new(), vec![Vec::new()]);
        readable(self.states.described((row, place), none)).map(Arc::new)
    }

    fn grid(&self, definition: &StateDefinition, ranges: &[(i32, i32)]) -> Option<Arc<Grid>> {
        let (sheet, row, place) = self.place(definition)?;
        let wanted = ((row.seq, ranges.to_vec()), place);
        if let Some(known) = self.states.kept.borrow().grids.get(&wanted) {
            return known.clone();
        }
        let loaded = self.states.loaded((sheet, row), &wanted.0)?;
        let grid = readable(self.states.grid((sheet, row, place), (&loaded, ranges)));
        let grid = grid.flatten().map(Arc::new);
        self.states.kept.borrow_mut().grids.insert(wanted, grid.clone());
        grid
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

/// What to read for some ranges: of each its blocks with the cells at both ends, and nothing twice.
fn pieces(spans: &[i32], ranges: &[(i32, i32)]) -> Vec<Piece> {
    let mut all: Vec<Piece> =
        ranges.iter().flat_map(|(first, end)| cover_by(spans, *first, *end)).collect();
    all.sort_unstable_by_key(|piece| (piece.level, piece.first));
    let mut pieces: Vec<Piece> = Vec::with_capacity(all.len());
    for piece in all {
        match pieces.last_mut() {
            Some(last) if last.level == piece.level && piece.first <= last.end => {
                last.end = last.end.max(piece.end);
            }
            _ => pieces.push(piece),
        }
    }
    pieces
}
