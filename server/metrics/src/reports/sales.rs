//! Sales and cost of goods, with refunds attributed to them: net sales by product add up to the metric `net_sales`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use quotient::types::{Reason, Value};
use rust_decimal::Decimal;

use super::SoldBy;
use super::queries::goods::{self, Names};
use super::returned;
use crate::MetricError;
use crate::compute::range::ResolvedRange;
use crate::compute::standard_formulas::StandardAnswers;
use crate::compute::view::ValueView;
use crate::compute::{CachedSums, Granularity, ReadFrom, SoldFigures, Sums};
use crate::database::Tx;

/// Units, gross sales, sales after discounts, cost.
const SUMS: [&str; 4] = ["units_sold", "gross_sales", "gross_sales - discounts", "cogs"];

const MISSING_COST: &str =
    "sum(items.quantity where unit_cost is null and order.status != 'canceled')";

/// Lines are counted by their quantities, because rollups hold those anyway.
const ORDERS: &str = "count(items.quantity where order.status != 'canceled') - count(items where repeats_product and order.status != 'canceled')";

/// What a report reads in addition to the sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExtraFigures {
    Nothing,
    MissingCost,
    /// Units without a known cost, and the orders with a product.
    MissingCostAndOrders,
}

impl ExtraFigures {
    const fn formulas(self) -> &'static [&'static str] {
        match self {
            Self::Nothing => &[],
            Self::MissingCost => &[MISSING_COST],
            Self::MissingCostAndOrders => &[MISSING_COST, ORDERS],
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct SalesRow {
    /// The grouping key; none for lines without a product.
    pub(super) key: Option<String>,
    pub(super) units: Decimal,
    /// Orders with the product, if they are read.
    pub(super) orders: Decimal,
    pub(super) gross: Decimal,
    /// After discounts and returns.
    pub(super) net: Decimal,
    pub(super) cost: Decimal,
    /// Units without a known cost, if they are read.
    pub(super) missing_cost: Decimal,
}

impl SalesRow {
    fn of(key: Option<String>, figures: SoldFigures) -> Self {
        let [units, gross, net, cost, missing_cost, orders] = figures;
        Self { key, units, orders, gross, net, cost, missing_cost }
    }

    fn add(&mut self, other: &Self) {
        self.units = self.units.saturating_add(other.units);
        self.orders = self.orders.saturating_add(other.orders);
        self.gross = self.gross.saturating_add(other.gross);
        self.net = self.net.saturating_add(other.net);
        self.cost = self.cost.saturating_add(other.cost);
        self.missing_cost = self.missing_cost.saturating_add(other.missing_cost);
    }

    pub(super) fn profit(&self) -> Decimal {
        self.net.saturating_sub(self.cost)
    }

    /// Returns whether anything was sold or refunded: the goods of cancelled orders were not.
    fn is_sold(&self) -> bool {
        [self.units, self.gross, self.net].iter().any(|figure| !figure.is_zero())
    }

    /// Returns profit as a fraction of net sales, or why there is none: net sales are not above zero, or a cost is unknown.
    pub(super) fn margin(&self) -> Result<Decimal, Reason> {
        let margin = fraction(self.profit(), self.net)?;
        if self.missing_cost.is_zero() { Ok(margin) } else { Err(Reason::NullValue) }
    }
}

/// Returns a part as a fraction of a whole, or why there is none: for a loss, the sign of a fraction would be
/// misleading.
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
    (by, extra): (SoldBy, ExtraFigures),
) -> Result<Vec<SalesRow>, MetricError> {
    let digits = range.money()?.digits();
    // A category is the sum of its products, which rollups have.
    let goods = if by == SoldBy::Category { SoldBy::Product } else { by };
    let (sold, returned) = (sold(tx, range, (goods, extra))?, returned::read(tx, range, goods)?);
    let of_older = returned.keys().filter(|key| !sold.contains_key(*key));
    let keys = sold.keys().chain(of_older);
    let rows = keys.map(|key| {
        let figures = sold.get(key).copied().unwrap_or_default();
        let back = returned.get(key).copied().unwrap_or(0);
        let mut row = SalesRow::of(key.clone(), figures);
        row.net = row.net.saturating_sub(Decimal::new(back, digits));
        row
    });
    let mut rows: BTreeMap<Option<String>, SalesRow> =
        rows.map(|row| (row.key.clone(), row)).collect();
    if by == SoldBy::Category {
        rows = by_category(tx, rows, SalesRow::add)?;
    }
    let rows = rows.into_iter().map(|(key, row)| SalesRow { key, ..row });
    Ok(rows.filter(SalesRow::is_sold).collect())
}

/// Adds up the values of products by category. None is the key of products without one.
pub(super) fn by_category<T>(
    tx: &Tx<'_>,
    products: BTreeMap<Option<String>, T>,
    add: impl Fn(&mut T, &T),
) -> Result<BTreeMap<Option<String>, T>, MetricError> {
    let categories = goods::names(tx, Names::ProductCategories, products.keys().flatten())?;
    let mut sums: BTreeMap<Option<String>, T> = BTreeMap::new();
    for (product, value) in products {
        let category = product.and_then(|product| categories.get(&product).cloned());
        match sums.entry(category) {
            Entry::Occupied(mut sum) => add(sum.get_mut(), &value),
            Entry::Vacant(place) => {
                place.insert(value);
            }
        }
    }
    Ok(sums)
}

/// The sources of the figures of sold goods.
const READS: &[ReadFrom] = &[
    ReadFrom { source: "items", is_of_added: true },
    ReadFrom { source: "orders", is_of_added: true },
    ReadFrom { source: "products", is_of_added: true },
    ReadFrom { source: "variants", is_of_added: true },
];

/// Reads the sums of the goods sold in the range, and the additional figures.
fn sold(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    (by, extra): (SoldBy, ExtraFigures),
) -> Result<Sums<SoldFigures>, MetricError> {
    let ResolvedRange { asked, start, end, until, currency_code, .. } = range;
    let filters = &asked.filters;
    let key = format!("{by:?} {extra:?} {start:?} {end:?} {currency_code} {filters:?}");
    let cache = range.caches.sold(tx)?;
    if let Some(cached) = cache.and_then(|cache| cache.find(&key))
        && !goods::is_any_sold_between(tx, cached.until, *until)?
    {
        return Ok(cached.sums);
    }
    let formulas: Vec<&str> = SUMS.iter().chain(extra.formulas()).copied().collect();
    let grid = StandardAnswers::read(tx, range, &formulas, (Granularity::None, &[by.dimension()]))?;
    let number = |formula, row| grid.value(formula, row).as_number().unwrap_or_default();
    let figures = |row| std::array::from_fn(|formula| number(formula, row));
    let rows = grid.rows().into_iter();
    let sums = rows.map(|row| (grid.key(row).map(str::to_owned), figures(row)));
    let sums: Sums<SoldFigures> = Arc::new(sums.collect());
    if let Some(cache) = cache {
        cache.keep(key, CachedSums { sums: Arc::clone(&sums), until: *until, reads: READS });
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_has_returns_taken_off_and_is_none_unless_there_are_sales_of_known_cost() {
        let sold =
            SalesRow { net: Decimal::new(80, 0), cost: Decimal::new(20, 0), ..SalesRow::default() };
        assert_eq!(sold.margin(), Ok(Decimal::new(75, 2)));
        let unknown = SalesRow { missing_cost: Decimal::ONE, ..sold };
        assert_eq!(unknown.margin(), Err(Reason::NullValue));
        assert_eq!(SalesRow::default().margin(), Err(Reason::NotComparable));
        let lost =
            SalesRow { net: Decimal::new(-61, 2), cost: Decimal::ONE, ..SalesRow::default() };
        assert_eq!(lost.margin(), Err(Reason::NotComparable));
    }
}
