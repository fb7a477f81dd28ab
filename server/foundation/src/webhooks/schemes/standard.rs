//! Standard Webhooks: an id, a timestamp and signatures in three headers of one family, `webhook-…` or `svix-…`.

use axum::http::HeaderMap;

use super::{Refusal, check_time, header, matches_any};
use crate::clock::Timestamp;
use crate::webhooks::Secret;
use crate::webhooks::signing::{Signed, signature};

/// The names of the headers, by family.
const FAMILIES: [[&str; 3]; 2] = [
    ["webhook-id", "webhook-timestamp", "webhook-signature"],
    ["svix-id", "svix-timestamp", "svix-signature"],
];

/// Limit: seconds between the timestamp and the arrival.
const TOLERANCE_S: i64 = 300;

/// Returns the family whose headers are all present.
fn family(headers: &HeaderMap) -> Option<[&'static str; 3]> {
    FAMILIES.into_iter().find(|names| names.iter().all(|name| headers.contains_key(*name)))
}

pub(super) fn is_present(headers: &HeaderMap) -> bool {
    family(headers).is_some()
}

pub(super) fn id(headers: &HeaderMap) -> Option<&str> {
    let [id, ..] = family(headers)?;
    header(headers, id).ok().filter(|id| !id.is_empty())
}

pub(super) fn verify(
    (headers, body): (&HeaderMap, &[u8]),
    secrets: &[Secret],
    now: Timestamp,
) -> Result<(), Refusal> {
    let [id, at, signatures] = family(headers).ok_or(Refusal::Missing)?;
    let (id, at_s) = (header(headers, id)?, header(headers, at)?);
    let signatures: Vec<&str> = header(headers, signatures)?
        .split(' ')
        .filter_map(|versioned| versioned.strip_prefix("v1,"))
        .collect();
    let signed = Signed { id, at_s, body };
    let expected = secrets.iter().filter_map(|secret| signature(secret, signed));
    // Without an id, repetitions could not be recognised.
    if !matches_any(&signatures, expected) || id.is_empty() {
        return Err(Refusal::Invalid);
    }
    check_time(at_s, now, TOLERANCE_S)
}
