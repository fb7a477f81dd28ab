//! Registering, logging in and out, and new passwords.

use std::sync::Arc;

use super::actor::ActorType;
use super::credentials::{Credentials, Token, TokenKind};
use super::email::Email;
use super::error::AuthError;
use super::identities::{self, Identity};
use super::password::{NewPassword, Password, PasswordHash};
use super::queries::{self, NewToken};
use super::secret::{Secret, SecretDigest};
use crate::clock::Timestamp;
use crate::database::{self, Tx, Word as _};
use crate::events;
use crate::ids::IdentityId;
use crate::metadata::Metadata;

/// For how long a token sets a new password.
const RESET_MS: i64 = 15 * 60 * 1000;

/// What every token begins with, so that one that leaked is recognised.
const TOKEN_PREFIX: &str = "tok_";

/// The event that takes a token for a new password to its owner's mailbox.
const RESET_EVENT: &str = "auth.password_reset";

/// What [`RESET_EVENT`] says.
#[derive(Debug, serde::Serialize)]
struct ResetPayload<'a> {
    /// The address.
    entity_id: &'a Email,
    actor_type: ActorType,
    token: &'a str,
    /// What was sent with the request.
    metadata: &'a Metadata,
}

impl Credentials {
    /// Registers an address, or goes on with a registration that was broken off, and logs in.
    pub(super) async fn register(
        &self,
        actor_type: ActorType,
        email: Email,
        password: NewPassword,
    ) -> Result<Secret, AuthError> {
        let asked = email.clone();
        let found =
            self.db.read(move |tx| queries::identity_by_email(tx, actor_type, &asked)).await?;
        if let Some(identity) = found {
            // Invariant: whoever has an account cannot be told here from who is about to make one, by the time it takes.
            let hash = Some(identity.password_hash.clone());
            let fits = self.passwords.matches(password.into_password(), hash).await?;
            let may_go_on = fits && identity.actor_id.is_none();
            return if may_go_on { self.issue(identity).await } else { Err(AuthError::EmailTaken) };
        }
        let hash = self.passwords.hash(password).await?;
        let secret = Secret::generate(TOKEN_PREFIX)?;
        let digest = secret.digest();
        let span_ms = self.access_ms;
        self.db
            .write(move |tx| {
                let identity = identities::create(tx, actor_type, &email, hash)?;
                let expires_at = tx.now().plus_ms(span_ms);
                put(tx, digest, TokenKind::Access, &identity, expires_at)
            })
            .await?;
        Ok(secret)
    }

    /// Logs in.
    pub(super) async fn log_in(
        &self,
        actor_type: ActorType,
        email: Email,
        password: Password,
    ) -> Result<Secret, AuthError> {
        let identity =
            self.db.read(move |tx| queries::identity_by_email(tx, actor_type, &email)).await?;
        let hash = identity.as_ref().map(|identity| identity.password_hash.clone());
        let fits = self.passwords.matches(password, hash).await?;
        let Some(identity) = identity.filter(|_| fits) else {
            tracing::info!(actor = actor_type.as_str(), "a log-in was refused");
            return Err(AuthError::InvalidLogin);
        };
        self.issue(identity).await
    }

    /// Hands out an access token, unless the password was changed since it was compared.
    async fn issue(&self, compared: Identity) -> Result<Secret, AuthError> {
        let secret = Secret::generate(TOKEN_PREFIX)?;
        let (digest, span_ms) = (secret.digest(), self.access_ms);
        self.db
            .write(move |tx| {
                let identity = identities::find(tx, &compared.id)?
                    .filter(|identity| identity.password_hash == compared.password_hash)
                    .ok_or(AuthError::InvalidLogin)?;
                let expires_at = tx.now().plus_ms(span_ms);
                put(tx, digest, TokenKind::Access, &identity, expires_at)
            })
            .await?;
        Ok(secret)
    }

    /// Hands out another token to who holds one: an access token, or a session for a cookie.
    pub(super) async fn extend(
        &self,
        holder: &Token,
        kind: TokenKind,
    ) -> Result<Secret, AuthError> {
        let id = holder.identity_id.clone().ok_or(AuthError::Unauthorized)?;
        let secret = Secret::generate(TOKEN_PREFIX)?;
        let digest = secret.digest();
        let span_ms = if kind == TokenKind::Session { self.session_ms } else { self.access_ms };
        self.db
            .write(move |tx| {
                let identity = identities::find(tx, &id)?.ok_or(AuthError::Unauthorized)?;
                put(tx, digest, kind, &identity, tx.now().plus_ms(span_ms))
            })
            .await?;
        Ok(secret)
    }

    /// Takes back a token.
    pub(super) async fn log_out(&self, digest: SecretDigest) -> Result<(), database::Error> {
        self.change(move |tx| queries::delete_token(tx, digest)).await
    }

    /// Sends a token for a new password to an address, as an event, if it has an account.
    pub(super) async fn request_reset(
        &self,
        actor_type: ActorType,
        email: Email,
        metadata: Metadata,
    ) -> Result<(), AuthError> {
        let secret = Secret::generate(TOKEN_PREFIX)?;
        self.db
            .write(move |tx| {
                let identity = queries::identity_by_email(tx, actor_type, &email)?;
                put_reset(tx, actor_type, identity.as_ref(), &secret)?;
                identity
                    .map_or(Ok(()), |identity| announce_reset(tx, &identity, &secret, &metadata))
            })
            .await
    }

    /// Sets a new password, and takes back every token of the old one.
    pub(super) async fn set_password(
        &self,
        holder: Arc<Token>,
        email: Option<Email>,
        password: NewPassword,
    ) -> Result<(), AuthError> {
        let hash = self.passwords.hash(password).await?;
        let id = holder.identity_id.clone().ok_or(AuthError::Unauthorized)?;
        self.change(move |tx| replace_password(tx, &id, email, &hash)).await
    }
}

fn put(
    tx: &Tx<'_>,
    digest: SecretDigest,
    kind: TokenKind,
    identity: &Identity,
    expires_at: Timestamp,
) -> Result<(), AuthError> {
    let (actor_type, identity_id) = (identity.actor_type, Some(&identity.id));
    queries::insert_token(tx, &NewToken { digest, kind, actor_type, identity_id, expires_at })?;
    queries::delete_oldest_tokens(tx, &identity.id)?;
    Ok(())
}

/// Puts a token that sets a new password. For an address without an account it is nobody's, so that both take as long.
fn put_reset(
    tx: &Tx<'_>,
    actor_type: ActorType,
    identity: Option<&Identity>,
    secret: &Secret,
) -> Result<(), AuthError> {
    let token = NewToken {
        digest: secret.digest(),
        kind: TokenKind::Reset,
        actor_type,
        identity_id: identity.map(|identity| &identity.id),
        expires_at: tx.now().plus_ms(RESET_MS),
    };
    Ok(queries::insert_token(tx, &token)?)
}

/// Takes a token that sets a new password to its owner.
fn announce_reset(
    tx: &Tx<'_>,
    identity: &Identity,
    secret: &Secret,
    metadata: &Metadata,
) -> Result<(), AuthError> {
    queries::delete_oldest_tokens(tx, &identity.id)?;
    let (entity_id, actor_type, token) = (&identity.email, identity.actor_type, secret.reveal());
    events::record(tx, RESET_EVENT, &ResetPayload { entity_id, actor_type, token, metadata })?;
    tracing::info!(identity = %identity.id, "a new password was asked for");
    Ok(())
}

fn replace_password(
    tx: &Tx<'_>,
    id: &IdentityId,
    email: Option<Email>,
    hash: &PasswordHash,
) -> Result<(), AuthError> {
    // Another use of the same token may have come first, and taken it back with the others.
    if !queries::has_reset_token(tx, id)? {
        return Err(AuthError::Unauthorized);
    }
    let identity = identities::find(tx, id)?.ok_or(AuthError::Unauthorized)?;
    if email.is_some_and(|email| email != identity.email) {
        return Err(AuthError::Unauthorized);
    }
    queries::set_password(tx, id, hash)?;
    queries::delete_tokens_of(tx, id)?;
    Ok(())
}

/// Removes the tokens that have ended; answers how many.
///
/// # Errors
/// When the database cannot be written.
pub fn forget_ended(tx: &Tx<'_>) -> Result<usize, database::Error> {
    queries::delete_ended_tokens(tx)
}
