//! What sells best.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::grid::{Grid, Place};
use crate::database::Tx;
use crate::metrics::MetricError;
use crate::metrics::boards::RangeView;
use crate::metrics::boards::range::Board;
use crate::metrics::compute::Granularity;
use crate::metrics::compute::shown::ValueView;
use crate::metrics::queries::goods;

/// Units, orders, gross sales, net sales, share of them, margin. Returns name no product, so net sales are before them.
const FORMULAS: &[&str] = &[
    "units_sold",
    "count_distinct(items.order_id where order.status != 'canceled')",
    "gross_sales",
    "gross_sales - discounts",
    "share(gross_sales - discounts)",
    "(gross_sales - discounts - cogs) / (gross_sales - discounts)",
];

/// What products are ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::metrics) enum RankedBy {
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

impl RankedBy {
    const fn formula(self) -> usize {
        match self {
            Self::Revenue => 3,
            Self::Units => 0,
            Self::Orders => 1,
            Self::Margin => 5,
        }
    }
}

/// A product by its rank.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "rank": 1, "product": { "id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "title": "Mug" }, "units": 12, "orders": 9,
    "gross_sales": 155.88, "net_sales": 150, "share": 0.5, "margin": 0.4
}))]
pub(in crate::metrics) struct TopProduct {
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
    /// After discounts, before returns.
    net_sales: ValueView,
    /// Its part of all net sales.
    share: ValueView,
    /// The part of its net sales that is profit; pieces without a known cost count as costing nothing.
    margin: ValueView,
}

/// A product as reports name it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::metrics) struct NamedProduct {
    /// Its id; null for lines of no product.
    id: Option<String>,
    /// Its title; null where it is gone.
    title: Option<String>,
}

/// What sells best.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::metrics) struct TopProducts {
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

/// Reads what sells best.
pub(in crate::metrics) fn top(
    tx: &Tx<'_>,
    board: &Board,
    by: RankedBy,
) -> Result<TopProducts, MetricError> {
    let grid = Grid::read(tx, board, FORMULAS, (Granularity::None, &["product"]))?;
    let ranked = grid.ranked(by.formula());
    let (limit, offset) = board.page;
    let (skipped, taken) =
        (usize::try_from(offset).unwrap_or(usize::MAX), usize::try_from(limit).unwrap_or(0));
    let page: Vec<(usize, Place)> =
        (1_usize..).zip(ranked.iter().copied()).skip(skipped).take(taken).collect();
    let ids = page.iter().filter_map(|(_, place)| grid.key(*place, 0));
    let titles = goods::product_titles(tx, ids)?;
    let products = page.iter().map(|(rank, place)| product(*rank, &grid, (*place, &titles)));
    let products = products.collect();
    Ok(TopProducts {
        range: RangeView::of(board),
        by,
        products,
        count: ranked.len(),
        offset,
        limit,
    })
}

fn product(
    rank: usize,
    grid: &Grid,
    (place, titles): (Place, &BTreeMap<String, String>),
) -> TopProduct {
    let id = grid.key(place, 0).map(str::to_owned);
    let title = id.as_ref().and_then(|id| titles.get(id)).cloned();
    TopProduct {
        rank,
        product: NamedProduct { id, title },
        units: grid.view(0, place),
        orders: grid.view(1, place),
        gross_sales: grid.view(2, place),
        net_sales: grid.view(3, place),
        share: grid.view(4, place),
        margin: grid.view(5, place),
    }
}
