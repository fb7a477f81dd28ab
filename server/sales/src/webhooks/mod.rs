//! Webhooks: what other systems report, and the events that go out.
//!
//! A delivery that comes in is verified over its bytes ([`receivers`]), stored before it is answered ([`intake`]), and
//! worked off ([`work`]): news of parcels become the event `shipment.status_changed`, whose subscriber makes the
//! fulfillment; the card processor's events are joined to what is known of a payment; the e-mail provider's to e-mails; text
//! messages become the event `sms.received`, which [`sms`] hands to its subscriber.
//! What fails is tried again, and dead after a while; administrators see all deliveries, deliver them again, or say
//! which order a parcel belongs to ([`redelivery`]). [`outbound`] sends events to endpoints.
//!
//! Invariants: what is not verified has no effect; a delivery has its effect once, however often and in which order it
//! comes; no delivery is answered before it is kept, except where the warehouse must not wait; what nobody has signed takes
//! at most its room.

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

pub use error::WebhookError;
pub use outbound::{DISPATCH, EVENTS, NOTICES, NOTIFY, SEND, notify, send};
pub use queries::prune;
pub use receive::ring::Ring;
pub use receive::room::Room;
pub use receivers::Receivers;
pub use routes::router;
pub use sms::{Message, RECEIVED, message, received, took_effect};
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
