//! Applies rows to the tables of a plan: the change of each bucket, page by page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quotient::data::{Data, Rates};
use quotient::rollup::{
    AggregateKind, DimensionKey, PartialAggregate, Retraction, RollupSchema, Rollups,
};

use super::error::RollupError;
use super::key_numbers::{CUSTOMERS, KeyAssignment, StoredKeyNumbers};
use super::page::{self, Page};
use super::plan::{PlanPart, RollupPlan};
use super::queries::source_rows::{self, Extent, SourceRows};
use super::queries::tables::{self as queries, PageAddress, TableRow};
use super::table::{self, Coverage, RollupTable};
use crate::database::Tx;
use crate::ids;
use crate::registry::{findings, schema};

/// Limit: orders, or customers, folded at once.
pub(super) const AT_ONCE: usize = 500;

pub(super) fn of_customers(ids: &[&String]) -> Extent {
    Extent::Of { orders: "[]".to_owned(), customers: ids::list(ids) }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum FoldScope {
    Orders,
    Customers,
    /// Customers, with what they add through their first order.
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
    plan.tables().any(|planned| {
        let live = |row: &TableRow| planned.table.matches(row) && row.built_from != i32::MAX;
        stored.iter().any(live)
    })
}

pub(super) fn codes(stored: &[TableRow]) -> BTreeSet<String> {
    stored.iter().filter_map(|row| row.name.get(..3)).map(str::to_owned).collect()
}

pub(super) fn plan_of(code: &str, zone: &str) -> Option<Arc<RollupPlan>> {
    RollupPlan::of(schema::currency(code).ok()?, zone)
}

/// Reads the rows of some orders and customers with the fields of the definitions; of customers always the id.
pub(super) fn rows<'k>(
    tx: &Tx<'_>,
    (plan, scope): (&'k RollupPlan, &[FoldScope]),
    extent: &Extent,
) -> Result<Vec<SourceRows<'k>>, RollupError> {
    let of = |part: &'k PlanPart| scope.iter().map(|scope| scope.of(part));
    let read: Vec<&RollupSchema> = plan.parts.iter().flat_map(of).collect();
    let mut reads = reads(&read);
    if let Some(fields) = reads.get_mut(CUSTOMERS) {
        fields.insert("id");
    }
    Ok(source_rows::rows(tx, &reads, (extent, &plan.currency_code()))?)
}

#[derive(Debug)]
pub(super) struct SourceData(Data);

impl SourceData {
    pub(super) fn of(plan: &RollupPlan, read: &[SourceRows<'_>]) -> Result<Self, RollupError> {
        let engine = &plan.engine;
        let mut tables = Vec::with_capacity(read.len());
        for (source, fields, rows) in read {
            tables.push(plan.binding.rows(engine.schema(), (source, fields), rows)?);
        }
        let data = engine.data(tables, Rates::new());
        Ok(Self(data.map_err(|error| RollupError::Rows(error.to_string()))?))
    }
}

/// Returns the sources that some definitions read, with the fields of each.
pub(super) fn reads<'d>(definitions: &[&'d RollupSchema]) -> BTreeMap<&'d str, BTreeSet<&'d str>> {
    let mut reads: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (source, fields) in definitions.iter().flat_map(|definitions| definitions.reads()) {
        reads.entry(source).or_default().extend(fields);
    }
    reads
}

pub(super) fn fold(
    plan: &RollupPlan,
    (definitions, rows): (&RollupSchema, &SourceData),
    numbers: &mut StoredKeyNumbers<'_, '_>,
) -> Result<Rollups, RollupError> {
    let rollups = plan.engine.fold_rollups(definitions, &rows.0, numbers);
    numbers.check()?;
    rollups.map_err(|findings| RollupError::Rows(findings::first(&findings)))
}

/// Rows, and the key numbers of customers when they were read.
type NumberedRows<'r, 'k> = (&'r [SourceRows<'k>], &'r [(String, i64)]);

/// Subtracts the old state of rows, if they existed, and adds the new one.
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
            fold(plan, (scope.of(part), rows), numbers)
        };
        let before = before.as_mut().map(fold_rollups).transpose()?.unwrap_or_default();
        let after = fold_rollups(&mut after)?;
        for table in &part.tables {
            let own = stored.iter_mut().find(|row| table.matches(row));
            let Some(row) = own else { continue };
            if row.built_from != i32::MAX {
                apply(tx, table, row, &before, &after)?;
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

fn apply(
    tx: &Tx<'_>,
    table: &RollupTable,
    row: &mut TableRow,
    before: &Rollups,
    after: &Rollups,
) -> Result<(), RollupError> {
    let changes = changes(tx, table, (before, after))?;
    let earlier = row.clone();
    Coverage::of(table, after).widen(row);
    if *row != earlier {
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
            is_lost |= page.subtract(*at, *kind, before) == Retraction::Rebuild;
        }
        if let Some(after) = after {
            page.add(*at, *kind, after);
        }
    }
    is_lost
}
