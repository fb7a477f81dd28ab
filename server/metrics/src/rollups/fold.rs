//! Folds writes into rollups: touched orders are retracted as they were and added as they are.

use std::collections::{BTreeMap, BTreeSet};

use quotient::rollup::{
    AggregateKind, DimensionKey, PartialAggregate, Retraction, RollupSchema, Rollups,
};
use quotient::sql::SqlValue;

use super::coverage::Coverage;
use super::key_numbers::{CUSTOMERS, KeyAssignment, StoredKeyNumbers};
use super::page::{self, Page};
use super::pending;
use super::plan::{PlanPart, RollupPlan};
use super::queries::changes::{FirstBuyers, Touched};
use super::queries::pending::{PendingIds, forget_customers, pending_ids};
use super::queries::source_rows::{self, Extent, SourceRows};
use super::queries::tables::{self as queries, PageAddress, TableRow};
use super::source_data::{self, RollupError, SourceData};
use super::table::{self, RollupTable};
use crate::database::{Earlier, Error, Tx};
use crate::registry::queries::stamp;
use crate::registry::schema;

/// Limit: orders, or customers, folded at once.
pub(super) const AT_ONCE: usize = 500;
/// Limit: new orders folded into a new table at once; more are left to the build.
const COUNTED_AT_ONCE: usize = 5_000;
/// The field of customers that their first order sets.
const FIRST_ORDER: &str = "first_order_at";

/// Folds the touched orders and customers. If that fails, the writes stay, and all buckets are dropped and built again.
pub fn fold(
    tx: &Tx<'_>,
    earlier: &Earlier<'_>,
    (touched, first): (&Touched, FirstBuyers),
) -> Result<(), Error> {
    let Touched { added, changed, customers, .. } = touched;
    if [added, changed, customers].iter().all(|ids| ids.is_empty()) {
        return Ok(());
    }
    if let Err(error) = folded(tx, earlier, (touched, first)) {
        tracing::error!(%error, "rollups could not be updated and will be rebuilt");
        if tx.is_autocommit() {
            // The rest of the group was rolled back too.
            return Err(error.into());
        }
        queries::forget_rollups(tx)?;
    }
    Ok(())
}

fn folded(
    tx: &Tx<'_>,
    earlier: &Earlier<'_>,
    (touched, first): (&Touched, FirstBuyers),
) -> Result<(), RollupError> {
    let zone = stamp::read(tx)?.zone;
    let customers = touched.customers.iter().cloned();
    let mut customers: BTreeSet<String> = customers.chain(first.earlier).collect();
    // A changed order existed before, even if it was removed and added again.
    let changed: BTreeSet<&String> = touched.changed.iter().collect();
    let is_new = |order: &&String| !changed.contains(order);
    let new: Vec<&String> = touched.added.iter().filter(is_new).collect();
    // New orders always become pending.
    let pending = if changed.is_empty() && customers.is_empty() {
        PendingIds::default()
    } else {
        pending_ids(tx)?
    };
    let mut currencies: BTreeSet<String> = BTreeSet::new();
    for orders in new.chunks(AT_ONCE) {
        currencies.extend(queries::currencies_and_customers(tx, &list(orders))?.0);
    }
    let mut extents = Vec::new();
    for orders in Vec::from_iter(changed).chunks(AT_ONCE) {
        let ids = list(orders);
        let (now, own) = queries::currencies_and_customers(tx, &ids)?;
        let (before, were) = earlier.read(|tx| queries::currencies_and_customers(tx, &ids))?;
        currencies.extend(now.into_iter().chain(before));
        let own: BTreeSet<String> = own.into_iter().chain(were).collect();
        // Pending orders are not in buckets yet.
        let is_folded = |order: &&String| pending.orders.binary_search(order).is_err();
        let orders: Vec<&String> = orders.iter().copied().filter(is_folded).collect();
        let customers_of = list(&Vec::from_iter(&own));
        extents.push(Extent::Of { orders: list(&orders), customers: customers_of });
        customers.extend(own);
    }
    for code in &currencies {
        if !queries::has_tables(tx, &code.to_ascii_uppercase())? {
            // Many orders at once are built later, in batches.
            let is_counted = new.len() <= COUNTED_AT_ONCE;
            begin((tx, earlier), (code, &zone), is_counted)?;
        }
    }
    if !extents.is_empty() || !customers.is_empty() {
        let is_pending = |id: &&String| pending.customers.binary_search(id).is_ok();
        let (pending_customers, own): (Vec<&String>, Vec<&String>) =
            customers.iter().partition(is_pending);
        change((tx, earlier), &zone, (extents, own, &pending_customers))?;
        if !pending_customers.is_empty() {
            forget_customers(tx, &list(&pending_customers))?;
        }
    }
    if new.is_empty() {
        return Ok(());
    }
    let begin: Vec<String> = first.new.into_iter().filter(|id| !customers.contains(id)).collect();
    pending::add(tx, (&new, &begin))
}

/// Folds changed orders and customers, including customers whose first order is pending: buckets contain these without
/// an order.
fn change(
    (tx, earlier): (&Tx<'_>, &Earlier<'_>),
    zone: &str,
    (orders, customers, pending_customers): (Vec<Extent>, Vec<&String>, &[&String]),
) -> Result<(), RollupError> {
    let mut all: Vec<(FoldScope, bool, Extent)> = Vec::new();
    all.extend(orders.into_iter().map(|extent| (FoldScope::Orders, false, extent)));
    for (is_pending, customers) in [(false, &*customers), (true, pending_customers)] {
        let of = customers.chunks(AT_ONCE).map(of_customers);
        all.extend(of.map(|extent| (FoldScope::Customers, is_pending, extent)));
    }
    let mut stored = queries::tables(tx)?;
    for code in codes(&stored) {
        let Some(plan) = plan_of(&code, zone).filter(|plan| is_live(plan, &stored)) else {
            continue;
        };
        for (scope, is_pending, extent) in &all {
            let read = |tx: &Tx<'_>| {
                let rows = rows(tx, (&plan, &[*scope]), extent)?;
                Ok((rows, queries::customer_numbers(tx, extent.customers())?))
            };
            let mut before = earlier.read(read)?;
            if *is_pending {
                without_orders(&mut before.0);
            }
            let after = read(tx)?;
            // They are equal for a customer with a further order: only the date of the first order is stored.
            if before != after {
                let both = (Some((&*before.0, &*before.1)), (&*after.0, &*after.1));
                fold_rows(tx, (&plan, *scope), both, &mut stored)?;
            }
        }
    }
    Ok(())
}

/// Resets the rows of customers to the state before their first order.
fn without_orders(rows: &mut [SourceRows<'_>]) {
    for (_, fields, rows) in rows.iter_mut().filter(|(source, ..)| *source == CUSTOMERS) {
        let Some(at) = fields.iter().position(|field| *field == FIRST_ORDER) else { continue };
        for partial in rows.iter_mut().filter_map(|row| row.get_mut(at)) {
            *partial = SqlValue::Null;
        }
    }
}

pub(super) fn of_customers<S: AsRef<str>>(ids: &[S]) -> Extent {
    Extent::Of { orders: "[]".to_owned(), customers: list(ids) }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum FoldScope {
    Orders,
    Customers,
    /// Customers, with what they add by their first order.
    Beginners,
}

impl FoldScope {
    pub(super) const fn of(self, part: &PlanPart) -> &RollupSchema {
        match self {
            Self::Orders => &part.of_orders,
            Self::Customers => &part.of_customers,
            Self::Beginners => &part.of_beginners,
        }
    }
}

/// Returns whether any table has been started.
pub(super) fn is_live(plan: &RollupPlan, stored: &[TableRow]) -> bool {
    plan.tables().any(|(_, table)| {
        let live = |row: &TableRow| table.matches(row) && row.built_from != i32::MAX;
        stored.iter().any(live)
    })
}

/// Returns a JSON list of ids.
pub fn list<S: AsRef<str>>(ids: &[S]) -> String {
    ids.iter().map(AsRef::as_ref).collect::<serde_json::Value>().to_string()
}

pub(super) fn codes(stored: &[TableRow]) -> BTreeSet<String> {
    stored.iter().filter_map(|row| row.name.get(..3)).map(str::to_owned).collect()
}

pub(super) fn plan_of(code: &str, zone: &str) -> Option<std::sync::Arc<RollupPlan>> {
    RollupPlan::of(schema::currency(code).ok()?, zone)
}

/// Starts the tables of a currency. Those without earlier rows are complete at once; others are built later.
fn begin(
    (tx, earlier): (&Tx<'_>, &Earlier<'_>),
    (code, zone): (&str, &str),
    is_counted: bool,
) -> Result<(), RollupError> {
    let Some(plan) = plan_of(code, zone) else { return Ok(()) };
    let (has_orders, has_customers) = earlier.read(queries::has_orders_and_customers)?;
    for (_, table) in plan.tables() {
        let of_customers = table.first().is_some_and(|first| first.source == "customers");
        let has_rows = if of_customers { has_customers } else { has_orders };
        let is_complete = is_counted && !has_rows;
        queries::begin_table(tx, (&table.name, &table.layout), is_complete)?;
    }
    Ok(())
}

/// Reads the rows of some orders and customers with the fields of the definitions; of customers always the id.
pub(super) fn rows<'k>(
    tx: &Tx<'_>,
    (plan, scope): (&'k RollupPlan, &[FoldScope]),
    extent: &Extent,
) -> Result<Vec<SourceRows<'k>>, RollupError> {
    let of = |part: &'k PlanPart| scope.iter().map(|scope| scope.of(part));
    let read: Vec<&RollupSchema> = plan.parts.iter().flat_map(of).collect();
    let mut reads = source_data::reads(&read);
    if let Some(fields) = reads.get_mut(CUSTOMERS) {
        fields.insert("id");
    }
    Ok(source_rows::rows(tx, &reads, (extent, &plan.currency_code()))?)
}

/// Rows, and the key numbers of customers when they were read.
type NumberedRows<'r, 'k> = (&'r [SourceRows<'k>], &'r [(String, i64)]);

/// Retracts rows as they were, if they existed, and adds them as they are.
pub(super) fn fold_rows(
    tx: &Tx<'_>,
    (plan, scope): (&RollupPlan, FoldScope),
    (before, after): (Option<NumberedRows<'_, '_>>, NumberedRows<'_, '_>),
    stored: &mut [TableRow],
) -> Result<(), RollupError> {
    let numbered = |(rows, customers): NumberedRows<'_, '_>| {
        let numbers = StoredKeyNumbers::new(tx, KeyAssignment::Assign).with(customers);
        Ok::<_, RollupError>((SourceData::of(plan, rows)?, numbers))
    };
    let (mut before, mut after) = (before.map(numbered).transpose()?, numbered(after)?);
    for part in &plan.parts {
        let fold_rollups = |(rows, numbers): &mut (SourceData, StoredKeyNumbers<'_, '_>)| {
            source_data::fold(plan, (scope.of(part), rows), numbers)
        };
        let before = before.as_mut().map(fold_rollups).transpose()?.unwrap_or_default();
        let after = fold_rollups(&mut after)?;
        for table in &part.tables {
            let own = stored.iter_mut().find(|row| table.matches(row));
            let Some(row) = own else { continue };
            if row.built_from != i32::MAX {
                apply(tx, table, row, (&before, &after))?;
            }
        }
    }
    Ok(())
}

/// The change of a bucket for one definition and key.
struct PartialChange<'c> {
    /// The indexes of the definition and of the key.
    at: (u8, u8),
    kind: AggregateKind,
    before: Option<&'c PartialAggregate>,
    after: Option<&'c PartialAggregate>,
}

/// Applies a difference of rollups to a table.
fn apply(
    tx: &Tx<'_>,
    table: &RollupTable,
    row: &mut TableRow,
    (before, after): (&Rollups, &Rollups),
) -> Result<(), RollupError> {
    let changes = changes(tx, table, (before, after))?;
    let coverage = Coverage::of(table, after);
    if coverage.widens(row) {
        coverage.widen(row);
        queries::update_table(tx, row)?;
    }
    for ((bucket, page), changes) in changes {
        if bucket < row.built_from {
            continue;
        }
        let mut is_lost = false;
        for (level, bucket) in table.levels(bucket) {
            let place = PageAddress { table: row.seq, level, bucket, page };
            is_lost |= page::change(tx, place, |page| change_page(page, &changes))?;
        }
        if is_lost {
            queries::mark_dirty(tx, row.seq, bucket)?;
        }
    }
    Ok(())
}

/// Changes by bucket and page.
type PageChanges<'c> = BTreeMap<(i32, i64), Vec<PartialChange<'c>>>;

fn changes<'c>(
    tx: &Tx<'_>,
    table: &RollupTable,
    (before, after): (&'c Rollups, &'c Rollups),
) -> Result<PageChanges<'c>, RollupError> {
    let mut all =
        BTreeMap::<(&DimensionKey, i32, u8), (AggregateKind, [Option<&PartialAggregate>; 2])>::new(
        );
    for entry in table.partials(before) {
        all.insert(
            (entry.tuple, entry.bucket, entry.place),
            (entry.kind, [Some(entry.aggregate), None]),
        );
    }
    for entry in table.partials(after) {
        let own = all.entry((entry.tuple, entry.bucket, entry.place));
        let (_, [_, now]) = own.or_insert((entry.kind, [None, None]));
        *now = Some(entry.aggregate);
    }
    let (mut keys, mut changes) = (KeyCache::default(), PageChanges::new());
    for ((tuple, bucket, place), (kind, [before, after])) in all {
        if before != after {
            let (page, key) = table.page(keys.of(tx, tuple)?);
            let change = PartialChange { at: (place, key), kind, before, after };
            changes.entry((bucket, page)).or_default().push(change);
        }
    }
    Ok(changes)
}

/// The key numbers looked up so far.
#[derive(Debug, Default)]
pub(super) struct KeyCache<'c>(BTreeMap<&'c DimensionKey, i64>);

impl<'c> KeyCache<'c> {
    /// Returns the number of a key, assigning one to a new key.
    pub(super) fn of(&mut self, tx: &Tx<'_>, tuple: &'c DimensionKey) -> Result<i64, RollupError> {
        if let Some(number) = self.0.get(tuple) {
            return Ok(*number);
        }
        let number = queries::dimension_key(tx, &table::key_text(tuple)?)?;
        self.0.insert(tuple, number);
        Ok(number)
    }
}

/// Changes a page; returns whether its bucket must be rebuilt.
fn change_page(page: &mut Page, changes: &[PartialChange<'_>]) -> bool {
    let mut is_lost = false;
    for PartialChange { at, kind, before, after } in changes {
        if let Some(before) = before {
            is_lost |= page.take_out(*at, *kind, before) == Retraction::Rebuild;
        }
        if let Some(after) = after {
            page.add(*at, *kind, after);
        }
    }
    is_lost
}
