//! `Stripe-Signature`: a timestamp and signatures in one header, in any order. Older schemes beside them are ignored.

use axum::http::HeaderMap;

use super::{Refusal, check_time, header, matches_any};
use crate::clock::Timestamp;
use crate::webhooks::Secret;
use crate::webhooks::signing::hmac_sha256;

pub(super) const HEADER: &str = "stripe-signature";

/// Limit: seconds between the timestamp and the arrival, twice the default of Stripe's libraries.
const TOLERANCE_S: i64 = 600;

pub(super) fn verify(
    (headers, body): (&HeaderMap, &[u8]),
    secrets: &[Secret],
    now: Timestamp,
) -> Result<(), Refusal> {
    let (at_s, signatures) = parts(header(headers, HEADER)?)?;
    // The key is the whole text of the secret, with its prefix.
    let expected = secrets.iter().filter_map(|secret| {
        let key = secret.text().as_bytes();
        hmac_sha256(key, &[at_s.as_bytes(), b".", body]).map(hex::encode)
    });
    if !matches_any(&signatures, expected) {
        return Err(Refusal::Invalid);
    }
    check_time(at_s, now, TOLERANCE_S)
}

/// Splits the header into the timestamp, which must occur once, and the signatures of the scheme
/// `v1`.
fn parts(header: &str) -> Result<(&str, Vec<&str>), Refusal> {
    let (mut at_s, mut signatures) = (None, Vec::new());
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", _)) if at_s.is_some() => return Err(Refusal::Invalid),
            Some(("t", text)) => at_s = Some(text),
            Some(("v1", text)) => signatures.push(text),
            Some(_) | None => {}
        }
    }
    Ok((at_s.ok_or(Refusal::Invalid)?, signatures))
}
