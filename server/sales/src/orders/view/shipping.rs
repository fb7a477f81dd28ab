//! The views of an order's shipping methods.

use serde::Serialize;

use super::parts::{AdjustmentView, OwnerView, TaxLineView, adjustment_views, tax_views};
use crate::cart::{ChargeTotalsView, totals};
use crate::clock::Timestamp;
use crate::http::{Resource, ToSchema};
use crate::ids::{OrderId, OrderShippingMethodId, ShippingOptionId};
use crate::money::Amount;
use crate::orders::order::{Metadata, Order, ShippingMethod};

/// A purchased shipping method.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "shipping_method")]
pub struct ShippingMethodView {
    id: OrderShippingMethodId,
    order_id: OrderId,
    name: String,
    /// Always null.
    description: Option<String>,
    amount: Amount,
    is_tax_inclusive: bool,
    /// Always false.
    is_custom_amount: bool,
    shipping_option_id: Option<ShippingOptionId>,
    /// Data for the carrier.
    #[schema(value_type = Object)]
    data: Metadata,
    #[schema(value_type = Option<Object>)]
    metadata: Option<Metadata>,
    /// When the order was placed.
    created_at: Timestamp,
    /// When the order last changed.
    updated_at: Timestamp,
    /// Always null.
    deleted_at: Option<Timestamp>,
    /// To which state of the order it belongs.
    detail: MethodDetailView,
    #[serde(flatten)]
    totals: ChargeTotalsView,
    #[field(relation)]
    tax_lines: Vec<TaxLineView>,
    /// The discounts of promotions.
    #[field(relation)]
    adjustments: Vec<AdjustmentView>,
}

/// The state of the order that a shipping method belongs to.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ShippingMethodDetailView)]
struct MethodDetailView {
    id: OrderShippingMethodId,
    shipping_method_id: OrderShippingMethodId,
    order_id: OrderId,
    version: i64,
    /// When the order was placed.
    created_at: Timestamp,
    /// When the order last changed.
    updated_at: Timestamp,
    /// Always null.
    deleted_at: Option<Timestamp>,
}

impl ShippingMethodView {
    pub(super) fn of(method: ShippingMethod, order: &Order) -> Self {
        let currency = order.currency;
        let parts = totals::charge(&method.charge()).ok();
        let owner = OwnerView::of_method(&method.id, order);
        Self {
            tax_lines: tax_views(&owner, method.taxes, parts.as_ref(), None, currency),
            adjustments: adjustment_views(&owner, method.adjustments, parts.as_ref(), currency),
            detail: MethodDetailView {
                id: method.id.clone(),
                shipping_method_id: method.id.clone(),
                order_id: order.id.clone(),
                version: order.version,
                created_at: order.placed_at,
                updated_at: order.updated_at,
                deleted_at: None,
            },
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
