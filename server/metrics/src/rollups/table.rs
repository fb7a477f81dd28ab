//! Rollup tables: definitions with one source and event time, stored together; and their coverage.

use std::collections::BTreeSet;
use std::sync::Arc;

use quotient::rollup::{
    AggregateKind, DimensionKey, EventTime, Grain, PartialAggregate, Rollup, RollupDefinition,
    Rollups,
};
use quotient::types::Currency;
use quotient_foundation::digest::sha256_hex;

use super::error::UnreadablePage;
use super::queries::changes::Change;
use super::queries::tables::TableRow;

/// The sources whose rows are added and removed with an order, on its day.
pub(super) const WITH_ORDERS: &[&str] = &["orders", "items", "promotions", "tax_lines"];

/// Days have blocks of 32 days above them; hours have none, because days have their own tables.
const DAY_LEVELS: usize = 2;
const OTHER_LEVELS: usize = 1;
/// Keys whose sums share a page: a day of a thousand products takes some sixty pages, and a sale changes few of them.
const KEYS_OF_SUMS: u8 = 16;
/// Sets are large, so each has its own page.
const KEYS_OF_SETS: u8 = 1;

#[derive(Debug)]
pub(super) struct RollupTable {
    /// A readable name: `GBP days of orders by created_at, sums`.
    pub(super) name: String,
    /// A hash of the definitions: pages of another layout cannot be read.
    pub(super) layout: String,
    pub(super) definitions: Vec<RollupDefinition>,
    pub(super) dependencies: Arc<TableDependencies>,
}

/// Buckets from the first to before the second.
pub(super) type BucketRange = (i32, i32);

/// The changes on which the buckets of a table depend.
#[derive(Debug)]
pub(super) struct TableDependencies {
    pub(super) source: String,
    /// The sources whose rows change with the table's rows on the same day, if buckets are such days.
    pub(super) by_day: &'static [&'static str],
    pub(super) linked: BTreeSet<String>,
}

impl TableDependencies {
    pub(super) fn holds(&self, change: &Change, (from, to): BucketRange) -> bool {
        let own = change.source.as_str();
        if self.by_day.contains(&own) {
            let overlaps = |(first, last)| first < i64::from(to) && last >= i64::from(from);
            return change.days.is_none_or(overlaps);
        }
        own == self.source || self.linked.contains(own) && !change.is_added
    }
}

#[derive(Debug)]
pub(super) struct TablePartial<'c> {
    pub(super) place: u8,
    pub(super) kind: AggregateKind,
    pub(super) bucket: i32,
    pub(super) tuple: &'c DimensionKey,
    pub(super) aggregate: &'c PartialAggregate,
}

impl RollupTable {
    pub(super) fn name(currency: Currency, part: &str, definition: &RollupDefinition) -> String {
        let time = match &definition.event_time {
            EventTime::Never => "without a date".to_owned(),
            EventTime::By(column) => format!("by {column}"),
            EventTime::Later(opened, closed) => format!("by {opened} and {closed}"),
        };
        let kind = if is_set(definition.kind) { "sets" } else { "sums" };
        format!("{} {part} of {} {time}, {kind}", currency.code(), definition.source)
    }

    pub(super) fn new(
        name: String,
        definitions: Vec<RollupDefinition>,
        read: BTreeSet<String>,
    ) -> Self {
        let layout = sha256_hex(definitions.iter().map(RollupDefinition::hash).collect::<String>());
        let dependencies = Arc::new(dependencies(definitions.first(), read));
        Self { name, layout, definitions, dependencies }
    }

    /// Returns the first definition: source, date and grain are the same for all.
    pub(super) fn first(&self) -> Option<&RollupDefinition> {
        self.definitions.first()
    }

    /// Returns whether a stored table is this one, with pages that this program can read.
    pub(super) fn matches(&self, row: &TableRow) -> bool {
        row.name == self.name && row.layout == self.layout
    }

    pub(super) fn placed(&self) -> impl Iterator<Item = (&RollupDefinition, u8)> {
        self.definitions.iter().zip(0_u8..)
    }

    pub(super) fn partials<'c>(
        &self,
        rollups: &'c Rollups,
    ) -> impl Iterator<Item = TablePartial<'c>> {
        self.placed().flat_map(|(definition, place)| {
            let own = rollups.rollup(definition).map(Rollup::partials).into_iter().flatten();
            let kind = definition.kind;
            own.map(move |(bucket, tuple, aggregate)| TablePartial {
                place,
                kind,
                bucket,
                tuple,
                aggregate,
            })
        })
    }

    /// Returns a bucket and the blocks above it: the level and number of each.
    pub(super) fn levels(&self, bucket: i32) -> impl Iterator<Item = (i64, i32)> {
        let number = move |span: &i32| bucket.div_euclid((*span).max(1));
        (0_i64..).zip(self.spans().iter().map(number))
    }

    /// Returns the page of a key, and its index in it.
    pub(super) fn page(&self, key: i64) -> (i64, u8) {
        let size = i64::from(self.page_len());
        (key.div_euclid(size), u8::try_from(key.rem_euclid(size)).unwrap_or(0))
    }

    pub(super) fn first_key(&self, page: i64) -> i64 {
        page.saturating_mul(i64::from(self.page_len()))
    }

    fn page_len(&self) -> u8 {
        let holds_sets = self.first().is_some_and(|first| is_set(first.kind));
        if holds_sets { KEYS_OF_SETS } else { KEYS_OF_SUMS }
    }

    pub(super) fn spans(&self) -> &'static [i32] {
        let Some(first) = self.first() else { return &[] };
        let levels = match first.grain {
            Grain::Day | Grain::Date => DAY_LEVELS,
            Grain::Hour | Grain::Always => OTHER_LEVELS,
        };
        let spans = first.grain.spans();
        spans.get(..levels).unwrap_or(spans)
    }
}

fn dependencies(first: Option<&RollupDefinition>, read: BTreeSet<String>) -> TableDependencies {
    let source = first.map(|first| first.source.clone()).unwrap_or_default();
    let is_by_day = first.is_some_and(|first| {
        let own = matches!(&first.event_time, EventTime::By(column) if column == "created_at");
        own && first.grain == Grain::Day && WITH_ORDERS.contains(&source.as_str())
    });
    TableDependencies { source, by_day: if is_by_day { WITH_ORDERS } else { &[] }, linked: read }
}

/// Returns whether partial aggregates of a kind are sets, which are larger than sums and used less often.
const fn is_set(kind: AggregateKind) -> bool {
    matches!(kind, AggregateKind::DistinctSet | AggregateKind::RepeatSet)
}

pub(super) fn key_text(tuple: &DimensionKey) -> Result<Vec<u8>, UnreadablePage> {
    Ok(postcard::to_allocvec(tuple)?)
}

pub(super) fn tuple(bytes: &[u8]) -> Result<DimensionKey, UnreadablePage> {
    Ok(postcard::from_bytes(bytes)?)
}

/// The range of a table's rows in time, and the decimal places of their sums.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    extent: Option<(i64, i64)>,
    scales: Vec<u32>,
}

impl Coverage {
    pub(super) fn of(table: &RollupTable, rollups: &Rollups) -> Self {
        let mut coverage = Self::default();
        for definition in &table.definitions {
            let grid = rollups.rollup(definition);
            coverage.scales.push(grid.map_or(0, Rollup::scale));
            coverage.extent = either(coverage.extent, grid.and_then(Rollup::extent));
        }
        coverage
    }

    pub(super) fn widen(&self, row: &mut TableRow) {
        row.extent = either(row.extent, self.extent);
        let own = scales(row);
        let both = self.scales.iter().enumerate();
        let both: Vec<u32> =
            both.map(|(index, scale)| own.get(index).copied().unwrap_or(0).max(*scale)).collect();
        row.scales = serde_json::Value::from(both).to_string();
    }
}

/// Returns the decimal places of a definition's sums, including those of pending deltas.
pub(super) fn scale((row, place): (&TableRow, u8), pending: Option<&Rollup>) -> u32 {
    let own = scales(row).get(usize::from(place)).copied().unwrap_or(0);
    own.max(pending.map_or(0, Rollup::scale))
}

/// Returns the decimal places by definition.
fn scales(row: &TableRow) -> Vec<u32> {
    serde_json::from_str(&row.scales).unwrap_or_default()
}

fn either(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (one, other) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    }
}
