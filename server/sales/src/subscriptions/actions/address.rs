//! Sends the next parcel, or all further ones, to another address.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Actor, check_cutoff};
use crate::cart;
use crate::cart::contents::Address;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::subscription::Subscription;
use crate::subscriptions::{billing, change};

/// Which parcels go to an address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ApplyToRequest)]
pub enum ApplyTo {
    #[default]
    Subscription,
    /// The next parcel alone.
    Next,
}

/// Changes the address, which must be in a country of the region that the goods can be sent to.
pub fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    address: Option<Address>,
    apply_to: ApplyTo,
) -> Result<(), SubscriptionError> {
    subscription.check("change-address")?;
    check_cutoff(tx, subscription, actor)?;
    match apply_to {
        ApplyTo::Subscription => {
            subscription.shipping_address = address;
            subscription.next_shipping_address = None;
        }
        ApplyTo::Next => subscription.next_shipping_address = address,
    }
    let (number, due_at) = billing::next(tx, subscription)?;
    let bill = billing::compute(tx, subscription, number, due_at)?;
    let is_sent = bill.cart.lines.iter().any(|line| line.item.requires_shipping);
    if is_sent && bill.cart.shipping_methods.is_empty() {
        return Err(cart::CartError::OptionNotOffered.into());
    }
    change::save(tx, subscription)?;
    let facts = json!({ "apply_to": apply_to });
    change::event(tx, "subscription.address_changed", subscription, facts)
}
