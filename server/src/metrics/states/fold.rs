//! Writes into cells: what was touched is taken out as it was and put in as it has become.

use std::collections::{BTreeMap, BTreeSet};

use quotient::states::{Cells, Definitions, Grid, State, StateKind, Tuple, Undone};

use super::keeping::{Keeping, Part};
use super::rows::{self, Rows, StateError};
use super::sheet::{self, Body, Sheet};
use crate::database::{Earlier, Error, Folding, Tx};
use crate::metrics::queries::stamp;
use crate::metrics::queries::state_rows::Extent;
use crate::metrics::queries::states::{self as queries, Place, SheetRow};
use crate::metrics::schema;

/// Keeps the states of the store.
pub(crate) const STATES: &dyn Folding = &StoreStates;

#[derive(Debug)]
struct StoreStates;

impl Folding for StoreStates {
    fn opened(&self, tx: &Tx<'_>) -> Result<(), Error> {
        let (orders, customers) = queries::touched(tx)?;
        if orders.is_empty() && customers.is_empty() {
            return Ok(());
        }
        tracing::warn!("another program wrote orders; states are counted anew");
        queries::forget_cells(tx)?;
        queries::forget_touched(tx)
    }

    fn fold(&self, tx: &Tx<'_>, earlier: &Earlier<'_>) -> Result<(), Error> {
        let (orders, customers) = queries::touched(tx)?;
        if orders.is_empty() && customers.is_empty() {
            return Ok(());
        }
        queries::forget_touched(tx)?;
        let touched = Touched { orders, customers };
        if let Err(error) = queries::attempt(tx, || folded(tx, earlier, touched))? {
            tracing::error!(%error, "states could not be kept and are counted anew");
            queries::forget_cells(tx)?;
        }
        Ok(())
    }
}

/// What a group of writes has touched, by id.
struct Touched {
    orders: Vec<String>,
    customers: Vec<String>,
}

fn folded(tx: &Tx<'_>, earlier: &Earlier<'_>, touched: Touched) -> Result<(), StateError> {
    let zone = stamp::read(tx)?.zone;
    let orders = list(&touched.orders);
    let mut customers: BTreeSet<String> = touched.customers.into_iter().collect();
    let mut currencies = BTreeSet::new();
    if !touched.orders.is_empty() {
        let now = queries::currencies_and_customers(tx, &orders)?;
        let before = earlier.read(|tx| queries::currencies_and_customers(tx, &orders))?;
        currencies.extend(now.0.into_iter().chain(before.0));
        customers.extend(now.1.into_iter().chain(before.1));
    }
    let customers: Vec<String> = customers.into_iter().collect();
    let extent = Extent::Of { orders, customers: list(&customers) };
    let mut kept = queries::sheets(tx)?;
    let known = |code: &str, kept: &[SheetRow]| kept.iter().any(|row| is_of(row, code));
    for code in &currencies {
        if !known(code, &kept) {
            begin(tx, code, &zone)?;
        }
    }
    if kept.is_empty() {
        return Ok(());
    }
    for code in codes(&kept) {
        let of_orders = currencies.contains(&code.to_ascii_lowercase());
        let Some(keeping) = keeping_of(&code, &zone) else { continue };
        fold_currency((tx, earlier), &keeping, (&extent, of_orders), &mut kept)?;
    }
    Ok(())
}

/// A list of ids in JSON.
fn list(ids: &[String]) -> String {
    serde_json::Value::from(ids).to_string()
}

fn is_of(row: &SheetRow, code: &str) -> bool {
    row.name.get(..3).is_some_and(|own| own.eq_ignore_ascii_case(code))
}

/// The currencies that there are sheets of.
pub(super) fn codes(kept: &[SheetRow]) -> BTreeSet<String> {
    kept.iter().filter_map(|row| row.name.get(..3)).map(str::to_owned).collect()
}

pub(super) fn keeping_of(code: &str, zone: &str) -> Option<std::sync::Arc<Keeping>> {
    Keeping::of(schema::currency(code).ok()?, zone)
}

/// Begins the sheets of a currency; their cells are made from the rows later.
fn begin(tx: &Tx<'_>, code: &str, zone: &str) -> Result<(), StateError> {
    let Some(keeping) = keeping_of(code, zone) else { return Ok(()) };
    for (_, sheet) in keeping.sheets() {
        queries::begin_sheet(tx, (&sheet.name, &sheet.layout))?;
    }
    Ok(())
}

/// The rows of before and after as the engine folds them.
struct Change {
    before: Rows,
    after: Rows,
}

fn fold_currency(
    (tx, earlier): (&Tx<'_>, &Earlier<'_>),
    keeping: &Keeping,
    (extent, of_orders): (&Extent, bool),
    kept: &mut [SheetRow],
) -> Result<(), StateError> {
    let is_live = |(_, sheet): (&Part, &Sheet)| {
        let live = |row: &SheetRow| {
            row.name == sheet.name && row.layout == sheet.layout && row.built_from != i32::MAX
        };
        kept.iter().any(live)
    };
    if !keeping.sheets().any(is_live) {
        return Ok(());
    }
    let mut parts: Vec<(&Part, &Definitions)> = Vec::with_capacity(keeping.parts.len());
    for part in &keeping.parts {
        parts.push((part, if of_orders { &part.definitions } else { &part.of_customers }));
    }
    let read: Vec<&Definitions> = parts.iter().map(|(_, definitions)| *definitions).collect();
    let before = earlier.read(|tx| Ok(rows::read(tx, keeping, (&read, extent))?))?;
    let after = rows::read(tx, keeping, (&read, extent))?;
    let change = Change { before, after };
    for (part, definitions) in &parts {
        let before = rows::cells(tx, keeping, (definitions, &change.before))?;
        let after = rows::cells(tx, keeping, (definitions, &change.after))?;
        for sheet in &part.sheets {
            let own = kept.iter_mut().find(|row| row.name == sheet.name);
            let Some(row) = own.filter(|row| row.layout == sheet.layout) else { continue };
            if row.built_from != i32::MAX {
                put(tx, sheet, row, (&before, &after))?;
            }
        }
    }
    Ok(())
}

/// What one cell loses and gains of one definition.
struct Turn<'c> {
    place: u8,
    kind: StateKind,
    before: Option<&'c State>,
    after: Option<&'c State>,
}

/// Brings the cells of a sheet from what some rows were to what they have become.
fn put(
    tx: &Tx<'_>,
    sheet: &Sheet,
    row: &mut SheetRow,
    (before, after): (&Cells, &Cells),
) -> Result<(), StateError> {
    let turns = turns(sheet, (before, after));
    let reach = Reach::of(sheet, after);
    if reach.widens(row) {
        reach.widen(row);
        queries::update_sheet(tx, row)?;
    }
    for ((slot, tuple), turns) in turns {
        if slot < row.built_from {
            continue;
        }
        let key = queries::cell_key(tx, &sheet::key_text(tuple)?)?;
        let mut is_lost = false;
        for (span, level) in sheet.spans().iter().zip(0_i64..) {
            let number = slot.div_euclid((*span).max(1));
            let place = Place { sheet: row.seq, level, slot: number, key };
            is_lost |= turn_cell(tx, place, &turns)?;
        }
        if is_lost {
            queries::mark_dirty(tx, row.seq, slot)?;
        }
    }
    Ok(())
}

/// By slot and tuple what changes.
type Turns<'c> = BTreeMap<(i32, &'c Tuple), Vec<Turn<'c>>>;

fn turns<'c>(sheet: &Sheet, (before, after): (&'c Cells, &'c Cells)) -> Turns<'c> {
    let mut turns = Turns::new();
    for (definition, place) in sheet.definitions.iter().zip(0_u8..) {
        let by_place = |cells: &'c Cells| -> BTreeMap<(i32, &'c Tuple), &'c State> {
            let grid = cells.grid(definition).map(Grid::cells);
            grid.into_iter().flatten().map(|(slot, tuple, state)| ((slot, tuple), state)).collect()
        };
        let (mut old, new) = (by_place(before), by_place(after));
        for (at, state) in new {
            let before = old.remove(&at);
            if before != Some(state) {
                let turn = Turn { place, kind: definition.kind, before, after: Some(state) };
                turns.entry(at).or_default().push(turn);
            }
        }
        for (at, state) in old {
            let turn = Turn { place, kind: definition.kind, before: Some(state), after: None };
            turns.entry(at).or_default().push(turn);
        }
    }
    turns
}

/// Changes one cell; whether it cannot tell any more what it holds.
fn turn_cell(tx: &Tx<'_>, place: Place, turns: &[Turn<'_>]) -> Result<bool, StateError> {
    let kept = queries::cell(tx, place)?;
    let mut body: Body = kept.as_deref().map(sheet::read).transpose()?.unwrap_or_default();
    let mut is_lost = false;
    for turn in turns {
        let index = body.iter().position(|(own, _)| *own == turn.place).unwrap_or_else(|| {
            body.push((turn.place, State::empty(turn.kind)));
            body.len().saturating_sub(1)
        });
        let Some((_, state)) = body.get_mut(index) else { continue };
        if let Some(before) = turn.before {
            is_lost |= state.take_out(turn.kind, before) == Undone::Rebuild;
        }
        if let Some(after) = turn.after {
            state.merge(turn.kind, after);
        }
    }
    body.retain(|(_, state)| !state.is_empty());
    let written = sheet::written(&body)?;
    if written.is_some() || kept.is_some() {
        queries::put_cell(tx, place, written.as_deref())?;
    }
    Ok(is_lost)
}

/// How far rows reach: their instants, and the digits of their values.
#[derive(Debug, Default)]
pub(super) struct Reach {
    extent: Option<(i64, i64)>,
    scales: Vec<u32>,
}

impl Reach {
    pub(super) fn of(sheet: &Sheet, cells: &Cells) -> Self {
        let mut reach = Self::default();
        for definition in &sheet.definitions {
            let grid = cells.grid(definition);
            reach.scales.push(grid.map_or(0, Grid::scale));
            reach.extent = either(reach.extent, grid.and_then(Grid::extent));
        }
        reach
    }

    fn widens(&self, row: &SheetRow) -> bool {
        let mut wider = row.clone();
        self.widen(&mut wider);
        wider != *row
    }

    pub(super) fn widen(&self, row: &mut SheetRow) {
        row.extent = either(row.extent, self.extent);
        let own = scales(row);
        let both = self.scales.iter().enumerate();
        let both: Vec<u32> =
            both.map(|(index, scale)| own.get(index).copied().unwrap_or(0).max(*scale)).collect();
        row.scales = serde_json::Value::from(both).to_string();
    }
}

/// The digits after the point, by definition.
pub(super) fn scales(row: &SheetRow) -> Vec<u32> {
    serde_json::from_str(&row.scales).unwrap_or_default()
}

fn either(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (one, other) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    }
}
