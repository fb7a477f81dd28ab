//! Confirms a number with the code from the second message.

use super::error::SmsError;
use super::phone::Phone;
use super::queries;
use super::sync::{self, digest_of};
use crate::database::{Table as _, Tx};

/// Limit: wrong codes per consent.
const MAX_ATTEMPTS: i64 = 5;

/// How long a code is valid.
const VALID_MS: i64 = 24 * 60 * 60 * 1_000;

/// Confirms the consent of the number to which this code was sent; returns whether there was one. A wrong code is
/// counted.
pub(super) fn confirm(tx: &Tx<'_>, phone: &Phone, code: &str) -> Result<bool, SmsError> {
    for mut consent in queries::awaiting(tx, phone, tx.now().plus_ms(-VALID_MS))? {
        if consent.code_attempts >= MAX_ATTEMPTS {
            continue;
        }
        if consent.code_digest == Some(digest_of(&consent.id, code)) {
            sync::later(tx, &consent.id, 0)?;
            sync::confirm(tx, consent)?;
            return Ok(true);
        }
        consent.code_attempts = consent.code_attempts.saturating_add(1);
        consent.update(tx)?;
    }
    Ok(false)
}
