//! Registration, login, logout, and password resets.

use std::net::IpAddr;
use std::sync::Arc;

use super::actor::ActorType;
use super::credentials::{Credentials, Token, TokenKind};
use super::email::Email;
use super::error::AuthError;
use super::identities::{self, Identity};
use super::password::{NewPassword, Password, PasswordHash};
use super::queries;
use super::reset::{self, RESET_MS, ResetRequest};
use super::secret::{Secret, SecretDigest};
use crate::clock::{MINUTE_MS, Timestamp};
use crate::database::{self, Tx, Word as _};
use crate::events;
use crate::ids::IdentityId;
use crate::metadata::Metadata;

/// The minimum time between two e-mails to an account.
const RESET_PAUSE_MS: i64 = MINUTE_MS;

/// The prefix of tokens, so that leaked ones are recognised.
const TOKEN_PREFIX: &str = "tok_";

/// The event of a requested password reset.
const RESET_EVENT: &str = "auth.password_reset";

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
            // Invariant: the response time does not reveal whether an address has an account or an unfinished registration.
            let hash = Some(identity.password_hash.clone());
            let fits = self.passwords.matches(password.into_password(), hash).await?;
            let may_resume = fits && identity.actor_id.is_none();
            if !may_resume {
                return Err(AuthError::EmailTaken);
            }
            return self.issue(identity, None).await;
        }
        let hash = self.passwords.hash(password).await?;
        self.issue_token(TokenKind::Access, move |tx| {
            identities::create(tx, actor_type, &email, hash)
        })
        .await
    }

    pub(super) async fn log_in(
        &self,
        actor_type: ActorType,
        (email, password): (Email, Password),
        address: IpAddr,
    ) -> Result<Secret, AuthError> {
        let identity =
            self.db.read(move |tx| queries::identity_by_email(tx, actor_type, &email)).await?;
        let hash = identity.as_ref().map(|identity| identity.password_hash.clone());
        let fits = self.passwords.matches(password, hash).await?;
        let Some(identity) = identity.filter(|_| fits) else {
            tracing::info!(actor = actor_type.as_str(), "a log-in failed");
            return Err(AuthError::InvalidLogin);
        };
        self.issue(identity, Some(address)).await
    }

    /// Returns whether a password belongs to an actor.
    ///
    /// # Errors
    /// If the database cannot be read, or too many passwords are checked at once.
    pub async fn is_password_of(
        &self,
        actor_type: ActorType,
        actor_id: &str,
        password: Password,
    ) -> Result<bool, AuthError> {
        let id = actor_id.to_owned();
        let identity = self.db.read(move |tx| queries::identity_of(tx, actor_type, &id)).await?;
        let hash = identity.map(|identity| identity.password_hash);
        Ok(self.passwords.matches(password, hash).await?)
    }

    /// Returns whether somebody has logged in to an account from this address.
    pub(super) async fn is_known(
        &self,
        actor_type: ActorType,
        email: Email,
        address: IpAddr,
    ) -> Result<bool, AuthError> {
        self.db.read(move |tx| Ok(queries::is_known(tx, actor_type, &email, address)?)).await
    }

    /// Issues an access token, unless the password was changed since it was verified.
    async fn issue(&self, verified: Identity, from: Option<IpAddr>) -> Result<Secret, AuthError> {
        self.issue_token(TokenKind::Access, move |tx| {
            let identity = identities::find(tx, &verified.id)?
                .filter(|identity| identity.password_hash == verified.password_hash)
                .ok_or(AuthError::InvalidLogin)?;
            if let Some(address) = from {
                queries::note_address(tx, &identity.id, address)?;
            }
            Ok(identity)
        })
        .await
    }

    /// Issues another token to the holder of one: an access token, or a session for a cookie.
    pub(super) async fn extend(
        &self,
        holder: &Token,
        kind: TokenKind,
    ) -> Result<Secret, AuthError> {
        let id = holder.identity_id.clone().ok_or(AuthError::Unauthorized)?;
        self.issue_token(kind, move |tx| identities::find(tx, &id)?.ok_or(AuthError::Unauthorized))
            .await
    }

    /// Issues a token to the identity that `find` returns.
    async fn issue_token(
        &self,
        kind: TokenKind,
        find: impl FnOnce(&Tx<'_>) -> Result<Identity, AuthError> + Send + 'static,
    ) -> Result<Secret, AuthError> {
        let secret = Secret::generate(TOKEN_PREFIX)?;
        let digest = secret.digest();
        let span_ms = if kind == TokenKind::Session { self.session_ms } else { self.access_ms };
        let issued = self.db.write(move |tx| {
            let identity = find(tx)?;
            put(tx, digest, kind, &identity, tx.now().plus_ms(span_ms))
        });
        issued.await.map(|()| secret)
    }

    /// Revokes a token.
    pub(super) async fn log_out(&self, digest: SecretDigest) -> Result<(), database::Error> {
        self.change(move |tx| queries::delete_token(tx, digest)).await
    }

    /// Requests a password reset. The e-mail is written later, by [`super::reset::send`]: the request does the same for
    /// all addresses, so that its duration does not reveal which of them have accounts.
    pub(super) async fn request_reset(
        &self,
        actor_type: ActorType,
        email: Email,
        metadata: Metadata,
    ) -> Result<(), AuthError> {
        self.db.write(move |tx| Ok(reset::schedule(tx, actor_type, &email, &metadata)?)).await
    }

    /// Issues a password reset token, if the address has an account. The first token of a request also records the
    /// event. It is issued only if the account got none within the last minute, so that nobody can flood its mailbox or
    /// use up its tokens.
    pub(super) async fn issue_reset(
        &self,
        request: ResetRequest,
        is_first: bool,
    ) -> Result<Option<Secret>, AuthError> {
        let secret = Secret::generate(TOKEN_PREFIX)?;
        let digest = secret.digest();
        let is_issued = self.db.write(move |tx| {
            let found = queries::identity_by_email(tx, request.actor_type, &request.email)?;
            let Some(identity) = found else { return Ok::<_, AuthError>(false) };
            let minute_ago = tx.now().minus_ms(RESET_PAUSE_MS);
            if is_first && queries::has_reset_since(tx, &identity.id, minute_ago)? {
                return Ok(false);
            }
            put(tx, digest, TokenKind::Reset, &identity, tx.now().plus_ms(RESET_MS))?;
            if is_first {
                events::record(tx, RESET_EVENT, &request)?;
                tracing::info!(identity = %identity.id, "a password reset was requested");
            }
            Ok(true)
        });
        Ok(is_issued.await?.then_some(secret))
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
    queries::insert_token(tx, digest, kind, identity, expires_at)?;
    Ok(queries::delete_oldest_tokens(tx, &identity.id)?)
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
    Ok(queries::delete_tokens_of(tx, id)?)
}

/// Deletes expired tokens and returns how many.
pub fn forget_ended(tx: &Tx<'_>) -> Result<usize, database::Error> {
    let of_clients = queries::delete_ended_client_tokens(tx)?;
    Ok(queries::delete_ended_tokens(tx)?.saturating_add(of_clients))
}
