//! Creates, changes and deletes plans.

use serde_json::{Value, json};

use super::error::PlanError;
use super::plan::Plan;
use super::{draft, queries};
use crate::audit_log::{self, EntityType};
use crate::database::{Table as _, Tx, first_missing_of_new};
use crate::events;
use crate::ids::{ProductId, SubscriptionPlanId};

pub(super) fn create(tx: &Tx<'_>, plan: &Plan, actor_id: &str) -> Result<(), PlanError> {
    check(tx, plan, &[])?;
    plan.insert(tx)?;
    queries::set_parts(tx, plan)?;
    let created = Plan::require::<PlanError>(tx, &plan.id)?;
    record(tx, "create", (None, Some(&created)), actor_id)
}

/// Writes a changed plan as a new version, unless nothing has changed. The version before becomes a plan of its own,
/// which the subscriptions that run with it keep.
pub(super) fn change(
    tx: &Tx<'_>,
    before: Plan,
    mut plan: Plan,
    actor_id: &str,
) -> Result<(), PlanError> {
    if let Some(current) = before.superseded_by {
        return Err(PlanError::Superseded { id: before.id, current });
    }
    if snapshot(&before) == snapshot(&plan) {
        return Ok(());
    }
    check(tx, &plan, &before.product_ids)?;
    queries::archive(tx, &SubscriptionPlanId::new(), &before.id)?;
    plan.version = plan.version.saturating_add(1);
    plan.update(tx)?;
    queries::set_parts(tx, &plan)?;
    let changed = Plan::require::<PlanError>(tx, &plan.id)?;
    record(tx, "update", (Some(&before), Some(&changed)), actor_id)
}

/// Marks a plan as deleted: it is offered no more, and running subscriptions keep it.
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
    record(tx, "delete", (Some(&plan), None), actor_id)
}

fn check(tx: &Tx<'_>, plan: &Plan, known: &[ProductId]) -> Result<(), PlanError> {
    draft::check(plan)?;
    match first_missing_of_new(tx, "product", &plan.product_ids, known)? {
        Some(id) => Err(PlanError::UnknownProduct { id }),
        None => Ok(()),
    }
}

/// Writes a change to the audit log and records its event.
fn record(
    tx: &Tx<'_>,
    action: &'static str,
    (before, after): (Option<&Plan>, Option<&Plan>),
    actor_id: &str,
) -> Result<(), PlanError> {
    let Some(plan) = after.or(before) else { return Ok(()) };
    let entry = audit_log::Entry {
        entity_type: EntityType::SubscriptionPlan,
        entity_id: plan.id.as_str(),
        action,
        actor_id,
        before: before.map_or(Value::Null, snapshot),
        after: after.map_or(Value::Null, snapshot),
    };
    audit_log::record(tx, &entry)?;
    let name = match action {
        "create" => "subscription_plan.created",
        "update" => "subscription_plan.updated",
        _ => "subscription_plan.deleted",
    };
    Ok(events::record(tx, name, &json!({ "id": plan.id, "version": plan.version }))?)
}

/// Returns the plan as the audit log records it.
fn snapshot(plan: &Plan) -> Value {
    // A plan consists of strings, numbers and lists, so serialization cannot fail.
    serde_json::to_value(plan).unwrap_or_default()
}
