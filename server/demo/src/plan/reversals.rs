//! Matches reversals with sales.
//!
//! A line is matched as a whole or not at all. Pieces are matched with the customer's latest earlier lines of the same
//! product, first those with the same price and then those with a higher one. Postage is matched with the latest
//! earlier order that paid at least as much for shipping, a charge with an earlier one of the same code, a discount
//! with the latest order on which at least twice its amount is still paid.

use std::collections::BTreeMap;

use super::{Plan, PlanError, PlannedOrder, Reversal, postage};
use crate::calendar::Calendar;
use crate::clock::Timestamp;
use crate::goods::{Goods, pence};
use crate::proportion::{OutOfRange, add, multiply, subtract};
use crate::source::{Invoice, Source, SourceLine};

/// Codes that may be matched with a charge of the same code.
const CHARGES: &[&str] = &["M"];
/// The code of discounts.
const DISCOUNT: &str = "D";

/// The parts of orders that are not reversed yet.
struct RemainingOrders {
    /// The indexes of each customer's orders, earliest first.
    of_customer: BTreeMap<u32, Vec<usize>>,
    left: Vec<RemainingOrder>,
}

/// The part of an order that is not reversed yet.
struct RemainingOrder {
    /// The pieces of each line.
    pieces: Vec<i64>,
    /// The shipping in pence, without tax.
    shipping_minor: i64,
    /// The amount paid and not refunded in pence, with tax.
    paid_minor: i64,
}

/// A part of a reversal line, matched with an order.
#[derive(Clone, Copy)]
struct Part {
    order: usize,
    of: PartOf,
    net_minor: i64,
}

/// What a part reverses of its order.
#[derive(Clone, Copy)]
enum PartOf {
    /// Returned pieces of a product line.
    Goods {
        line: usize,
        pieces: i64,
    },
    /// Pieces of a custom line.
    Charge {
        line: usize,
        pieces: i64,
    },
    Postage,
    /// An amount only.
    Discount,
}

/// Adds the reversals of the invoices to the orders of a plan.
pub(super) fn reverse(
    plan: &mut Plan,
    source: &Source,
    goods: &Goods,
    calendar: &Calendar,
    invoices: &[&Invoice],
) -> Result<(), PlanError> {
    let mut remaining = RemainingOrders::open(&plan.orders)?;
    for invoice in invoices {
        let at = calendar.moved(invoice.at)?;
        for line in &invoice.lines {
            let code = source.products.get(line.product).map_or("", |product| &product.code);
            let parts = match invoice.customer {
                Some(customer) => {
                    let returned_line =
                        ReturnedLine { at, line, code, good: goods.place(line.product), source };
                    remaining.find(&plan.orders, customer, &returned_line)?
                }
                None => Vec::new(),
            };
            let accounts = &mut plan.accounts;
            let account = match parts.first() {
                Some(Part { of: PartOf::Goods { .. }, .. }) => &mut accounts.returned,
                Some(_) => &mut accounts.refunded,
                None => &mut accounts.unmatched,
            };
            account.add(line)?;
            for part in parts {
                remaining.take(&mut plan.orders, invoice, at, &part)?;
            }
        }
    }
    Ok(())
}

/// A line of a reversal.
struct ReturnedLine<'a> {
    at: Timestamp,
    line: &'a SourceLine,
    code: &'a str,
    good: Option<usize>,
    source: &'a Source,
}

impl RemainingOrders {
    fn open(orders: &[PlannedOrder]) -> Result<Self, OutOfRange> {
        let mut remaining =
            Self { of_customer: BTreeMap::new(), left: Vec::with_capacity(orders.len()) };
        for (place, order) in orders.iter().enumerate() {
            if let Some(customer) = order.customer {
                remaining.of_customer.entry(customer).or_default().push(place);
            }
            remaining.left.push(RemainingOrder {
                pieces: order.lines.iter().map(|line| line.quantity).collect(),
                shipping_minor: order.shipping.1,
                paid_minor: order.total()?,
            });
        }
        Ok(remaining)
    }

    /// Returns the parts of a line, or none if it cannot be matched as a whole.
    fn find(
        &self,
        orders: &[PlannedOrder],
        customer: u32,
        returned_line: &ReturnedLine<'_>,
    ) -> Result<Vec<Part>, OutOfRange> {
        let pieces = subtract(0, returned_line.line.quantity)?;
        let unit_minor = pence(returned_line.line.price_mills)?;
        if pieces < 1 || unit_minor < 0 {
            return Ok(Vec::new());
        }
        let net_minor = multiply(pieces, unit_minor)?;
        let is_earlier =
            |place: &usize| orders.get(*place).is_some_and(|order| order.at <= returned_line.at);
        let own = self.of_customer.get(&customer).into_iter().flatten().rev().copied();
        let earlier: Vec<usize> = own.filter(is_earlier).collect();
        let whole = |of| move |order: &usize| Part { order: *order, of, net_minor };
        let is_worth = |order: &usize| {
            let left = self.left.get(*order);
            left.is_some_and(|left| net_minor > 0 && left.paid_minor >= net_minor.saturating_mul(2))
        };
        if returned_line.good.is_some() || CHARGES.contains(&returned_line.code) {
            let parts =
                self.pieces(orders, &earlier, returned_line, |price| price == unit_minor)?;
            return if parts.is_empty() {
                self.pieces(orders, &earlier, returned_line, |price| price >= unit_minor)
            } else {
                Ok(parts)
            };
        }
        if postage(returned_line.code).is_some() {
            let paid = |order: &&usize| {
                self.left.get(**order).is_some_and(|left| left.shipping_minor >= net_minor)
            };
            return Ok(earlier.iter().find(paid).map(whole(PartOf::Postage)).into_iter().collect());
        }
        if returned_line.code == DISCOUNT {
            let order = earlier.iter().find(|order| is_worth(order));
            return Ok(order.map(whole(PartOf::Discount)).into_iter().collect());
        }
        Ok(Vec::new())
    }

    /// Returns enough pieces of earlier lines with a matching price, or none.
    fn pieces(
        &self,
        orders: &[PlannedOrder],
        earlier: &[usize],
        returned_line: &ReturnedLine<'_>,
        fits: impl Fn(i64) -> bool,
    ) -> Result<Vec<Part>, OutOfRange> {
        let unit_minor = pence(returned_line.line.price_mills)?;
        let mut missing = subtract(0, returned_line.line.quantity)?;
        let mut parts = Vec::new();
        for place in earlier {
            let (Some(order), Some(left)) = (orders.get(*place), self.left.get(*place)) else {
                continue;
            };
            for (index, (line, left)) in order.lines.iter().zip(&left.pieces).enumerate() {
                let is_same = if let Some(good) = returned_line.good {
                    line.good == Some(good)
                } else {
                    let product = returned_line.source.products.get(line.product);
                    product.is_some_and(|product| product.code == returned_line.code)
                };
                let part = missing.min(*left);
                if !is_same || part < 1 || !fits(line.unit_minor) {
                    continue;
                }
                missing = subtract(missing, part)?;
                let net_minor = multiply(part, unit_minor)?;
                let of = if returned_line.good.is_some() {
                    PartOf::Goods { line: index, pieces: part }
                } else {
                    PartOf::Charge { line: index, pieces: part }
                };
                parts.push(Part { order: *place, of, net_minor });
            }
        }
        Ok(if missing == 0 { parts } else { Vec::new() })
    }

    /// Takes a part from its order, in the remaining amounts and in the plan.
    fn take(
        &mut self,
        orders: &mut [PlannedOrder],
        invoice: &Invoice,
        at: Timestamp,
        part: &Part,
    ) -> Result<(), OutOfRange> {
        let (Some(order), Some(left)) = (orders.get_mut(part.order), self.left.get_mut(part.order))
        else {
            return Ok(());
        };
        // Tax is rounded per part, so the last part may be a penny less.
        let gross_minor = add(part.net_minor, order.tax(part.net_minor)?)?.min(left.paid_minor);
        left.paid_minor = subtract(left.paid_minor, gross_minor)?;
        match part.of {
            PartOf::Goods { line, pieces } | PartOf::Charge { line, pieces } => {
                if let Some(left) = left.pieces.get_mut(line) {
                    *left = subtract(*left, pieces)?;
                }
            }
            PartOf::Postage => {
                left.shipping_minor = subtract(left.shipping_minor, part.net_minor)?;
            }
            PartOf::Discount => {}
        }
        if order.reversals.last().is_none_or(|last| last.number != invoice.number) {
            let (number, returned) = (invoice.number.clone(), Vec::new());
            order.reversals.push(Reversal { number, at, returned, refund_minor: 0 });
        }
        let Some(reversal) = order.reversals.last_mut() else { return Ok(()) };
        reversal.refund_minor = add(reversal.refund_minor, gross_minor)?;
        if let PartOf::Goods { line, pieces } = part.of {
            match reversal.returned.iter_mut().find(|(known, _)| *known == line) {
                Some((_, so_far)) => *so_far = add(*so_far, pieces)?,
                None => reversal.returned.push((line, pieces)),
            }
        }
        Ok(())
    }
}
