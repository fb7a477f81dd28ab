//! Secrets that are returned once: 256 random bits, of which only a digest is stored.

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest as _, Sha256};

const SECRET_BYTES: usize = 32;

/// Limit: characters of a presented secret; those issued here are shorter.
const MAX_SECRET_CHARS: usize = 256;

#[derive(Debug, thiserror::Error)]
#[error("the system gave no random bytes: {0}")]
pub struct RandomError(getrandom::Error);

/// A new secret, before it is returned. It is not logged.
#[derive(Debug, Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Generates a secret: `prefix` and 64 hexadecimal digits.
    pub fn generate(prefix: &str) -> Result<Self, RandomError> {
        let bytes: [u8; SECRET_BYTES] = random()?;
        Ok(Self(format!("{prefix}{}", hex::encode(bytes)).into()))
    }

    /// Returns the secret itself, to be returned once.
    pub fn reveal(&self) -> &str {
        self.0.expose_secret()
    }

    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of(self.reveal())
    }

    /// Returns the start and end of the secret, to identify it: `sk_18d***4fb`.
    pub fn redacted(&self) -> String {
        let text = self.reveal();
        let start: String = text.chars().take(6).collect();
        let end: String = text.chars().skip(text.chars().count().saturating_sub(3)).collect();
        format!("{start}***{end}")
    }
}

/// Returns random bytes from the system.
pub(super) fn random<const LEN: usize>() -> Result<[u8; LEN], RandomError> {
    let mut bytes = [0; LEN];
    getrandom::fill(&mut bytes).map_err(RandomError)?;
    Ok(bytes)
}

/// The SHA-256 of a secret. Secrets are compared only by their digests, so that timing reveals nothing about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretDigest([u8; 32]);

impl SecretDigest {
    /// Returns the digest of a trusted secret.
    pub fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// Returns the digest of a secret presented by a caller, unless it is too long to be issued here.
    pub fn of_presented(secret: &str) -> Option<Self> {
        (secret.len() <= MAX_SECRET_CHARS).then(|| Self::of(secret))
    }
}

crate::stored_as_inner!(SecretDigest([u8; 32]));

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
    fn overlong_secrets_are_not_looked_up() {
        assert!(SecretDigest::of_presented(&"a".repeat(256)).is_some());
        assert!(SecretDigest::of_presented(&"a".repeat(257)).is_none());
    }
}
