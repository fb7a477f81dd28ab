//! API keys: publishable ones name a storefront's sales channels, secret ones may do what an admin may.
//!
//! Invariants: of a secret key only the digest is kept; a key that holds is not deleted; what is revoked counts at
//! once. Start at [`create`], [`revoke`] and [`change_channels`].

mod error;
mod key;
mod queries;
mod routes;

use utoipa_axum::router::OpenApiRouter;

pub use error::ApiKeyError;
pub use key::{ApiKey, KeyKind, LinkedChannel, NewKey, change_channels, create, find, revoke};

use crate::state::Shared;

/// The routes of API keys.
pub fn router() -> OpenApiRouter<Shared> {
    routes::router()
}
