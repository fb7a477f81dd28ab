//! Identities: an address with its password, for one kind of actor. The actor comes later, and may go.
//!
//! Invariant: no token outlives its identity, nor the password that it was given for.

use super::actor::ActorType;
use super::email::Email;
use super::error::AuthError;
use super::password::PasswordHash;
use super::queries;
use crate::database::{self, Tx};
use crate::ids::IdentityId;

/// An address with its password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub id: IdentityId,
    pub actor_type: ActorType,
    pub email: Email,
    pub password_hash: PasswordHash,
    /// The customer or user, once there is one.
    pub actor_id: Option<String>,
}

/// The identity with this id.
///
/// # Errors
/// When the database cannot be read.
pub fn find(tx: &Tx<'_>, id: &IdentityId) -> Result<Option<Identity>, database::Error> {
    queries::identity(tx, id)
}

/// Makes an identity; without an actor it can only become one.
///
/// # Errors
/// [`AuthError::EmailTaken`] when the address has one of this kind already.
pub fn create(
    tx: &Tx<'_>,
    actor_type: ActorType,
    email: &Email,
    password_hash: PasswordHash,
) -> Result<Identity, AuthError> {
    let (id, email) = (IdentityId::new(), email.clone());
    let identity = Identity { id, actor_type, email, password_hash, actor_id: None };
    match queries::insert_identity(tx, &identity) {
        Ok(()) => Ok(identity),
        Err(database::Error::Duplicate(_)) => Err(AuthError::EmailTaken),
        Err(error) => Err(error.into()),
    }
}

/// Binds an identity to its actor. Write it through [`super::Credentials::change`].
///
/// # Errors
/// [`AuthError::Linked`] when it has one already.
pub fn link(tx: &Tx<'_>, id: &IdentityId, actor_id: &str) -> Result<(), AuthError> {
    if queries::set_actor(tx, id, actor_id)? { Ok(()) } else { Err(AuthError::Linked) }
}

/// Removes the identities of an actor who is gone, and their tokens. Write it through [`super::Credentials::change`].
///
/// # Errors
/// When the database cannot be written.
pub fn remove(tx: &Tx<'_>, actor_type: ActorType, actor_id: &str) -> Result<(), database::Error> {
    queries::delete_identities(tx, actor_type, actor_id)
}
