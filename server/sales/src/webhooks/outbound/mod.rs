//! Events that go out, to the endpoints that administrators register.
//!
//! A subscriber of the outbox makes a delivery of each event for each endpoint that wants it, in the transaction that
//! moves its position, so that none is lost or made twice. A job sends a delivery, under the event's id, until it is
//! taken or given up. Payloads are thin: ids and states, no address and no name; who reads the resource gets today's
//! truth. Nothing is promised of the order of events; `version` grows with each, so that an older one can be told.

mod dispatch;
pub(super) mod endpoint;
mod notice;
mod schedule;
pub(super) mod send;

pub use dispatch::{DISPATCH, EVENTS};
pub use notice::{NOTICES, NOTIFY, notify};
pub use send::{SEND, send};
