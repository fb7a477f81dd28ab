//! The tax export: orders with their tax by place, read page by page.

use serde::Serialize;

use super::queries::taxes::{self, OrderCursor, OrderTax};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::csv;
use crate::database::{self, Tx};
use crate::http::ToSchema;
use crate::money::{Amount, Currency};

/// Limit: orders read at once.
const PAGE_ORDERS: u32 = 500;

const COLUMNS: [&str; 9] = [
    "order_id",
    "display_id",
    "placed_at",
    "country",
    "province",
    "tax_names",
    "currency_code",
    "taxable_amount",
    "tax_amount",
];

/// An order's tax in a place.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "display_id": 7, "placed_at": "2026-11-21T12:00:00.000Z",
    "country": "gb", "province": null, "tax_names": "VAT", "currency_code": "gbp", "taxable_amount": 22.2,
    "tax_amount": 4.44
}))]
pub(crate) struct ExportRow {
    order_id: String,
    /// The order number.
    display_id: i64,
    /// When the order was placed.
    placed_at: Timestamp,
    /// The country that levies the tax.
    country: Option<String>,
    /// The province that levies the tax; null for tax of the whole country.
    province: Option<String>,
    /// The names of the rates.
    tax_names: Option<String>,
    /// The order's currency.
    currency_code: String,
    taxable_amount: Amount,
    tax_amount: Amount,
}

/// Orders with their tax by place.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TaxExport {
    range: RangeView,
    /// One row for each order and place, in order of placement.
    rows: Vec<ExportRow>,
    /// The number of rows.
    count: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct TaxPage {
    range: ResolvedRange,
    currency: Currency,
    is_csv: bool,
    /// The last order written; none before the first page.
    after: Option<OrderCursor>,
    count: u64,
    is_done: bool,
}

pub(crate) fn begin(range: &ResolvedRange, is_csv: bool) -> Result<TaxPage, MetricError> {
    let (range, currency) = (range.clone(), range.money()?);
    Ok(TaxPage { range, currency, is_csv, after: None, count: 0, is_done: false })
}

/// Returns the next part of the file and the state after it; none at the end.
pub(crate) fn next(
    tx: &Tx<'_>,
    mut page: TaxPage,
) -> Result<Option<(String, TaxPage)>, database::Error> {
    if page.is_done {
        return Ok(None);
    }
    let mut text = if page.after.is_none() { page.start()? } else { String::new() };
    let end = taxes::page_end(tx, &page.range, page.after, PAGE_ORDERS)?;
    for levied in taxes::levied(tx, &page.range, (page.after, end))? {
        let row = export_row(levied, page.currency);
        if page.is_csv {
            text.push_str(&csv::line(cells(&row)));
        } else {
            text.push_str(if page.count == 0 { "" } else { "," });
            text.push_str(&serde_json::to_string(&row)?);
        }
        page.count = page.count.saturating_add(1);
    }
    page.is_done = end.is_none();
    page.after = end.or(page.after);
    if page.is_done && !page.is_csv {
        text.extend(["],\"count\":", &page.count.to_string(), "}"]);
    }
    Ok(Some((text, page)))
}

impl TaxPage {
    fn start(&self) -> Result<String, database::Error> {
        if self.is_csv {
            return Ok(csv::line(COLUMNS));
        }
        Ok(format!(
            "{{\"range\":{},\"rows\":[",
            serde_json::to_string(&RangeView::of(&self.range))?
        ))
    }
}

fn export_row(row: OrderTax, currency: Currency) -> ExportRow {
    ExportRow {
        order_id: row.order_id,
        display_id: row.display_id,
        placed_at: row.placed_at,
        country: row.country,
        province: row.province,
        tax_names: row.names,
        currency_code: currency.to_string(),
        taxable_amount: currency.amount(row.taxable_minor),
        tax_amount: currency.amount(row.tax_minor),
    }
}

fn cells(row: &ExportRow) -> [String; COLUMNS.len()] {
    let text = |text: &Option<String>| csv::text(text.as_deref().unwrap_or_default()).into_owned();
    [
        row.order_id.clone(),
        row.display_id.to_string(),
        row.placed_at.to_string(),
        text(&row.country),
        text(&row.province),
        text(&row.tax_names),
        row.currency_code.clone(),
        row.taxable_amount.text(),
        row.tax_amount.text(),
    ]
}
