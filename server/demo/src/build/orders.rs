//! Past orders: placed, paid and shipped.

use std::iter::once;

use super::{Buyer, OrderContext, carts};
use crate::DemoError;
use crate::cart::contents::Item;
use crate::cart::totals::{self, Charge};
use crate::database::Tx;
use crate::fulfillment::{self, ImportedFulfillment, Pieces};
use crate::goods::charge_title;
use crate::ids::{
    CaptureId, FulfillmentId, OrderAddressId, OrderId, OrderLineId, OrderShippingMethodId,
    OrderTransactionId, PaymentCollectionId, PaymentId, PaymentSessionId,
};
use crate::orders::order::{Address, NewOrder, OrderLine, Progress, ShippingMethod, TaxLine};
use crate::orders::{self, ImportedProgress};
use crate::payments::{self, ImportedPayment, sandbox};
use crate::plan::{Parcel, PlannedLine, PlannedOrder};
use crate::proportion::add;
use crate::seed::Seed;
use crate::statuses::OrderStatus;

/// A written order.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) id: OrderId,
    pub(super) payment_id: PaymentId,
    pub(super) line_ids: Vec<OrderLineId>,
}

/// Writes the `index`th order at its own time.
pub(super) fn write(
    tx: &Tx<'_>,
    context: &OrderContext<'_>,
    (index, order, parcel): (u64, &PlannedOrder, &Parcel),
    buyer: &Buyer,
) -> Result<Written, DemoError> {
    let (at, at_ms) = (order.at, order.at.as_millis());
    let mut seed = Seed::of("order", index);
    let id = OrderId::seeded(at_ms, seed.id());
    let mut lines = Vec::with_capacity(order.lines.len());
    for planned in &order.lines {
        let line_id = OrderLineId::seeded(at_ms, seed.id());
        lines.push(line(context, order, planned, line_id, parcel)?);
    }
    let method = method(context, order, OrderShippingMethodId::seeded(at_ms, seed.id()))?;
    let mut paid_minor = method.amounts.total;
    for line in &lines {
        paid_minor = add(paid_minor, line.amounts.total)?;
    }
    let line_ids: Vec<OrderLineId> = lines.iter().map(|line| line.id.clone()).collect();
    let pieces = |line: &OrderLine| Pieces { line_id: line.id.clone(), quantity: line.quantity };
    let pieces: Vec<Pieces> = lines.iter().map(pieces).collect();
    let address = address(order, buyer, OrderAddressId::seeded(at_ms, seed.id()));
    let new = NewOrder {
        id: id.clone(),
        status: OrderStatus::Pending,
        is_draft_order: false,
        cart_id: Some(carts::completed(tx, context, (index, order), buyer)?),
        customer_id: Some(buyer.id.clone()),
        email: Some(buyer.person.email.clone()),
        region_id: Some(context.places.regions.of(order.place.region).clone()),
        sales_channel_id: Some(context.places.channel(order.is_wholesale).clone()),
        currency: context.currencies.gbp,
        locale: None,
        shipping_address: Some(address.clone()),
        billing_address: Some(address),
        lines,
        shipping_methods: vec![method],
        credit_lines: Vec::new(),
        promotions: Vec::new(),
        bundles: Vec::new(),
        metadata: Some(once(("invoice_no".to_owned(), order.number.as_str().into())).collect()),
        placed_at: at,
    };
    orders::place(tx, &new)?;
    let payment_id = PaymentId::seeded(at_ms, seed.id());
    let capture_id = CaptureId::seeded(at_ms, seed.id());
    let payment = ImportedPayment {
        order_id: id.clone(),
        amount_minor: paid_minor,
        currency: context.currencies.gbp,
        provider_id: sandbox::ID,
        collection_id: PaymentCollectionId::seeded(at_ms, seed.id()),
        session_id: PaymentSessionId::seeded(at_ms, seed.id()),
        payment_id: payment_id.clone(),
        capture: Some((capture_id, OrderTransactionId::seeded(at_ms, seed.id()))),
        paid_at: at,
    };
    payments::import(tx, &payment)?;
    orders::import(tx, &id, &so_far(parcel, paid_minor))?;
    // Orders that have not shipped by the end of the history are packed later, by fulfillment steps, because they have
    // reservations.
    if let (Some(packed_at), Some(shipped_at)) = (parcel.packed_at, parcel.shipped_at) {
        let parcel = ImportedFulfillment {
            id: FulfillmentId::seeded(packed_at.as_millis(), seed.id()),
            order_id: id.clone(),
            location_id: context.places.warehouse.clone(),
            shipping_option_id: None,
            requires_shipping: order.lines.iter().any(|line| line.good.is_some()),
            pieces,
            shipped_at,
            delivered_at: parcel.delivered_at,
        };
        fulfillment::import(&tx.at(packed_at), parcel)?;
    }
    Ok(Written { id, payment_id, line_ids })
}

/// Returns the progress of an order. Orders that have not shipped are packed later, by fulfillment steps.
fn so_far(parcel: &Parcel, paid_minor: i64) -> ImportedProgress {
    match parcel.shipped_at {
        Some(_) => ImportedProgress {
            paid_minor,
            packed_at: parcel.packed_at,
            shipped_at: parcel.shipped_at,
            delivered_at: parcel.delivered_at,
            completed_at: parcel.completed_at,
        },
        None => ImportedProgress { paid_minor, ..ImportedProgress::default() },
    }
}

fn line(
    context: &OrderContext<'_>,
    order: &PlannedOrder,
    planned: &PlannedLine,
    id: OrderLineId,
    parcel: &Parcel,
) -> Result<OrderLine, DemoError> {
    let (amounts, taxes) = charge(order, planned.unit_minor, planned.quantity)?;
    let good = planned
        .good
        .and_then(|place| Some((context.goods.all.get(place)?, context.products.get(place)?)));
    let (item, unit_cost_minor) = match good {
        Some((good, product)) => {
            let is_late = order.at >= context.rise;
            let unit_cost_minor = if is_late { good.cost_minor } else { good.first_cost_minor };
            (product.item(good), Some(unit_cost_minor))
        }
        None => (
            Item { title: charge_title(context.source, planned.product), ..Item::default() },
            Some(0),
        ),
    };
    let of = |at: Option<crate::clock::Timestamp>| {
        at.filter(|_| parcel.shipped_at.is_some()).map_or(0, |_| planned.quantity)
    };
    Ok(OrderLine {
        id,
        item,
        quantity: planned.quantity,
        unit_price_minor: planned.unit_minor,
        compare_at_unit_price_minor: None,
        unit_cost_minor,
        is_tax_inclusive: false,
        bundle_id: None,
        bundle_product_id: None,
        amounts,
        taxes,
        adjustments: Vec::new(),
        progress: Progress {
            fulfilled_quantity: of(parcel.packed_at),
            shipped_quantity: of(parcel.shipped_at),
            delivered_quantity: of(parcel.delivered_at),
            ..Progress::default()
        },
        metadata: None,
    })
}

fn method(
    context: &OrderContext<'_>,
    order: &PlannedOrder,
    id: OrderShippingMethodId,
) -> Result<ShippingMethod, DemoError> {
    let (name, amount_minor) = order.shipping;
    let (amounts, taxes) = charge(order, amount_minor, 1)?;
    Ok(ShippingMethod {
        id,
        shipping_option_id: Some(context.ways.of(order.place.region).clone()),
        name: name.to_owned(),
        amount_minor,
        is_tax_inclusive: false,
        data: None,
        amounts,
        taxes,
        adjustments: Vec::new(),
        metadata: None,
    })
}

/// Returns the amounts of a line and the taxes of its order's country and time. Untaxed countries have no tax line.
fn charge(
    order: &PlannedOrder,
    unit_price_minor: i64,
    quantity: i64,
) -> Result<(totals::Amounts, Vec<TaxLine>), DemoError> {
    let rate = order.place.country.map(|country| (country, order.vat_ppm()));
    let rates_ppm = rate.map(|(_, rate)| rate.unwrap_or(0)).into_iter().collect();
    let charge = Charge {
        unit_price_minor,
        quantity,
        is_tax_inclusive: false,
        rates_ppm,
        adjustments: Vec::new(),
    };
    let totals = totals::charge(&charge)?;
    let taxes = rate.into_iter().zip(&totals.tax_lines).map(|((country, rate), tax)| {
        let (code, name) =
            if rate.is_some() { ("VAT", "VAT") } else { ("ZERO", "Zero-rated export") };
        TaxLine {
            code: Some(code.to_owned()),
            name: name.to_owned(),
            rate_ppm: rate.unwrap_or(0),
            amount_minor: tax.total,
            country: Some(country.to_owned()),
            province: None,
        }
    });
    Ok((totals.amounts, taxes.collect()))
}

fn address(order: &PlannedOrder, buyer: &Buyer, id: OrderAddressId) -> Address {
    let person = &buyer.person;
    let some = |text: &str| Some(text).filter(|text| !text.is_empty()).map(str::to_owned);
    Address {
        id,
        first_name: some(person.first_name),
        last_name: some(person.last_name),
        company: person.company.clone(),
        address_1: some(&person.street),
        address_2: None,
        city: some(person.city),
        postal_code: some(person.postal_code),
        country_code: order.place.country.map(str::to_owned),
        province: None,
        phone: None,
        metadata: None,
    }
}
