//! The destination of a draft, which determines its taxes.

use super::OrderAdminError;
use crate::cart::totals::{self, Amounts, Charge};
use crate::database::Tx;
use crate::http::Refusal;
use crate::ids::{self, OrderId, ProductId, ProductTypeId, ShippingOptionId};
use crate::orders::order::{Address, Order, OrderLine, ShippingMethod, TaxLine};
use crate::orders::queries::insert::ChargeOwner;
use crate::orders::queries::{destination as queries, load};
use crate::orders::{OrderError, place};
use crate::regions;
use crate::taxes::{self, TaxPlace, TaxRate, TaxedThing};

/// Assigns a destination to a draft and computes its taxes there. Prices and discounts stay as offered.
///
/// # Errors
/// [`OrderAdminError::Refused`] if the draft's region does not have the country.
pub(super) fn set(tx: &Tx<'_>, draft: &Order, address: &Address) -> Result<(), OrderAdminError> {
    let Some(country) = address.country_code.as_deref() else { return Ok(()) };
    check_country(tx, draft, country)?;
    let place = TaxPlace { country, province: address.province.as_deref() };
    let (mut lines, mut methods) = charges(tx, &draft.id)?;
    let mut rates = taxes::lines(tx, place, &things(&lines, &methods))?.into_iter();
    let (mut of_lines, mut of_methods) = (Vec::new(), Vec::new());
    for line in &mut lines {
        line.taxes = rates.next().into_iter().flatten().map(tax_line).collect();
        let (owner, charge) = (ChargeOwner::Line(&line.id), line.charge());
        of_lines.push(write(tx, &draft.id, owner, &charge, &mut line.taxes)?);
    }
    for method in &mut methods {
        method.taxes = rates.next().into_iter().flatten().map(tax_line).collect();
        let (owner, charge) = (ChargeOwner::ShippingMethod(&method.id), method.charge());
        of_methods.push(write(tx, &draft.id, owner, &charge, &mut method.taxes)?);
    }
    let credit = draft.totals.credit_line_total;
    let totals = totals::cart(of_lines, of_methods, [credit]).map_err(OrderError::from)?;
    Ok(queries::set_place(tx, &draft.id, country, place.province, &totals)?)
}

fn check_country(tx: &Tx<'_>, draft: &Order, country: &str) -> Result<(), OrderAdminError> {
    let Some(region_id) = &draft.region_id else { return Ok(()) };
    let mut found = regions::countries_of(tx, std::slice::from_ref(region_id))?;
    let countries = found.remove(region_id).unwrap_or_default();
    if countries.is_empty() || countries.iter().any(|known| known.iso_2 == country) {
        return Ok(());
    }
    Err(Refusal::invalid(format!("the region of the draft does not have the country `{country}`"))
        .into())
}

/// Returns the lines and shipping methods of an order, without their taxes.
fn charges(
    tx: &Tx<'_>,
    id: &OrderId,
) -> Result<(Vec<OrderLine>, Vec<ShippingMethod>), OrderAdminError> {
    let ids = ids::list([id]);
    let mut of_lines = load::line_adjustments(tx, &ids)?;
    let mut of_methods = load::shipping_adjustments(tx, &ids)?;
    let lines = load::lines(tx, &ids)?
        .into_iter()
        .map(|(_, line)| OrderLine { adjustments: of_lines.take(&line.id), ..line });
    let methods = load::shipping_methods(tx, &ids)?
        .into_iter()
        .map(|(_, method)| ShippingMethod { adjustments: of_methods.take(&method.id), ..method });
    Ok((lines.collect(), methods.collect()))
}

fn things<'a>(lines: &'a [OrderLine], methods: &'a [ShippingMethod]) -> Vec<TaxedThing<'a>> {
    let lines = lines.iter().map(|line| TaxedThing::Item {
        product_id: line.item.product_id.as_ref().map(ProductId::as_str),
        product_type_id: line.item.product_type_id.as_ref().map(ProductTypeId::as_str),
    });
    let methods = methods.iter().map(|method| TaxedThing::Shipping {
        option_id: method.shipping_option_id.as_ref().map(ShippingOptionId::as_str),
    });
    lines.chain(methods).collect()
}

/// Writes the taxes of a line or a shipping method with their amounts, and returns its amounts.
fn write(
    tx: &Tx<'_>,
    order: &OrderId,
    owner: ChargeOwner<'_>,
    charge: &Charge,
    taxes: &mut [TaxLine],
) -> Result<Amounts, OrderAdminError> {
    let charged = totals::charge(charge).map_err(OrderError::from)?;
    for (tax, totals) in taxes.iter_mut().zip(&charged.tax_lines) {
        tax.amount_minor = totals.total;
    }
    queries::set_amounts(tx, order, owner, &charged.amounts)?;
    place::charge(tx, order, owner, taxes, &[])?;
    Ok(charged.amounts)
}

fn tax_line(rate: TaxRate) -> TaxLine {
    TaxLine {
        code: Some(rate.code),
        name: rate.name,
        rate_ppm: rate.rate_ppm,
        amount_minor: 0,
        country: Some(rate.country),
        province: rate.province,
    }
}
