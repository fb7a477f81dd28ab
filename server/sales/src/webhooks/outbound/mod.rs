//! Events that go out, to the endpoints that administrators register.
//!
//! A subscriber of the outbox creates a delivery of each event for each subscribed endpoint, in the transaction that
//! moves its position, so that none is lost or duplicated. A job sends a delivery, with the event's id, until it is
//! accepted or abandoned. Payloads are thin: ids and states, without addresses and names; clients read the resource
//! for its current state. The order of events is not guaranteed; `version` increases with each, so that older ones
//! can be recognised.

mod dispatch;
pub(super) mod endpoint;
mod events;
mod notice;
mod schedule;
pub(super) mod send;

pub use dispatch::DISPATCH;
pub use events::EVENTS;
pub use notice::{NOTICES, NOTIFY, notify};
pub use send::{SEND, send};
