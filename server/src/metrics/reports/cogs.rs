//! What goods cost: margins, and how often the stock is sold.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::grid::{Grid, Place};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::metrics::MetricError;
use crate::metrics::boards::RangeView;
use crate::metrics::boards::range::{Board, page};
use crate::metrics::compute::Granularity;
use crate::metrics::compute::shown::ValueView;
use crate::metrics::queries::goods;

/// Revenue, cost, profit, margin, units, units without a known cost.
const MARGINS: &[&str] = &[
    "gross_sales - discounts",
    "cogs",
    "gross_sales - discounts - cogs",
    "(gross_sales - discounts - cogs) / (gross_sales - discounts)",
    "units_sold",
    "sum(items.quantity where unit_cost is null and order.status != 'canceled')",
];

/// Turnover, days of inventory, average inventory value, return on it, cost of what was sold.
const TURNOVER: &[&str] = &[
    "inventory_turnover",
    "days_of_inventory / 1 day",
    "avg_inventory_value",
    "(gross_sales - discounts - cogs) / avg_inventory_value",
    "cogs",
];

/// What margins are shown by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::metrics) enum MarginsBy {
    /// Products.
    #[default]
    Product,
    /// Variants.
    Variant,
    /// Categories.
    Category,
    /// Months, or what `granularity` says.
    Period,
}

/// What turnover is shown by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::metrics) enum TurnoverBy {
    /// Products.
    #[default]
    Product,
    /// Categories.
    Category,
}

/// What goods brought and cost.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::metrics) struct MarginRow {
    /// The id of the product or variant, or the name of the category; null for lines of none, and by period.
    key: Option<String>,
    /// How people call it; null where it is gone.
    title: Option<String>,
    /// When the period begins, by period.
    start: Option<Timestamp>,
    /// The figures.
    #[serde(flatten)]
    figures: MarginFigures,
}

/// Figures of margins.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::metrics) struct MarginFigures {
    /// Goods after discounts, before returns.
    revenue: ValueView,
    /// What they cost; those without a known cost add nothing.
    cost: ValueView,
    /// Revenue less cost.
    profit: ValueView,
    /// The part of revenue that is profit; null without revenue.
    margin: ValueView,
    /// Pieces.
    units: ValueView,
    /// Pieces without a known cost.
    missing_cost: ValueView,
}

/// Margins and their total.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::metrics) struct MarginReport {
    /// What it is of.
    range: RangeView,
    /// What the rows are by.
    by: MarginsBy,
    /// A page of rows, the most revenue first; by period in order of time.
    margins: Vec<MarginRow>,
    /// All rows together.
    total: MarginFigures,
    /// How many rows there are.
    count: usize,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// Reads margins.
pub(in crate::metrics) fn margins(
    tx: &Tx<'_>,
    board: &Board,
    (by, granularity): (MarginsBy, Granularity),
) -> Result<MarginReport, MetricError> {
    let cut = match by {
        MarginsBy::Product => (Granularity::None, &["product"][..]),
        MarginsBy::Variant => (Granularity::None, &["variant"][..]),
        MarginsBy::Category => (Granularity::None, &["category"][..]),
        MarginsBy::Period => (granularity, &[][..]),
    };
    let grid = Grid::read(tx, board, MARGINS, cut)?;
    let places = if by == MarginsBy::Period { grid.places() } else { grid.ranked(0) };
    let page = page(&places, board.page);
    let titles = titles(tx, (&grid, page), by)?;
    let rows = page.iter().map(|place| {
        let key = grid.key(*place, 0).map(str::to_owned);
        MarginRow {
            title: key.as_ref().and_then(|key| titles.get(key)).cloned(),
            key,
            start: (by == MarginsBy::Period).then(|| grid.start(*place)).flatten(),
            figures: figures(&|formula| grid.view(formula, *place)),
        }
    });
    let (limit, offset) = board.page;
    Ok(MarginReport {
        range: RangeView::of(board),
        by,
        margins: rows.collect(),
        total: figures(&|formula| grid.total(formula)),
        count: places.len(),
        offset,
        limit,
    })
}

fn figures(of: &dyn Fn(usize) -> ValueView) -> MarginFigures {
    MarginFigures {
        revenue: of(0),
        cost: of(1),
        profit: of(2),
        margin: of(3),
        units: of(4),
        missing_cost: of(5),
    }
}

fn titles(
    tx: &Tx<'_>,
    (grid, page): (&Grid, &[Place]),
    by: MarginsBy,
) -> Result<BTreeMap<String, String>, MetricError> {
    let keys = page.iter().filter_map(|place| grid.key(*place, 0));
    Ok(match by {
        MarginsBy::Product => goods::product_titles(tx, keys)?,
        MarginsBy::Variant => goods::variant_titles(tx, keys)?,
        MarginsBy::Category => keys.map(|key| (key.to_owned(), key.to_owned())).collect(),
        MarginsBy::Period => BTreeMap::new(),
    })
}

/// How often the stock of something was sold.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::metrics) struct TurnoverRow {
    /// The id of the product, or the name of the category; null for what has none.
    key: Option<String>,
    /// How people call it; null where it is gone.
    title: Option<String>,
    /// The figures.
    #[serde(flatten)]
    figures: TurnoverFigures,
}

/// Figures of turnover; null where no stock was kept in mind.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::metrics) struct TurnoverFigures {
    /// How many times the average stock was sold.
    turnover: ValueView,
    /// How many days the stock lasts at this pace.
    days_of_inventory: ValueView,
    /// The stock at cost, averaged over the days that have a snapshot.
    average_inventory_value: ValueView,
    /// Gross profit for each unit of money in stock.
    gmroi: ValueView,
    /// What the sold goods cost.
    cost: ValueView,
}

/// How often the stock was sold.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::metrics) struct TurnoverReport {
    /// What it is of; stock lies in no channel, region or country, so filters by them are refused.
    range: RangeView,
    /// What the rows are by.
    by: TurnoverBy,
    /// A page of rows, the most stock first.
    inventory_turnover: Vec<TurnoverRow>,
    /// All rows together.
    total: TurnoverFigures,
    /// How many rows there are.
    count: usize,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// Reads turnover.
///
/// # Errors
/// [`MetricError::Range`] when only a part of the store is to count.
pub(in crate::metrics) fn turnover(
    tx: &Tx<'_>,
    board: &Board,
    by: TurnoverBy,
) -> Result<TurnoverReport, MetricError> {
    if board.filters.condition().is_some() {
        let sentence = "Stock is of no sales channel, region or country: leave these filters out";
        return Err(MetricError::Range(sentence.to_owned()));
    }
    let (dimension, named_as) = match by {
        TurnoverBy::Product => ("product", MarginsBy::Product),
        TurnoverBy::Category => ("category", MarginsBy::Category),
    };
    let grid = Grid::read(tx, board, TURNOVER, (Granularity::None, &[dimension]))?;
    let places = grid.ranked(2);
    let page = page(&places, board.page);
    let titles = titles(tx, (&grid, page), named_as)?;
    let rows = page.iter().map(|place| {
        let key = grid.key(*place, 0).map(str::to_owned);
        let title = key.as_ref().and_then(|key| titles.get(key)).cloned();
        let figures = turnover_figures(&|formula| grid.view(formula, *place));
        TurnoverRow { key, title, figures }
    });
    let (limit, offset) = board.page;
    Ok(TurnoverReport {
        range: RangeView::of(board),
        by,
        inventory_turnover: rows.collect(),
        total: turnover_figures(&|formula| grid.total(formula)),
        count: places.len(),
        offset,
        limit,
    })
}

fn turnover_figures(of: &dyn Fn(usize) -> ValueView) -> TurnoverFigures {
    TurnoverFigures {
        turnover: of(0),
        days_of_inventory: of(1),
        average_inventory_value: of(2),
        gmroi: of(3),
        cost: of(4),
    }
}
