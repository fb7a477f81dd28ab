//! The view of plans.

use serde::Serialize;
use utoipa::ToSchema;

use super::discount::DiscountView;
use super::error::PlanError;
use super::plan::{Interval, OnExhausted, OutOfStock, Plan, SubscriptionKind, Unit};
use crate::clock::Timestamp;
use crate::database::listing::ListQuery;
use crate::database::{Listable as _, Tx};
use crate::http::{Resource, Selection};
use crate::ids::{ProductId, SubscriptionPlanId};
use crate::metadata::Metadata;
use crate::resource::View;

/// How products may be subscribed to.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "subscription plan", key = "subscription_plan", rows = Plan)]
#[schema(as = SubscriptionPlan, example = json!({
    "id": "subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "name": "Monthly", "interval": "month", "interval_count": 1,
    "kind": "delivery", "discount": { "type": "percent", "value": 10 }, "version": 1,
}))]
pub(super) struct PlanView {
    id: SubscriptionPlanId,
    name: String,
    product_ids: Vec<ProductId>,
    interval: Unit,
    interval_count: i64,
    kind: SubscriptionKind,
    #[schema(value_type = Option<DiscountView>)]
    discount: Option<DiscountView>,
    /// The days before the first payment.
    trial_days: i64,
    /// The cycles before a customer can cancel.
    min_cycles: Option<i64>,
    /// The cycles after which a subscription ends; null for no end.
    max_cycles: Option<i64>,
    /// The frequencies that subscribers can change to.
    allowed_frequencies: Vec<Interval>,
    /// The hours before a renewal in which its subscriber cannot change it.
    cutoff_hours: i64,
    /// The deliveries in a row that can be skipped; null for no limit.
    max_skips: Option<i64>,
    max_pause_days: i64,
    out_of_stock: OutOfStock,
    on_exhausted: OnExhausted,
    /// From 1; each change of the plan raises it.
    version: i64,
    /// The plan of which this is an older version, kept by running subscriptions; null for a current plan.
    superseded_by: Option<SubscriptionPlanId>,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<Plan> for PlanView {
    fn from(plan: Plan) -> Self {
        Self {
            discount: plan.discount().map(DiscountView::from),
            id: plan.id,
            name: plan.name,
            product_ids: plan.product_ids,
            interval: plan.unit,
            interval_count: plan.interval_count,
            kind: plan.kind,
            trial_days: plan.trial_days,
            min_cycles: plan.min_cycles,
            max_cycles: plan.max_cycles,
            allowed_frequencies: plan.allowed_frequencies,
            cutoff_hours: plan.cutoff_hours,
            max_skips: plan.max_skips,
            max_pause_days: plan.max_pause_days,
            out_of_stock: plan.out_of_stock,
            on_exhausted: plan.on_exhausted,
            version: plan.version,
            superseded_by: plan.superseded_by,
            metadata: plan.metadata,
            created_at: plan.created_at,
            updated_at: plan.updated_at,
        }
    }
}

impl View for PlanView {
    type Row = Plan;
    type Error = PlanError;

    /// Returns a page of the current plans.
    fn page(
        tx: &Tx<'_>,
        query: ListQuery,
        _selection: &Selection,
    ) -> Result<(Vec<Self>, u64), PlanError> {
        let (plans, count) = Plan::page(tx, query.narrow("p.superseded_by is null", []))?;
        Ok((plans.into_iter().map(Self::from).collect(), count))
    }
}
