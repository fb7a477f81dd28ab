//! Makes an unpaid cycle void.

use serde_json::json;

use crate::database::Tx;
use crate::subscriptions::actions::Actor;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::Subscription;
use crate::subscriptions::{billing, change, queries};

/// Makes the open cycle void: nothing is owed for it, a past due subscription becomes active again, and deliveries that
/// fell due in the meantime are skipped.
///
/// # Errors
/// [`SubscriptionError::Refused`] if the cycle is not unpaid.
pub(crate) fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    number: i64,
) -> Result<(), SubscriptionError> {
    let open = queries::open_cycle(tx, &subscription.id)?;
    if open.is_none_or(|cycle| cycle.number != number) {
        return Err(SubscriptionError::Refused(format!("Cycle {number} is not unpaid")));
    }
    change::void_open_cycle(tx, subscription)?;
    if subscription.status == SubscriptionStatus::PastDue {
        let cause = actor.cause("void");
        change::enter(tx, subscription, SubscriptionStatus::Active, &cause)?;
    }
    billing::skip_missed(tx, subscription)?;
    change::save(tx, subscription)?;
    let facts = json!({ "cycle": number, "reason": "void" });
    change::event(tx, "subscription.skipped", subscription, facts)
}
