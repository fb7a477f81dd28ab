//! Signatures of outgoing webhooks, according to Standard Webhooks.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::Secret;

#[derive(Debug, Clone, Copy)]
pub struct Signed<'a> {
    /// The id, the same for every attempt.
    pub id: &'a str,
    /// The time of the attempt, in seconds since 1970, as in the header.
    pub at_s: &'a str,
    pub body: &'a [u8],
}

/// Returns the value of `webhook-signature`: one signature per secret, newest first.
pub fn sign(secrets: &[Secret], signed: Signed<'_>) -> String {
    let signatures = secrets.iter().filter_map(|secret| signature(secret, signed));
    signatures.map(|signature| format!("v1,{signature}")).collect::<Vec<_>>().join(" ")
}

/// Returns the base64 of one signature.
pub(super) fn signature(secret: &Secret, Signed { id, at_s, body }: Signed<'_>) -> Option<String> {
    let parts = [id.as_bytes(), b".", at_s.as_bytes(), b".", body];
    Some(STANDARD.encode(hmac_sha256(&secret.decoded()?, &parts)?))
}

/// Returns the HMAC-SHA256 of concatenated parts.
pub(super) fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> Option<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for part in parts {
        mac.update(part);
    }
    Some(mac.finalize().into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNED: Signed<'static> = Signed {
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        at_s: "1614265330",
        body: br#"{"test": 2432232314}"#,
    };

    fn secret(text: &str) -> Secret {
        text.parse().unwrap()
    }

    #[test]
    fn a_delivery_is_signed_as_the_standard_says() {
        let signed = sign(&[secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")], SIGNED);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn while_a_secret_is_rotated_both_sign() {
        let secrets =
            [secret("a secret of the partner"), secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")];
        let signed = sign(&secrets, SIGNED);
        let (new, old) = signed.split_once(' ').unwrap();
        assert_eq!(old, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert!(new.starts_with("v1,") && new != old, "{signed}");
    }
}
