//! The signature schemes of senders: whether a delivery really comes from its sender.
//!
//! Every signature of a delivery is tried against every secret, without stopping early, and compared in constant time.
//! A duplicate header is invalid, because two programs could read it differently.

mod body_hmac;
mod rsa;
mod standard;
mod stripe;

#[cfg(test)]
mod tests;

use axum::http::HeaderMap;
use subtle::{Choice, ConstantTimeEq as _};
use thiserror::Error;

use super::Secret;
use crate::clock::Timestamp;

/// Limit: signatures of one delivery that are tried.
const MAX_SIGNATURES: usize = 16;

/// Limit: digits of a timestamp in seconds.
const MAX_TIME_DIGITS: usize = 12;

/// Why a delivery is not trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("a signature header is missing")]
    Missing,
    #[error("the signature is not valid")]
    Invalid,
    #[error("the timestamp is outside of the tolerance")]
    Stale,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scheme {
    /// `Stripe-Signature: t=…,v1=…`: the hexadecimal HMAC-SHA256 of `t.body`, within 600 s in both directions.
    Stripe,
    /// `webhook-id`, `webhook-timestamp` and `webhook-signature`, or their `svix-…` names, within 300 s in both directions.
    Standard,
    /// `X-Hmac-Signature: hmac-sha256-hex=…`: the HMAC-SHA256 of the body. It contains no time, so repetitions are
    /// recognised by their ids.
    HmacHex,
    /// The base64 of the HMAC-SHA256 of the body in this header.
    HmacBase64(String),
    /// `x-shipengine-rsa-sha256-signature`, `…-key-id` and `x-shipengine-timestamp`: the base64 of an RSA signature with
    /// SHA-256 over `timestamp.body`, within 300 s in both directions.
    Rsa,
}

impl Scheme {
    /// Verifies a delivery that arrives at `now`.
    ///
    /// # Errors
    /// Why it is not trusted. Without secrets nothing is.
    pub fn verify(
        &self,
        (headers, body): (&HeaderMap, &[u8]),
        secrets: &[Secret],
        now: Timestamp,
    ) -> Result<(), Refusal> {
        match self {
            Self::Stripe => stripe::verify((headers, body), secrets, now),
            Self::Standard => standard::verify((headers, body), secrets, now),
            Self::HmacHex => body_hmac::verify_hex(headers, body, secrets),
            Self::HmacBase64(name) => body_hmac::verify_base64(name, headers, body, secrets),
            Self::Rsa => rsa::verify((headers, body), secrets, now),
        }
    }

    /// Returns whether a delivery has the headers of the scheme, valid or not.
    pub fn is_present(&self, headers: &HeaderMap) -> bool {
        match self {
            Self::Stripe => headers.contains_key(stripe::HEADER),
            Self::Standard => standard::is_present(headers),
            Self::HmacHex => headers.contains_key(body_hmac::HEADER),
            Self::HmacBase64(name) => headers.contains_key(name),
            Self::Rsa => headers.contains_key(rsa::HEADER),
        }
    }

    /// Returns the sender's id of a delivery, if a header contains it.
    pub fn id_of<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        match self {
            Self::Standard => standard::id(headers),
            Self::Stripe | Self::HmacHex | Self::HmacBase64(_) | Self::Rsa => None,
        }
    }
}

/// Returns the text of a header that occurs once.
fn header<'h>(headers: &'h HeaderMap, name: &str) -> Result<&'h str, Refusal> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().ok_or(Refusal::Missing)?;
    if values.next().is_some() {
        return Err(Refusal::Invalid);
    }
    value.to_str().map_err(|_not_ascii| Refusal::Invalid)
}

/// Checks that a timestamp in plain digits is at most this far from now, in either direction.
fn check_time(text: &str, now: Timestamp, tolerance_s: i64) -> Result<(), Refusal> {
    let is_plain = (1..=MAX_TIME_DIGITS).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit());
    let at_s: i64 = match text.parse() {
        Ok(at_s) if is_plain => at_s,
        Ok(_) | Err(_) => return Err(Refusal::Invalid),
    };
    let now_s = now.as_millis().div_euclid(1_000);
    if now_s.abs_diff(at_s) > tolerance_s.unsigned_abs() {
        return Err(Refusal::Stale);
    }
    Ok(())
}

/// Returns whether any of the signatures equals any of the expected ones; every pair is compared.
fn matches_any(signatures: &[&str], expected: impl Iterator<Item = String>) -> bool {
    let mut is_equal = Choice::from(0);
    for expected in expected {
        for signature in signatures.iter().take(MAX_SIGNATURES) {
            is_equal |= signature.as_bytes().ct_eq(expected.as_bytes());
        }
    }
    is_equal.into()
}
