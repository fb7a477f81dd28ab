//! The bodies of requests on plans.

use crate::database::{Table as _, Tx};
use crate::http::{AssignTo as _, Patch, Text, request};
use crate::ids::{ProductId, SubscriptionPlanId};
use crate::metadata::MetadataPatch;
use crate::plans::discount::{Discount, DiscountRequest};
use crate::plans::plan::{Interval, OnExhausted, OutOfStock, Plan, SubscriptionKind, Unit};
use crate::plans::{PlanError, write};
use crate::regions;

/// A new plan.
#[request]
#[schema(example = json!({
    "name": "Monthly", "product_ids": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"], "interval": "month",
    "discount": { "type": "percent", "value": 10 },
}))]
pub(super) struct CreatePlanRequest {
    name: Text,
    /// The products that can be subscribed to.
    product_ids: Vec<ProductId>,
    interval: Unit,
    /// Defaults to 1.
    #[schema(minimum = 1, maximum = 52)]
    interval_count: Option<i64>,
    /// Defaults to `delivery`.
    kind: Option<SubscriptionKind>,
    discount: Option<DiscountRequest>,
    /// The days before the first payment. Defaults to 0.
    #[schema(minimum = 0, maximum = 365)]
    trial_days: Option<i64>,
    /// The cycles before a customer can cancel.
    #[schema(minimum = 1, maximum = 1000)]
    min_cycles: Option<i64>,
    /// The cycles after which a subscription ends.
    #[schema(minimum = 1, maximum = 1000)]
    max_cycles: Option<i64>,
    /// The frequencies that subscribers can change to.
    allowed_frequencies: Option<Vec<Interval>>,
    /// The number of hours before a renewal in which its subscriber cannot change it. Defaults to
    /// 0.
    #[schema(minimum = 0, maximum = 720)]
    cutoff_hours: Option<i64>,
    /// The deliveries in a row that can be skipped; absent for no limit.
    #[schema(minimum = 0, maximum = 1000)]
    max_skips: Option<i64>,
    /// Defaults to 180.
    #[schema(minimum = 1, maximum = 3650)]
    max_pause_days: Option<i64>,
    /// What happens without stock at a renewal. Defaults to `delay`.
    out_of_stock: Option<OutOfStock>,
    /// What happens when all attempts to charge a renewal have failed. Defaults to `cancel`.
    on_exhausted: Option<OnExhausted>,
    metadata: Option<MetadataPatch>,
}

/// The fields of a plan to change.
#[request]
#[schema(example = json!({ "discount": { "type": "percent", "value": 15 } }))]
pub(super) struct UpdatePlanRequest {
    name: Option<Text>,
    /// Replaces the products that can be subscribed to.
    product_ids: Option<Vec<ProductId>>,
    interval: Option<Unit>,
    #[schema(minimum = 1, maximum = 52)]
    interval_count: Option<i64>,
    kind: Option<SubscriptionKind>,
    #[schema(value_type = Option<DiscountRequest>)]
    discount: Patch<DiscountRequest>,
    #[schema(minimum = 0, maximum = 365)]
    trial_days: Option<i64>,
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    min_cycles: Patch<i64>,
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    max_cycles: Patch<i64>,
    allowed_frequencies: Option<Vec<Interval>>,
    #[schema(minimum = 0, maximum = 720)]
    cutoff_hours: Option<i64>,
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 1000)]
    max_skips: Patch<i64>,
    #[schema(minimum = 1, maximum = 3650)]
    max_pause_days: Option<i64>,
    out_of_stock: Option<OutOfStock>,
    on_exhausted: Option<OnExhausted>,
    metadata: Option<MetadataPatch>,
}

impl CreatePlanRequest {
    pub(super) fn create(self, tx: &Tx<'_>, by: &str) -> Result<SubscriptionPlanId, PlanError> {
        let plan = Plan {
            id: SubscriptionPlanId::new(),
            name: self.name.into(),
            product_ids: in_order(self.product_ids),
            unit: self.interval,
            interval_count: self.interval_count.unwrap_or(1),
            kind: self.kind.unwrap_or(SubscriptionKind::Delivery),
            discount: discount_of(tx, self.discount)?,
            trial_days: self.trial_days.unwrap_or(0),
            min_cycles: self.min_cycles,
            max_cycles: self.max_cycles,
            allowed_frequencies: self.allowed_frequencies.unwrap_or_default(),
            cutoff_hours: self.cutoff_hours.unwrap_or(0),
            max_skips: self.max_skips,
            max_pause_days: self.max_pause_days.unwrap_or(180),
            out_of_stock: self.out_of_stock.unwrap_or(OutOfStock::Delay),
            on_exhausted: self.on_exhausted.unwrap_or(OnExhausted::Cancel),
            version: 1,
            superseded_by: None,
            metadata: self.metadata.unwrap_or_default().create()?,
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        write::create(tx, &plan, by)?;
        Ok(plan.id)
    }
}

impl UpdatePlanRequest {
    pub(super) fn update(
        self,
        tx: &Tx<'_>,
        id: &SubscriptionPlanId,
        by: &str,
    ) -> Result<(), PlanError> {
        let before = Plan::require::<PlanError>(tx, id)?;
        let mut plan = before.clone();
        crate::assign!(self => plan: name, interval_count, kind, trial_days, min_cycles, max_cycles,
            allowed_frequencies, cutoff_hours, max_skips, max_pause_days, out_of_stock, on_exhausted);
        self.product_ids.map(in_order).assign_to(&mut plan.product_ids);
        self.interval.assign_to(&mut plan.unit);
        if let Some(discount) = self.discount.sent() {
            plan.discount = discount_of(tx, discount)?;
        }
        plan.metadata.merge(self.metadata)?;
        write::change(tx, before, plan, by)
    }
}

/// Returns a requested discount; an amount without a currency is in the store's.
fn discount_of(
    tx: &Tx<'_>,
    requested: Option<DiscountRequest>,
) -> Result<Option<Discount>, PlanError> {
    let Some(requested) = requested else { return Ok(None) };
    Ok(Some(requested.into_discount(regions::default_currency(tx)?)?))
}

/// Returns the ids sorted, without duplicates, in the form in which they are stored.
fn in_order(mut ids: Vec<ProductId>) -> Vec<ProductId> {
    ids.sort_unstable();
    ids.dedup();
    ids
}
