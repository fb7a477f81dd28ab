//! Credentials: who is asking, and what they may do.
//!
//! Tokens and keys are 256 random bits of which only the SHA-256 is kept; a token is bound to one kind of actor and
//! ends by itself; what is taken back counts at once, because [`Credentials`] is told after the commit. Passwords are
//! Argon2id. Handlers take an extractor: [`AdminReader`], [`AdminWriter`], [`Shop`], [`Shopper`], [`Registered`].

mod actor;
mod credentials;
mod extract;
mod queries;
mod secret;
mod shown;

pub use actor::{ActorType, AdminActor, Role};
pub use credentials::Credentials;
pub use extract::{AdminReader, AdminWriter, Registered, Shop, Shopper};
pub use secret::{RandomError, Secret, SecretDigest};
