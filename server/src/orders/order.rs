//! What an order is made of: the same types when it is placed and when it is read.
//!
//! Amounts are minor units of the order's currency; rates are parts per million.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::cart::contents::Item;
use crate::cart::totals::{Amounts, CartTotals};
use crate::clock::Timestamp;
use crate::ids::{
    CampaignId, CartId, CustomerId, OrderAddressId, OrderCreditLineId, OrderId, OrderLineId,
    OrderShippingMethodId, PromotionId, RegionId, SalesChannelId, ShippingOptionId,
};
use crate::money::Currency;
use crate::statuses::{FulfillmentStatus, OrderStatus, PaymentStatus};

/// Data of the client's own.
pub(crate) type Metadata = Map<String, Value>;

/// An order that is about to be placed: all of it, with its amounts computed.
#[derive(Debug, Clone)]
pub(crate) struct NewOrder {
    /// Its id, made before, for reservations and promotions refer to it.
    pub(crate) id: OrderId,
    /// [`OrderStatus::Draft`] while its payment is being asked for, [`OrderStatus::Pending`] else.
    pub(crate) status: OrderStatus,
    /// Whether an administrator offers it: a draft that holds nothing and waits for no payment.
    pub(crate) is_draft_order: bool,
    /// The cart it comes from; a cart gives one order at most.
    pub(crate) cart_id: Option<CartId>,
    /// Who ordered.
    pub(crate) customer_id: Option<CustomerId>,
    /// Where the confirmation goes.
    pub(crate) email: Option<String>,
    /// Where it is sold to.
    pub(crate) region_id: Option<RegionId>,
    /// Where it was sold.
    pub(crate) sales_channel_id: Option<SalesChannelId>,
    /// What it is paid in.
    pub(crate) currency: Currency,
    /// The language of the storefront.
    pub(crate) locale: Option<String>,
    /// Where it is sent; its country and province are the order's.
    pub(crate) shipping_address: Option<Address>,
    /// Who is charged.
    pub(crate) billing_address: Option<Address>,
    /// What was bought, in the order of the cart.
    pub(crate) lines: Vec<OrderLine>,
    /// How it is sent.
    pub(crate) shipping_methods: Vec<ShippingMethod>,
    /// What store credit pays.
    pub(crate) credit_lines: Vec<CreditLine>,
    /// What each promotion took, lines and shipping together.
    pub(crate) promotions: Vec<OrderPromotion>,
    /// The client's own data.
    pub(crate) metadata: Option<Metadata>,
    /// When the customer ordered.
    pub(crate) placed_at: Timestamp,
}

/// An order as it is stored, without its relations.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Its id, the only secret of its confirmation page.
    pub(crate) id: OrderId,
    /// Its number for people, counted from one.
    pub(crate) display_id: i64,
    /// Who ordered.
    pub(crate) customer_id: Option<CustomerId>,
    /// Where the confirmation goes.
    pub(crate) email: Option<String>,
    /// Where it is sold to.
    pub(crate) region_id: Option<RegionId>,
    /// Where it was sold.
    pub(crate) sales_channel_id: Option<SalesChannelId>,
    /// What it is paid in.
    pub(crate) currency: Currency,
    /// The language of the storefront.
    pub(crate) locale: Option<String>,
    /// Where it stands.
    pub(crate) status: OrderStatus,
    /// How far it is paid.
    pub(crate) payment_status: PaymentStatus,
    /// How far it is delivered.
    pub(crate) fulfillment_status: FulfillmentStatus,
    /// Grows with each change of what was ordered.
    pub(crate) version: i64,
    /// What it cost when it was placed.
    pub(crate) totals: CartTotals,
    /// What was paid.
    pub(crate) paid_minor: i64,
    /// What was given back.
    pub(crate) refunded_minor: i64,
    /// Where it is sent.
    pub(crate) shipping_address: Option<Address>,
    /// Who is charged.
    pub(crate) billing_address: Option<Address>,
    /// The client's own data.
    pub(crate) metadata: Option<Metadata>,
    /// When the customer ordered.
    pub(crate) placed_at: Timestamp,
    /// When it was called off.
    pub(crate) canceled_at: Option<Timestamp>,
    /// When it was last changed.
    pub(crate) updated_at: Timestamp,
}

/// A line of an order: a variant as it was when it was sold, and how many of it.
#[derive(Debug, Clone)]
pub(crate) struct OrderLine {
    /// Its id.
    pub(crate) id: OrderLineId,
    /// What was sold.
    pub(crate) item: Item,
    /// How many pieces.
    pub(crate) quantity: i64,
    /// What one costs.
    pub(crate) unit_price_minor: i64,
    /// What one would have cost without a sale.
    pub(crate) compare_at_unit_price_minor: Option<i64>,
    /// What one cost the store, if that was known.
    pub(crate) unit_cost_minor: Option<i64>,
    /// Whether the price includes tax.
    pub(crate) is_tax_inclusive: bool,
    /// The lines it was bought with.
    pub(crate) bundle_id: Option<String>,
    /// What it costs.
    pub(crate) amounts: Amounts,
    /// Its taxes; they add up to its tax.
    pub(crate) taxes: Vec<TaxLine>,
    /// What promotions took off.
    pub(crate) adjustments: Vec<Adjustment>,
    /// What became of its pieces.
    pub(crate) progress: Progress,
    /// The client's own data.
    pub(crate) metadata: Option<Metadata>,
}

/// What became of a line's pieces; all zero when it is placed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "they are named as in the API")]
pub(crate) struct Progress {
    /// In fulfillments that were not called off.
    pub(crate) fulfilled_quantity: i64,
    /// On their way.
    pub(crate) shipped_quantity: i64,
    /// Arrived.
    pub(crate) delivered_quantity: i64,
    /// Announced to come back.
    pub(crate) return_requested_quantity: i64,
    /// Come back and taken.
    pub(crate) return_received_quantity: i64,
    /// Come back and not taken, for they are damaged.
    pub(crate) return_dismissed_quantity: i64,
    /// Written off.
    pub(crate) written_off_quantity: i64,
}

/// A tax on a line or a shipping method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaxLine {
    /// The rate's code.
    pub(crate) code: Option<String>,
    /// The rate's name.
    pub(crate) name: String,
    /// The rate.
    pub(crate) rate_ppm: i64,
    /// What it makes, after discounts.
    pub(crate) amount_minor: i64,
    /// Whose tax it is: the country.
    pub(crate) country: Option<String>,
    /// Whose tax it is: the province.
    pub(crate) province: Option<String>,
}

/// What one promotion took off a line or a shipping method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjustment {
    /// The promotion.
    pub(crate) promotion_id: Option<PromotionId>,
    /// Its code.
    pub(crate) code: Option<String>,
    /// How much.
    pub(crate) amount_minor: i64,
    /// Whether the amount includes tax.
    pub(crate) is_tax_inclusive: bool,
}

/// A way of sending that was bought.
#[derive(Debug, Clone)]
pub(crate) struct ShippingMethod {
    /// Its id.
    pub(crate) id: OrderShippingMethodId,
    /// What it was chosen from.
    pub(crate) shipping_option_id: Option<ShippingOptionId>,
    /// Its name for people.
    pub(crate) name: String,
    /// Its price.
    pub(crate) amount_minor: i64,
    /// Whether the price includes tax.
    pub(crate) is_tax_inclusive: bool,
    /// What the carrier needs to know.
    pub(crate) data: Option<Metadata>,
    /// What it costs.
    pub(crate) amounts: Amounts,
    /// Its taxes; they add up to its tax.
    pub(crate) taxes: Vec<TaxLine>,
    /// What promotions took off.
    pub(crate) adjustments: Vec<Adjustment>,
    /// The client's own data.
    pub(crate) metadata: Option<Metadata>,
}

/// Store credit that pays a part of an order.
#[derive(Debug, Clone)]
pub(crate) struct CreditLine {
    /// Its id.
    pub(crate) id: OrderCreditLineId,
    /// How much; less than zero where an order gives credit.
    pub(crate) amount_minor: i64,
    /// What pays, as `store-credit`.
    pub(crate) reference: String,
    /// The id of what pays.
    pub(crate) reference_id: String,
    /// Data of its own.
    pub(crate) metadata: Option<Metadata>,
}

/// What one promotion took from an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OrderPromotion {
    /// The promotion.
    pub(crate) promotion_id: PromotionId,
    /// Its code, as it was.
    pub(crate) code: String,
    /// Its campaign.
    pub(crate) campaign_id: Option<CampaignId>,
    /// How much it took, without tax where prices are without it.
    pub(crate) amount_minor: i64,
}

/// An address of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "they are named as in the API")]
#[schema(as = OrderAddress)]
pub(crate) struct Address {
    /// Its id.
    pub(crate) id: OrderAddressId,
    /// Given name.
    pub(crate) first_name: Option<String>,
    /// Family name.
    pub(crate) last_name: Option<String>,
    /// Company.
    pub(crate) company: Option<String>,
    /// Street and number.
    pub(crate) address_1: Option<String>,
    /// Second line.
    pub(crate) address_2: Option<String>,
    /// City.
    pub(crate) city: Option<String>,
    /// Postal code.
    pub(crate) postal_code: Option<String>,
    /// Two letters, lower case.
    #[schema(example = "gb")]
    pub(crate) country_code: Option<String>,
    /// Province or state.
    pub(crate) province: Option<String>,
    /// Telephone.
    pub(crate) phone: Option<String>,
    /// The client's own data.
    #[schema(value_type = Option<Object>)]
    pub(crate) metadata: Option<Metadata>,
}
