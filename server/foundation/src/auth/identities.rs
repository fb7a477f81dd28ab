//! Identities: an e-mail address with its password, for one type of actor. The actor is linked later, and may be removed.
//!
//! Invariant: no token outlives its identity or the password it was issued for.

use super::actor::ActorType;
use super::email::Email;
use super::error::AuthError;
use super::password::PasswordHash;
use super::queries;
use crate::database::{self, FromRow, Tx};
use crate::ids::IdentityId;

/// An e-mail address with its password.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Identity {
    pub id: IdentityId,
    pub actor_type: ActorType,
    pub email: Email,
    pub password_hash: PasswordHash,
    /// The customer or user, once linked.
    pub actor_id: Option<String>,
}

pub fn find(tx: &Tx<'_>, id: &IdentityId) -> Result<Option<Identity>, database::Error> {
    queries::identity(tx, id)
}

/// Creates an identity without an actor.
///
/// # Errors
/// [`AuthError::EmailTaken`] if the address already has an identity of this type.
pub fn create(
    tx: &Tx<'_>,
    actor_type: ActorType,
    email: &Email,
    password_hash: PasswordHash,
) -> Result<Identity, AuthError> {
    let (id, email) = (IdentityId::new(), email.clone());
    let identity = Identity { id, actor_type, email, password_hash, actor_id: None };
    queries::insert_identity(tx, &identity)
        .map_err(|error| error.or_taken(|| AuthError::EmailTaken))?;
    Ok(identity)
}

/// Deletes the identity of an address that is registered but has no actor: anybody can register any address.
pub fn release(tx: &Tx<'_>, actor_type: ActorType, email: &Email) -> Result<(), database::Error> {
    queries::delete_unclaimed(tx, actor_type, email)
}

/// Links an identity to its actor. Must be run by [`super::Credentials::change`].
///
/// # Errors
/// [`AuthError::Linked`] if it has one.
pub fn link(tx: &Tx<'_>, id: &IdentityId, actor_id: &str) -> Result<(), AuthError> {
    if queries::set_actor(tx, id, actor_id)? { Ok(()) } else { Err(AuthError::Linked) }
}

/// Deletes the identities of a removed actor, and their tokens. Must be run by [`super::Credentials::change`].
pub fn remove(tx: &Tx<'_>, actor_type: ActorType, actor_id: &str) -> Result<(), database::Error> {
    queries::delete_identities(tx, actor_type, actor_id)
}
