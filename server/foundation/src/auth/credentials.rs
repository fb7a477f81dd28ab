//! What is known of tokens and keys: a short memory before the database.
//!
//! Invariant: a change that is written through [`Credentials::change`] is seen by every later request.
//! What was read before the change and is remembered after it carries the older generation, and counts for nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use moka::sync::Cache;

use super::actor::{ActorType, Role};
use super::password::Passwords;
use super::queries;
use super::secret::SecretDigest;
use crate::clock::{Clock, Timestamp};
use crate::config::AuthSettings;
use crate::database::{self, Db, Tx};
use crate::ids::{ApiKeyId, IdentityId, SalesChannelId};
use crate::request_id;

/// For how long something is remembered: after this, changes by another process count too.
const REMEMBERED: Duration = Duration::from_secs(10);

/// How often it is looked whether another process took back a key.
const LOOK_EVERY: Duration = Duration::from_millis(500);

const HOUR_MS: i64 = 60 * 60 * 1000;

/// Limit: tokens, and keys, that are remembered.
const MAX_REMEMBERED: u64 = 20_000;

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Sent as a bearer.
    Access,
    /// Sent as a cookie.
    Session,
    /// Sets a new password, and nothing else.
    Reset,
    /// A partner's.
    Partner,
}

/// A token that was handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) actor_type: ActorType,
    /// None for someone who has registered an address, but is no customer yet.
    pub(super) actor_id: Option<String>,
    pub(super) identity_id: Option<IdentityId>,
    /// For users.
    pub(super) role: Option<Role>,
    pub(super) expires_at: Timestamp,
}

/// An API key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) id: ApiKeyId,
    pub(super) is_secret: bool,
    pub(super) revoked_at: Option<Timestamp>,
    pub(super) last_used_at: Option<Timestamp>,
    /// The enabled sales channels that it is linked to, by their id.
    pub(super) sales_channel_ids: Vec<SalesChannelId>,
}

type Memory<T> = Cache<SecretDigest, (u64, Arc<T>)>;

/// Looks up tokens and keys. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Credentials {
    pub(super) db: Db,
    clock: Clock,
    tokens: Memory<Token>,
    keys: Memory<Key>,
    generation: Arc<AtomicU64>,
    pub(super) passwords: Passwords,
    /// For how long a bearer holds.
    pub(super) access_ms: i64,
    /// For how long a cookie holds.
    pub(super) session_ms: i64,
}

impl Credentials {
    /// The credentials of a database.
    pub fn new(db: Db, clock: Clock, settings: &AuthSettings) -> Self {
        Self {
            db,
            clock,
            tokens: memory(),
            keys: memory(),
            generation: Arc::default(),
            passwords: Passwords::new(),
            access_ms: i64::from(settings.token_hours).saturating_mul(HOUR_MS),
            session_ms: i64::from(settings.session_hours).saturating_mul(HOUR_MS),
        }
    }

    /// Writes what takes back a token or a key, changes a role, or changes what a key is linked to, and forgets what is
    /// remembered once it is kept, even if its client has left.
    ///
    /// # Errors
    /// What `work` gives, or [`database::Error`] if the database cannot be written.
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
        let change = tokio::spawn(request_id::scope(request_id::current(), change));
        change.await.unwrap_or_else(|_panic| Err(database::Error::Panicked.into()))
    }

    /// The token behind a secret, while it holds.
    pub(super) async fn token(
        &self,
        digest: SecretDigest,
    ) -> Result<Option<Arc<Token>>, database::Error> {
        let generation = self.generation.load(Ordering::SeqCst);
        let token = match recall(&self.tokens, digest, generation) {
            Some(token) => token,
            None => match self.db.read(move |tx| queries::token(tx, digest)).await? {
                Some(token) => remember(&self.tokens, digest, generation, token),
                None => return Ok(None),
            },
        };
        Ok(Some(token).filter(|token| token.expires_at > self.clock.now()))
    }

    /// The key behind a secret, while it holds.
    pub(super) async fn key(
        &self,
        digest: SecretDigest,
    ) -> Result<Option<Arc<Key>>, database::Error> {
        let generation = self.generation.load(Ordering::SeqCst);
        let key = match recall(&self.keys, digest, generation) {
            Some(key) => key,
            None => match self.db.read(move |tx| queries::key(tx, digest)).await? {
                Some(key) => {
                    self.note_use(&key);
                    remember(&self.keys, digest, generation, key)
                }
                None => return Ok(None),
            },
        };
        let now = self.clock.now();
        Ok(Some(key).filter(|key| key.revoked_at.is_none_or(|revoked_at| revoked_at > now)))
    }

    /// Forgets what is remembered when another process takes back a key, as the command line does; for ever.
    pub async fn follow_revocations(self) {
        let mut known = None;
        loop {
            // While the database cannot be read, nothing can be looked up either.
            if let Ok(seen) = self.db.read(queries::revocations).await
                && known.replace(seen) != Some(seen)
            {
                self.generation.fetch_add(1, Ordering::SeqCst);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Writes down that a secret key is used, once an hour and beside the request.
    fn note_use(&self, key: &Key) {
        let fresh_from = self.clock.now().plus_ms(HOUR_MS.saturating_neg());
        if !key.is_secret || key.last_used_at.is_some_and(|used_at| used_at > fresh_from) {
            return;
        }
        let (db, id) = (self.db.clone(), key.id.clone());
        tokio::spawn(async move {
            let noted = db.write(move |tx| queries::note_key_use(tx, &id)).await;
            if let Err(error) = noted {
                tracing::warn!(%error, "the use of a key was not written down");
            }
        });
    }
}

fn memory<T: Send + Sync + 'static>() -> Memory<T> {
    Cache::builder().max_capacity(MAX_REMEMBERED).time_to_live(REMEMBERED).build()
}

fn recall<T: Send + Sync + 'static>(
    memory: &Memory<T>,
    digest: SecretDigest,
    generation: u64,
) -> Option<Arc<T>> {
    let (remembered_in, value) = memory.get(&digest)?;
    (remembered_in == generation).then_some(value)
}

fn remember<T: Send + Sync + 'static>(
    memory: &Memory<T>,
    digest: SecretDigest,
    generation: u64,
    value: T,
) -> Arc<T> {
    let value = Arc::new(value);
    memory.insert(digest, (generation, Arc::clone(&value)));
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_before_a_change_does_not_count_after_it() {
        let memory = memory::<u8>();
        let digest = SecretDigest::of("tok_1");

        // A slow reader remembers what it read in generation 0, after a change has begun generation 1.
        remember(&memory, digest, 0, 7);

        assert_eq!(recall(&memory, digest, 1), None);
        assert_eq!(recall(&memory, digest, 0).as_deref(), Some(&7));
    }
}
