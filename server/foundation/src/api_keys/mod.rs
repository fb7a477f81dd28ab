//! API keys: publishable keys identify a storefront's sales channels, secret keys have the permissions of an admin.
//!
//! Invariants: of a secret key only the digest is stored; only revoked keys are deleted; a revocation takes effect at
//! once. Start at [`create`], [`revoke`] and [`change_channels`].

mod error;
mod key;
mod queries;
mod routes;

pub use error::ApiKeyError;
pub use key::{ApiKey, KeyKind, LinkedChannel, NewKey, change_channels, create, find, revoke};
pub use routes::router;
