//! Top products.

use std::collections::BTreeMap;

use quotient::types::Reason;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::SoldBy;
use super::queries::goods::{self, Names};
use super::sales::{self, ExtraFigures, SalesRow, fraction, fraction_view, number_view};
use crate::MetricError;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::compute::view::ValueView;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::routes::paging::page;

/// The order of products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RankedBy {
    /// Net sales.
    #[default]
    Revenue,
    Units,
    Orders,
    /// Profit as a fraction of net sales.
    Margin,
}

/// A product with its rank.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "rank": 1, "product": { "id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "title": "Mug" }, "units": 12, "orders": 9,
    "gross_sales": 155.88, "net_sales": 150, "share": 0.5, "margin": 0.4,
    "margin_null_reason": null
}))]
pub(crate) struct TopProduct {
    rank: usize,
    product: NamedProduct,
    units: ValueView,
    orders: ValueView,
    /// Sales at list price.
    gross_sales: ValueView,
    /// Sales after discounts and returns, as the metric `net_sales`: refunds in the range are subtracted, attributed to
    /// the returned goods.
    net_sales: ValueView,
    /// The fraction of all net sales; null unless they are above zero.
    share: ValueView,
    /// Profit as a fraction of net sales: net sales less cost. Returned units keep their cost. Null, and last in order of
    /// margin, unless net sales are above zero and the cost of every unit is known.
    margin: ValueView,
    /// Why there is no margin.
    #[schema(example = "not_comparable")]
    margin_null_reason: Option<&'static str>,
}

/// A reference to a product.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct NamedProduct {
    /// The id; null for lines without a product.
    id: Option<String>,
    /// The title; null if it no longer exists.
    title: Option<String>,
}

/// The products in order.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TopProducts {
    range: RangeView,
    /// The order of products.
    by: RankedBy,
    /// A page of the products.
    products: Vec<TopProduct>,
    /// The number of products sold.
    count: usize,
    /// The number of products before the page.
    offset: u32,
    /// The maximum number of products on the page.
    limit: u32,
}

pub(crate) fn top(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: RankedBy,
) -> Result<TopProducts, MetricError> {
    let rows = sales::read(tx, range, (SoldBy::Product, ExtraFigures::MissingCostAndOrders))?;
    let whole = rows.iter().fold(Decimal::ZERO, |sum, row| sum.saturating_add(row.net));
    let ranked = sales::ranked(rows, |row| match by {
        RankedBy::Revenue => Some(row.net),
        RankedBy::Units => Some(row.units),
        RankedBy::Orders => Some(row.orders),
        RankedBy::Margin => row.margin().ok(),
    });
    let (limit, offset) = range.page;
    let page = page(&ranked, range.page);
    let titles =
        goods::names(tx, Names::ProductTitles, page.iter().filter_map(|row| row.key.as_deref()))?;
    let ranks = usize::try_from(offset).unwrap_or(usize::MAX).saturating_add(1)..;
    let products = ranks.zip(page).map(|(rank, row)| product(rank, row, whole, &titles));
    let (products, count) = (products.collect(), ranked.len());
    Ok(TopProducts { range: RangeView::of(range), by, products, count, offset, limit })
}

fn product(
    rank: usize,
    row: &SalesRow,
    whole: Decimal,
    titles: &BTreeMap<String, String>,
) -> TopProduct {
    let title = row.key.as_ref().and_then(|id| titles.get(id)).cloned();
    let margin = row.margin();
    TopProduct {
        rank,
        product: NamedProduct { id: row.key.clone(), title },
        units: number_view(row.units),
        orders: number_view(row.orders),
        gross_sales: number_view(row.gross),
        net_sales: number_view(row.net),
        share: fraction_view(fraction(row.net, whole)),
        margin: fraction_view(margin),
        margin_null_reason: margin.err().map(Reason::name),
    }
}
