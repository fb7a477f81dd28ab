//! Inserts orders. What imports write, half a million lines, is bound by position, because looking up fifty parameter names
//! costs more than inserting the row.

use rusqlite::{named_params, params};

use crate::clock::Timestamp;
use crate::database::{Error, Stored, Tx};
use crate::ids::{OrderId, OrderLineId, OrderShippingMethodId};
use crate::orders::order::{
    Adjustment, CreditLine, NewOrder, OrderBundle, OrderLine, OrderPromotion, ShippingMethod, Sums,
    TaxLine,
};
use crate::statuses::{FulfillmentStatus, PaymentStatus};

/// The tables of what is charged, its taxes and its adjustments.
#[derive(Debug)]
pub(crate) struct ChargeKind {
    pub(super) table: &'static str,
    pub(super) taxes: &'static str,
    pub(super) adjustments: &'static str,
    /// The column of the last two with its id.
    pub(super) key: &'static str,
}

pub(crate) const LINE: &ChargeKind = &ChargeKind {
    table: "order_line",
    taxes: "order_line_tax",
    adjustments: "order_line_adjustment",
    key: "line_id",
};

pub(crate) const SHIPPING_METHOD: &ChargeKind = &ChargeKind {
    table: "order_shipping_method",
    taxes: "order_shipping_tax",
    adjustments: "order_shipping_adjustment",
    key: "method_id",
};

/// A line or a shipping method of an order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChargeOwner<'a> {
    pub(super) order: &'a OrderId,
    pub(super) kind: &'static ChargeKind,
    pub(super) id: &'a str,
}

impl<'a> ChargeOwner<'a> {
    pub(crate) fn line(order: &'a OrderId, id: &'a OrderLineId) -> Self {
        Self { order, kind: LINE, id: id.as_str() }
    }

    pub(crate) fn shipping_method(order: &'a OrderId, id: &'a OrderShippingMethodId) -> Self {
        Self { order, kind: SHIPPING_METHOD, id: id.as_str() }
    }
}

/// Inserts the order row and returns its number.
pub(crate) fn order(tx: &Tx<'_>, new: &NewOrder, sums: &Sums) -> Result<i64, Error> {
    let Sums { totals, cost_minor, quantity } = sums;
    let (items, shipping, all) = (&totals.items, &totals.shipping, &totals.all);
    let place = new.shipping_address.as_ref();
    let line_count = i64::try_from(new.lines.len()).unwrap_or(i64::MAX);
    tx.sql(
        "insert into orders
           (id, display_id, cart_id, customer_id, email, region_id, sales_channel_id, currency, locale, status,
            payment_status, fulfillment_status,
            item_subtotal_minor, item_tax_minor, item_discount_minor, item_total_minor,
            shipping_subtotal_minor, shipping_tax_minor, shipping_discount_minor, shipping_total_minor,
            subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor, original_total_minor,
            original_tax_minor, credit_line_minor, total_minor, cost_minor, line_count, quantity,
            shipping_address, billing_address, country, province, placed_at, metadata, created_at, updated_at,
            is_draft_order)
         values
           (?1, (select coalesce(max(display_id), 0) + 1 from orders), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
            ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30,
            ?31, ?32, ?33, ?34, ?35, ?36, ?35, ?35, ?37)
         returning display_id",
    )
    .one(
        params![
            new.id,
            new.cart_id,
            new.customer_id,
            new.email,
            new.region_id,
            new.sales_channel_id,
            new.currency,
            new.locale,
            new.status.as_str(),
            PaymentStatus::NotPaid.as_str(),
            FulfillmentStatus::NotFulfilled.as_str(),
            items.subtotal,
            items.tax_total,
            items.discount_total,
            items.total,
            shipping.subtotal,
            shipping.tax_total,
            shipping.discount_total,
            shipping.total,
            all.subtotal,
            all.discount_subtotal,
            all.discount_tax_total,
            all.tax_total,
            all.original_total,
            all.original_tax_total,
            totals.credit_line_total,
            totals.total,
            cost_minor,
            line_count,
            quantity,
            new.shipping_address.as_ref().map(Stored),
            new.billing_address.as_ref().map(Stored),
            place.and_then(|address| address.country_code.as_deref()),
            place.and_then(|address| address.province.as_deref()),
            new.placed_at,
            new.metadata.as_ref().map(Stored),
            new.is_draft_order,
        ],
        |row| row.get(0),
    )
}

/// Inserts a line at an index counted from zero.
pub(crate) fn line(
    tx: &Tx<'_>,
    order: &OrderId,
    position: i64,
    line: &OrderLine,
    at: Timestamp,
) -> Result<(), Error> {
    let OrderLine { item, amounts, .. } = line;
    tx.sql(
        "insert into order_line
           (order_id, id, position, variant_id, product_id, title, subtitle, thumbnail, quantity, unit_price_minor,
            compare_at_unit_price_minor, unit_cost_minor, is_tax_inclusive, is_discountable, is_giftcard,
            requires_shipping, bundle_id, bundle_product_id, product_title, product_description, product_subtitle, product_handle,
            product_type, product_type_id, product_collection, variant_title, variant_sku, variant_barcode,
            subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor, original_tax_minor, total_minor,
            original_total_minor, metadata, created_at, updated_at, fulfilled_quantity, shipped_quantity,
            delivered_quantity)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                 ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?37, ?38, ?39, ?40)",
    )
    .run(params![
        order,
        line.id,
        position,
        item.variant_id,
        item.product_id,
        item.title,
        item.subtitle,
        item.thumbnail,
        line.quantity,
        line.unit_price_minor,
        line.compare_at_unit_price_minor,
        line.unit_cost_minor,
        line.is_tax_inclusive,
        item.is_discountable,
        item.is_giftcard,
        item.requires_shipping,
        line.bundle_id,
        line.bundle_product_id,
        item.product_title,
        item.product_description,
        item.product_subtitle,
        item.product_handle,
        item.product_type,
        item.product_type_id,
        item.product_collection,
        item.variant_title,
        item.variant_sku,
        item.variant_barcode,
        amounts.subtotal,
        amounts.discount_subtotal,
        amounts.discount_tax_total,
        amounts.tax_total,
        amounts.original_tax_total,
        amounts.total,
        amounts.original_total,
        line.metadata.as_ref().map(Stored),
        at,
        line.progress.fulfilled_quantity,
        line.progress.shipped_quantity,
        line.progress.delivered_quantity,
    ])
}

/// Inserts a tax of a line or a shipping method.
pub(crate) fn tax(
    tx: &Tx<'_>,
    owner: ChargeOwner<'_>,
    position: i64,
    tax: &TaxLine,
) -> Result<(), Error> {
    let ChargeKind { taxes, key, .. } = owner.kind;
    tx.sql(&format!(
        "insert into {taxes} (order_id, {key}, position, code, name, rate_ppm, amount_minor, country, province)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
    ))
    .run(params![
        owner.order,
        owner.id,
        position,
        tax.code,
        tax.name,
        tax.rate_ppm,
        tax.amount_minor,
        tax.country,
        tax.province,
    ])
}

/// Inserts an adjustment of a line or a shipping method.
pub(crate) fn adjustment(
    tx: &Tx<'_>,
    owner: ChargeOwner<'_>,
    position: i64,
    adjustment: &Adjustment,
) -> Result<(), Error> {
    let ChargeKind { adjustments, key, .. } = owner.kind;
    tx.sql(&format!(
        "insert into {adjustments} (order_id, {key}, position, promotion_id, code, amount_minor, is_tax_inclusive)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
    ))
    .run(params![
        owner.order,
        owner.id,
        position,
        adjustment.promotion_id,
        adjustment.code,
        adjustment.amount_minor,
        adjustment.is_tax_inclusive,
    ])
}

pub(crate) fn shipping_method(
    tx: &Tx<'_>,
    order: &OrderId,
    method: &ShippingMethod,
    at: Timestamp,
) -> Result<(), Error> {
    let amounts = &method.amounts;
    tx.sql(
        "insert into order_shipping_method
           (order_id, id, shipping_option_id, name, amount_minor, is_tax_inclusive, data,
            subtotal_minor, discount_subtotal_minor, discount_tax_minor, tax_minor, original_tax_minor, total_minor,
            original_total_minor, metadata, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?16)",
    )
    .run(params![
        order,
        method.id,
        method.shipping_option_id,
        method.name,
        method.amount_minor,
        method.is_tax_inclusive,
        method.data.as_ref().map(Stored),
        amounts.subtotal,
        amounts.discount_subtotal,
        amounts.discount_tax_total,
        amounts.tax_total,
        amounts.original_tax_total,
        amounts.total,
        amounts.original_total,
        method.metadata.as_ref().map(Stored),
        at,
    ])
}

pub(crate) fn credit_line(
    tx: &Tx<'_>,
    order: &OrderId,
    line: &CreditLine,
    at: Timestamp,
) -> Result<(), Error> {
    tx.insert(
        "order_credit_line",
        named_params! {
            ":order_id": order, ":id": line.id, ":amount_minor": line.amount_minor,
            ":reference": line.reference, ":reference_id": line.reference_id,
            ":metadata": line.metadata.as_ref().map(Stored), ":created_at": at, ":updated_at": at,
        },
    )
}

pub(crate) fn promotion(
    tx: &Tx<'_>,
    order: &OrderId,
    promotion: &OrderPromotion,
) -> Result<(), Error> {
    tx.insert(
        "order_promotion",
        named_params! {
            ":order_id": order, ":promotion_id": promotion.promotion_id, ":code": promotion.code,
            ":amount_minor": promotion.amount_minor,
        },
    )
}

pub(crate) fn bundle(tx: &Tx<'_>, order: &OrderId, bundle: &OrderBundle) -> Result<(), Error> {
    tx.insert(
        "order_bundle",
        named_params! {
            ":order_id": order, ":bundle_id": bundle.bundle_id, ":title": bundle.title,
            ":bundle_product_id": bundle.bundle_product_id, ":set_count": bundle.set_count,
            ":subtotal_minor": bundle.subtotal_minor, ":discount_minor": bundle.discount_minor,
        },
    )
}
