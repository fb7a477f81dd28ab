//! Creates, changes and deletes plans.

use serde_json::json;

use super::error::PlanError;
use super::plan::Plan;
use super::queries;
use crate::audit_log::{self, EntityType};
use crate::database::{Table as _, Tx, first_missing_of_new};
use crate::events;
use crate::http::to_value;
use crate::ids::{ProductId, SubscriptionPlanId};

pub(super) fn create(tx: &Tx<'_>, plan: &Plan, actor_id: &str) -> Result<(), PlanError> {
    check(tx, plan, &[])?;
    plan.insert(tx)?;
    queries::set_parts(tx, plan)?;
    let created = Plan::require::<PlanError>(tx, &plan.id)?;
    record(tx, "create", None, Some(&created), actor_id)
}

/// Writes a changed plan as a new version, unless nothing has changed. The previous version becomes a separate plan,
/// which the subscriptions that use it keep.
pub(super) fn change(
    tx: &Tx<'_>,
    before: Plan,
    mut plan: Plan,
    actor_id: &str,
) -> Result<(), PlanError> {
    if let Some(current) = before.superseded_by {
        return Err(PlanError::Superseded { id: before.id, current });
    }
    if to_value(&before).ok() == to_value(&plan).ok() {
        return Ok(());
    }
    check(tx, &plan, &before.product_ids)?;
    queries::archive(tx, &SubscriptionPlanId::new(), &before.id)?;
    plan.version = plan.version.saturating_add(1);
    plan.update(tx)?;
    queries::set_parts(tx, &plan)?;
    let changed = Plan::require::<PlanError>(tx, &plan.id)?;
    record(tx, "update", Some(&before), Some(&changed), actor_id)
}

/// Marks a plan as deleted: it is no longer offered, and running subscriptions keep it.
pub(super) fn delete(
    tx: &Tx<'_>,
    id: &SubscriptionPlanId,
    actor_id: &str,
) -> Result<(), PlanError> {
    let plan = Plan::require::<PlanError>(tx, id)?;
    if let Some(current) = plan.superseded_by {
        return Err(PlanError::Superseded { id: plan.id, current });
    }
    Plan::remove::<PlanError>(tx, id)?;
    record(tx, "delete", Some(&plan), None, actor_id)
}

fn check(tx: &Tx<'_>, plan: &Plan, known: &[ProductId]) -> Result<(), PlanError> {
    check_terms(plan)?;
    match first_missing_of_new(tx, "product", &plan.product_ids, known)? {
        Some(id) => Err(PlanError::UnknownProduct { id }),
        None => Ok(()),
    }
}

/// Writes a change to the audit log and records its event.
fn record(
    tx: &Tx<'_>,
    action: &'static str,
    before: Option<&Plan>,
    after: Option<&Plan>,
    actor_id: &str,
) -> Result<(), PlanError> {
    let Some(plan) = after.or(before) else { return Ok(()) };
    let entity = (EntityType::SubscriptionPlan, plan.id.as_str());
    audit_log::record_change(tx, entity, action, (before, after), actor_id)?;
    let name = match action {
        "create" => "subscription_plan.created",
        "update" => "subscription_plan.updated",
        _ => "subscription_plan.deleted",
    };
    Ok(events::record(tx, name, &json!({ "id": plan.id, "version": plan.version }))?)
}

/// Limit: products of one plan.
const MAX_PRODUCTS: usize = 1_000;

/// Limit: frequencies that one plan allows.
const MAX_FREQUENCIES: usize = 50;

/// Limit: cycles of `min_cycles` and `max_cycles`.
const MAX_CYCLES: i64 = 1_000;

/// Limit: hours before a renewal in which it cannot be changed, 30 days.
const MAX_CUTOFF_HOURS: i64 = 720;

/// Limit: days of a pause.
const MAX_PAUSE_DAYS: i64 = 3_650;

fn check_terms(plan: &Plan) -> Result<(), PlanError> {
    if plan.product_ids.is_empty() {
        return Err(PlanError::Invalid("`product_ids` must name at least one product"));
    }
    if plan.product_ids.len() > MAX_PRODUCTS {
        return Err(PlanError::Invalid("`product_ids` must name at most 1000 products"));
    }
    check_frequencies(plan)?;
    for (field, value, least, most) in [
        ("trial_days", Some(plan.trial_days), 0, 365),
        ("min_cycles", plan.min_cycles, 1, MAX_CYCLES),
        ("max_cycles", plan.max_cycles, 1, MAX_CYCLES),
        ("cutoff_hours", Some(plan.cutoff_hours), 0, MAX_CUTOFF_HOURS),
        ("max_skips", plan.max_skips, 0, MAX_CYCLES),
        ("max_pause_days", Some(plan.max_pause_days), 1, MAX_PAUSE_DAYS),
    ] {
        if let Some(value) = value {
            within(field, value, least, most)?;
        }
    }
    if let (Some(min), Some(max)) = (plan.min_cycles, plan.max_cycles)
        && max < min
    {
        return Err(PlanError::Invalid("`max_cycles` must not be less than `min_cycles`"));
    }
    Ok(())
}

fn check_frequencies(plan: &Plan) -> Result<(), PlanError> {
    within("interval_count", plan.interval_count, 1, 52)?;
    let allowed = &plan.allowed_frequencies;
    if allowed.len() > MAX_FREQUENCIES {
        return Err(PlanError::Invalid("`allowed_frequencies` must have at most 50 entries"));
    }
    for (index, interval) in allowed.iter().enumerate() {
        within("allowed_frequencies.interval_count", interval.count, 1, 52)?;
        if allowed.iter().take(index).any(|other| other == interval) {
            return Err(PlanError::Invalid("`allowed_frequencies` has the same entry twice"));
        }
    }
    Ok(())
}

fn within(field: &'static str, value: i64, least: i64, most: i64) -> Result<(), PlanError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(PlanError::OutOfBounds { field, value, least, most })
    }
}
