//! Pseudonyms: keyed digests in place of personal identifiers, for cases in which only equality matters.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use super::secret::{RandomError, random};
use crate::clock::{DAY_MS, Timestamp};

/// Bytes of a key: a block of SHA-256.
const KEY_BYTES: usize = 64;

/// The digest of a text under a key. Without the key, it cannot be reversed by trying all phone numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pseudonym([u8; 32]);

crate::stored_as_inner!(Pseudonym([u8; 32]));

impl Pseudonym {
    /// Returns its first eight bytes as a number.
    pub fn number(self) -> u64 {
        self.0.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
    }
}

/// A key of pseudonyms. It is not logged.
#[derive(Clone)]
pub struct PseudonymKey([u8; KEY_BYTES]);

impl fmt::Debug for PseudonymKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PseudonymKey")
    }
}

impl PseudonymKey {
    pub fn new(secret: &SecretString) -> Self {
        let digest = Sha256::digest(secret.expose_secret().as_bytes());
        let mut key = [0; KEY_BYTES];
        key.iter_mut().zip(digest).for_each(|(byte, own)| *byte = own);
        Self(key)
    }

    fn generate() -> Result<Self, RandomError> {
        Ok(Self(random()?))
    }

    pub fn of(&self, text: &str) -> Pseudonym {
        let mut mac = Hmac::<Sha256>::new(&self.0.into());
        mac.update(text.as_bytes());
        Pseudonym(mac.finalize().into_bytes().into())
    }
}

/// Keys that are each used for one day and kept only in memory: after two days, or a restart, their pseudonyms cannot be
/// traced back.
#[derive(Debug, Clone, Default)]
pub struct DayKeys(Arc<Mutex<Option<Days>>>);

#[derive(Debug)]
struct Days {
    today: i64,
    key: PseudonymKey,
    key_before: Option<PseudonymKey>,
}

impl DayKeys {
    /// Returns the pseudonyms of a text for the day of an instant and for the preceding day.
    pub fn of(&self, text: &str, now: Timestamp) -> Result<[Pseudonym; 2], RandomError> {
        let today = now.as_millis().div_euclid(DAY_MS);
        let mut kept_days = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let days = match kept_days.take() {
            Some(kept) if kept.today >= today => kept_days.insert(kept),
            last => {
                let is_yesterday = |kept: &Days| kept.today.saturating_add(1) == today;
                let key_before = last.filter(is_yesterday).map(|kept| kept.key);
                let key = PseudonymKey::generate()?;
                kept_days.insert(Days { today, key, key_before })
            }
        };
        let of_today = days.key.of(text);
        Ok([of_today, days.key_before.as_ref().map_or(of_today, |key| key.of(text))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pseudonym_depends_on_the_text_and_on_the_key_and_is_an_hmac() {
        let key = PseudonymKey::new(&"Jefe".into());
        assert_eq!(
            key.of("+4915112345678"),
            PseudonymKey::new(&"Jefe".into()).of("+4915112345678")
        );
        assert_ne!(key.of("+4915112345678"), key.of("+4915112345679"));
        assert_ne!(
            key.of("+4915112345678"),
            PseudonymKey::new(&"jefe".into()).of("+4915112345678")
        );
        assert_eq!(format!("{key:?}"), "PseudonymKey");

        let digest = Sha256::digest(b"Jefe");
        let mut mac = Hmac::<Sha256>::new_from_slice(&digest).unwrap();
        mac.update(b"+4915112345678");
        assert_eq!(key.of("+4915112345678").0, <[u8; 32]>::from(mac.finalize().into_bytes()));
    }

    #[test]
    fn a_day_has_a_key_that_is_known_for_one_more_day() {
        let keys = DayKeys::default();
        let at = |days: i64| Timestamp::from_millis(days * DAY_MS + 5);
        let [first, _] = keys.of("203.0.113.7", at(1)).unwrap();
        assert_eq!(keys.of("203.0.113.7", at(1)).unwrap(), [first, first]);
        assert_ne!(keys.of("203.0.113.8", at(1)).unwrap()[0], first);

        let end_of_day = Timestamp::from_millis(2 * 86_400_000 - 1);
        assert_eq!(keys.of("203.0.113.7", end_of_day).unwrap()[0], first);

        let [second, before] = keys.of("203.0.113.7", at(2)).unwrap();
        assert!(before == first && second != first);
        let [third, before] = keys.of("203.0.113.7", at(4)).unwrap();
        assert!(third != second && before == third, "the key of two days ago is gone");
        assert_eq!(keys.of("203.0.113.7", at(3)).unwrap()[0], third, "a clock that is set back");
    }
}
