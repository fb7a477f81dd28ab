//! RSA signatures of the timestamp, a full stop and the body as received, with a key named in a header, as the
//! platform documents them: <https://docs.shipstation.com/apis/docs/guides/webhooks-validation>. The platform
//! publishes its keys at `https://api.shipengine.com/jwks`; here they are settings, so that no delivery makes the
//! server call anybody.

use axum::http::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};

use super::{Refusal, check_time, header};
use crate::clock::Timestamp;
use crate::webhooks::Secret;

pub(super) const HEADER: &str = "x-shipengine-rsa-sha256-signature";
const KEY_HEADER: &str = "x-shipengine-rsa-sha256-key-id";
const TIME_HEADER: &str = "x-shipengine-timestamp";

/// Limit: seconds between the timestamp and the arrival.
const TOLERANCE_S: i64 = 300;

/// The DER tags in a public key.
const SEQUENCE: u8 = 0x30;
const BIT_STRING: u8 = 0x03;

/// Verifies a delivery against the public keys, each `KEY-ID:` with the base64 of its `SubjectPublicKeyInfo`.
pub(super) fn verify(
    (headers, body): (&HeaderMap, &[u8]),
    keys: &[Secret],
    now: Timestamp,
) -> Result<(), Refusal> {
    let (key_id, at) = (header(headers, KEY_HEADER)?, header(headers, TIME_HEADER)?);
    let signature = STANDARD.decode(header(headers, HEADER)?).map_err(|_text| Refusal::Invalid)?;
    let signed = [at.as_bytes(), b".", body].concat();
    let is_valid = keys
        .iter()
        .filter_map(|key| key.text().split_once(':'))
        .filter(|(id, _)| *id == key_id)
        .filter_map(|(_, encoded)| public_key(encoded))
        .any(|key| {
            UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key)
                .verify(&signed, &signature)
                .is_ok()
        });
    if !is_valid {
        return Err(Refusal::Invalid);
    }
    // The platform writes its times as text; a plain number of seconds is accepted too.
    match at.parse::<Timestamp>() {
        Ok(at) => {
            let at_s = at.as_millis().div_euclid(1_000).to_string();
            check_time(&at_s, now, TOLERANCE_S)
        }
        Err(_) => check_time(at, now, TOLERANCE_S),
    }
}

/// Returns the key of a `SubjectPublicKeyInfo` in base64.
fn public_key(encoded: &str) -> Option<Vec<u8>> {
    let der = STANDARD.decode(encoded).ok()?;
    let (info, _) = element(&der, SEQUENCE)?;
    let (_algorithm, rest) = element(info, SEQUENCE)?;
    let (bits, _) = element(rest, BIT_STRING)?;
    // The first byte is the number of unused bits.
    bits.strip_prefix(&[0]).map(<[u8]>::to_vec)
}

/// Returns the content of the first DER element, which must have this tag, and the rest after it.
fn element(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (length, rest) = der.strip_prefix(&[tag])?.split_first()?;
    if *length < 0x80 {
        return rest.split_at_checked(usize::from(*length));
    }
    let (digits, rest) = rest.split_at_checked(usize::from(*length & 0x7f))?;
    let length = digits.iter().try_fold(0_usize, |length, digit| {
        length.checked_mul(256)?.checked_add(usize::from(*digit))
    })?;
    rest.split_at_checked(length)
}
