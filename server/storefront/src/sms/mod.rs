//! Text messages: consents with their proof, which the provider is told of, and the views of products it is told of.
//!
//! Invariants: the consent is written before the provider is asked, under its id; a consent that ended never begins
//! again, and a later one is another row; nothing is told about a number to anyone who does not hold it. Start at
//! [`opt_in::begin`].

mod calling_codes;
mod confirm;
mod consent;
mod error;
mod gateway;
mod opt_in;
mod phone;
mod provider;
mod queries;
mod routes;
mod sandbox;
mod sync;
mod views;

use utoipa_axum::router::OpenApiRouter;

pub use gateway::SmsGateway;
pub use sync::{SYNC, sync_again};
pub use views::{TELL, VIEWS, tell};

use crate::state::VisitorState;

/// The store and admin routes of consents to text messages.
pub fn router() -> OpenApiRouter<VisitorState> {
    routes::router()
}
