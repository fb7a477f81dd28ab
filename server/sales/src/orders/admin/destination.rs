//! The destination of an order, which determines its shipping options and the taxes of a draft.

use crate::cart::totals::{self, Amounts, Charge};
use crate::database::Tx;
use crate::http::Refusal;
use crate::ids::{self, OrderId, ShippingOptionId};
use crate::orders::order::{Address, Order, OrderLine, ShippingMethod, TaxLine};
use crate::orders::queries::insert::{ChargeOwner, LINE, SHIPPING_METHOD};
use crate::orders::queries::{admin as queries, load};
use crate::orders::{OrderError, addition, place};
use crate::regions;
use crate::shipping::{self, Audience, Offer, ShippingContext};
use crate::taxes::{self, TaxPlace, TaxRate, TaxedThing};

/// Returns the options for an order's address, with current prices; none without an address or a channel.
pub(super) fn shipping_options(tx: &Tx<'_>, id: &OrderId) -> Result<Vec<Offer>, OrderError> {
    let order = addition::placed(tx, id)?;
    let (Some(address), Some(sales_channel_id)) = (order.shipping_address, order.sales_channel_id)
    else {
        return Ok(Vec::new());
    };
    let Some(country) = address.country_code else { return Ok(Vec::new()) };
    let context = ShippingContext {
        audience: Audience::Staff,
        is_return: false,
        country,
        province: address.province,
        city: address.city,
        postal_code: address.postal_code,
        currency: order.currency,
        region_id: order.region_id,
        customer_group_ids: Vec::new(),
        profile_ids: queries::shipping_profiles(tx, id)?,
        item_total_minor: order.totals.items.total,
        sales_channel_id,
        items: Vec::new(),
    };
    let mut offers = shipping::options(tx, &context)?;
    shipping::attach_prices(tx, &mut offers)?;
    Ok(offers)
}

/// Assigns a destination to a draft and computes its taxes there. Prices and discounts stay as offered.
///
/// # Errors
/// [`OrderError::Refused`] if the draft's region does not have the country.
pub(super) fn set(tx: &Tx<'_>, draft: &Order, address: &Address) -> Result<(), OrderError> {
    let Some(country) = address.country_code.as_deref() else { return Ok(()) };
    check_country(tx, draft, country)?;
    let place = TaxPlace { country, province: address.province.as_deref() };
    let order = &draft.id;
    let (mut lines, mut methods) = charges(tx, order)?;
    let mut rates = taxes::lines(tx, place, &things(&lines, &methods))?.into_iter();
    let (mut of_lines, mut of_methods) = (Vec::new(), Vec::new());
    for line in &mut lines {
        line.taxes = rates.next().into_iter().flatten().map(tax_line).collect();
        let charge = line.charge();
        let owner = ChargeOwner::line(order, &line.id);
        of_lines.push(write(tx, owner, &charge, &mut line.taxes)?);
    }
    for method in &mut methods {
        method.taxes = rates.next().into_iter().flatten().map(tax_line).collect();
        let charge = method.charge();
        let owner = ChargeOwner::shipping_method(order, &method.id);
        of_methods.push(write(tx, owner, &charge, &mut method.taxes)?);
    }
    let credit = draft.totals.credit_line_total;
    let totals = totals::cart(of_lines, of_methods, [credit])?;
    Ok(queries::set_place(tx, order, country, place.province, &totals)?)
}

fn check_country(tx: &Tx<'_>, draft: &Order, country: &str) -> Result<(), OrderError> {
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
fn charges(tx: &Tx<'_>, id: &OrderId) -> Result<(Vec<OrderLine>, Vec<ShippingMethod>), OrderError> {
    let ids = ids::list([id]);
    let mut of_lines = load::adjustments(tx, LINE, &ids)?;
    let mut of_methods = load::adjustments(tx, SHIPPING_METHOD, &ids)?;
    let lines = load::lines(tx, &ids)?
        .into_iter()
        .map(|(_, line)| OrderLine { adjustments: of_lines.take(&line.id), ..line });
    let methods = load::shipping_methods(tx, &ids)?
        .into_iter()
        .map(|(_, method)| ShippingMethod { adjustments: of_methods.take(&method.id), ..method });
    Ok((lines.collect(), methods.collect()))
}

fn things<'a>(lines: &'a [OrderLine], methods: &'a [ShippingMethod]) -> Vec<TaxedThing<'a>> {
    let lines = lines.iter().map(|line| line.item.taxed());
    let methods = methods.iter().map(|method| TaxedThing::Shipping {
        option_id: method.shipping_option_id.as_ref().map(ShippingOptionId::as_str),
    });
    lines.chain(methods).collect()
}

/// Writes the taxes of a line or a shipping method with their amounts, and returns its amounts.
fn write(
    tx: &Tx<'_>,
    owner: ChargeOwner<'_>,
    charge: &Charge,
    taxes: &mut [TaxLine],
) -> Result<Amounts, OrderError> {
    let charged = totals::charge(charge)?;
    for (tax, totals) in taxes.iter_mut().zip(&charged.tax_lines) {
        tax.amount_minor = totals.total;
    }
    queries::set_amounts(tx, owner, &charged.amounts)?;
    place::charge(tx, owner, taxes, &[])?;
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
