//! The totals of carts and orders, in major units.

use serde::Serialize;

use crate::cart::totals::{Amounts, CartTotals};
use crate::http::{Resource, ToSchema};
use crate::money::{Amount, Currency};

/// The totals of a cart, or of an order without the goods that were returned. Refunds change its `summary`, not these.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "totals")]
pub struct TotalsView {
    /// The amount to pay: lines and shipping with tax, less discounts and store credit.
    total: Amount,
    /// Lines and shipping without tax, before discounts.
    subtotal: Amount,
    /// All taxes, after discounts.
    tax_total: Amount,
    /// The discounts with their tax.
    discount_total: Amount,
    /// The discounts without tax.
    discount_subtotal: Amount,
    /// The tax that the discounts save.
    discount_tax_total: Amount,
    /// With tax, before discounts.
    original_total: Amount,
    /// Without tax, before discounts.
    original_subtotal: Amount,
    /// The taxes before discounts.
    original_tax_total: Amount,
    /// The lines with tax, after discounts.
    item_total: Amount,
    /// The lines without tax, before discounts.
    item_subtotal: Amount,
    /// The taxes of the lines.
    item_tax_total: Amount,
    /// The discounts of the lines.
    item_discount_total: Amount,
    /// The lines with tax, before discounts.
    original_item_total: Amount,
    /// The lines without tax, before discounts.
    original_item_subtotal: Amount,
    /// The taxes of the lines, before discounts.
    original_item_tax_total: Amount,
    /// Shipping with tax, after discounts.
    shipping_total: Amount,
    /// Shipping without tax, before discounts.
    shipping_subtotal: Amount,
    shipping_tax_total: Amount,
    shipping_discount_total: Amount,
    /// Shipping with tax, before discounts.
    original_shipping_total: Amount,
    /// Shipping without tax, before discounts.
    original_shipping_subtotal: Amount,
    /// The taxes of shipping, before discounts.
    original_shipping_tax_total: Amount,
    /// The amount paid with store credit.
    credit_line_total: Amount,
    /// The same; credit has no tax.
    credit_line_subtotal: Amount,
    /// Always 0.
    credit_line_tax_total: Amount,
}

impl TotalsView {
    pub fn of(totals: &CartTotals, currency: Currency) -> Self {
        let CartTotals { items, shipping, all, credit_line_total, total } = totals;
        let money = |minor: i64| currency.amount(minor);
        Self {
            total: money(*total),
            subtotal: money(all.subtotal),
            tax_total: money(all.tax_total),
            discount_total: money(all.discount_total),
            discount_subtotal: money(all.discount_subtotal),
            discount_tax_total: money(all.discount_tax_total),
            original_total: money(all.original_total),
            original_subtotal: money(all.subtotal),
            original_tax_total: money(all.original_tax_total),
            item_total: money(items.total),
            item_subtotal: money(items.subtotal),
            item_tax_total: money(items.tax_total),
            item_discount_total: money(items.discount_total),
            original_item_total: money(items.original_total),
            original_item_subtotal: money(items.subtotal),
            original_item_tax_total: money(items.original_tax_total),
            shipping_total: money(shipping.total),
            shipping_subtotal: money(shipping.subtotal),
            shipping_tax_total: money(shipping.tax_total),
            shipping_discount_total: money(shipping.discount_total),
            original_shipping_total: money(shipping.original_total),
            original_shipping_subtotal: money(shipping.subtotal),
            original_shipping_tax_total: money(shipping.original_tax_total),
            credit_line_total: money(*credit_line_total),
            credit_line_subtotal: money(*credit_line_total),
            credit_line_tax_total: money(0),
        }
    }
}

/// The totals of a line or a shipping method; in an order, without the returned pieces.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "totals of a line")]
pub struct ChargeTotalsView {
    /// Without tax, before discounts.
    subtotal: Amount,
    /// With tax, after discounts.
    total: Amount,
    /// Without tax, before discounts.
    original_subtotal: Amount,
    /// With tax, before discounts.
    original_total: Amount,
    /// The discounts with their tax.
    discount_total: Amount,
    /// The discounts without tax.
    discount_subtotal: Amount,
    /// The tax that the discounts save.
    discount_tax_total: Amount,
    /// The tax after discounts.
    tax_total: Amount,
    /// The tax before discounts.
    original_tax_total: Amount,
}

impl ChargeTotalsView {
    pub fn of(amounts: &Amounts, currency: Currency) -> Self {
        Self {
            subtotal: currency.amount(amounts.subtotal),
            total: currency.amount(amounts.total),
            original_subtotal: currency.amount(amounts.subtotal),
            original_total: currency.amount(amounts.original_total),
            discount_total: currency.amount(amounts.discount_total),
            discount_subtotal: currency.amount(amounts.discount_subtotal),
            discount_tax_total: currency.amount(amounts.discount_tax_total),
            tax_total: currency.amount(amounts.tax_total),
            original_tax_total: currency.amount(amounts.original_tax_total),
        }
    }
}
