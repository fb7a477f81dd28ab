//! What a cart looks like from outside.

mod charges;
mod relations;
mod shape;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::contents::{Address, Cart, Metadata};
use super::error::CartError;
use super::totals::CartTotals;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::{Resource, Selection};
use crate::ids::{CartAddressId, CartId, CustomerId, RegionId, SalesChannelId};
use crate::money::{Amount, Currency};
use charges::{CreditLineView, ItemView, ShippingMethodView};
pub(super) use relations::Relations;
use relations::{CartCustomerView, CartPromotionView, CartRegionView};
pub(super) use shape::StoreCarts;

/// A cart with what the store shows of it by default.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn view(tx: &Tx<'_>, cart: &Cart) -> Result<Value, CartError> {
    let selection = Selection::of_defaults(StoreCarts::SHAPE);
    let view = CartView::new(cart, Relations::load(tx, cart, &selection)?);
    // A view is made of texts, numbers and lists, which are JSON whatever they hold.
    Ok(serde_json::to_value(selection.of(&view)).unwrap_or_default())
}

/// A cart.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoreCart, example = json!({
    "id": "cart_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "currency_code": "gbp", "email": "ada@example.com",
    "total": 64.7, "subtotal": 65.91, "discount_total": 6.01, "tax_total": 4.39,
    "items": [{ "id": "cali_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "title": "Green Shirt", "quantity": 2, "unit_price": 12.99 }],
}))]
pub(super) struct CartView {
    id: CartId,
    currency_code: Currency,
    email: Option<String>,
    locale: Option<String>,
    region_id: Option<RegionId>,
    sales_channel_id: Option<SalesChannelId>,
    customer_id: Option<CustomerId>,
    shipping_address_id: Option<CartAddressId>,
    billing_address_id: Option<CartAddressId>,
    #[schema(value_type = Option<Object>)]
    metadata: Option<Metadata>,
    created_at: Timestamp,
    updated_at: Timestamp,
    completed_at: Option<Timestamp>,
    #[serde(flatten)]
    totals: CartTotalsView,
    items: Vec<ItemView>,
    shipping_methods: Vec<ShippingMethodView>,
    shipping_address: Option<Address>,
    billing_address: Option<Address>,
    credit_lines: Vec<CreditLineView>,
    region: Option<CartRegionView>,
    customer: Option<CartCustomerView>,
    promotions: Vec<CartPromotionView>,
    #[schema(value_type = Option<Object>)]
    payment_collection: Option<Value>,
}

/// What a cart costs, in major units.
#[derive(Debug, Serialize, ToSchema)]
struct CartTotalsView {
    /// What is left to pay.
    total: Amount,
    /// Items and shipping, without tax, before discounts.
    subtotal: Amount,
    tax_total: Amount,
    discount_total: Amount,
    discount_subtotal: Amount,
    discount_tax_total: Amount,
    original_total: Amount,
    original_subtotal: Amount,
    original_tax_total: Amount,
    item_total: Amount,
    item_subtotal: Amount,
    item_tax_total: Amount,
    item_discount_total: Amount,
    original_item_total: Amount,
    original_item_subtotal: Amount,
    original_item_tax_total: Amount,
    shipping_total: Amount,
    shipping_subtotal: Amount,
    shipping_tax_total: Amount,
    shipping_discount_total: Amount,
    original_shipping_total: Amount,
    original_shipping_subtotal: Amount,
    original_shipping_tax_total: Amount,
    credit_line_total: Amount,
    credit_line_subtotal: Amount,
    credit_line_tax_total: Amount,
}

impl CartTotalsView {
    fn new(totals: &CartTotals, currency: Currency) -> Self {
        let CartTotals { items, shipping, all, credit_line_total, total } = *totals;
        let amount = |minor: i64| currency.amount(minor);
        Self {
            total: amount(total),
            subtotal: amount(all.subtotal),
            tax_total: amount(all.tax_total),
            discount_total: amount(all.discount_total),
            discount_subtotal: amount(all.discount_subtotal),
            discount_tax_total: amount(all.discount_tax_total),
            original_total: amount(all.original_total),
            original_subtotal: amount(all.subtotal),
            original_tax_total: amount(all.original_tax_total),
            item_total: amount(items.total),
            item_subtotal: amount(items.subtotal),
            item_tax_total: amount(items.tax_total),
            item_discount_total: amount(items.discount_total),
            original_item_total: amount(items.original_total),
            original_item_subtotal: amount(items.subtotal),
            original_item_tax_total: amount(items.original_tax_total),
            shipping_total: amount(shipping.total),
            shipping_subtotal: amount(shipping.subtotal),
            shipping_tax_total: amount(shipping.tax_total),
            shipping_discount_total: amount(shipping.discount_total),
            original_shipping_total: amount(shipping.original_total),
            original_shipping_subtotal: amount(shipping.subtotal),
            original_shipping_tax_total: amount(shipping.original_tax_total),
            credit_line_total: amount(credit_line_total),
            credit_line_subtotal: amount(credit_line_total),
            credit_line_tax_total: amount(0),
        }
    }
}

impl CartView {
    pub(super) fn new(cart: &Cart, relations: Relations) -> Self {
        let Relations { sellables, region, customer, promotions, payment_collection } = relations;
        let lines = cart.lines.iter();
        let methods = cart.shipping_methods.iter();
        let credit = cart.credit_lines.iter();
        Self {
            id: cart.id.clone(),
            currency_code: cart.currency,
            email: cart.email.clone(),
            locale: cart.locale.clone(),
            region_id: cart.region_id.clone(),
            sales_channel_id: cart.sales_channel_id.clone(),
            customer_id: cart.customer_id.clone(),
            shipping_address_id: cart.shipping_address.as_ref().map(|address| address.id.clone()),
            billing_address_id: cart.billing_address.as_ref().map(|address| address.id.clone()),
            metadata: cart.metadata.clone(),
            created_at: cart.created_at,
            updated_at: cart.updated_at,
            completed_at: cart.completed_at,
            totals: CartTotalsView::new(&cart.totals, cart.currency),
            items: lines.map(|line| ItemView::new(cart, line, &sellables)).collect(),
            shipping_methods: methods.map(|method| ShippingMethodView::new(cart, method)).collect(),
            shipping_address: cart.shipping_address.clone(),
            billing_address: cart.billing_address.clone(),
            credit_lines: credit.map(|line| CreditLineView::new(line, cart.currency)).collect(),
            region,
            customer,
            promotions,
            payment_collection,
        }
    }
}
