//! Stored plans.

use serde::{Deserialize, Serialize};

use super::discount::{Discount, DiscountView};
use super::error::PlanError;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery};
use crate::database::{Filtered as _, Listable, Record, Tx, Word};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{ProductId, SubscriptionPlanId};
use crate::metadata::Metadata;
use crate::money::Currency;
use crate::proportion::OutOfRange;
use crate::resource::View;

/// The unit of an interval.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema, Word,
)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    Day,
    Week,
    Month,
    Year,
}

/// What a plan provides.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema, Word,
)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionKind {
    /// A parcel at each interval.
    Delivery,
    /// Access for each interval.
    Access,
}

/// What happens when the stock is too low at a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum OutOfStock {
    /// The delivery waits for stock.
    Delay,
    /// The delivery is skipped.
    Skip,
}

/// What happens when all attempts to charge a renewal have failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum OnExhausted {
    /// The subscription is canceled.
    Cancel,
    /// The subscription is paused.
    Pause,
    /// The subscription remains past due.
    Keep,
}

/// The time from one delivery or renewal to the next.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema, Resource,
)]
#[resource(name = "interval")]
#[serde(deny_unknown_fields)]
#[schema(as = SubscriptionInterval, example = json!({ "interval": "month", "interval_count": 2 }))]
pub struct Interval {
    #[serde(rename = "interval")]
    pub unit: Unit,
    /// The number of units.
    #[serde(rename = "interval_count")]
    #[schema(minimum = 1, maximum = 52)]
    pub count: i64,
}

// The current version of a plan, or an older one, which running subscriptions keep.
/// How products may be subscribed to.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "subscription_plan p", soft_delete)]
#[record(list(
    plural = "subscription_plans",
    usual,
    search = ["p.name", "p.id"],
    order = "-created_at",
    limit = 50,
    columns = [
        Column::filter(
            "product_id",
            "p.id in (select plan_id from subscription_plan_product where product_id in ({}))",
            Kind::Link,
        ),
        Column::filter("interval", "p.interval", Unit::KIND),
    ],
))]
#[resource(name = "subscription plan")]
#[schema(as = SubscriptionPlan, example = json!({
    "id": "subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "name": "Monthly", "interval": "month", "interval_count": 1,
    "kind": "delivery", "discount": { "type": "percent", "value": 10 }, "version": 1,
}))]
pub struct Plan {
    pub id: SubscriptionPlanId,
    #[column(filter, order)]
    pub name: String,
    // In the order of their ids.
    #[column(
        json,
        sql = "(select json_group_array(product_id) from
                (select product_id from subscription_plan_product where plan_id = p.id order by product_id))"
    )]
    pub product_ids: Vec<ProductId>,
    #[serde(rename = "interval")]
    pub unit: Unit,
    #[column(filter)]
    pub interval_count: i64,
    #[column(filter)]
    pub kind: SubscriptionKind,
    // Written by `queries::set_parts`.
    #[column(
        json,
        sql = "case p.discount_type
                    when 'percent' then json_object('percent', p.discount_value)
                    when 'amount' then json_object('amount', json_object('minor', p.discount_value,
                                                                         'currency', p.discount_currency))
                    else 'null' end"
    )]
    #[schema(value_type = Option<DiscountView>)]
    pub discount: Option<Discount>,
    /// The days before the first payment.
    #[column(filter)]
    pub trial_days: i64,
    /// The cycles before a customer can cancel.
    pub min_cycles: Option<i64>,
    /// The cycles after which a subscription ends; null for no end.
    pub max_cycles: Option<i64>,
    /// The frequencies that subscribers can change to.
    #[column(json)]
    pub allowed_frequencies: Vec<Interval>,
    /// The number of hours before a renewal in which its subscriber cannot change it.
    pub cutoff_hours: i64,
    /// The deliveries in a row that can be skipped; null for no limit.
    pub max_skips: Option<i64>,
    pub max_pause_days: i64,
    pub out_of_stock: OutOfStock,
    pub on_exhausted: OnExhausted,
    /// From 1; each change of the plan raises it.
    pub version: i64,
    /// The plan of which this is an older version, kept by running subscriptions; null for a current plan.
    pub superseded_by: Option<SubscriptionPlanId>,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Plan {
    /// Returns its own interval.
    pub const fn interval(&self) -> Interval {
        Interval { unit: self.unit, count: self.interval_count }
    }

    /// Returns the price of a piece with this plan; `price_minor` is its price without a plan, for the same shopper and
    /// quantity.
    pub fn price(&self, price_minor: i64, currency: Currency) -> Result<i64, OutOfRange> {
        match self.discount {
            Some(discount) => discount.apply(price_minor, currency),
            None => Ok(price_minor),
        }
    }

    /// Returns whether a product can be subscribed to with this plan now.
    pub fn offers(&self, product_id: &ProductId) -> bool {
        self.superseded_by.is_none() && self.product_ids.contains(product_id)
    }
}

impl View for Plan {
    type Row = Self;
    type Error = PlanError;

    /// Returns a page of the current plans.
    fn page(
        tx: &Tx<'_>,
        query: ListQuery,
        _selection: &Selection,
    ) -> Result<(Vec<Self>, u64), PlanError> {
        Ok(<Self as Listable>::page(tx, query.narrow("p.superseded_by is null", []))?)
    }
}
