//! The badge of a verified purchase: given when a review is written, and removed when the purchase
//! is undone.

use serde::Deserialize;

use super::queries;
use super::review::Review;
use crate::database::{Error, Table as _, Tx};
use crate::events::{Event, Subscriber};
use crate::ids::OrderId;

/// The subscriber that removes badges when an order is canceled, or its goods or money are returned. A refund to store
/// credit is reported by the order's update event.
pub const BADGES: Subscriber = Subscriber {
    name: "reviews.badges",
    events: &["order.canceled", "order.updated", "return.received", "payment.refunded"],
    handle: check,
};

/// The order that an event is about: `order_id`, or the id of the event's own subject.
#[derive(Debug, Deserialize)]
struct Subject {
    id: Option<String>,
    order_id: Option<OrderId>,
}

/// Looks for a proof of purchase again for each review whose badge depends on the event's order.
fn check(tx: &Tx<'_>, event: &Event) -> Result<(), Error> {
    let Ok(subject) = serde_json::from_str::<Subject>(&event.payload) else { return Ok(()) };
    let own = || subject.id.as_deref().and_then(|id| id.parse::<OrderId>().ok());
    let Some(order_id) = subject.order_id.clone().or_else(own) else { return Ok(()) };
    for review in queries::verified_by(tx, &order_id)? {
        let verified_order_id = queries::order_with(tx, &review)?;
        if verified_order_id.as_ref() != Some(&order_id) {
            Review { verified_order_id, ..review }.update(tx)?;
        }
    }
    Ok(())
}
