//! The plans of lines.

use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::cart::pricing;
use crate::database::{Missing, Tx};
use crate::http::Refusal;
use crate::ids::{CartLineId, SubscriptionPlanId};

/// A line, and the plan to set; none removes it.
pub(crate) type PlanChoice = (CartLineId, Option<SubscriptionPlanId>);

/// Sets and removes the plans of lines, all or none; the refresh sets their prices.
///
/// # Errors
/// [`CartError::PlanNotOffered`] for a plan that the line's product does not have.
pub(crate) fn set(tx: &Tx<'_>, cart: &mut Cart, choices: &[PlanChoice]) -> Result<(), CartError> {
    let plans = pricing::plans_of(tx, choices.iter().filter_map(|(_, plan_id)| plan_id.as_ref()))?;
    for (index, (id, plan_id)) in choices.iter().enumerate() {
        if choices.iter().take(index).any(|(other, _)| other == id) {
            return Err(Refusal::invalid(format!("`items` names {id} twice")).into());
        }
        let line = cart.lines.iter_mut().find(|line| line.id == *id);
        let line = line.ok_or_else(|| Missing::new("Line item", id))?;
        if let Some(plan_id) = plan_id {
            let product_id = line.item.product_id.as_ref();
            let plan = plans.get(plan_id);
            let is_offered = product_id.zip(plan).is_some_and(|(id, plan)| plan.offers(id));
            if !is_offered {
                let (id, plan_id) = (id.clone(), plan_id.clone());
                return Err(CartError::PlanNotOffered { id, plan_id });
            }
        }
        line.plan_id.clone_from(plan_id);
    }
    Ok(())
}
