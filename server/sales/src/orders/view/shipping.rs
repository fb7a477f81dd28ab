//! Shipping methods of orders as they are answered.

use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{AdjustmentView, TaxLineView, adjustment_views, parts, tax_views};
use crate::cart::ChargeTotalsView;
use crate::clock::Timestamp;
use crate::http::Resource;
use crate::ids::{OrderId, OrderShippingMethodId, ShippingOptionId};
use crate::money::Amount;
use crate::orders::order::{Metadata, Order, ShippingMethod};

/// A way of sending that was bought.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "shipping_method")]
pub struct ShippingMethodView {
    /// Its id.
    id: OrderShippingMethodId,
    /// The order.
    order_id: OrderId,
    /// Its name for people.
    name: String,
    /// Always null.
    description: Option<String>,
    /// Its price.
    amount: Amount,
    /// Whether the price includes tax.
    is_tax_inclusive: bool,
    /// Always false.
    is_custom_amount: bool,
    /// What it was chosen from.
    shipping_option_id: Option<ShippingOptionId>,
    /// What the carrier needs to know.
    #[schema(value_type = Object)]
    data: Metadata,
    /// The client's own data.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Metadata>,
    /// When it was ordered.
    created_at: Timestamp,
    /// When the order was last changed.
    updated_at: Timestamp,
    /// Always null.
    deleted_at: Option<Timestamp>,
    #[serde(flatten)]
    totals: ChargeTotalsView,
    /// Its taxes.
    #[field(relation)]
    tax_lines: Vec<TaxLineView>,
    /// What promotions took off.
    #[field(relation)]
    adjustments: Vec<AdjustmentView>,
}

impl ShippingMethodView {
    pub(super) fn of(method: ShippingMethod, order: &Order) -> Self {
        let currency = order.currency;
        let parts = parts(
            (method.amount_minor, 1),
            method.is_tax_inclusive,
            &method.taxes,
            &method.adjustments,
        );
        Self {
            tax_lines: tax_views(
                ("ordsmtxl", method.id.as_str()),
                method.taxes,
                parts.as_ref(),
                currency,
            ),
            adjustments: adjustment_views(
                ("ordsmadj", method.id.as_str()),
                method.adjustments,
                parts.as_ref(),
                currency,
            ),
            id: method.id,
            order_id: order.id.clone(),
            name: method.name,
            description: None,
            amount: currency.amount(method.amount_minor),
            is_tax_inclusive: method.is_tax_inclusive,
            is_custom_amount: false,
            shipping_option_id: method.shipping_option_id,
            data: method.data.unwrap_or_default(),
            metadata: method.metadata,
            created_at: order.placed_at,
            updated_at: order.updated_at,
            deleted_at: None,
            totals: ChargeTotalsView::of(&method.amounts, currency),
        }
    }
}
