//! Taxes: taxable amounts, collected and refunded tax, by place.

use std::collections::BTreeMap;

use serde::Serialize;

use super::queries::taxes::{self, TaxedSales};
use crate::MetricError;
use crate::clock::Timestamp;
use crate::compute::Granularity;
use crate::compute::range::{RangeView, ResolvedRange};
use crate::compute::standard_formulas::StandardAnswers;
use crate::compute::view::ValueView;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::money::{Amount, Currency};
use crate::proportion::split;

/// Tax of orders, tax of their tax lines, refunded tax, net tax.
const FORMULAS: &[&str] = &[
    "sum(orders.tax_total where status != 'canceled')",
    "sum(tax_lines.amount where order.status != 'canceled')",
    "sum(refunds.tax_amount where order.status != 'canceled')",
    "taxes",
];

/// Decimal places of a rate in percent, stored in parts per million.
const RATE_DIGITS: u32 = 4;

/// The totals.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TaxTotals {
    /// Taxable goods and shipping, after discounts.
    taxable_sales: Amount,
    /// Exempt goods and shipping, after discounts.
    exempt_sales: Amount,
    /// Tax according to the tax lines.
    tax_collected: ValueView,
    /// Tax refunded in the range.
    tax_refunded: ValueView,
    /// Collected less refunded.
    tax_net: ValueView,
    /// Tax according to the orders.
    order_tax: ValueView,
    /// Whether orders and tax lines agree to the minor unit.
    reconciles: bool,
}

/// A place that levies tax.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Jurisdiction {
    /// The country, a two-letter code.
    country: Option<String>,
    /// The province; null for tax of the whole country.
    province: Option<String>,
    /// The taxable amount, including sales at a rate of zero.
    taxable_sales: Amount,
    /// Sales to the place that no tax applies to.
    exempt_sales: Amount,
    tax_collected: Amount,
    /// The place's tax that was refunded in the range.
    tax_refunded: Amount,
    /// Collected less refunded.
    tax_net: Amount,
    /// The number of taxed orders.
    orders: i64,
}

/// A rate of a place.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RateRow {
    /// The country, a two-letter code.
    country: Option<String>,
    /// The province; null for tax of the whole country.
    province: Option<String>,
    /// The rate's name.
    name: String,
    /// The rate's code.
    code: Option<String>,
    /// The rate in percent.
    rate: Amount,
    taxable_sales: Amount,
    tax_collected: Amount,
    /// The tax at this rate that was refunded in the range.
    tax_refunded: Amount,
    /// Collected less refunded.
    tax_net: Amount,
}

/// Refunded tax, by destination of the orders.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RefundRow {
    /// The country, a two-letter code.
    country: Option<String>,
    province: Option<String>,
    tax_refunded: Amount,
}

/// The tax of a period.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PeriodRow {
    /// The start of the period.
    start: Option<Timestamp>,
    /// Whether the period is not over.
    partial: bool,
    /// Taxable goods and shipping, after discounts.
    taxable_sales: Amount,
    /// Exempt goods and shipping, after discounts.
    exempt_sales: Amount,
    /// Tax according to the tax lines.
    tax_collected: ValueView,
    /// Tax refunded in the period.
    tax_refunded: ValueView,
    /// Collected less refunded.
    tax_net: ValueView,
}

/// The tax dashboard.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TaxDashboard {
    range: RangeView,
    totals: TaxTotals,
    /// Tax by place.
    jurisdictions: Vec<Jurisdiction>,
    rates: Vec<RateRow>,
    /// Refunded tax by place.
    refunds: Vec<RefundRow>,
    periods: Vec<PeriodRow>,
}

pub(crate) fn dashboard(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    granularity: Granularity,
) -> Result<TaxDashboard, MetricError> {
    let currency = range.money()?;
    let whole = StandardAnswers::whole(tx, range, FORMULAS)?;
    let cut = StandardAnswers::read(tx, range, FORMULAS, (granularity, &[]))?;
    let rows = cut.rows();
    let starts: Vec<Timestamp> = rows.iter().filter_map(|row| cut.start(*row)).collect();
    let sales = SalesSums::read(tx, range, &starts)?;
    let (taxable, exempt) = sales.total();
    // In a range that has not begun there is nothing that could differ.
    let reconciles = whole.total_value(0).as_number() == whole.total_value(1).as_number();
    let totals = TaxTotals {
        taxable_sales: currency.amount(taxable),
        exempt_sales: currency.amount(exempt),
        tax_collected: whole.total(1),
        tax_refunded: whole.total(2),
        tax_net: whole.total(3),
        order_tax: whole.total(0),
        reconciles,
    };
    let periods = rows.into_iter().zip(&sales.periods).map(|(row, (taxable, exempt))| PeriodRow {
        start: cut.start(row),
        partial: cut.is_partial(row),
        taxable_sales: currency.amount(*taxable),
        exempt_sales: currency.amount(*exempt),
        tax_collected: cut.view(1, row),
        tax_refunded: cut.view(2, row),
        tax_net: cut.view(3, row),
    });
    let periods = periods.collect();
    let refunded = refunded(tx, range)?;
    Ok(TaxDashboard {
        range: RangeView::of(range),
        totals,
        jurisdictions: jurisdictions(sales.places, &sales.exempt, &refunded, currency),
        rates: rates(sales.rates, &refunded, currency),
        refunds: refunds(&refunded, currency),
        periods,
    })
}

/// The sums of sales, in minor units.
#[derive(Debug, Default)]
struct SalesSums {
    /// Taxable and exempt sales of each period.
    periods: Vec<(i64, i64)>,
    places: BTreeMap<Place, PlaceSums>,
    rates: BTreeMap<PlaceRate, PlaceSums>,
    /// Exempt sales by destination of the orders.
    exempt: BTreeMap<Place, i64>,
}

impl SalesSums {
    /// Reads the sales of the periods with these starts.
    fn read(tx: &Tx<'_>, range: &ResolvedRange, starts: &[Timestamp]) -> Result<Self, MetricError> {
        let mut sums = Self { periods: vec![(0, 0); starts.len()], ..Self::default() };
        taxes::each_sale(tx, range, |row| {
            let begun = starts.partition_point(|start| *start <= row.placed_at);
            sums.add(row, begun.saturating_sub(1));
        })?;
        Ok(sums)
    }

    fn add(&mut self, row: TaxedSales, period: usize) {
        let (taxable, exempt) =
            if row.rate_ppm.is_some() { (row.own_minor, 0) } else { (0, row.net_minor) };
        if let Some(sums) = self.periods.get_mut(period) {
            *sums = (sums.0.saturating_add(taxable), sums.1.saturating_add(exempt));
        }
        let Some(rate_ppm) = row.rate_ppm else {
            let sum = self.exempt.entry((row.to_country, row.to_province)).or_default();
            *sum = sum.saturating_add(exempt);
            return;
        };
        let place = (row.country, row.province);
        let sums = self.places.entry(place.clone()).or_default();
        sums.add(row.place_minor, row.tax_minor);
        if sums.last_order != row.order_id {
            sums.orders = sums.orders.saturating_add(1);
            sums.last_order = row.order_id;
        }
        let rate =
            PlaceRate { place, rate_ppm, name: row.name.unwrap_or_default(), code: row.code };
        self.rates.entry(rate).or_default().add(row.net_minor, row.tax_minor);
    }

    /// Returns taxable and exempt sales of all periods, each counted once.
    fn total(&self) -> (i64, i64) {
        let add = |sums: (i64, i64), own: &(i64, i64)| {
            (sums.0.saturating_add(own.0), sums.1.saturating_add(own.1))
        };
        self.periods.iter().fold((0, 0), add)
    }
}

fn jurisdictions(
    mut places: BTreeMap<Place, PlaceSums>,
    exempt: &BTreeMap<Place, i64>,
    refunded: &[Refunded],
    currency: Currency,
) -> Vec<Jurisdiction> {
    for (destination, exempt_minor) in exempt {
        let sums = sums_of(&mut places, destination.clone());
        sums.exempt_minor = sums.exempt_minor.saturating_add(*exempt_minor);
    }
    for row in refunded {
        let sums = places.entry(row.by.place.clone()).or_default();
        sums.refunded_minor = sums.refunded_minor.saturating_add(row.tax_minor);
    }
    let rows = places.into_iter().map(|((country, province), sums)| Jurisdiction {
        country,
        province,
        taxable_sales: currency.amount(sums.taxable_minor),
        exempt_sales: currency.amount(sums.exempt_minor),
        tax_collected: currency.amount(sums.tax_minor),
        tax_refunded: currency.amount(sums.refunded_minor),
        tax_net: currency.amount(sums.tax_minor.saturating_sub(sums.refunded_minor)),
        orders: sums.orders,
    });
    rows.collect()
}

/// A country and a province.
type Place = (Option<String>, Option<String>);

#[derive(Debug, Default)]
struct PlaceSums {
    taxable_minor: i64,
    exempt_minor: i64,
    tax_minor: i64,
    refunded_minor: i64,
    orders: i64,
    /// The last order counted, since the sales are read order by order.
    last_order: String,
}

impl PlaceSums {
    const fn add(&mut self, taxable_minor: i64, tax_minor: i64) {
        self.taxable_minor = self.taxable_minor.saturating_add(taxable_minor);
        self.tax_minor = self.tax_minor.saturating_add(tax_minor);
    }
}

/// Returns the sums of the place that taxes orders to a destination: its province, or the whole country where that
/// levies the tax. An address may write a province in other letters, and with the country before it.
fn sums_of(places: &mut BTreeMap<Place, PlaceSums>, (country, province): Place) -> &mut PlaceSums {
    let whole = (country.clone(), None);
    let province = province.map(|province| {
        let province = province.to_lowercase();
        let bare =
            province.split_once('-').filter(|(prefix, _)| country.as_deref() == Some(*prefix));
        bare.map_or(province.clone(), |(_, bare)| bare.to_owned())
    });
    let own = (country, province);
    let is_whole = !places.contains_key(&own) && places.contains_key(&whole);
    places.entry(if is_whole { whole } else { own }).or_default()
}

/// A rate of a place, in the order of the report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PlaceRate {
    place: Place,
    /// In parts per million.
    rate_ppm: i64,
    name: String,
    code: Option<String>,
}

fn rates(
    mut rates: BTreeMap<PlaceRate, PlaceSums>,
    refunded: &[Refunded],
    currency: Currency,
) -> Vec<RateRow> {
    for row in refunded {
        let sums = rates.entry(row.by.clone()).or_default();
        sums.refunded_minor = sums.refunded_minor.saturating_add(row.tax_minor);
    }
    let rows = rates.into_iter().map(|(rate, sums)| RateRow {
        country: rate.place.0,
        province: rate.place.1,
        name: rate.name,
        code: rate.code,
        rate: Amount::from(rust_decimal::Decimal::new(rate.rate_ppm, RATE_DIGITS)),
        taxable_sales: currency.amount(sums.taxable_minor),
        tax_collected: currency.amount(sums.tax_minor),
        tax_refunded: currency.amount(sums.refunded_minor),
        tax_net: currency.amount(sums.tax_minor.saturating_sub(sums.refunded_minor)),
    });
    rows.collect()
}

/// Tax that a place levied on an order at a rate and that was refunded.
#[derive(Debug)]
struct Refunded {
    by: PlaceRate,
    /// The destination of the order.
    to: Place,
    tax_minor: i64,
}

/// Returns the tax refunded in the range. A refund of an order is attributed to places and rates like its tax.
fn refunded(tx: &Tx<'_>, range: &ResolvedRange) -> Result<Vec<Refunded>, MetricError> {
    let rows = taxes::refunded(tx, range)?;
    let mut refunded = Vec::with_capacity(rows.len());
    for of_order in rows.chunk_by(|left, right| left.order_id == right.order_id) {
        let levied: Vec<i64> = of_order.iter().map(|row| row.levied_minor).collect();
        let whole = of_order.first().map_or(0, |row| row.tax_minor);
        // Where nothing was levied, nothing can be split.
        let parts = split(whole, &levied).unwrap_or_else(|_unsplit| vec![whole]);
        let parts = of_order.iter().zip(parts).map(|(row, tax_minor)| Refunded {
            by: PlaceRate {
                place: (row.country.clone(), row.province.clone()),
                rate_ppm: row.rate_ppm,
                name: row.name.clone(),
                code: row.code.clone(),
            },
            to: (row.to_country.clone(), row.to_province.clone()),
            tax_minor,
        });
        refunded.extend(parts);
    }
    Ok(refunded)
}

fn refunds(refunded: &[Refunded], currency: Currency) -> Vec<RefundRow> {
    let mut sums: BTreeMap<&Place, i64> = BTreeMap::new();
    for row in refunded {
        let sum = sums.entry(&row.to).or_default();
        *sum = sum.saturating_add(row.tax_minor);
    }
    let rows = sums.into_iter().map(|((country, province), tax_minor)| RefundRow {
        country: country.clone(),
        province: province.clone(),
        tax_refunded: currency.amount(tax_minor),
    });
    rows.collect()
}
