//! Places orders: writes the whole order at once, with totals that are the sums of its parts.

use super::error::OrderError;
use super::order::{Adjustment, NewOrder, OrderLine, Sums, TaxLine};
use super::queries::admin_history::transition;
use super::queries::insert::{self, ChargeOwner};
use crate::cart::totals;
use crate::database::Tx;
use crate::proportion::{OutOfRange, multiply, sum};

/// Writes an order with all its parts and returns its number. In the same transaction the caller updates stock,
/// promotion uses, credit and payment, and records the event.
///
/// # Errors
/// [`OrderError::Totals`] if its amounts overflow; a database error if its cart already has an order.
pub fn place(tx: &Tx<'_>, new: &NewOrder) -> Result<i64, OrderError> {
    let sums = Sums::of(new)?;
    let display_id = insert::order(tx, new, &sums)?;
    let at = new.placed_at;
    for (position, line) in (0..).zip(&new.lines) {
        insert::line(tx, &new.id, position, line, at)?;
        let owner = ChargeOwner::line(&new.id, &line.id);
        charge(tx, owner, &line.taxes, &line.adjustments)?;
    }
    for method in &new.shipping_methods {
        insert::shipping_method(tx, &new.id, method, at)?;
        let owner = ChargeOwner::shipping_method(&new.id, &method.id);
        charge(tx, owner, &method.taxes, &method.adjustments)?;
    }
    for line in &new.credit_lines {
        insert::credit_line(tx, &new.id, line, at)?;
    }
    for promotion in &new.promotions {
        insert::promotion(tx, &new.id, promotion)?;
    }
    for bundle in &new.bundles {
        insert::bundle(tx, &new.id, bundle)?;
    }
    transition(&tx.at(at), &new.id, "status", (None, new.status.as_str()), None)?;
    Ok(display_id)
}

/// Writes the taxes and adjustments of a line or a shipping method.
pub(super) fn charge(
    tx: &Tx<'_>,
    owner: ChargeOwner<'_>,
    taxes: &[TaxLine],
    adjustments: &[Adjustment],
) -> Result<(), OrderError> {
    for (position, tax) in (0..).zip(taxes) {
        insert::tax(tx, owner, position, tax)?;
    }
    for (position, adjustment) in (0..).zip(adjustments) {
        insert::adjustment(tx, owner, position, adjustment)?;
    }
    Ok(())
}

impl Sums {
    fn of(new: &NewOrder) -> Result<Self, OrderError> {
        let totals = totals::cart(
            new.lines.iter().map(|line| line.amounts),
            new.shipping_methods.iter().map(|method| method.amounts),
            new.credit_lines.iter().map(|line| line.amount_minor),
        )?;
        let quantity = sum(new.lines.iter().map(|line| line.quantity))?;
        Ok(Self { totals, cost_minor: cost(&new.lines)?, quantity })
    }
}

fn cost(lines: &[OrderLine]) -> Result<Option<i64>, OutOfRange> {
    let mut costs = Vec::with_capacity(lines.len());
    for line in lines {
        let Some(unit_cost_minor) = line.unit_cost_minor else { return Ok(None) };
        costs.push(multiply(unit_cost_minor, line.quantity)?);
    }
    sum(costs).map(Some)
}
