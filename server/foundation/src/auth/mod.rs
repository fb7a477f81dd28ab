//! Authentication and permissions.
//!
//! Tokens and keys are 256 random bits, of which only the SHA-256 is stored. A token is bound to one type of actor and
//! expires. Revocations take effect at once, because [`Credentials`] invalidates its cache after the commit. Passwords
//! are hashed by Argon2id. Handlers take an extractor: [`AdminReader`], [`AdminAnalyst`], [`AdminWriter`], [`Shop`],
//! [`Shopper`], [`Registered`], [`PartnerReader`].

mod accounts;
mod actor;
mod authenticate;
pub mod clients;
mod credentials;
mod email;
mod error;
mod extract;
pub mod identities;
pub mod partners;
mod password;
mod pseudonym;
mod queries;
mod request_credential;
pub mod reset;
mod routes;
mod secret;
#[cfg(test)]
mod tests;

pub use accounts::forget_ended;
pub use actor::{ActorType, AdminActor, Role};
pub use authenticate::{look_up_caller, look_up_client};
pub use credentials::Credentials;
pub use email::{Email, EmailError};
pub use error::AuthError;
pub use extract::{
    AdminAnalyst, AdminReader, AdminWriter, PartnerReader, Registered, RegisteredUser, Shop,
    Shopper,
};
pub use password::{NewPassword, Password, PasswordError, PasswordRefusal};
pub use pseudonym::{DayKeys, Pseudonym, PseudonymKey};
pub use routes::router;
pub use secret::{RandomError, Secret, SecretDigest};
