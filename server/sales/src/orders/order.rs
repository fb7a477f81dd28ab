//! Orders and their parts: the same types when an order is placed and when it is read.
//!
//! Amounts are minor units of the order's currency; rates are parts per million.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::cart::contents::Item;
use crate::cart::totals::{Amounts, CartTotals};
use crate::clock::Timestamp;
use crate::database::Record;
use crate::http::Resource;
use crate::ids::{
    CampaignId, CartId, CustomerId, OrderAddressId, OrderCreditLineId, OrderId, OrderLineId,
    OrderShippingMethodId, PromotionId, RegionId, SalesChannelId, ShippingOptionId,
};
use crate::money::Currency;
use crate::statuses::{FulfillmentStatus, OrderStatus, PaymentStatus};

/// Data of the client's own.
pub type Metadata = Map<String, Value>;

/// An order that is about to be placed: all of it, with its amounts computed.
#[derive(Debug, Clone)]
pub struct NewOrder {
    /// Its id, made before, for reservations and promotions refer to it.
    pub id: OrderId,
    /// [`OrderStatus::Draft`] while its payment is being asked for, [`OrderStatus::Pending`] else.
    pub status: OrderStatus,
    /// Whether an administrator offers it: a draft that holds nothing and waits for no payment.
    pub is_draft_order: bool,
    /// The cart it comes from; a cart gives one order at most.
    pub cart_id: Option<CartId>,
    pub customer_id: Option<CustomerId>,
    pub email: Option<String>,
    pub region_id: Option<RegionId>,
    pub sales_channel_id: Option<SalesChannelId>,
    pub currency: Currency,
    pub locale: Option<String>,
    /// Where it is sent; its country and province are the order's.
    pub shipping_address: Option<Address>,
    pub billing_address: Option<Address>,
    pub lines: Vec<OrderLine>,
    pub shipping_methods: Vec<ShippingMethod>,
    pub credit_lines: Vec<CreditLine>,
    /// What each promotion took, lines and shipping together.
    pub promotions: Vec<OrderPromotion>,
    pub metadata: Option<Metadata>,
    pub placed_at: Timestamp,
}

/// An order as it is stored, without its relations.
#[derive(Debug, Clone)]
pub struct Order {
    /// Its id, the only secret of its confirmation page.
    pub id: OrderId,
    /// Its number for people, counted from one.
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
    /// Grows with each change of what was ordered.
    pub version: i64,
    /// What it cost when it was placed.
    pub totals: CartTotals,
    /// What was paid.
    pub paid_minor: i64,
    /// What was given back.
    pub refunded_minor: i64,
    pub shipping_address: Option<Address>,
    pub billing_address: Option<Address>,
    pub metadata: Option<Metadata>,
    pub placed_at: Timestamp,
    pub canceled_at: Option<Timestamp>,
    pub updated_at: Timestamp,
}

/// A line of an order: a variant as it was when it was sold, and how many of it.
#[derive(Debug, Clone)]
pub struct OrderLine {
    pub id: OrderLineId,
    pub item: Item,
    pub quantity: i64,
    pub unit_price_minor: i64,
    /// What one would have cost without a sale.
    pub compare_at_unit_price_minor: Option<i64>,
    /// What one cost the store, if that was known.
    pub unit_cost_minor: Option<i64>,
    pub is_tax_inclusive: bool,
    /// The lines it was bought with.
    pub bundle_id: Option<String>,
    pub amounts: Amounts,
    pub taxes: Vec<TaxLine>,
    pub adjustments: Vec<Adjustment>,
    pub progress: Progress,
    pub metadata: Option<Metadata>,
}

/// The progress of a line's pieces; all zero when it is placed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// In fulfillments that were not called off.
    pub fulfilled_quantity: i64,
    pub shipped_quantity: i64,
    pub delivered_quantity: i64,
    pub return_requested_quantity: i64,
    pub return_received_quantity: i64,
    /// Come back and not taken, for they are damaged.
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
    /// What it makes, after discounts.
    pub amount_minor: i64,
    /// Whose tax it is: the country.
    pub country: Option<String>,
    /// Whose tax it is: the province.
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

/// A way of sending that was bought.
#[derive(Debug, Clone)]
pub struct ShippingMethod {
    pub id: OrderShippingMethodId,
    pub shipping_option_id: Option<ShippingOptionId>,
    pub name: String,
    pub amount_minor: i64,
    pub is_tax_inclusive: bool,
    pub data: Option<Metadata>,
    pub amounts: Amounts,
    pub taxes: Vec<TaxLine>,
    pub adjustments: Vec<Adjustment>,
    pub metadata: Option<Metadata>,
}

/// Store credit that pays a part of an order.
#[derive(Debug, Clone)]
pub struct CreditLine {
    pub id: OrderCreditLineId,
    /// How much; less than zero where an order gives credit.
    pub amount_minor: i64,
    /// What pays, as `store-credit`.
    pub reference: String,
    pub reference_id: String,
    pub metadata: Option<Metadata>,
}

/// A promotion's discount on an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPromotion {
    pub promotion_id: PromotionId,
    /// Its code, as it was.
    pub code: String,
    pub campaign_id: Option<CampaignId>,
    /// How much it took, without tax where prices are without it.
    pub amount_minor: i64,
}

/// An address of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema, Resource)]
#[resource(name = "address")]
#[schema(as = OrderAddress)]
pub struct Address {
    pub id: OrderAddressId,
    /// Given name.
    pub first_name: Option<String>,
    /// Family name.
    pub last_name: Option<String>,
    pub company: Option<String>,
    /// Street and number.
    pub address_1: Option<String>,
    /// Second line.
    pub address_2: Option<String>,
    pub city: Option<String>,
    pub postal_code: Option<String>,
    /// Two letters, lower case.
    #[schema(example = "gb")]
    pub country_code: Option<String>,
    /// Province or state.
    pub province: Option<String>,
    pub phone: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Metadata>,
}
