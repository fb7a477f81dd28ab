//! What an order is made of: the same types when it is placed and when it is read.
//!
//! Amounts are minor units of the order's currency; rates are parts per million.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::cart::contents::Item;
use crate::cart::totals::{Amounts, CartTotals};
use crate::clock::Timestamp;
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
    /// Who ordered.
    pub customer_id: Option<CustomerId>,
    /// Where the confirmation goes.
    pub email: Option<String>,
    /// Where it is sold to.
    pub region_id: Option<RegionId>,
    /// Where it was sold.
    pub sales_channel_id: Option<SalesChannelId>,
    /// What it is paid in.
    pub currency: Currency,
    /// The language of the storefront.
    pub locale: Option<String>,
    /// Where it is sent; its country and province are the order's.
    pub shipping_address: Option<Address>,
    /// Who is charged.
    pub billing_address: Option<Address>,
    /// What was bought, in the order of the cart.
    pub lines: Vec<OrderLine>,
    /// How it is sent.
    pub shipping_methods: Vec<ShippingMethod>,
    /// What store credit pays.
    pub credit_lines: Vec<CreditLine>,
    /// What each promotion took, lines and shipping together.
    pub promotions: Vec<OrderPromotion>,
    /// The client's own data.
    pub metadata: Option<Metadata>,
    /// When the customer ordered.
    pub placed_at: Timestamp,
}

/// An order as it is stored, without its relations.
#[derive(Debug, Clone)]
pub struct Order {
    /// Its id, the only secret of its confirmation page.
    pub id: OrderId,
    /// Its number for people, counted from one.
    pub display_id: i64,
    /// Who ordered.
    pub customer_id: Option<CustomerId>,
    /// Where the confirmation goes.
    pub email: Option<String>,
    /// Where it is sold to.
    pub region_id: Option<RegionId>,
    /// Where it was sold.
    pub sales_channel_id: Option<SalesChannelId>,
    /// What it is paid in.
    pub currency: Currency,
    /// The language of the storefront.
    pub locale: Option<String>,
    /// Where it stands.
    pub status: OrderStatus,
    /// How far it is paid.
    pub payment_status: PaymentStatus,
    /// How far it is delivered.
    pub fulfillment_status: FulfillmentStatus,
    /// Grows with each change of what was ordered.
    pub version: i64,
    /// What it cost when it was placed.
    pub totals: CartTotals,
    /// What was paid.
    pub paid_minor: i64,
    /// What was given back.
    pub refunded_minor: i64,
    /// Where it is sent.
    pub shipping_address: Option<Address>,
    /// Who is charged.
    pub billing_address: Option<Address>,
    /// The client's own data.
    pub metadata: Option<Metadata>,
    /// When the customer ordered.
    pub placed_at: Timestamp,
    /// When it was called off.
    pub canceled_at: Option<Timestamp>,
    pub updated_at: Timestamp,
}

/// A line of an order: a variant as it was when it was sold, and how many of it.
#[derive(Debug, Clone)]
pub struct OrderLine {
    pub id: OrderLineId,
    /// What was sold.
    pub item: Item,
    /// How many pieces.
    pub quantity: i64,
    /// What one costs.
    pub unit_price_minor: i64,
    /// What one would have cost without a sale.
    pub compare_at_unit_price_minor: Option<i64>,
    /// What one cost the store, if that was known.
    pub unit_cost_minor: Option<i64>,
    /// Whether the price includes tax.
    pub is_tax_inclusive: bool,
    /// The lines it was bought with.
    pub bundle_id: Option<String>,
    /// What it costs.
    pub amounts: Amounts,
    /// Its taxes; they add up to its tax.
    pub taxes: Vec<TaxLine>,
    /// What promotions took off.
    pub adjustments: Vec<Adjustment>,
    /// What became of its pieces.
    pub progress: Progress,
    /// The client's own data.
    pub metadata: Option<Metadata>,
}

/// What became of a line's pieces; all zero when it is placed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// In fulfillments that were not called off.
    pub fulfilled_quantity: i64,
    /// On their way.
    pub shipped_quantity: i64,
    /// Arrived.
    pub delivered_quantity: i64,
    /// Announced to come back.
    pub return_requested_quantity: i64,
    /// Come back and taken.
    pub return_received_quantity: i64,
    /// Come back and not taken, for they are damaged.
    pub return_dismissed_quantity: i64,
    /// Written off.
    pub written_off_quantity: i64,
}

/// A tax on a line or a shipping method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxLine {
    /// The rate's code.
    pub code: Option<String>,
    /// The rate's name.
    pub name: String,
    /// The rate.
    pub rate_ppm: i64,
    /// What it makes, after discounts.
    pub amount_minor: i64,
    /// Whose tax it is: the country.
    pub country: Option<String>,
    /// Whose tax it is: the province.
    pub province: Option<String>,
}

/// What one promotion took off a line or a shipping method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjustment {
    pub promotion_id: Option<PromotionId>,
    pub code: Option<String>,
    pub amount_minor: i64,
    /// Whether the amount includes tax.
    pub is_tax_inclusive: bool,
}

/// A way of sending that was bought.
#[derive(Debug, Clone)]
pub struct ShippingMethod {
    pub id: OrderShippingMethodId,
    /// What it was chosen from.
    pub shipping_option_id: Option<ShippingOptionId>,
    /// Its name for people.
    pub name: String,
    /// Its price.
    pub amount_minor: i64,
    /// Whether the price includes tax.
    pub is_tax_inclusive: bool,
    /// What the carrier needs to know.
    pub data: Option<Metadata>,
    /// What it costs.
    pub amounts: Amounts,
    /// Its taxes; they add up to its tax.
    pub taxes: Vec<TaxLine>,
    /// What promotions took off.
    pub adjustments: Vec<Adjustment>,
    /// The client's own data.
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
    /// The id of what pays.
    pub reference_id: String,
    /// Data of its own.
    pub metadata: Option<Metadata>,
}

/// What one promotion took from an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPromotion {
    pub promotion_id: PromotionId,
    /// Its code, as it was.
    pub code: String,
    /// Its campaign.
    pub campaign_id: Option<CampaignId>,
    /// How much it took, without tax where prices are without it.
    pub amount_minor: i64,
}

/// An address of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema, Resource)]
#[resource(name = "address")]
#[schema(as = OrderAddress)]
pub struct Address {
    /// Its id.
    pub id: OrderAddressId,
    /// Given name.
    pub first_name: Option<String>,
    /// Family name.
    pub last_name: Option<String>,
    /// Company.
    pub company: Option<String>,
    /// Street and number.
    pub address_1: Option<String>,
    /// Second line.
    pub address_2: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Two letters, lower case.
    #[schema(example = "gb")]
    pub country_code: Option<String>,
    /// Province or state.
    pub province: Option<String>,
    /// Telephone.
    pub phone: Option<String>,
    /// The client's own data.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Metadata>,
}
