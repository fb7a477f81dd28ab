//! Tokens and keys, with a short-lived cache in front of the database.
//!
//! Invariant: a change written by [`Credentials::change`] is seen by every later request. A value that was read before
//! the change and cached after it carries an older generation, and is ignored.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use moka::sync::Cache;

use super::actor::{ActorType, Role};
use super::password::Passwords;
use super::queries;
use super::secret::SecretDigest;
use crate::clock::{Clock, HOUR_MS, Timestamp};
use crate::config::AuthSettings;
use crate::context::Context;
use crate::database::{self, Db, FromRow, Tx, Word};
use crate::ids::{ApiKeyId, IdentityId, SalesChannelId};

/// How long an entry is cached: after this, changes by other processes are seen too.
const CACHE_TTL: Duration = Duration::from_secs(10);

/// The interval of polling for keys revoked by other processes.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Limit: cached tokens and keys.
const CACHE_CAPACITY: u64 = 40_000;

/// The purpose of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Word)]
pub(super) enum TokenKind {
    /// Sent as a bearer token.
    Access,
    /// Sent as a cookie.
    Session,
    /// Only sets a new password.
    Reset,
    /// Identifies a partner.
    Partner,
}

#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) actor_type: ActorType,
    /// None for a registered identity that is not a customer yet.
    pub(super) actor_id: Option<String>,
    pub(super) identity_id: Option<IdentityId>,
    /// The role, for users.
    pub(super) role: Option<Role>,
    pub(super) expires_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) id: ApiKeyId,
    pub(super) is_secret: bool,
    pub(super) revoked_at: Option<Timestamp>,
    pub(super) last_used_at: Option<Timestamp>,
    /// The enabled sales channels of the key, sorted by id.
    pub(super) sales_channel_ids: Vec<SalesChannelId>,
}

#[derive(Debug, Clone)]
enum Credential {
    Token(Arc<Token>),
    Key(Arc<Key>),
}

/// The credentials of secrets, each with the generation in which it was read. Cheap to clone.
#[derive(Debug, Clone)]
struct CredentialCache(Cache<SecretDigest, (u64, Credential)>);

impl Default for CredentialCache {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(CACHE_CAPACITY).time_to_live(CACHE_TTL).build())
    }
}

impl CredentialCache {
    fn get(&self, digest: SecretDigest, generation: u64) -> Option<Credential> {
        let (cached_in, credential) = self.0.get(&digest)?;
        (cached_in == generation).then_some(credential)
    }

    fn insert(&self, digest: SecretDigest, generation: u64, credential: Credential) {
        self.0.insert(digest, (generation, credential));
    }
}

/// Looks up tokens and keys. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Credentials {
    pub(crate) db: Db,
    clock: Clock,
    cache: CredentialCache,
    pub(super) generation: Arc<AtomicU64>,
    pub(super) passwords: Passwords,
    /// How long an access token is valid.
    pub(super) access_ms: i64,
    /// How long a session cookie is valid.
    pub(super) session_ms: i64,
}

impl Credentials {
    pub fn new(db: Db, clock: Clock, settings: &AuthSettings) -> Self {
        Self {
            db,
            clock,
            cache: CredentialCache::default(),
            generation: Arc::default(),
            passwords: Passwords::new(),
            access_ms: i64::from(settings.token_hours).saturating_mul(HOUR_MS),
            session_ms: i64::from(settings.session_hours).saturating_mul(HOUR_MS),
        }
    }

    /// Runs a write that revokes a token or a key, changes a role, or changes the links of a key, and invalidates the
    /// cache after the commit, even if the client has disconnected.
    pub async fn change<T, E>(
        &self,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<database::Error> + Send + 'static,
    {
        let (db, generation) = (self.db.clone(), Arc::clone(&self.generation));
        let change = async move {
            let outcome = db.write(work).await;
            generation.fetch_add(1, Ordering::SeqCst);
            outcome
        };
        Context::current().run_to_end(change).await
    }

    /// Returns the token of a secret, if it is valid.
    pub(super) async fn token(
        &self,
        digest: SecretDigest,
    ) -> Result<Option<Arc<Token>>, database::Error> {
        let generation = self.generation.load(Ordering::SeqCst);
        let token = match self.cache.get(digest, generation) {
            Some(Credential::Token(token)) => token,
            Some(Credential::Key(_)) | None => {
                let found = self.db.read(move |tx| queries::token(tx, digest)).await?;
                let Some(token) = found.map(Arc::new) else { return Ok(None) };
                self.cache.insert(digest, generation, Credential::Token(Arc::clone(&token)));
                token
            }
        };
        Ok(Some(token).filter(|token| token.expires_at > self.clock.now()))
    }

    /// Returns the key of a secret, if it is valid.
    pub(super) async fn key(&self, secret: &str) -> Result<Option<Arc<Key>>, database::Error> {
        let Some(digest) = SecretDigest::of_presented(secret) else { return Ok(None) };
        let generation = self.generation.load(Ordering::SeqCst);
        let key = match self.cache.get(digest, generation) {
            Some(Credential::Key(key)) => key,
            Some(Credential::Token(_)) | None => {
                let found = self.db.read(move |tx| queries::key(tx, digest)).await?;
                let Some(key) = found.map(Arc::new) else { return Ok(None) };
                self.note_use(&key);
                self.cache.insert(digest, generation, Credential::Key(Arc::clone(&key)));
                key
            }
        };
        let now = self.clock.now();
        Ok(Some(key).filter(|key| key.revoked_at.is_none_or(|revoked_at| revoked_at > now)))
    }

    /// Invalidates the cache when another process revokes a key, as the command line does; runs forever.
    pub async fn follow_revocations(self) {
        let mut last = None;
        loop {
            // While the database cannot be read, nothing can be looked up either.
            if let Ok(current) = self.db.read(queries::revocations).await
                && last.replace(current) != Some(current)
            {
                self.generation.fetch_add(1, Ordering::SeqCst);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Records the use of a secret key, at most once an hour, without delaying the request.
    fn note_use(&self, key: &Key) {
        let fresh_from = self.clock.now().minus_ms(HOUR_MS);
        if !key.is_secret || key.last_used_at.is_some_and(|used_at| used_at > fresh_from) {
            return;
        }
        let (db, id) = (self.db.clone(), key.id.clone());
        tokio::spawn(async move {
            let written = db.write(move |tx| queries::note_key_use(tx, &id)).await;
            if let Err(error) = written {
                tracing::warn!(%error, "the use of a key could not be recorded");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_before_a_change_is_not_used_after_it() {
        let cache = CredentialCache::default();
        let digest = SecretDigest::of("sk_1");
        let key = Key {
            id: ApiKeyId::new(),
            is_secret: true,
            revoked_at: None,
            last_used_at: None,
            sales_channel_ids: Vec::new(),
        };

        // A slow reader caches what it read in generation 0 after a change has started generation 1.
        cache.insert(digest, 0, Credential::Key(Arc::new(key)));

        assert!(cache.get(digest, 1).is_none());
        assert!(matches!(cache.get(digest, 0), Some(Credential::Key(_))));
    }
}
