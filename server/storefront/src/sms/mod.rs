//! Text messages: consents with their proof, which are reported to the provider, as are product views.
//!
//! Invariants: a consent is written before the provider is called, and its id is the idempotency key; an ended consent
//! never becomes valid again, and a later one is another row; nothing about a number is revealed to anyone who does not
//! have it; a number that sent STOP or whose owner was erased receives only replies until it sends START. Start at
//! [`opt_in::begin`], and at [`inbound`] for messages from numbers.

mod calling_codes;
mod consent;
mod error;
mod gateway;
mod inbound;
mod keyword;
mod opt_in;
mod phone;
mod provider;
mod queries;
mod routes;
mod sandbox;
mod sync;
mod views;

pub use gateway::SmsGateway;
pub use inbound::{HEAR, MESSAGES, hear};
pub use routes::router;
pub use sync::{DETACH, SYNC, detach, sync_again};
pub use views::{TELL, VIEWS, tell};
