//! Sales and cost of goods, with refunds attributed to them.
//!
//! A refund names an order but no goods. Its amount for goods is attributed to the returned lines in proportion to the
//! value of the returned units or, if nothing was returned, to all lines in proportion to their sales. So the parts of
//! a refund add up to it, and net sales by product add up to the metric `net_sales`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use quotient::types::{Reason, Value};
use rust_decimal::Decimal;

use super::grid::{Grid, GridRow};
use super::queries::returns::{self, ReturnedLine};
use super::queries::taxes::TaxQuery;
use crate::MetricError;
use crate::compute::Granularity;
use crate::compute::range::ResolvedRange;
use crate::compute::view::ValueView;
use crate::database::Tx;
use crate::proportion;

/// Units, gross sales, sales after discounts, cost; and what no rollup has: orders, units without a known cost.
const FORMULAS: &[&str] = &[
    "units_sold",
    "gross_sales",
    "gross_sales - discounts",
    "cogs",
    "count_distinct(items.order_id where order.status != 'canceled')",
    "sum(items.quantity where unit_cost is null and order.status != 'canceled')",
];

/// Those that rollups have.
const SUMS: &[&str] = FORMULAS.split_at(4).0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SoldBy {
    Product,
    Variant,
    Category,
}

impl SoldBy {
    pub(super) const fn dimension(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Variant => "variant",
            Self::Category => "category",
        }
    }

    fn lines(self, tx: &Tx<'_>, query: &TaxQuery) -> Result<Vec<ReturnedLine>, MetricError> {
        Ok(match self {
            Self::Product => returns::by_product(tx, query)?,
            Self::Variant => returns::by_variant(tx, query)?,
            Self::Category => returns::by_category(tx, query)?,
        })
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct SalesRow {
    /// The grouping key; none for lines without a product.
    pub(super) key: Option<String>,
    pub(super) units: Decimal,
    pub(super) orders: Decimal,
    pub(super) gross: Decimal,
    /// After discounts and returns.
    pub(super) net: Decimal,
    pub(super) cost: Decimal,
    /// Units without a known cost.
    pub(super) missing_cost: Decimal,
}

impl SalesRow {
    pub(super) fn profit(&self) -> Decimal {
        self.net.saturating_sub(self.cost)
    }

    /// Returns profit as a fraction of net sales; none unless net sales are above zero.
    pub(super) fn margin(&self) -> Option<Decimal> {
        fraction(self.profit(), self.net).ok()
    }
}

/// Returns a part as a fraction of a whole, or why there is none: of a loss, the sign of a fraction would mislead.
pub(super) fn fraction(part: Decimal, whole: Decimal) -> Result<Decimal, Reason> {
    if whole <= Decimal::ZERO {
        return Err(Reason::NotComparable);
    }
    part.checked_div(whole).ok_or(Reason::Overflow)
}

pub(super) fn number_view(number: Decimal) -> ValueView {
    ValueView::of(&Value::Number(number))
}

/// Returns the view of a fraction; null if it has no value.
pub(super) fn fraction_view(fraction: Result<Decimal, Reason>) -> ValueView {
    ValueView::of(&fraction.map_or_else(Value::missing, Value::Number))
}

/// Sorts the rows in descending order of a value; those without one come last.
pub(super) fn ranked<K: Ord>(
    mut rows: Vec<SalesRow>,
    by: impl Fn(&SalesRow) -> Option<K>,
) -> Vec<SalesRow> {
    rows.sort_by_cached_key(|row| (Reverse(by(row)), row.key.clone()));
    rows
}

/// Reads all goods that were sold or refunded in the range.
pub(super) fn read(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: SoldBy,
) -> Result<Vec<SalesRow>, MetricError> {
    rows(tx, range, by, FORMULAS)
}

/// Reads all goods without their orders and their units of unknown cost, which would read every line of the range.
pub(super) fn read_sums(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: SoldBy,
) -> Result<Vec<SalesRow>, MetricError> {
    rows(tx, range, by, SUMS)
}

fn rows(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    by: SoldBy,
    formulas: &[&str],
) -> Result<Vec<SalesRow>, MetricError> {
    let grid = Grid::read(tx, range, formulas, (Granularity::None, &[by.dimension()]))?;
    let digits = range.money()?.digits();
    let mut returned = returned_minor(&by.lines(tx, &TaxQuery::of(range))?)?;
    let mut rows = Vec::new();
    for place in grid.places() {
        let mut row = sold(&grid, place);
        let back = returned.remove(&row.key).unwrap_or(0);
        row.net = row.net.saturating_sub(Decimal::new(back, digits));
        rows.push(row);
    }
    let of_older = returned.into_iter().map(|(key, back)| SalesRow {
        key,
        net: Decimal::new(back.saturating_neg(), digits),
        ..SalesRow::default()
    });
    rows.extend(of_older);
    Ok(rows)
}

fn sold(grid: &Grid, place: GridRow) -> SalesRow {
    let number = |formula| {
        if let Value::Number(number) = grid.value(formula, place) { number } else { Decimal::ZERO }
    };
    SalesRow {
        key: grid.key(place, 0).map(str::to_owned),
        units: number(0),
        gross: number(1),
        net: number(2),
        cost: number(3),
        orders: number(4),
        missing_cost: number(5),
    }
}

/// Returns the refunded amounts by grouping key.
fn returned_minor(lines: &[ReturnedLine]) -> Result<BTreeMap<Option<String>, i64>, MetricError> {
    let mut sums = BTreeMap::new();
    for refund in lines.chunk_by(|one, next| one.refund_id == next.refund_id) {
        let total = refund.first().map_or(0, |line| line.goods_minor);
        let parts = parts(total, refund).map_err(|_too_large| {
            MetricError::Range("The refunds of the range are too large to be split".to_owned())
        })?;
        for (line, part) in refund.iter().zip(parts).filter(|(_, part)| *part != 0) {
            let sum: &mut i64 = sums.entry(line.key.clone()).or_default();
            *sum = sum.saturating_add(part);
        }
    }
    Ok(sums)
}

/// Returns the part of a refund that belongs to each line of its order.
fn parts(total: i64, lines: &[ReturnedLine]) -> Result<Vec<i64>, proportion::OutOfRange> {
    let came_back: Vec<i64> = lines.iter().map(|line| line.returned_minor.max(0)).collect();
    let sold_for: Vec<i64> = lines.iter().map(|line| line.net_minor.max(0)).collect();
    let has_weight = |weights: &[i64]| weights.iter().any(|weight| *weight > 0);
    // A refund of tax alone may have a negative amount for goods.
    let split = |weights: &[i64]| {
        let parts = proportion::split(total.saturating_abs(), weights)?;
        Ok(parts.into_iter().map(|part| part.saturating_mul(total.signum())).collect())
    };
    match (has_weight(&came_back), has_weight(&sold_for)) {
        (true, _) => split(&came_back),
        (false, true) => split(&sold_for),
        (false, false) => split(&vec![1; lines.len()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(
        refund_id: &str,
        goods_minor: i64,
        key: &str,
        (returned, net): (i64, i64),
    ) -> ReturnedLine {
        ReturnedLine {
            refund_id: refund_id.to_owned(),
            goods_minor,
            key: Some(key.to_owned()),
            returned_minor: returned,
            net_minor: net,
        }
    }

    #[test]
    fn a_refund_is_of_the_lines_that_came_back_and_else_of_all() {
        let lines = [
            line("1", 100, "mug", (120, 300)),
            line("1", 100, "lamp", (0, 900)),
            line("2", 100, "mug", (0, 200)),
            line("2", 100, "lamp", (0, 100)),
            line("3", 5, "gift", (0, 0)),
        ];
        let sums = returned_minor(&lines).unwrap();
        let of = |key: &str| sums.get(&Some(key.to_owned())).copied();
        assert_eq!((of("mug"), of("lamp"), of("gift")), (Some(167), Some(33), Some(5)));
    }

    #[test]
    fn a_margin_has_returns_taken_off_and_is_none_unless_there_are_sales() {
        let sold =
            SalesRow { net: Decimal::new(80, 0), cost: Decimal::new(20, 0), ..SalesRow::default() };
        assert_eq!(sold.margin(), Some(Decimal::new(75, 2)));
        assert_eq!(SalesRow::default().margin(), None);
        let lost =
            SalesRow { net: Decimal::new(-61, 2), cost: Decimal::ONE, ..SalesRow::default() };
        assert_eq!(lost.margin(), None);
        assert_eq!(fraction(lost.profit(), lost.net), Err(Reason::NotComparable));
    }
}
