//! The HMAC-SHA256 of the body alone, in hexadecimal digits or in base64.

use axum::http::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use unicode_normalization::UnicodeNormalization as _;

use super::{Refusal, header, matches_any};
use crate::webhooks::Secret;
use crate::webhooks::signing::hmac_sha256;

pub(super) const HEADER: &str = "x-hmac-signature";

/// The prefix of the hexadecimal digits.
const HEX_PREFIX: &str = "hmac-sha256-hex=";

pub(super) fn verify_hex(
    headers: &HeaderMap,
    body: &[u8],
    secrets: &[Secret],
) -> Result<(), Refusal> {
    let signature = header(headers, HEADER)?.strip_prefix(HEX_PREFIX).ok_or(Refusal::Invalid)?;
    let expected = secrets.iter().filter_map(|secret| {
        // Senders with this scheme decompose the characters of a secret before using it.
        let key: String = secret.text().nfkd().collect();
        hmac_sha256(key.as_bytes(), &[body]).map(hex::encode)
    });
    if matches_any(&[signature], expected) { Ok(()) } else { Err(Refusal::Invalid) }
}

pub(super) fn verify_base64(
    name: &str,
    headers: &HeaderMap,
    body: &[u8],
    secrets: &[Secret],
) -> Result<(), Refusal> {
    let signature = header(headers, name)?;
    let expected = secrets.iter().filter_map(|secret| {
        hmac_sha256(secret.text().as_bytes(), &[body]).map(|mac| STANDARD.encode(mac))
    });
    if matches_any(&[signature], expected) { Ok(()) } else { Err(Refusal::Invalid) }
}
