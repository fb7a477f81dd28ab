//! Passwords: Argon2id, on separate threads, with a bounded number at once.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash as Phc;
use argon2::{Argon2, PasswordVerifier as _};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::secret::{RandomError, random};
use crate::http::{HttpError, ToSchema};

/// Limit: passwords hashed at once; each takes 19 MiB.
const MAX_RUNNING: usize = 4;

/// Limit: passwords being hashed or waiting for it; more are refused and may be retried.
const MAX_PRESENT: usize = 64;

/// The seconds after which a login may be retried if too many passwords are waiting.
const RETRY_AFTER_S: u64 = 1;

const MIN_PASSWORD_CHARS: usize = 8;

/// Limit: characters of a password.
const MAX_PASSWORD_CHARS: usize = 256;

const SALT_BYTES: usize = 16;

/// Compared with if the account does not exist, so that the check takes equally long. No password matches it.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$cXVvdGllbnQtZGVjb3ktcw\
                     $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A password as entered, of at most 256 characters.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(try_from = "SecretString")]
#[schema(value_type = String, format = Password, min_length = 1, max_length = 256)]
pub struct Password(SecretString);

/// A new password, of at least eight characters.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(try_from = "SecretString")]
#[schema(value_type = String, format = Password, min_length = 8, max_length = 256)]
pub struct NewPassword(Password);

/// Why a password is refused without being checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordRefusal {
    #[error("must have at least {MIN_PASSWORD_CHARS} characters")]
    TooShort,
    #[error("must have at most {MAX_PASSWORD_CHARS} characters")]
    TooLong,
}

impl Password {
    fn bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }
}

impl TryFrom<SecretString> for Password {
    type Error = PasswordRefusal;

    fn try_from(text: SecretString) -> Result<Self, PasswordRefusal> {
        let is_long = text.expose_secret().chars().count() > MAX_PASSWORD_CHARS;
        if is_long { Err(PasswordRefusal::TooLong) } else { Ok(Self(text)) }
    }
}

impl TryFrom<SecretString> for NewPassword {
    type Error = PasswordRefusal;

    fn try_from(text: SecretString) -> Result<Self, PasswordRefusal> {
        let is_short = text.expose_secret().chars().count() < MIN_PASSWORD_CHARS;
        if is_short { Err(PasswordRefusal::TooShort) } else { text.try_into().map(Self) }
    }
}

impl NewPassword {
    /// Returns the password, to compare it with an existing one.
    pub(super) fn into_password(self) -> Password {
        self.0
    }

    /// Hashes the password on this thread, in about 30 ms.
    pub fn hash(&self) -> Result<PasswordHash, PasswordError> {
        let salt: [u8; SALT_BYTES] = random()?;
        let hasher = Argon2::default();
        let hash: Phc =
            argon2::PasswordHasher::hash_password_with_salt(&hasher, self.0.bytes(), &salt)?;
        Ok(PasswordHash(hash.to_string()))
    }
}

/// A password as stored: the hash with its salt and costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordHash(pub(super) String);

crate::stored_as_inner!(PasswordHash(String));

/// Why a password could not be hashed or verified.
#[derive(Debug, thiserror::Error, HttpError)]
pub enum PasswordError {
    #[error("too many passwords are being compared")]
    #[http(unavailable(RETRY_AFTER_S))]
    Busy,
    #[error(transparent)]
    #[http(unexpected)]
    Random(#[from] RandomError),
    /// The stored text is not a hash, or hashing failed.
    #[error("a password could not be hashed")]
    #[http(unexpected)]
    Hash(#[from] argon2::password_hash::Error),
    #[error("the thread that compared a password ended")]
    #[http(unexpected)]
    Thread(#[from] tokio::task::JoinError),
}

/// Hashes passwords. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Passwords {
    present: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

impl Passwords {
    /// Hashes as many passwords at once as there are processors, up to four.
    pub(super) fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let running = Arc::new(Semaphore::new(processors.min(MAX_RUNNING)));
        Self { present: Arc::new(Semaphore::new(MAX_PRESENT)), running }
    }

    pub(super) async fn hash(&self, password: NewPassword) -> Result<PasswordHash, PasswordError> {
        self.run(move || password.hash()).await
    }

    /// Returns whether a password matches a hash. Without a hash it does not match, after the same time.
    pub(super) async fn matches(
        &self,
        password: Password,
        hash: Option<PasswordHash>,
    ) -> Result<bool, PasswordError> {
        self.run(move || {
            let stored = hash.as_ref().map_or(DECOY, |hash| hash.0.as_str());
            let stored = Phc::new(stored).map_err(argon2::password_hash::Error::from)?;
            match Argon2::default().verify_password(password.bytes(), &stored) {
                Ok(()) => Ok(hash.is_some()),
                Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
                Err(error) => Err(error.into()),
            }
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let present = Arc::clone(&self.present);
        let present = present.try_acquire_owned().map_err(|_full| PasswordError::Busy)?;
        let running = Arc::clone(&self.running);
        let running = running.acquire_owned().await.map_err(|_closed| PasswordError::Busy)?;
        // Invariant: the permits are released when the work is done, not when the client disconnects.
        tokio::task::spawn_blocking(move || {
            let outcome = work();
            drop((present, running));
            outcome
        })
        .await?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Password {
        SecretString::from(text).try_into().unwrap()
    }

    fn new(text: &str) -> NewPassword {
        SecretString::from(text).try_into().unwrap()
    }

    #[tokio::test]
    async fn a_password_fits_its_own_hash_only() {
        let passwords = Passwords::new();
        let hash = passwords.hash(new("correct horse")).await.unwrap();

        assert!(hash.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash:?}");
        assert_ne!(passwords.hash(new("correct horse")).await.unwrap(), hash);
        assert!(passwords.matches(typed("correct horse"), Some(hash.clone())).await.unwrap());
        assert!(!passwords.matches(typed("Correct horse"), Some(hash)).await.unwrap());
    }

    #[tokio::test]
    async fn an_unknown_account_costs_as_much_and_never_fits() {
        let real = new("correct horse").hash().unwrap();
        let (real, decoy) = (Phc::new(&real.0).unwrap(), Phc::new(DECOY).unwrap());

        assert_eq!(real.algorithm, decoy.algorithm);
        assert_eq!(real.params.to_string(), decoy.params.to_string());
        assert_eq!(real.hash.map(|hash| hash.len()), decoy.hash.map(|hash| hash.len()));
        assert!(!Passwords::new().matches(typed("correct horse"), None).await.unwrap());
    }

    #[test]
    fn a_new_password_is_neither_short_nor_endless() {
        for (len, expected) in [
            (7, Some(PasswordRefusal::TooShort)),
            (8, None),
            (256, None),
            (257, Some(PasswordRefusal::TooLong)),
        ] {
            let refusal = NewPassword::try_from(SecretString::from("é".repeat(len))).err();

            assert_eq!(refusal, expected, "{len}");
        }
    }

    #[test]
    fn a_password_is_not_shown_by_accident() {
        assert!(!format!("{:?}", new("correct horse")).contains("horse"));
    }
}
