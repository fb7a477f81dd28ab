//! Cost of goods: margins and inventory turnover.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use quotient::number::divide;
use quotient::types::{Reason, Value};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::SoldBy;
use super::queries::goods::{self, Names};
use super::queries::stock;
use super::sales::{self, ExtraFigures, SalesRow, fraction, fraction_view, number_view};
use super::snapshots;
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::Granularity;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::compute::standard_formulas::{RowIndex, StandardAnswers};
use crate::compute::view::ValueView;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::routes::paging::page;

/// Revenue, cost, profit, margin, units, units without a known cost.
const MARGINS: &[&str] = &[
    "net_sales",
    "cogs",
    "gross_profit",
    "gross_margin",
    "units_sold",
    "sum(items.quantity where unit_cost is null and order.status != 'canceled')",
];

/// The index of net sales among them.
const REVENUE: usize = 0;
/// The index of the margin among them.
const MARGIN: usize = 3;

/// Turnover, days of inventory, average inventory value, return on inventory, cost of goods sold, days.
const TURNOVER: &[&str] = &[
    "inventory_turnover",
    DAYS_OF_INVENTORY,
    "avg_inventory_value",
    "gmroi",
    "cogs",
    "length(period) / 1 day",
];

/// The metric `days_of_inventory` in days. The length of the range is divided first, which needs no rounding.
const DAYS_OF_INVENTORY: &str = "length(period) / 1 day / inventory_turnover";

/// The index of the days among them.
const DAYS: usize = 5;

/// The grouping of margins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MarginsBy {
    #[default]
    Product,
    Variant,
    Category,
    /// Months, or the periods of `granularity`.
    Period,
}

/// The grouping of turnover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TurnoverBy {
    #[default]
    Product,
    Category,
}

/// Revenue and cost of a group of goods.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MarginRow {
    /// The id of the product or variant, or the name of the category; null for lines without one, and by period.
    key: Option<String>,
    /// The title; null if it no longer exists.
    title: Option<String>,
    /// The start of the period, if grouped by period.
    start: Option<Timestamp>,
    /// Whether the period is not over, if grouped by period.
    partial: Option<bool>,
    #[serde(flatten)]
    figures: MarginFigures,
}

/// The values of margins.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MarginFigures {
    /// Goods after discounts and returns, as the metric `net_sales`: refunds in the range are subtracted, attributed to
    /// the returned goods.
    revenue: ValueView,
    /// The cost of goods sold, including returned ones; goods without a known cost add nothing.
    cost: ValueView,
    /// Revenue less cost.
    profit: ValueView,
    /// Profit as a fraction of revenue; null unless revenue is above zero.
    margin: ValueView,
    /// Why there is no margin.
    #[schema(example = "not_comparable")]
    margin_null_reason: Option<&'static str>,
    units: ValueView,
    /// Units without a known cost.
    missing_cost: ValueView,
}

/// Margins and their total.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MarginReport {
    range: RangeView,
    /// The grouping of the rows.
    by: MarginsBy,
    /// A page of rows, the highest revenue first; by period, in chronological order.
    margins: Vec<MarginRow>,
    /// The totals of all rows.
    total: MarginFigures,
    /// The number of rows.
    count: usize,
    /// The number of rows before the page.
    offset: u32,
    /// The maximum number of rows on the page.
    limit: u32,
}

pub(crate) fn margins(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    (by, granularity): (MarginsBy, Granularity),
) -> Result<MarginReport, MetricError> {
    let goods = match by {
        MarginsBy::Product => SoldBy::Product,
        MarginsBy::Variant => SoldBy::Variant,
        MarginsBy::Category => SoldBy::Category,
        MarginsBy::Period => return margins_by_period(tx, range, granularity),
    };
    let whole = StandardAnswers::whole(tx, range, MARGINS)?;
    let rows = sales::read(tx, range, (goods, ExtraFigures::MissingCost))?;
    let rows = sales::ranked(rows, |row| Some(row.net));
    let page = page(&rows, range.page);
    let titles = titles(tx, page.iter().filter_map(|row| row.key.as_deref()), goods)?;
    let margins = page.iter().map(|row| MarginRow {
        title: row.key.as_ref().and_then(|key| titles.get(key)).cloned(),
        key: row.key.clone(),
        start: None,
        partial: None,
        figures: MarginFigures::of(row),
    });
    let margins = margins.collect();
    Ok(margin_report(range, by, margins, rows.len(), &whole))
}

fn margins_by_period(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    granularity: Granularity,
) -> Result<MarginReport, MetricError> {
    let whole = StandardAnswers::whole(tx, range, MARGINS)?;
    let grid = StandardAnswers::read(tx, range, MARGINS, (granularity, &[]))?;
    let all = grid.rows();
    let rows = page(&all, range.page).iter().map(|row| MarginRow {
        key: None,
        title: None,
        start: grid.start(*row),
        partial: Some(grid.is_partial(*row)),
        figures: figures(&grid, *row),
    });
    let rows = rows.collect();
    Ok(margin_report(range, MarginsBy::Period, rows, all.len(), &whole))
}

fn margin_report(
    range: &ResolvedRange,
    by: MarginsBy,
    margins: Vec<MarginRow>,
    count: usize,
    whole: &StandardAnswers,
) -> MarginReport {
    let (limit, offset) = range.page;
    let total = figures(whole, (0, 0));
    MarginReport { range: RangeView::of(range), by, margins, total, count, offset, limit }
}

impl MarginFigures {
    fn of(row: &SalesRow) -> Self {
        let margin = fraction(row.profit(), row.net);
        Self {
            revenue: number_view(row.net),
            cost: number_view(row.cost),
            profit: number_view(row.profit()),
            margin: fraction_view(margin),
            margin_null_reason: margin.err().map(Reason::name),
            units: number_view(row.units),
            missing_cost: number_view(row.missing_cost),
        }
    }
}

fn figures(answers: &StandardAnswers, row: RowIndex) -> MarginFigures {
    let view = |formula| answers.view(formula, row);
    let margin = match answers.value(REVENUE, row).as_number() {
        Some(revenue) if revenue <= Decimal::ZERO => Value::missing(Reason::NotComparable),
        _ => answers.value(MARGIN, row),
    };
    MarginFigures {
        revenue: view(REVENUE),
        cost: view(1),
        profit: view(2),
        margin: ValueView::of(&margin),
        margin_null_reason: margin.as_missing().map(|missing| missing.reason.name()),
        units: view(4),
        missing_cost: view(5),
    }
}

fn titles(
    tx: &Tx<'_>,
    keys: impl Iterator<Item: AsRef<str> + Into<serde_json::Value>>,
    by: SoldBy,
) -> Result<BTreeMap<String, String>, MetricError> {
    Ok(match by {
        SoldBy::Product => goods::names(tx, Names::ProductTitles, keys)?,
        SoldBy::Variant => goods::names(tx, Names::VariantTitles, keys)?,
        SoldBy::Category => {
            keys.map(|key| (key.as_ref().to_owned(), key.as_ref().to_owned())).collect()
        }
    })
}

/// Inventory turnover of a product or category.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TurnoverRow {
    /// The id of the product, or the name of the category; null for goods without one.
    key: Option<String>,
    /// The title; null if it no longer exists.
    title: Option<String>,
    #[serde(flatten)]
    figures: TurnoverFigures,
}

/// The values of turnover; null if no stock was recorded.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TurnoverFigures {
    /// How many times the average stock was sold.
    turnover: ValueView,
    /// How many days the stock lasts at this rate.
    days_of_inventory: ValueView,
    /// The stock at cost, averaged over the days that have a snapshot.
    average_inventory_value: ValueView,
    /// Gross profit after returns, per unit of money in stock.
    gmroi: ValueView,
    /// The cost of goods sold.
    cost: ValueView,
}

/// Inventory turnover.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TurnoverReport {
    /// The range; stock belongs to no channel, region or country, so filters by them are rejected.
    range: RangeView,
    /// The grouping of the rows.
    by: TurnoverBy,
    /// A page of rows, the largest stock first.
    inventory_turnover: Vec<TurnoverRow>,
    /// The totals of all rows.
    total: TurnoverFigures,
    /// The number of rows.
    count: usize,
    /// The number of rows before the page.
    offset: u32,
    /// The maximum number of rows on the page.
    limit: u32,
}

/// Computes inventory turnover; a range with filters is an error.
pub(crate) fn turnover(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: TurnoverBy,
) -> Result<TurnoverReport, MetricError> {
    if range.asked.filters.to_engine().is_some() {
        let sentence = "Stock is of no sales channel, region or country: leave these filters out";
        return Err(MetricError::Range(sentence.to_owned()));
    }
    let goods = match by {
        TurnoverBy::Product => SoldBy::Product,
        TurnoverBy::Category => SoldBy::Category,
    };
    let whole = StandardAnswers::whole(tx, range, TURNOVER)?;
    let mut rows = turnover_sums(tx, range, goods)?;
    rows.sort_by_cached_key(|(key, sums)| (Reverse(sums.stock.ok()), key.clone()));
    let page = page(&rows, range.page);
    let titles = titles(tx, page.iter().filter_map(|(key, _)| key.as_deref()), goods)?;
    let inventory_turnover = page.iter().map(|(key, sums)| TurnoverRow {
        key: key.clone(),
        title: key.as_ref().and_then(|key| titles.get(key)).cloned(),
        figures: sums.figures(&whole.total_value(DAYS)),
    });
    let (limit, offset) = range.page;
    Ok(TurnoverReport {
        range: RangeView::of(range),
        by,
        inventory_turnover: inventory_turnover.collect(),
        total: TurnoverFigures {
            turnover: whole.total(0),
            days_of_inventory: whole.total(1),
            average_inventory_value: whole.total(2),
            gmroi: whole.total(3),
            cost: whole.total(4),
        },
        count: rows.len(),
        offset,
        limit,
    })
}

/// The inputs of the turnover of a product or category.
struct TurnoverSums {
    cost: Decimal,
    profit: Decimal,
    /// The average stock at cost, or why there is none.
    stock: Result<Decimal, Reason>,
}

impl TurnoverSums {
    fn figures(&self, days: &Value) -> TurnoverFigures {
        let turnover = self.stock.and_then(|stock| divide(self.cost, stock));
        let days = days.as_number().ok_or(Reason::NoRows);
        TurnoverFigures {
            turnover: fraction_view(turnover),
            days_of_inventory: fraction_view(days.and_then(|days| divide(days, turnover?))),
            average_inventory_value: fraction_view(self.stock),
            gmroi: fraction_view(self.stock.and_then(|stock| fraction(self.profit, stock))),
            cost: number_view(self.cost),
        }
    }
}

/// Returns the sums of all goods that were sold, refunded or in stock. The stock of every product on every day is more
/// than a formula can compute at once, so its sums are read instead.
fn turnover_sums(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: SoldBy,
) -> Result<Vec<(Option<String>, TurnoverSums)>, MetricError> {
    let (days, currency) = (snapshots::numbers(range), &range.currency_code);
    let day_count = Decimal::from(stock::day_count(tx, days, currency)?);
    let stock = stock::by_product(tx, days, currency)?;
    let digits = range.money()?.digits();
    let mut stock: BTreeMap<Option<String>, Decimal> =
        stock.into_iter().map(|(key, minor)| (key, Decimal::new(minor, digits))).collect();
    if by == SoldBy::Category {
        stock = sales::by_category(tx, stock, |sum, one| *sum = sum.saturating_add(*one))?;
    }
    let sold = sales::read(tx, range, (by, ExtraFigures::Nothing))?.into_iter();
    let sold: BTreeMap<Option<String>, SalesRow> = sold.map(|row| (row.key.clone(), row)).collect();
    let keys: BTreeSet<&Option<String>> = stock.keys().chain(sold.keys()).collect();
    let rows = keys.into_iter().map(|key| {
        let (cost, profit) = sold.get(key).map(|row| (row.cost, row.profit())).unwrap_or_default();
        let stock = divide(stock.get(key).copied().unwrap_or_default(), day_count);
        (key.clone(), TurnoverSums { cost, profit, stock })
    });
    Ok(rows.collect())
}
