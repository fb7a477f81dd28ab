//! Top products.

use std::collections::BTreeMap;

use quotient::types::{Reason, Value};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::grid::Grid;
use super::queries::goods;
use super::sales::{self, SalesRow, SoldBy, fraction, fraction_view, number_view};
use crate::MetricError;
use crate::compute::Granularity;
use crate::compute::range::RangeView;
use crate::compute::range::ResolvedRange;
use crate::compute::view::ValueView;
use crate::database::Tx;

/// The order of products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RankedBy {
    /// Net sales.
    #[default]
    Revenue,
    /// Units.
    Units,
    /// Orders.
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
    /// The rank.
    rank: usize,
    /// The product.
    product: NamedProduct,
    /// Units.
    units: ValueView,
    /// Orders with the product.
    orders: ValueView,
    /// Sales at list price.
    gross_sales: ValueView,
    /// Sales after discounts and returns, as the metric `net_sales`: refunds in the range are subtracted, attributed to
    /// the returned goods.
    net_sales: ValueView,
    /// The fraction of all net sales; null unless they are above zero.
    share: ValueView,
    /// Profit as a fraction of net sales: net sales less cost. Units without a known cost count as costing nothing, and
    /// returned units keep their cost. Null, and last in order of margin, unless net sales are above zero.
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
    /// The range.
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

/// Limit: products whose orders are counted by name; a formula lists at most 64 values.
const MAX_COUNTED: u32 = 50;

pub(crate) fn top(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: RankedBy,
) -> Result<TopProducts, MetricError> {
    // Of a few products, the orders are counted afterwards.
    let counts_later = by != RankedBy::Orders && range.page.0 <= MAX_COUNTED;
    let rows = if counts_later {
        sales::read_sums(tx, range, SoldBy::Product)?
    } else {
        sales::read(tx, range, SoldBy::Product)?
    };
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
    let mut page: Vec<(usize, SalesRow)> =
        (1_usize..).zip(ranked.iter().cloned()).skip(skipped).take(taken).collect();
    if counts_later {
        count_orders(tx, range, &mut page)?;
    }
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

/// Counts the orders of the products on a page.
fn count_orders(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    page: &mut [(usize, SalesRow)],
) -> Result<(), MetricError> {
    let ids = page.iter().filter_map(|(_, row)| row.key.as_deref());
    let ids: Vec<String> = ids.map(|id| format!("'{}'", id.replace('\'', "''"))).collect();
    let named = (!ids.is_empty()).then(|| format!("product_id in ({})", ids.join(", ")));
    let unnamed = page.iter().any(|(_, row)| row.key.is_none()).then_some("product_id is null");
    let conditions: Vec<&str> = named.as_deref().into_iter().chain(unnamed).collect();
    if conditions.is_empty() {
        return Ok(());
    }
    let condition = conditions.join(" or ");
    let formula = format!(
        "count_distinct(items.order_id where order.status != 'canceled' and ({condition}))"
    );
    let dimensions = (Granularity::None, &[SoldBy::Product.dimension()][..]);
    let grid = Grid::read(tx, range, &[&*formula], dimensions)?;
    for place in grid.places() {
        let row = page.iter_mut().find(|(_, row)| row.key.as_deref() == grid.key(place, 0));
        if let (Some((_, row)), Value::Number(orders)) = (row, grid.value(0, place)) {
            row.orders = orders;
        }
    }
    Ok(())
}

fn product(
    rank: usize,
    row: &SalesRow,
    (whole, titles): (Decimal, &BTreeMap<String, String>),
) -> TopProduct {
    let title = row.key.as_ref().and_then(|id| titles.get(id)).cloned();
    let margin = fraction(row.profit(), row.net);
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
