//! Validation of plans.

use super::error::PlanError;
use super::plan::Plan;

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

pub(super) fn check(plan: &Plan) -> Result<(), PlanError> {
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
