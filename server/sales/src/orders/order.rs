//! Orders and their parts, used both for placing and for reading orders.
//!
//! Amounts are minor units of the order's currency; rates are parts per million.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cart::contents::Item;
use crate::cart::totals::{self, Amounts, CartTotals, Charge};
use crate::clock::Timestamp;
use crate::database::{FromRow, Record};
use crate::http::{Resource, ToSchema};
use crate::ids::{
    BundleProductId, CartId, CustomerId, OrderAddressId, OrderCreditLineId, OrderId, OrderLineId,
    OrderShippingMethodId, PromotionId, RegionId, SalesChannelId, ShippingOptionId,
};
use crate::money::Currency;
use crate::statuses::{FulfillmentStatus, OrderStatus, PaymentStatus};

/// The client's own data.
pub type Metadata = Map<String, Value>;

/// An order to place, with its amounts computed.
#[derive(Debug, Clone)]
pub struct NewOrder {
    /// The id, created in advance because reservations and promotion uses refer to it.
    pub id: OrderId,
    /// [`OrderStatus::Draft`] while its payment is pending, otherwise [`OrderStatus::Pending`].
    pub status: OrderStatus,
    /// Whether it is an administrator's draft, which reserves nothing and awaits no payment.
    pub is_draft_order: bool,
    /// The cart it comes from; a cart becomes at most one order.
    pub cart_id: Option<CartId>,
    pub customer_id: Option<CustomerId>,
    pub email: Option<String>,
    pub region_id: Option<RegionId>,
    pub sales_channel_id: Option<SalesChannelId>,
    pub currency: Currency,
    pub locale: Option<String>,
    /// The shipping address, which determines the order's country and province.
    pub shipping_address: Option<Address>,
    pub billing_address: Option<Address>,
    pub lines: Vec<OrderLine>,
    pub shipping_methods: Vec<ShippingMethod>,
    pub credit_lines: Vec<CreditLine>,
    /// The discount of each promotion, over lines and shipping.
    pub promotions: Vec<OrderPromotion>,
    pub bundles: Vec<OrderBundle>,
    pub metadata: Option<Metadata>,
    pub placed_at: Timestamp,
}

/// The sums of an order's lines and methods.
#[derive(Debug)]
pub(super) struct Sums {
    pub(super) totals: CartTotals,
    /// The cost of its pieces to the store; none unless the cost of every piece is known.
    pub(super) cost_minor: Option<i64>,
    pub(super) quantity: i64,
}

/// A stored order, without its relations.
#[derive(Debug, Clone, FromRow)]
pub struct Order {
    pub id: OrderId,
    /// Its human-readable number, counted from one.
    pub display_id: i64,
    pub customer_id: Option<CustomerId>,
    pub email: Option<String>,
    pub region_id: Option<RegionId>,
    pub sales_channel_id: Option<SalesChannelId>,
    pub currency: Currency,
    pub locale: Option<String>,
    pub status: OrderStatus,
    pub payment_status: PaymentStatus,
    pub fulfillment_status: FulfillmentStatus,
    /// Incremented by each change of the order.
    pub version: i64,
    /// The totals of everything ordered, regardless of returns.
    #[column(flatten)]
    pub totals: CartTotals,
    pub paid_minor: i64,
    pub refunded_minor: i64,
    /// The part of it that was not owed when it was refunded.
    pub goodwill_minor: i64,
    #[column(json)]
    pub shipping_address: Option<Address>,
    #[column(json)]
    pub billing_address: Option<Address>,
    #[column(json)]
    pub metadata: Option<Metadata>,
    pub placed_at: Timestamp,
    pub canceled_at: Option<Timestamp>,
    pub updated_at: Timestamp,
}

/// A line of an order: a quantity of a variant and the variant's data when it was sold.
#[derive(Debug, Clone, FromRow)]
pub struct OrderLine {
    pub id: OrderLineId,
    #[column(flatten)]
    pub item: Item,
    pub quantity: i64,
    pub unit_price_minor: i64,
    /// The price of one piece without a sale.
    pub compare_at_unit_price_minor: Option<i64>,
    /// The cost of one piece to the store, if known.
    pub unit_cost_minor: Option<i64>,
    pub is_tax_inclusive: bool,
    pub bundle_id: Option<String>,
    /// The product as which that bundle was sold.
    pub bundle_product_id: Option<BundleProductId>,
    #[column(flatten)]
    pub amounts: Amounts,
    #[column(skip)]
    pub taxes: Vec<TaxLine>,
    #[column(skip)]
    pub adjustments: Vec<Adjustment>,
    #[column(flatten)]
    pub progress: Progress,
    #[column(json)]
    pub metadata: Option<Metadata>,
}

/// The progress of a line's pieces; all zero when the order is placed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, FromRow)]
pub struct Progress {
    /// Pieces in fulfillments that are not canceled.
    pub fulfilled_quantity: i64,
    pub shipped_quantity: i64,
    pub delivered_quantity: i64,
    pub return_requested_quantity: i64,
    pub return_received_quantity: i64,
    /// Pieces that were returned but rejected as damaged.
    pub return_dismissed_quantity: i64,
    pub written_off_quantity: i64,
}

/// A tax on a line or a shipping method.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
#[record(table = "order_line_tax t")]
pub struct TaxLine {
    pub code: Option<String>,
    pub name: String,
    pub rate_ppm: i64,
    /// The tax after discounts.
    pub amount_minor: i64,
    /// The country that levies the tax.
    pub country: Option<String>,
    /// The province that levies the tax; none for tax of the whole country.
    pub province: Option<String>,
}

/// A promotion's discount on a line or a shipping method.
#[derive(Debug, Clone, PartialEq, Eq, Record)]
#[record(table = "order_line_adjustment t")]
pub struct Adjustment {
    pub promotion_id: Option<PromotionId>,
    pub code: Option<String>,
    pub amount_minor: i64,
    pub is_tax_inclusive: bool,
}

#[derive(Debug, Clone, FromRow)]
pub struct ShippingMethod {
    pub id: OrderShippingMethodId,
    pub shipping_option_id: Option<ShippingOptionId>,
    pub name: String,
    pub amount_minor: i64,
    pub is_tax_inclusive: bool,
    #[column(json)]
    pub data: Option<Metadata>,
    #[column(flatten)]
    pub amounts: Amounts,
    #[column(skip)]
    pub taxes: Vec<TaxLine>,
    #[column(skip)]
    pub adjustments: Vec<Adjustment>,
    #[column(json)]
    pub metadata: Option<Metadata>,
}

/// Store credit that pays a part of an order.
#[derive(Debug, Clone, FromRow)]
pub struct CreditLine {
    pub id: OrderCreditLineId,
    /// The amount; negative if the order grants credit.
    pub amount_minor: i64,
    /// The means of payment, such as `store-credit`.
    pub reference: String,
    pub reference_id: String,
    #[column(json)]
    pub metadata: Option<Metadata>,
}

/// An instance of a bundle in an order. Amounts are without tax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderBundle {
    /// The instance, as on its lines.
    pub bundle_id: String,
    pub bundle_product_id: BundleProductId,
    pub title: String,
    /// Complete sets.
    pub set_count: i64,
    /// Its goods after all discounts.
    pub subtotal_minor: i64,
    /// The discount of the bundle itself.
    pub discount_minor: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPromotion {
    pub promotion_id: PromotionId,
    /// Its code at the time of the order.
    pub code: String,
    /// The discount; without tax if prices exclude tax.
    pub amount_minor: i64,
}

/// An address of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema, Resource)]
#[resource(name = "address")]
#[schema(as = OrderAddress)]
pub struct Address {
    pub id: OrderAddressId,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub company: Option<String>,
    /// Street and number.
    pub address_1: Option<String>,
    /// Second line.
    pub address_2: Option<String>,
    pub city: Option<String>,
    pub postal_code: Option<String>,
    /// Two-letter code, lower case.
    #[schema(example = "gb")]
    pub country_code: Option<String>,
    /// Province or state.
    pub province: Option<String>,
    pub phone: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Metadata>,
}

impl OrderLine {
    /// Returns the inputs of its totals.
    pub(super) fn charge(&self) -> Charge {
        Charge {
            unit_price_minor: self.unit_price_minor,
            quantity: self.quantity,
            is_tax_inclusive: self.is_tax_inclusive,
            rates_ppm: self.taxes.iter().map(|tax| tax.rate_ppm).collect(),
            adjustments: self.adjustments.iter().map(totals::Adjustment::from).collect(),
        }
    }
}

impl ShippingMethod {
    /// Returns the inputs of its totals.
    pub(super) fn charge(&self) -> Charge {
        Charge {
            unit_price_minor: self.amount_minor,
            quantity: 1,
            is_tax_inclusive: self.is_tax_inclusive,
            rates_ppm: self.taxes.iter().map(|tax| tax.rate_ppm).collect(),
            adjustments: self.adjustments.iter().map(totals::Adjustment::from).collect(),
        }
    }
}

impl From<&Adjustment> for totals::Adjustment {
    fn from(adjustment: &Adjustment) -> Self {
        let Adjustment { amount_minor, is_tax_inclusive, .. } = *adjustment;
        Self { amount_minor, is_tax_inclusive }
    }
}
