//! The names for formulas and their location in the database: `metrics/store.metrics`, the views `metric_…` of the
//! migrations, and the placeholders that users added.
//!
//! Amounts are in one currency: a schema is built for it, and its sources contain only the rows in it. So a metric
//! never adds euros to pounds, and counts the same rows as its amounts.

mod placeholders;
pub(crate) mod tables;
#[cfg(test)]
mod tests;

use jiff::civil::{Date, date};
use quotient::file::{self, Loaded};
use quotient::schema::{Coverage, DataType, Schema, Source};
use quotient::sql::{Binding, ColumnBinding, InstantUnit, Storage, TableBinding};
use quotient::types::Currency;

pub(crate) use placeholders::{PlaceholderError, add, resolve};

/// The sources, links, dimensions and populations of every store.
pub(super) const STORE: &str = include_str!("../../../definitions/store.metrics");

/// Rates are stored in parts per million.
const RATE_DIGITS: u32 = 6;

/// The currency column of a view, if it has one.
const CURRENCY_COLUMN: &str = "currency_code";

/// Sources whose rows have no currency of their own.
const WITHOUT_CURRENCY: &[&str] = &[
    "customers",
    "products",
    "variants",
    "sessions",
    "events",
    "product_views",
    "reviews",
    "wishlist_items",
    "webhook_deliveries",
    "partner_clicks",
];

/// The day that sources without data are said to cover: later than any present, so that no period
/// includes it.
const NEVER: Date = date(9998, 12, 31);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// An unknown time zone.
    #[error("`{0}` is not a time zone")]
    Zone(String),
    /// An unknown currency.
    #[error("`{0}` is not a currency")]
    Currency(String),
}

pub(crate) fn currency(code: &str) -> Result<Currency, SchemaError> {
    let found = Currency::from_code(&code.to_ascii_uppercase());
    found.ok_or_else(|| SchemaError::Currency(code.to_owned()))
}

/// Returns the schema of a store with a reporting currency and a time zone, without placeholders.
pub(crate) fn schema(currency: Currency, zone: &str) -> Result<Schema, SchemaError> {
    let mut schema = loaded().schema;
    let calendar = schema.store.calendar.in_zone(zone);
    schema.store.calendar = calendar.map_err(|_unknown| SchemaError::Zone(zone.to_owned()))?;
    schema.store.currency = currency;
    Ok(schema)
}

/// Loads the file, with its findings.
fn loaded() -> Loaded {
    let mut loaded = file::load("store.metrics", &mut |_| Ok(STORE.to_owned()));
    cover(&mut loaded.schema);
    loaded
}

/// Declares that dated sources without recorded rows cover no period, so that missing rows are not taken for zero.
pub(super) fn cover(schema: &mut Schema) {
    for source in &mut schema.sources {
        if source.date.is_some() && tables::tables_of(&source.name).is_empty() {
            source.coverage = Some(Coverage { first: NEVER, last: NEVER });
        }
    }
}

/// Returns whether the rows of a source have a currency.
pub(crate) fn has_currency(source: &Source) -> bool {
    !WITHOUT_CURRENCY.contains(&source.name.as_str())
}

/// Returns the tables of a schema's sources: amounts with the currency's digits, and only the rows in the currency.
pub(crate) fn binding(schema: &Schema) -> Binding {
    let code = schema.store.currency.code().to_ascii_lowercase();
    let table = |source: &Source| TableBinding {
        name: format!("metric_{}", source.name),
        columns: source
            .fields
            .iter()
            .map(|field| ColumnBinding {
                name: field.name.clone(),
                storage: storage(&field.data_type, schema.store.currency),
            })
            .collect(),
        only: has_currency(source).then(|| (CURRENCY_COLUMN.to_owned(), code.clone())),
    };
    Binding::new(schema.sources.iter().map(table).collect())
}

fn storage(data_type: &DataType, currency: Currency) -> Storage {
    match data_type {
        DataType::Money(_) | DataType::MoneyBy { .. } => Storage::Scaled(currency.digits()),
        DataType::Ratio | DataType::Percent => Storage::Scaled(RATE_DIGITS),
        DataType::Number | DataType::Count(_) | DataType::Duration => Storage::Scaled(0),
        DataType::Text => Storage::Text,
        DataType::Bool => Storage::Bool,
        DataType::Date => Storage::Day,
        DataType::DateTime => Storage::Instant(InstantUnit::Millisecond),
    }
}
