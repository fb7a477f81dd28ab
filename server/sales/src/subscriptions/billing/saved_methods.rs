//! What happens to subscriptions when a customer's saved method is added, changes or ends.
//!
//! A subscription whose method ends is paid with another one of the customer. If there is none, it is paid with the next one
//! saved.

use serde::Deserialize;

use crate::database::{self, Table as _, Tx};
use crate::events::{Event, Subscriber};
use crate::ids::{PaymentMethodId, SubscriptionId};
use crate::payments::methods::{self, PaymentMethod};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::{change, queries};

/// Tries the unpaid cycles again that are paid with a method that its provider has updated.
pub fn method_updated(tx: &Tx<'_>, method: &PaymentMethodId) -> Result<(), SubscriptionError> {
    for id in queries::paid_with(tx, method, Some(SubscriptionStatus::PastDue))? {
        pay_with(tx, &id, method)?;
    }
    Ok(())
}

/// Replaces a method that has ended at its provider by another one of the customer.
pub fn method_ended(tx: &Tx<'_>, ended: &PaymentMethod) -> Result<(), SubscriptionError> {
    let Some(other) = methods::in_place_of(tx, ended)? else { return Ok(()) };
    for id in queries::paid_with(tx, &ended.id, None)? {
        pay_with(tx, &id, &other.id)?;
    }
    Ok(())
}

/// Uses each method that a customer saves for their subscriptions that are past due, or whose method has ended.
pub const SAVED_METHODS: Subscriber = Subscriber {
    name: "subscriptions.saved_methods",
    events: &["payment_method.saved"],
    handle: method_saved,
};

fn method_saved(tx: &Tx<'_>, event: &Event) -> Result<(), database::Error> {
    let Ok(Saved { id }) = serde_json::from_str(&event.payload) else { return Ok(()) };
    for subscription in queries::unpayable_of_owner(tx, &id)? {
        match pay_with(tx, &subscription, &id) {
            Err(SubscriptionError::Db(error)) => return Err(error),
            Err(error) => {
                tracing::error!(%error, %subscription, "a saved method cannot be tried");
            }
            Ok(()) => {}
        }
    }
    Ok(())
}

/// The method of an event.
#[derive(Deserialize)]
struct Saved {
    id: PaymentMethodId,
}

/// Sets the method of a subscription. An unpaid cycle is tried with it immediately, in addition to the scheduled attempts.
fn pay_with(
    tx: &Tx<'_>,
    id: &SubscriptionId,
    method: &PaymentMethodId,
) -> Result<(), SubscriptionError> {
    let mut subscription = change::load(tx, id)?;
    subscription.payment_method_id = Some(method.clone());
    change::save(tx, &mut subscription)?;
    if subscription.status == SubscriptionStatus::PastDue {
        subscription.acts_at = Some(tx.now());
        subscription.update(tx)?;
    }
    Ok(())
}
