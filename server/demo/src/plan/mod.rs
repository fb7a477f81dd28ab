//! The plan of the demo store, computed before anything is written: orders, their reversals, and the stock they need.
//! Pure functions.
//!
//! A numbered invoice is an order if its value is positive, and a write-off otherwise. An invoice that starts with C is
//! a reversal: each of its lines is matched with earlier lines of the same customer. One that starts with A corrects a
//! bad debt and is omitted. [`Accounts`] counts every line.

mod accounts;
mod reversals;
mod steps;
mod stock;

use std::collections::BTreeMap;

pub use accounts::{Account, Accounts};
pub(super) use steps::{Move, Parcel, moves, parcel};
pub(super) use stock::{Delivery, deliveries};

use super::calendar::Calendar;
use super::goods::{Goods, pence};
use super::people::{CountryEntry, place};
use super::source::{Invoice, Source, SourceLine};
use crate::clock::Timestamp;
use crate::proportion::{OutOfRange, PPM, add, multiply, portion};

/// The average number of pieces per order from which a customer is a wholesaler.
const WHOLESALE_PIECES: i64 = 250;

/// The standard rate of British VAT since 4 January 2011, in millionths.
pub(super) const VAT_PPM: i64 = 200_000;
/// The standard rate of British VAT before.
const EARLIER_VAT_PPM: i64 = 175_000;
/// 2011-01-04, when the rate changed; the first invoice of that year was made on that day.
const VAT_CHANGE_MS: i64 = 1_294_099_200_000;

/// The codes of postage.
const POSTAGE: &[(&str, &str)] =
    &[("POST", "Postage"), ("DOT", "Web shop postage"), ("C2", "Carriage")];

/// An error of planning.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlanError {
    /// An amount overflows.
    #[error(transparent)]
    Range(#[from] OutOfRange),
    /// A date is out of range.
    #[error(transparent)]
    Calendar(#[from] jiff::Error),
}

/// The whole plan.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// The orders by time.
    pub(super) orders: Vec<PlannedOrder>,
    /// The known customers with orders, by number.
    pub(super) customers: BTreeMap<u32, PlannedCustomer>,
    /// The account of every line.
    pub(super) accounts: Accounts,
}

/// A known customer.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedCustomer {
    /// The destination of their last order.
    pub(super) place: &'static CountryEntry,
    pub(super) is_wholesale: bool,
}

/// An order. Amounts are pence without tax.
#[derive(Debug, Clone)]
pub(super) struct PlannedOrder {
    /// The number of its invoice.
    pub(super) number: String,
    /// When it was placed, on the store's calendar.
    pub(super) at: Timestamp,
    /// When it was placed according to the data.
    pub(super) data_at: Timestamp,
    /// The customer's number.
    pub(super) customer: Option<u32>,
    /// The destination.
    pub(super) place: &'static CountryEntry,
    pub(super) is_wholesale: bool,
    pub(super) lines: Vec<PlannedLine>,
    /// The name and the price of shipping.
    pub(super) shipping: (&'static str, i64),
    /// The reversals by time.
    pub(super) reversals: Vec<Reversal>,
}

/// A line of an order.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedLine {
    /// The index of its product in the goods; none for a custom line.
    pub(super) good: Option<usize>,
    /// The index of its product in the data.
    pub(super) product: usize,
    pub(super) quantity: i64,
    /// The price of one piece in pence.
    pub(super) unit_minor: i64,
}

/// What one invoice reverses of one order.
#[derive(Debug, Clone)]
pub(super) struct Reversal {
    /// The number of the invoice.
    pub(super) number: String,
    /// The time, on the store's calendar.
    pub(super) at: Timestamp,
    /// The returned pieces: the index of a line in its order, and the quantity.
    pub(super) returned: Vec<(usize, i64)>,
    /// The refund, with tax.
    pub(super) refund_minor: i64,
}

impl PlannedOrder {
    /// Returns the VAT rate of the order's country in millionths; none if it is not taxed.
    pub(super) fn vat_ppm(&self) -> Option<i64> {
        let is_british = self.place.country == Some("gb");
        let is_late = self.data_at.as_millis() >= VAT_CHANGE_MS;
        is_british.then_some(if is_late { VAT_PPM } else { EARLIER_VAT_PPM })
    }

    pub(super) fn tax(&self, amount_minor: i64) -> Result<i64, OutOfRange> {
        portion(amount_minor, self.vat_ppm().unwrap_or(0), PPM)
    }

    /// Returns the total with tax.
    fn total(&self) -> Result<i64, OutOfRange> {
        let lines = self.lines.iter().map(|line| multiply(line.quantity, line.unit_minor));
        lines.chain([Ok(self.shipping.1)]).try_fold(0, |so_far, amount| {
            let amount = amount?;
            add(so_far, add(amount, self.tax(amount)?)?)
        })
    }
}

pub(super) fn plan(source: &Source, goods: &Goods, calendar: &Calendar) -> Result<Plan, PlanError> {
    let mut plan = Plan::default();
    let wholesalers = wholesalers(source, goods);
    let mut takers: Vec<&Invoice> = Vec::new();
    for invoice in &source.invoices {
        match invoice.number.as_bytes().first() {
            Some(b'C') => takers.push(invoice),
            Some(b'A') => plan.accounts.bad_debts.add_all(&invoice.lines)?,
            _ if worth(&invoice.lines)? == 0 => plan.accounts.write_offs.add_all(&invoice.lines)?,
            _ => {
                let order = order(source, goods, calendar, invoice, &mut plan.accounts)?;
                plan.add(order, &wholesalers);
            }
        }
    }
    reversals::reverse(&mut plan, source, goods, calendar, &takers)?;
    Ok(plan)
}

impl Plan {
    fn add(&mut self, mut order: PlannedOrder, wholesalers: &BTreeMap<u32, bool>) {
        if let Some(number) = order.customer {
            order.is_wholesale = wholesalers.get(&number).copied().unwrap_or(false);
            let customer = PlannedCustomer { place: order.place, is_wholesale: order.is_wholesale };
            self.customers.insert(number, customer);
        }
        self.orders.push(order);
    }
}

fn order(
    source: &Source,
    goods: &Goods,
    calendar: &Calendar,
    invoice: &Invoice,
    accounts: &mut Accounts,
) -> Result<PlannedOrder, PlanError> {
    let mut lines = Vec::with_capacity(invoice.lines.len());
    let mut shipping: (&'static str, i64) = ("Free delivery", 0);
    for line in &invoice.lines {
        let unit_minor = pence(line.price_mills)?;
        accounts.rounded_mills = add(
            accounts.rounded_mills,
            multiply(line.quantity, line.price_mills.saturating_sub(multiply(unit_minor, 10)?))?,
        )?;
        let code = source.products.get(line.product).map_or("", |product| &product.code);
        if let Some(name) = postage(code) {
            accounts.postage.add(line)?;
            shipping = (name, add(shipping.1, multiply(line.quantity, unit_minor)?)?);
            continue;
        }
        let good = goods.place(line.product);
        let account = if good.is_some() { &mut accounts.sold } else { &mut accounts.charged };
        account.add(line)?;
        lines.push(PlannedLine {
            good,
            product: line.product,
            quantity: line.quantity,
            unit_minor,
        });
    }
    Ok(PlannedOrder {
        number: invoice.number.clone(),
        at: calendar.moved(invoice.at)?,
        data_at: invoice.at,
        customer: invoice.customer,
        place: place(&invoice.country),
        is_wholesale: false,
        lines,
        shipping,
        reversals: Vec::new(),
    })
}

/// Returns the name of a postage code; none for other codes.
fn postage(code: &str) -> Option<&'static str> {
    POSTAGE.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
}

/// Returns the value of lines in thousandths of a pound.
fn worth(lines: &[SourceLine]) -> Result<i64, OutOfRange> {
    lines.iter().try_fold(0, |so_far, line| add(so_far, multiply(line.quantity, line.price_mills)?))
}

/// Returns which known customers are wholesalers: those with large orders on average.
fn wholesalers(source: &Source, goods: &Goods) -> BTreeMap<u32, bool> {
    let mut bought: BTreeMap<u32, (i64, i64)> = BTreeMap::new();
    for invoice in source.invoices.iter().filter(|invoice| !invoice.number.starts_with(['C', 'A']))
    {
        let Some(number) = invoice.customer else { continue };
        let lines = invoice.lines.iter().filter(|line| goods.place(line.product).is_some());
        let pieces = lines.fold(0_i64, |so_far, line| so_far.saturating_add(line.quantity));
        let so_far = bought.entry(number).or_default();
        *so_far = (so_far.0.saturating_add(1), so_far.1.saturating_add(pieces));
    }
    let is_large = |(orders, pieces): (i64, i64)| pieces >= orders.saturating_mul(WHOLESALE_PIECES);
    bought.into_iter().map(|(number, sums)| (number, is_large(sums))).collect()
}

#[cfg(test)]
mod tests;
