//! Tax: what was taxed, what it brought, what was given back, and where.

use quotient::types::Value;
use serde::Serialize;
use utoipa::ToSchema;

use super::grid::Grid;
use super::queries::taxes::{self, TaxQuery};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::Granularity;
use crate::compute::range::RangeView;
use crate::compute::range::ResolvedRange;
use crate::compute::view::ValueView;
use crate::database::Tx;
use crate::money::{Amount, Currency};

/// Tax of orders, tax of their tax lines, tax given back, what is left.
const FORMULAS: &[&str] = &[
    "sum(orders.tax_total where status != 'canceled')",
    "sum(tax_lines.amount where order.status != 'canceled')",
    "sum(refunds.tax_amount where order.status != 'canceled')",
    "taxes",
];

/// A rate of 100 % in the database.
const RATE_DIGITS: u32 = 4;

/// Everything together.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TaxTotals {
    /// Goods and shipping after discounts that were taxed.
    taxable_sales: Amount,
    /// Goods and shipping after discounts that were not.
    exempt_sales: Amount,
    /// Tax that the tax lines say.
    tax_collected: ValueView,
    /// Tax given back in the range.
    tax_refunded: ValueView,
    /// Collected less refunded.
    tax_net: ValueView,
    /// Tax that the orders themselves say.
    order_tax: ValueView,
    /// Whether orders and tax lines agree to the minor unit.
    reconciles: bool,
}

/// A place that levies tax.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Jurisdiction {
    /// The country, in two letters.
    country: Option<String>,
    /// The province; null for tax of the whole country.
    province: Option<String>,
    /// What it taxed.
    taxable_sales: Amount,
    /// What that brought.
    tax_collected: Amount,
    /// Orders that were taxed.
    orders: i64,
}

/// A rate of a place.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RateRow {
    /// The country, in two letters.
    country: Option<String>,
    /// The province; null for tax of the whole country.
    province: Option<String>,
    /// The rate's name.
    name: String,
    /// The rate's code.
    code: Option<String>,
    /// In percent.
    rate: Amount,
    /// What it taxed.
    taxable_sales: Amount,
    /// What that brought.
    tax_collected: Amount,
}

/// Tax given back, by where the orders went.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RefundRow {
    /// The country, in two letters.
    country: Option<String>,
    /// The province.
    province: Option<String>,
    /// What was given back.
    tax_refunded: Amount,
}

/// A period's tax.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PeriodRow {
    /// When it begins.
    start: Option<Timestamp>,
    /// Tax that the tax lines say.
    tax_collected: ValueView,
    /// Tax given back in it.
    tax_refunded: ValueView,
    /// Collected less refunded.
    tax_net: ValueView,
}

/// Tax.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TaxDashboard {
    /// What it is of.
    range: RangeView,
    /// Everything together.
    totals: TaxTotals,
    /// By place.
    jurisdictions: Vec<Jurisdiction>,
    /// By rate.
    rates: Vec<RateRow>,
    /// What was given back, by place.
    refunds: Vec<RefundRow>,
    /// By period.
    periods: Vec<PeriodRow>,
}

pub(crate) fn dashboard(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    granularity: Granularity,
) -> Result<TaxDashboard, MetricError> {
    let (query, currency) = (TaxQuery::of(range), range.money()?);
    let whole = Grid::read(tx, range, FORMULAS, (Granularity::None, &[]))?;
    let cut = Grid::read(tx, range, FORMULAS, (granularity, &[]))?;
    let (taxable, exempt) = taxes::sales(tx, &query)?;
    let first = (0, 0);
    let is_same = |left: &Value, right: &Value| match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right,
        _ => false,
    };
    let totals = TaxTotals {
        taxable_sales: currency.amount(taxable),
        exempt_sales: currency.amount(exempt),
        tax_collected: whole.view(1, first),
        tax_refunded: whole.view(2, first),
        tax_net: whole.view(3, first),
        order_tax: whole.view(0, first),
        reconciles: is_same(&whole.value(0, first), &whole.value(1, first)),
    };
    let periods = cut.places().into_iter().map(|place| PeriodRow {
        start: cut.start(place),
        tax_collected: cut.view(1, place),
        tax_refunded: cut.view(2, place),
        tax_net: cut.view(3, place),
    });
    Ok(TaxDashboard {
        range: RangeView::of(range),
        totals,
        jurisdictions: jurisdictions(tx, &query, currency)?,
        rates: rates(tx, &query, currency)?,
        refunds: refunds(tx, &query, currency)?,
        periods: periods.collect(),
    })
}

fn jurisdictions(
    tx: &Tx<'_>,
    query: &TaxQuery,
    currency: Currency,
) -> Result<Vec<Jurisdiction>, MetricError> {
    let rows = taxes::places(tx, query)?.into_iter().map(|row| Jurisdiction {
        country: row.country,
        province: row.province,
        taxable_sales: currency.amount(row.taxable_minor),
        tax_collected: currency.amount(row.tax_minor),
        orders: row.orders,
    });
    Ok(rows.collect())
}

fn rates(tx: &Tx<'_>, query: &TaxQuery, currency: Currency) -> Result<Vec<RateRow>, MetricError> {
    let rows = taxes::rates(tx, query)?.into_iter().map(|row| RateRow {
        country: row.country,
        province: row.province,
        name: row.name,
        code: row.code,
        rate: Amount::from(rust_decimal::Decimal::new(row.rate_ppm, RATE_DIGITS)),
        taxable_sales: currency.amount(row.taxable_minor),
        tax_collected: currency.amount(row.tax_minor),
    });
    Ok(rows.collect())
}

fn refunds(
    tx: &Tx<'_>,
    query: &TaxQuery,
    currency: Currency,
) -> Result<Vec<RefundRow>, MetricError> {
    let rows = taxes::refunded(tx, query)?.into_iter().map(|row| RefundRow {
        country: row.country,
        province: row.province,
        tax_refunded: currency.amount(row.tax_minor),
    });
    Ok(rows.collect())
}
