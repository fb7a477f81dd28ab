//! Text messages: consents with their proof, which the provider is told of, and the views of products it is told of.
//!
//! Invariants: the consent is written before the provider is asked, under its id; a consent that ended never begins
//! again, and a later one is another row; nothing is told about a number to anyone who does not hold it; nothing but an
//! answer is sent to a number that sent STOP or whose owner was erased, until it sends START. Start at
//! [`opt_in::begin`], and at [`inbound`] for what numbers send.

mod calling_codes;
mod confirm;
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
