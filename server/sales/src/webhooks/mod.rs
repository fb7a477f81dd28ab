//! Webhooks: incoming reports from other systems, and outgoing events.
//!
//! An incoming delivery is verified over its bytes ([`receivers`]), stored before it is answered ([`intake`]), and processed
//! ([`work`]): news of parcels becomes the event `shipment.status_changed`, whose subscriber creates the fulfillment; the
//! card processor's events are joined to the known facts about a payment; the e-mail provider's to e-mails; text messages
//! become the event `sms.received`, which [`sms`] passes to its subscriber. Failed deliveries are retried, and become dead
//! letters after a while; administrators see all deliveries, can redeliver them, or assign a parcel to an order
//! ([`redelivery`]). [`outbound`] sends events to endpoints.
//!
//! Invariants: an unverified delivery has no effect; a delivery has its effect once, however often and in whatever order
//! deliveries arrive; no delivery is answered before it is stored, except where the warehouse must not wait; unsigned
//! deliveries use at most their allotted space.

mod announce;
mod delivery;
mod email;
mod error;
mod intake;
mod outbound;
mod processor;
mod queries;
mod receive;
mod receivers;
mod redelivery;
mod routes;
mod shipments;
mod sms;
mod state;
mod vocabulary;
mod work;

pub use announce::delivery_of;
pub use error::WebhookError;
pub use outbound::{DISPATCH, EVENTS, NOTICES, NOTIFY, SEND, notify, send};
pub use queries::prune;
pub use receive::quota::Quota;
pub use receive::ring::Ring;
pub use receivers::Receivers;
pub use routes::router;
pub use sms::{Message, RECEIVED, message, took_effect};
pub use state::Inbox;
pub use work::{HANDLE, PARCELS, handle_again};

use serde::Deserialize;

/// Returns the member `type` of a JSON object.
fn event_type(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Typed {
        #[serde(rename = "type")]
        kind: String,
    }
    serde_json::from_slice::<Typed>(body).ok().map(|typed| typed.kind)
}
