//! Registration, login, logout, and password resets.

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

/// How long a password reset token is valid.
const RESET_MS: i64 = 15 * 60 * 1000;

/// The prefix of tokens, so that leaked ones are recognised.
const TOKEN_PREFIX: &str = "tok_";

/// The event that delivers a password reset token to the owner's mailbox.
const RESET_EVENT: &str = "auth.password_reset";

/// The payload of [`RESET_EVENT`].
#[derive(Debug, serde::Serialize)]
struct ResetPayload<'a> {
    /// The e-mail address.
    entity_id: &'a Email,
    actor_type: ActorType,
    token: &'a str,
    /// The metadata of the request.
    metadata: &'a Metadata,
}

impl Credentials {
    /// Registers an address, or resumes an interrupted registration, and logs in.
    pub(super) async fn register(
        &self,
        actor_type: ActorType,
        email: Email,
        password: NewPassword,
    ) -> Result<Secret, AuthError> {
        let address = email.clone();
        let existing =
            self.db.read(move |tx| queries::identity_by_email(tx, actor_type, &address)).await?;
        if let Some(identity) = existing {
            // Invariant: the response time does not reveal whether an address has an account or an unfinished
            // registration.
            let hash = Some(identity.password_hash.clone());
            let fits = self.passwords.matches(password.into_password(), hash).await?;
            let may_resume = fits && identity.actor_id.is_none();
            return if may_resume {
                self.issue(identity).await
            } else {
                Err(AuthError::EmailTaken)
            };
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

    /// Issues an access token, unless the password was changed since it was verified.
    async fn issue(&self, verified: Identity) -> Result<Secret, AuthError> {
        let secret = Secret::generate(TOKEN_PREFIX)?;
        let (digest, span_ms) = (secret.digest(), self.access_ms);
        self.db
            .write(move |tx| {
                let identity = identities::find(tx, &verified.id)?
                    .filter(|identity| identity.password_hash == verified.password_hash)
                    .ok_or(AuthError::InvalidLogin)?;
                let expires_at = tx.now().plus_ms(span_ms);
                put(tx, digest, TokenKind::Access, &identity, expires_at)
            })
            .await?;
        Ok(secret)
    }

    /// Issues another token to the holder of one: an access token, or a session for a cookie.
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

    /// Revokes a token.
    pub(super) async fn log_out(&self, digest: SecretDigest) -> Result<(), database::Error> {
        self.change(move |tx| queries::delete_token(tx, digest)).await
    }

    /// Sends a password reset token to an address as an event, if the address has an account.
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

    /// Sets a new password, and revokes all tokens issued for the old one.
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

/// Stores a password reset token. Without an account the token has no identity, so that both cases take equally long.
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

/// Sends a password reset token to its owner.
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
    // A concurrent use of the same token may have revoked it with the others.
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

/// Deletes expired tokens and returns how many.
///
/// # Errors
/// If the database cannot be written.
pub fn forget_ended(tx: &Tx<'_>) -> Result<usize, database::Error> {
    queries::delete_ended_tokens(tx)
}
