//! Signing secrets, which are never shown by `Debug`.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

/// The prefix of Standard Webhooks secrets; base64 follows.
const PREFIX: &str = "whsec_";

/// Limit: minimum bytes of a key, so that it cannot be guessed.
const MIN_KEY_BYTES: usize = 16;

const KEY_BYTES: usize = 32;

/// A text that cannot be used for signing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a webhook's secret must have 16 bytes or more; after `whsec_` they are base64")]
pub struct SecretError;

/// A signing secret: text whose key depends on the scheme. Parsing yields one of Standard Webhooks.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

impl FromStr for Secret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let secret = Self(text.to_owned());
        match secret.decoded() {
            Some(key) if key.len() >= MIN_KEY_BYTES => Ok(secret),
            Some(_) | None => Err(SecretError),
        }
    }
}

crate::stored_as_inner!(Secret(String));

impl Secret {
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key)?;
        Ok(Self(format!("{PREFIX}{}", STANDARD.encode(key))))
    }

    /// Returns the secret of a scheme whose key is the text itself.
    pub fn of_text(text: &str) -> Result<Self, SecretError> {
        if text.len() < MIN_KEY_BYTES { Err(SecretError) } else { Ok(Self(text.to_owned())) }
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the key of Standard Webhooks: the base64 after `whsec_`, or else the bytes of the text.
    pub(super) fn decoded(&self) -> Option<Vec<u8>> {
        match self.0.strip_prefix(PREFIX) {
            Some(encoded) => STANDARD.decode(encoded).ok(),
            None => Some(self.0.as_bytes().to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_sixteen_bytes_and_is_not_printed() {
        for (text, is_secret) in [
            ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", true),
            ("a secret of the partner", true),
            ("sixteen bytes ok", true),
            ("fifteen bytes..", false),
            ("whsec_MfKQ9r8GKYqrTw==", false),
            ("whsec_no base64 at all", false),
            ("", false),
        ] {
            assert_eq!(text.parse::<Secret>().is_ok(), is_secret, "{text}");
        }
        assert!(Secret::of_text("whsec_no base64 at all").is_ok());
        assert!(Secret::of_text("whsec_short").is_err());
        let secret: Secret = "a secret of the partner".parse().unwrap();
        assert!(!format!("{secret:?}").contains("partner"));
    }

    #[test]
    fn a_generated_secret_is_one_and_never_the_same() {
        let (one, other) = (Secret::generate().unwrap(), Secret::generate().unwrap());
        assert!(one.text().parse::<Secret>().is_ok());
        assert_ne!(one, other);
    }
}
