//! The tax lines of a cart: the rates at its destination.

use super::contents::{Cart, TaxLine};
use super::error::CartError;
use crate::database::{Table as _, Tx};
use crate::ids::{CartTaxLineId, ShippingOptionId};
use crate::regions::Region;
use crate::taxes::{self, TaxPlace, TaxRate, TaxedThing};

/// Sets each line's tax rates from its product. Without a country there are none.
pub(super) fn tax_lines(tx: &Tx<'_>, cart: &mut Cart) -> Result<(), CartError> {
    let things: Vec<_> = cart.lines.iter().map(|line| line.item.taxed()).collect();
    let rates = rates(tx, cart, &things)?;
    for (line, rates) in cart.lines.iter_mut().zip(rates) {
        replace(&mut line.tax_lines, rates);
    }
    Ok(())
}

/// Sets each shipping method's tax rates from its option.
pub(super) fn tax_methods(tx: &Tx<'_>, cart: &mut Cart) -> Result<(), CartError> {
    let options = cart.shipping_methods.iter().map(|method| method.shipping_option_id.as_ref());
    let things: Vec<_> = options
        .map(|option| TaxedThing::Shipping { option_id: option.map(ShippingOptionId::as_str) })
        .collect();
    let rates = rates(tx, cart, &things)?;
    for (method, rates) in cart.shipping_methods.iter_mut().zip(rates) {
        replace(&mut method.tax_lines, rates);
    }
    Ok(())
}

/// Returns whether tax lines are computed with every change: always, unless the region leaves this to a separate request.
/// A region may be deleted while one of its carts is open.
pub(super) fn is_automatic(tx: &Tx<'_>, cart: &Cart) -> Result<bool, CartError> {
    match &cart.region_id {
        Some(id) => Ok(Region::find(tx, id)?.is_none_or(|region| region.automatic_taxes)),
        None => Ok(true),
    }
}

fn rates(
    tx: &Tx<'_>,
    cart: &Cart,
    things: &[TaxedThing<'_>],
) -> Result<Vec<Vec<TaxRate>>, CartError> {
    match cart.tax_place() {
        Some((country, province)) => Ok(taxes::lines(tx, TaxPlace { country, province }, things)?),
        None => Ok(vec![Vec::new(); things.len()]),
    }
}

/// Replaces tax lines; lines with the same rate keep their id, so that unchanged lines are not written.
fn replace(lines: &mut Vec<TaxLine>, rates: Vec<TaxRate>) {
    let mut before = std::mem::take(lines);
    *lines = rates
        .into_iter()
        .map(|rate| {
            let previous = before.iter().position(|line| line.tax_rate_id == rate.rate_id);
            TaxLine {
                id: previous.map_or_else(CartTaxLineId::new, |index| before.swap_remove(index).id),
                tax_rate_id: rate.rate_id,
                code: rate.code,
                name: rate.name,
                rate_ppm: rate.rate_ppm,
                country: rate.country,
                province: rate.province,
            }
        })
        .collect();
}
