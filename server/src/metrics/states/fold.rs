//! Writes into cells: what was touched is taken out as it was and put in as it has become.

use std::collections::{BTreeMap, BTreeSet};

use quotient::states::{Cells, Definitions, Grid, State, StateKind, Tuple, Undone};

use super::keeping::{Keeping, Part};
use super::numbers::Naming;
use super::page::{self, Page};
use super::rows::{self, Rows, StateError};
use super::sheet::{self, Sheet};
use crate::database::{Earlier, Error, Tx};
use crate::metrics::queries::changes::Touched;
use crate::metrics::queries::stamp;
use crate::metrics::queries::state_rows::{self, Extent};
use crate::metrics::queries::states::{self as queries, Place, SheetRow};
use crate::metrics::schema;

/// Limit: orders, or customers, that are folded at once.
const AT_ONCE: usize = 500;
/// Limit: orders that begin a sheet by being folded.
const COUNTED_AT_ONCE: usize = 5_000;

/// Brings the cells to what the orders and customers have become that were touched. What fails leaves the writes as they
/// are: then all cells are forgotten, and counted anew.
///
/// # Errors
/// A database error.
pub(in crate::metrics) fn fold(
    tx: &Tx<'_>,
    earlier: &Earlier<'_>,
    touched: &Touched,
) -> Result<(), Error> {
    let Touched { added, changed, customers, .. } = touched;
    if [added, changed, customers].iter().all(|ids| ids.is_empty()) {
        return Ok(());
    }
    if let Err(error) = folded(tx, earlier, touched) {
        tracing::error!(%error, "states could not be kept and are counted anew");
        if tx.is_autocommit() {
            // With the cells everything else of the group is undone.
            return Err(error.into());
        }
        queries::forget_cells(tx)?;
    }
    Ok(())
}

fn folded(tx: &Tx<'_>, earlier: &Earlier<'_>, touched: &Touched) -> Result<(), StateError> {
    let zone = stamp::read(tx)?.zone;
    let mut customers: BTreeSet<String> = touched.customers.iter().cloned().collect();
    let mut currencies = BTreeSet::new();
    let mut extents = Vec::new();
    // An order that is new is looked at as it is, and one that was there as it was as well.
    let was_there: BTreeSet<&String> = touched.changed.iter().collect();
    let orders: BTreeSet<&String> = touched.added.iter().chain(was_there.iter().copied()).collect();
    let orders = Vec::from_iter(orders);
    for orders in orders.chunks(AT_ONCE) {
        let now = list(orders);
        let (own_currencies, own) = queries::currencies_and_customers(tx, &now)?;
        currencies.extend(own_currencies);
        let mut own: BTreeSet<String> = own.into_iter().collect();
        let earlier_ones: Vec<&String> =
            orders.iter().copied().filter(|order| was_there.contains(order)).collect();
        let before = (!earlier_ones.is_empty()).then(|| list(&earlier_ones));
        if let Some(orders) = &before {
            let (codes, were) = earlier.read(|tx| queries::currencies_and_customers(tx, orders))?;
            currencies.extend(codes);
            own.extend(were);
        }
        customers.extend(own.iter().cloned());
        let of = list(&Vec::from_iter(&own));
        let extent = |orders| Extent::Of { orders, customers: of.clone() };
        extents.push((before.map(extent), extent(now)));
    }
    let known = queries::sheets(tx)?;
    for code in &currencies {
        if !known.iter().any(|row| is_of(row, code)) {
            // Many orders at once are counted later, a stretch at a time.
            let is_counted = orders.len() <= COUNTED_AT_ONCE;
            begin((tx, earlier), (code, &zone), is_counted)?;
        }
    }
    let customers = Vec::from_iter(&customers);
    let mut kept = queries::sheets(tx)?;
    for code in codes(&kept) {
        let Some(keeping) = keeping_of(&code, &zone) else { continue };
        if !is_live(&keeping, &kept) {
            continue;
        }
        if currencies.contains(&code.to_ascii_lowercase()) {
            for (before, now) in &extents {
                let of = (&*keeping, Whose::Orders);
                fold_part((tx, earlier), of, (before.as_ref(), now), &mut kept)?;
            }
        }
        for customers in customers.chunks(AT_ONCE).map(list) {
            let extent = Extent::Of { orders: "[]".to_owned(), customers };
            let of = (&*keeping, Whose::Customers);
            fold_part((tx, earlier), of, (Some(&extent), &extent), &mut kept)?;
        }
    }
    Ok(())
}

/// Whose cells are folded.
#[derive(Debug, Clone, Copy)]
enum Whose {
    Orders,
    Customers,
}

/// Whether any sheet takes what is folded.
fn is_live(keeping: &Keeping, kept: &[SheetRow]) -> bool {
    keeping.sheets().any(|(_, sheet)| {
        let live = |row: &SheetRow| sheet.is_kept_as(row) && row.built_from != i32::MAX;
        kept.iter().any(live)
    })
}

/// A list of ids in JSON.
pub(in crate::metrics) fn list<S: AsRef<str>>(ids: &[S]) -> String {
    ids.iter().map(AsRef::as_ref).collect::<serde_json::Value>().to_string()
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

/// Begins the sheets of a currency. Where there were no rows before, they are complete; the cells of others are counted
/// later.
fn begin(
    (tx, earlier): (&Tx<'_>, &Earlier<'_>),
    (code, zone): (&str, &str),
    is_counted: bool,
) -> Result<(), StateError> {
    let Some(keeping) = keeping_of(code, zone) else { return Ok(()) };
    let (has_orders, has_customers) = earlier.read(queries::has_orders_and_customers)?;
    for (_, sheet) in keeping.sheets() {
        let of_customers = sheet.first().is_some_and(|first| first.source == "customers");
        let has_rows = if of_customers { has_customers } else { has_orders };
        let is_complete = is_counted && !has_rows;
        queries::begin_sheet(tx, (&sheet.name, &sheet.layout), is_complete)?;
    }
    Ok(())
}

fn fold_part(
    (tx, earlier): (&Tx<'_>, &Earlier<'_>),
    (keeping, whose): (&Keeping, Whose),
    (was, now): (Option<&Extent>, &Extent),
    kept: &mut [SheetRow],
) -> Result<(), StateError> {
    let mut parts: Vec<(&Part, &Definitions)> = Vec::with_capacity(keeping.parts.len());
    for part in &keeping.parts {
        parts.push(match whose {
            Whose::Orders => (part, &part.of_orders),
            Whose::Customers => (part, &part.of_customers),
        });
    }
    let read: Vec<&Definitions> = parts.iter().map(|(_, definitions)| *definitions).collect();
    let (read, currency) = (rows::reads(&read), keeping.currency_code());
    let rows = |tx: &Tx<'_>, extent| {
        Ok::<_, Error>(state_rows::rows(tx, &read, (extent, &currency)).map_err(StateError::from)?)
    };
    let before = was.map(|was| earlier.read(|tx| rows(tx, was))).transpose()?;
    let after = rows(tx, now)?;
    if before.as_ref() == Some(&after) {
        // As of a customer who ordered once more: what is kept of them is when they ordered first.
        return Ok(());
    }
    let before = before.map(|before| Rows::of(keeping, &before)).transpose()?;
    let after = Rows::of(keeping, &after)?;
    for (part, definitions) in &parts {
        let cells = |rows| rows::cells(tx, keeping, (definitions, rows), Naming::Anew);
        let before = before.as_ref().map(cells).transpose()?.unwrap_or_default();
        let after = cells(&after)?;
        for sheet in &part.sheets {
            let own = kept.iter_mut().find(|row| sheet.is_kept_as(row));
            let Some(row) = own else { continue };
            if row.built_from != i32::MAX {
                put(tx, sheet, row, (&before, &after))?;
            }
        }
    }
    Ok(())
}

/// What one cell loses and gains of one definition.
struct Turn<'c> {
    /// The places of the definition and of the key.
    at: (u8, u8),
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
    let turns = turns(tx, sheet, (before, after))?;
    let reach = Reach::of(sheet, after);
    if reach.widens(row) {
        reach.widen(row);
        queries::update_sheet(tx, row)?;
    }
    for ((slot, page), turns) in turns {
        if slot < row.built_from {
            continue;
        }
        let mut is_lost = false;
        for (level, slot) in sheet.levels(slot) {
            let place = Place { sheet: row.seq, level, slot, page };
            is_lost |= page::change(tx, place, |page| turn_page(page, &turns))?;
        }
        if is_lost {
            queries::mark_dirty(tx, row.seq, slot)?;
        }
    }
    Ok(())
}

/// By slot and page what changes.
type Turns<'c> = BTreeMap<(i32, i64), Vec<Turn<'c>>>;

fn turns<'c>(
    tx: &Tx<'_>,
    sheet: &Sheet,
    (before, after): (&'c Cells, &'c Cells),
) -> Result<Turns<'c>, StateError> {
    let mut all = BTreeMap::<(&Tuple, i32, u8), (StateKind, [Option<&State>; 2])>::new();
    for cell in sheet.cells(before) {
        all.insert((cell.tuple, cell.slot, cell.place), (cell.kind, [Some(cell.state), None]));
    }
    for cell in sheet.cells(after) {
        let own = all.entry((cell.tuple, cell.slot, cell.place));
        let (_, [_, now]) = own.or_insert((cell.kind, [None, None]));
        *now = Some(cell.state);
    }
    let (mut keys, mut turns) = (Keys::default(), Turns::new());
    for ((tuple, slot, place), (kind, [before, after])) in all {
        if before != after {
            let (page, key) = sheet.page(keys.of(tx, tuple)?);
            let turn = Turn { at: (place, key), kind, before, after };
            turns.entry((slot, page)).or_default().push(turn);
        }
    }
    Ok(turns)
}

/// The numbers of cells' keys that were looked up.
#[derive(Debug, Default)]
pub(super) struct Keys<'c>(BTreeMap<&'c Tuple, i64>);

impl<'c> Keys<'c> {
    /// The number of a key; a new one gets one.
    pub(super) fn of(&mut self, tx: &Tx<'_>, tuple: &'c Tuple) -> Result<i64, StateError> {
        if let Some(known) = self.0.get(tuple) {
            return Ok(*known);
        }
        let number = queries::cell_key(tx, &sheet::key_text(tuple)?)?;
        self.0.insert(tuple, number);
        Ok(number)
    }
}

/// Changes the cells of one page; whether one cannot tell any more what it holds.
fn turn_page(page: &mut Page, turns: &[Turn<'_>]) -> bool {
    let mut is_lost = false;
    for Turn { at, kind, before, after } in turns {
        if let Some(before) = before {
            is_lost |= page.take_out(*at, *kind, before) == Undone::Rebuild;
        }
        if let Some(after) = after {
            page.add(*at, *kind, after);
        }
    }
    is_lost
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
