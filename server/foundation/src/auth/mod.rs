//! Credentials: who is asking, and what they may do.
//!
//! Tokens and keys are 256 random bits of which only the SHA-256 is kept; a token is bound to one kind of actor and
//! ends by itself; what is taken back counts at once, because [`Credentials`] is told after the commit. Passwords are
//! Argon2id. Handlers take an extractor: [`AdminReader`],
//! [`AdminAnalyst`], [`AdminWriter`], [`Shop`], [`Shopper`], [`Registered`].

mod accounts;
mod actor;
mod credentials;
mod email;
mod error;
mod extract;
pub mod identities;
mod password;
mod queries;
mod routes;
mod secret;
mod shown;

pub use accounts::forget_ended;
pub use actor::{ActorType, AdminActor, Role};
pub use credentials::Credentials;
pub use email::{Email, EmailError};
pub use error::AuthError;
pub use extract::{
    AdminAnalyst, AdminReader, AdminWriter, Registered, RegisteredUser, Shop, Shopper,
};
pub use password::{NewPassword, Password, PasswordError, PasswordRefusal};
pub use secret::{RandomError, Secret, SecretDigest};

use utoipa_axum::router::OpenApiRouter;

use crate::state::Shared;

/// Registering, logging in and out, sessions, and new passwords.
pub fn router() -> OpenApiRouter<Shared> {
    routes::router()
}
