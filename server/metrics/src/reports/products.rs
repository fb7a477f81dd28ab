//! What sells best.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::queries::goods;
use super::sales::{self, SalesRow, SoldBy, number_view, ratio};
use crate::MetricError;
use crate::compute::range::RangeView;
use crate::compute::range::ResolvedRange;
use crate::compute::view::ValueView;
use crate::database::Tx;

/// What products are ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RankedBy {
    /// Net sales.
    #[default]
    Revenue,
    /// Pieces.
    Units,
    /// Orders.
    Orders,
    /// The part of net sales that is profit.
    Margin,
}

/// A product by its rank.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "rank": 1, "product": { "id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "title": "Mug" }, "units": 12, "orders": 9,
    "gross_sales": 155.88, "net_sales": 150, "share": 0.5, "margin": 0.4
}))]
pub(crate) struct TopProduct {
    /// Its place.
    rank: usize,
    /// The product.
    product: NamedProduct,
    /// Pieces.
    units: ValueView,
    /// Orders with it.
    orders: ValueView,
    /// At list price.
    gross_sales: ValueView,
    /// After discounts and returns, as the metric `net_sales`: what was given back in the range is taken off, by the
    /// goods that came back.
    net_sales: ValueView,
    /// Its part of all net sales; null where there are none.
    share: ValueView,
    /// The part of its net sales that is profit: net sales less cost. Pieces without a known cost count as costing
    /// nothing, and those that came back still cost what they did.
    margin: ValueView,
}

/// A product as reports name it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct NamedProduct {
    /// Its id; null for lines of no product.
    id: Option<String>,
    /// Its title; null where it is gone.
    title: Option<String>,
}

/// What sells best.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TopProducts {
    /// What it is of.
    range: RangeView,
    /// What products are ranked by.
    by: RankedBy,
    /// A page of them.
    products: Vec<TopProduct>,
    /// How many were sold.
    count: usize,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

pub(crate) fn top(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: RankedBy,
) -> Result<TopProducts, MetricError> {
    let rows = sales::read(tx, range, SoldBy::Product)?;
    let whole = rows.iter().fold(Decimal::ZERO, |sum, row| sum.saturating_add(row.net));
    let ranked = sales::ranked(rows, |row| match by {
        RankedBy::Revenue => Some(row.net),
        RankedBy::Units => Some(row.units),
        RankedBy::Orders => Some(row.orders),
        RankedBy::Margin => row.margin(),
    });
    let (limit, offset) = range.page;
    let (skipped, taken) =
        (usize::try_from(offset).unwrap_or(usize::MAX), usize::try_from(limit).unwrap_or(0));
    let page: Vec<(usize, &SalesRow)> =
        (1_usize..).zip(&ranked).skip(skipped).take(taken).collect();
    let titles = goods::product_titles(tx, page.iter().filter_map(|(_, row)| row.key.as_deref()))?;
    let products = page.iter().map(|(rank, row)| product(*rank, row, (whole, &titles)));
    let products = products.collect();
    Ok(TopProducts {
        range: RangeView::of(range),
        by,
        products,
        count: ranked.len(),
        offset,
        limit,
    })
}

fn product(
    rank: usize,
    row: &SalesRow,
    (whole, titles): (Decimal, &BTreeMap<String, String>),
) -> TopProduct {
    let title = row.key.as_ref().and_then(|id| titles.get(id)).cloned();
    TopProduct {
        rank,
        product: NamedProduct { id: row.key.clone(), title },
        units: number_view(row.units),
        orders: number_view(row.orders),
        gross_sales: number_view(row.gross),
        net_sales: number_view(row.net),
        share: ratio(row.net.checked_div(whole)),
        margin: ratio(row.margin()),
    }
}
