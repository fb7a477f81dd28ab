//! The rows that a part of an explanation counts.

use quotient::explain::{CountedRow, RowLink};
use quotient::sql::RowsPage;
use serde::Serialize;

use super::store::{compile_item, database, refused};
use super::view::formatted_value;
use super::{Question, ValueView};
use crate::database::Tx;
use crate::http::ToSchema;
use crate::rollups::StoreRows;
use crate::{MetricError, RegistrySnapshot};

/// A row that a row links to.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct RowLinkView {
    #[schema(example = "order")]
    name: String,
    /// The source of the linked row.
    #[schema(example = "orders")]
    source: String,
    /// Its key; null if the row links to none.
    key: ValueView,
}

/// A row of the store as formulas see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct CountedRowView {
    /// The key of the row; null in a source without keys.
    key: ValueView,
    /// The date by which the row belongs to the period.
    at: ValueView,
    /// What the part reads from the row; null if it only counts the row, or if the database does not compute
    /// it.
    value: ValueView,
    /// The value formatted for display.
    formatted: String,
    links: Vec<RowLinkView>,
}

/// The rows that a part counts: those in its period that meet every condition on them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct CountedRowsView {
    /// The number of the part.
    aggregate: u32,
    /// The part of the formula, or the metric's key.
    #[schema(example = "sum(orders.total)")]
    label: String,
    /// The source of the rows.
    #[schema(example = "orders")]
    source: String,
    /// Why the rows are not listed: an operation that the database cannot do for each row.
    unlisted: Option<&'static str>,
    /// A page of rows, newest first.
    rows: Vec<CountedRowView>,
    /// The number of rows.
    count: u64,
    /// The number of rows skipped.
    offset: u32,
    /// The maximum number of rows on the page.
    limit: u32,
}

impl CountedRowView {
    fn of(row: &CountedRow) -> Self {
        let link = |link: &RowLink| RowLinkView {
            name: link.name.clone(),
            source: link.source.clone(),
            key: ValueView::of(&link.key),
        };
        Self {
            key: ValueView::of(&row.key),
            at: ValueView::of(&row.date),
            value: ValueView::of(&row.value),
            formatted: formatted_value(&row.value, &row.formatted),
            links: row.links.iter().map(link).collect(),
        }
    }
}

/// Lists the rows of a part of a metric's explanation; none if it has no such part.
pub(crate) fn rows(
    tx: &Tx<'_>,
    snapshot: &RegistrySnapshot,
    (key, question): (&str, &Question),
    (aggregate, page): (u32, RowsPage),
) -> Result<Option<CountedRowsView>, MetricError> {
    let currency_engine = snapshot.engine_for(question.currency);
    let engine = &currency_engine.engine;
    let compiled = compile_item(&currency_engine, engine, key, question)?;
    let rows = StoreRows(tx);
    let database = database(&rows, engine, &currency_engine.binding);
    let number = usize::try_from(aggregate).unwrap_or(usize::MAX);
    let found = engine.counted_rows(&compiled, &database, &question.request(), (number, page));
    let view = found.map_err(refused)?.map(|counted| CountedRowsView {
        aggregate,
        label: counted.label,
        source: counted.source,
        unlisted: counted.unlisted,
        rows: counted.rows.iter().map(CountedRowView::of).collect(),
        count: counted.count,
        offset: page.offset,
        limit: page.limit,
    });
    Ok(view)
}
