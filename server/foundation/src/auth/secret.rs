//! Secrets that are handed out once: 256 random bits, of which only a digest is kept.

use rusqlite::ToSql;
use rusqlite::types::ToSqlOutput;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest as _, Sha256};

/// Random bytes of a secret.
const SECRET_BYTES: usize = 32;

/// Limit: characters of a secret that is shown to us; ours are shorter.
const MAX_SECRET_CHARS: usize = 256;

/// The system gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the system gave no random bytes: {0}")]
pub struct RandomError(getrandom::Error);

/// A new secret, before it is handed out. It is not written to logs.
#[derive(Debug, Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// A new secret: `prefix` and 64 hexadecimal digits.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn generate(prefix: &str) -> Result<Self, RandomError> {
        let bytes: [u8; SECRET_BYTES] = random()?;
        Ok(Self(format!("{prefix}{}", hex::encode(bytes)).into()))
    }

    /// The secret itself, to be shown once.
    pub fn reveal(&self) -> &str {
        self.0.expose_secret()
    }

    /// What is kept of it.
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of(self.reveal())
    }

    /// Its beginning and its end, enough to tell it from others: `sk_18d***4fb`.
    pub fn redacted(&self) -> String {
        let text = self.reveal();
        let start: String = text.chars().take(6).collect();
        let end: String = text.chars().skip(text.chars().count().saturating_sub(3)).collect();
        format!("{start}***{end}")
    }
}

/// Random bytes from the system.
pub(super) fn random<const LEN: usize>() -> Result<[u8; LEN], RandomError> {
    let mut bytes = [0; LEN];
    getrandom::fill(&mut bytes).map_err(RandomError)?;
    Ok(bytes)
}

/// The SHA-256 of a secret. Secrets are compared by it alone, so that the time it takes tells nothing of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretDigest([u8; 32]);

impl SecretDigest {
    /// The digest of a secret that is known to be one.
    pub fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// The digest of what a caller shows, unless it is too long to be a secret of ours.
    pub fn of_shown(secret: &str) -> Option<Self> {
        (secret.len() <= MAX_SECRET_CHARS).then(|| Self::of(secret))
    }
}

impl ToSql for SecretDigest {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.as_slice().to_sql()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_256_random_bits_and_is_not_shown_by_accident() {
        let secret = Secret::generate("sk_").unwrap();

        assert_eq!(secret.reveal().len(), 3 + 64);
        assert_ne!(secret.reveal(), Secret::generate("sk_").unwrap().reveal());
        assert!(!format!("{secret:?}").contains("sk_"), "{secret:?}");
    }

    #[test]
    fn a_redacted_secret_keeps_six_characters_and_three() {
        let secret = Secret("sk_0123456789abcdef".to_owned().into());

        assert_eq!(secret.redacted(), "sk_012***def");
    }

    #[test]
    fn what_is_too_long_to_be_a_secret_is_not_looked_up() {
        assert!(SecretDigest::of_shown(&"a".repeat(256)).is_some());
        assert!(SecretDigest::of_shown(&"a".repeat(257)).is_none());
    }
}
