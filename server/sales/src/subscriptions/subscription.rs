//! Subscriptions and their items, as stored.

use serde::{Deserialize, Serialize};

use super::anchor::{Anchor, Interval, Unit};
use super::status::SubscriptionStatus;
use crate::cart::contents::Address;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{Record, Word};
use crate::http::ToSchema;
use crate::ids::{
    CustomerId, OrderId, PaymentMethodId, ProductId, RegionId, SalesChannelId, ShippingOptionId,
    SubscriptionId, SubscriptionItemId, SubscriptionPlanId, VariantId,
};
use crate::metadata::Metadata;
use crate::money::Currency;
pub use crate::plans::{OnExhausted, OutOfStock, SubscriptionKind};

/// Why a customer cancels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum CancellationReason {
    TooExpensive,
    TooMuch,
    NotNeeded,
    Quality,
    Switched,
    Moved,
    Other,
    /// Set by the server after the last refusal.
    PaymentFailed,
    /// Set by the server when a pause lasts too long.
    PausedTooLong,
}

#[derive(Debug, Clone, Record)]
#[record(table = "subscription s", title = "Subscription")]
#[record(list(
    plural = "subscriptions",
    usual,
    search = ["s.id", "s.email"],
    order = "-created_at",
    limit = 20,
    columns = [
        Column::filter(
            "plan_id",
            "s.id in (select subscription_id from subscription_item where plan_id in ({}))",
            Kind::Link,
        ),
    ],
))]
pub struct Subscription {
    pub id: SubscriptionId,
    #[column(once, filter)]
    pub customer_id: CustomerId,
    /// The order that it began with.
    #[column(once, filter)]
    pub order_id: OrderId,
    #[column(filter, order)]
    pub status: SubscriptionStatus,
    pub sales_channel_id: Option<SalesChannelId>,
    pub region_id: Option<RegionId>,
    #[column(once)]
    pub currency: Currency,
    pub email: Option<String>,
    pub locale: Option<String>,
    pub kind: SubscriptionKind,
    #[column(name = "interval")]
    pub unit: Unit,
    pub interval_count: i64,
    pub anchor_at: Timestamp,
    /// The day of the month of the anchor; 31 even if it began on the last day of a shorter month.
    pub anchor_day: i64,
    #[column(once)]
    pub time_zone: String,
    /// The number of the last cycle that began.
    pub cycle: i64,
    /// The index from the anchor of the next cycle's period.
    pub period: i64,
    pub paid_cycles: i64,
    pub current_period_start: Option<Timestamp>,
    pub current_period_end: Option<Timestamp>,
    /// When the next cycle that is not skipped is billed.
    #[column(filter, order)]
    pub next_billing_at: Option<Timestamp>,
    /// When the server has something to do about it.
    pub acts_at: Option<Timestamp>,
    /// The last cycle that was announced to the customer.
    pub announced_cycle: i64,
    pub trial_end: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub paused_at: Option<Timestamp>,
    pub resume_at: Option<Timestamp>,
    pub cancel_at: Option<Timestamp>,
    pub canceled_at: Option<Timestamp>,
    pub cancellation_reason: Option<CancellationReason>,
    pub cancellation_comment: Option<String>,
    pub ended_at: Option<Timestamp>,
    #[column(json)]
    pub terms: Terms,
    #[column(json)]
    pub shipping_address: Option<Address>,
    #[column(json)]
    pub billing_address: Option<Address>,
    /// The address of the next cycle alone.
    #[column(json)]
    pub next_shipping_address: Option<Address>,
    #[column(json)]
    pub shipping_methods: Vec<Shipping>,
    pub payment_method_id: Option<PaymentMethodId>,
    /// Money of the customer that the next cycles spend.
    pub credit_balance_minor: i64,
    pub mrr_minor: i64,
    /// The number of refusals of the open cycle.
    pub dunning_attempt: i64,
    pub dunning_next_at: Option<Timestamp>,
    pub dunning_reason: Option<String>,
    pub metadata: Metadata,
    /// Incremented by each change.
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[column(skip)]
    pub items: Vec<Item>,
}

/// The initial data of a subscription.
#[derive(Debug)]
pub(super) struct NewSubscription {
    pub(super) customer_id: CustomerId,
    pub(super) order_id: OrderId,
    pub(super) currency: Currency,
    pub(super) kind: SubscriptionKind,
    pub(super) interval: Interval,
    pub(super) anchor_at: Timestamp,
    pub(super) anchor_day: i64,
    pub(super) time_zone: String,
    pub(super) terms: Terms,
    /// Now.
    pub(super) at: Timestamp,
}

impl Subscription {
    /// Returns a subscription that has not been billed yet.
    pub(super) fn new(id: SubscriptionId, new: NewSubscription) -> Self {
        Self {
            id,
            customer_id: new.customer_id,
            order_id: new.order_id,
            status: SubscriptionStatus::Trial,
            sales_channel_id: None,
            region_id: None,
            currency: new.currency,
            email: None,
            locale: None,
            kind: new.kind,
            unit: new.interval.unit,
            interval_count: new.interval.count,
            anchor_at: new.anchor_at,
            anchor_day: new.anchor_day,
            time_zone: new.time_zone,
            cycle: 0,
            period: 0,
            paid_cycles: 0,
            current_period_start: None,
            current_period_end: None,
            next_billing_at: None,
            acts_at: None,
            announced_cycle: 0,
            trial_end: None,
            started_at: None,
            paused_at: None,
            resume_at: None,
            cancel_at: None,
            canceled_at: None,
            cancellation_reason: None,
            cancellation_comment: None,
            ended_at: None,
            terms: new.terms,
            shipping_address: None,
            billing_address: None,
            next_shipping_address: None,
            shipping_methods: Vec::new(),
            payment_method_id: None,
            credit_balance_minor: 0,
            mrr_minor: 0,
            dunning_attempt: 0,
            dunning_next_at: None,
            dunning_reason: None,
            metadata: Metadata::default(),
            version: 1,
            created_at: new.at,
            updated_at: new.at,
            items: Vec::new(),
        }
    }

    pub fn interval(&self) -> Interval {
        Interval { unit: self.unit, count: self.interval_count }
    }

    /// Returns the number of remaining cycles; `None` for no end.
    pub(super) fn cycles_left(&self) -> Option<i64> {
        self.terms.max_cycles.map(|max| max.saturating_sub(self.paid_cycles).max(0))
    }

    /// Returns its anchor; `None` if its time zone is no longer known.
    pub fn anchor(&self) -> Option<Anchor> {
        Anchor::with_day(self.anchor_at, self.anchor_day, &self.time_zone)
    }
}

/// The rules of a subscription: the strictest ones of its plans at the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    pub min_cycles: Option<i64>,
    pub max_cycles: Option<i64>,
    pub allowed_frequencies: Vec<Interval>,
    pub cutoff_hours: i64,
    pub max_skips: Option<i64>,
    pub max_pause_days: i64,
    pub out_of_stock: OutOfStock,
    pub on_exhausted: OnExhausted,
}

/// How each parcel is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = SubscriptionShippingMethod)]
pub struct Shipping {
    pub shipping_option_id: Option<ShippingOptionId>,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Record)]
#[record(table = "subscription_item i", title = "Subscription item")]
pub struct Item {
    pub id: SubscriptionItemId,
    #[column(once)]
    pub subscription_id: SubscriptionId,
    pub position: i64,
    pub variant_id: VariantId,
    pub product_id: ProductId,
    pub title: String,
    pub variant_title: Option<String>,
    pub thumbnail: Option<String>,
    pub quantity: i64,
    pub unit_price_minor: i64,
    pub is_tax_inclusive: bool,
    pub plan_id: SubscriptionPlanId,
    /// Its replacement from a later cycle on.
    #[column(json)]
    pub next: Option<Replacement>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What replaces an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Replacement {
    pub variant_id: VariantId,
    pub product_id: ProductId,
    pub title: String,
    pub variant_title: Option<String>,
    pub thumbnail: Option<String>,
    pub quantity: i64,
    pub unit_price_minor: i64,
    pub is_tax_inclusive: bool,
    pub plan_id: SubscriptionPlanId,
    /// Applies to cycles due from then on; `None` for the next one.
    #[serde(default)]
    pub from: Option<Timestamp>,
    /// The previously planned replacement, such as an announced price, which is restored if the charge of a swap
    /// is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Box<Replacement>>,
}

impl Item {
    /// Returns its replacement in a cycle due at an instant.
    pub(super) fn next_at(&self, due_at: Timestamp) -> Option<&Replacement> {
        self.next.as_ref().filter(|next| next.from.is_none_or(|from| from <= due_at))
    }

    /// Becomes another item, under the same id.
    pub(super) fn replace_with(&mut self, next: Replacement) {
        self.variant_id = next.variant_id;
        self.product_id = next.product_id;
        self.title = next.title;
        self.variant_title = next.variant_title;
        self.thumbnail = next.thumbnail;
        self.quantity = next.quantity;
        self.unit_price_minor = next.unit_price_minor;
        self.is_tax_inclusive = next.is_tax_inclusive;
        self.plan_id = next.plan_id;
        self.next = None;
    }
}
