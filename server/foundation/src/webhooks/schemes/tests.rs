//! Tests of the schemes, as tables of headers.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::*;

const NOW_S: i64 = 1_614_265_330;
const BODY: &[u8] = br#"{"test": 2432232314}"#;
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// The official library's example of Standard Webhooks.
const STANDARD_SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let name: HeaderName = name.parse().unwrap();
        headers.append(name, HeaderValue::from_str(value).unwrap());
    }
    headers
}

fn verify(scheme: &Scheme, pairs: &[(&str, &str)], body: &[u8], age_s: i64) -> Result<(), Refusal> {
    let secrets: Vec<Secret> =
        ["a new secret of theirs", SECRET].iter().map(|text| text.parse().unwrap()).collect();
    let now = Timestamp::from_millis(NOW_S * 1_000).plus_ms(age_s.saturating_mul(1_000));
    scheme.verify((&headers(pairs), body), &secrets, now)
}

fn stripe_signature(secret: &str, at: &str) -> String {
    let mac =
        crate::webhooks::signing::hmac_sha256(secret.as_bytes(), &[at.as_bytes(), b".", BODY]);
    hex::encode(mac.unwrap())
}

#[test]
fn a_processor_signature_is_valid_within_ten_minutes_of_its_time() {
    let at = NOW_S.to_string();
    let old = stripe_signature(SECRET, &at);
    let new = stripe_signature("a new secret of theirs", &at);
    let upper = old.to_uppercase();
    for (header, age_s, expected) in [
        (format!("t={at},v1={old}"), 0, Ok(())),
        (format!("v1={old},t={at}"), 0, Ok(())),
        (format!("t={at}, v1={old}"), 0, Ok(())),
        (format!("t={at},v1={new}"), 0, Ok(())),
        (format!("t={at},v1=00,v1={old},v0=11"), 0, Ok(())),
        (format!("t={at},v1={old}"), 600, Ok(())),
        (format!("t={at},v1={old}"), -600, Ok(())),
        (format!("t={at},v1={old}"), 601, Err(Refusal::Stale)),
        (format!("t={at},v1={old}"), -601, Err(Refusal::Stale)),
        (format!("t={at},v0={old}"), 0, Err(Refusal::Invalid)),
        (format!("t={at},v1={upper}"), 0, Err(Refusal::Invalid)),
        (format!("t={at},t={at},v1={old}"), 0, Err(Refusal::Invalid)),
        (format!("t=+{at},v1={old}"), 0, Err(Refusal::Invalid)),
        (format!("t=1614265331,v1={old}"), 0, Err(Refusal::Invalid)),
        (format!("v1={old}"), 0, Err(Refusal::Invalid)),
        (format!("t={at}"), 0, Err(Refusal::Invalid)),
        (String::new(), 0, Err(Refusal::Invalid)),
    ] {
        let found = verify(&Scheme::Stripe, &[("stripe-signature", &header)], BODY, age_s);
        assert_eq!(found, expected, "{header} after {age_s} s");
    }
    assert_eq!(verify(&Scheme::Stripe, &[], BODY, 0), Err(Refusal::Missing));
}

#[test]
fn a_signed_time_other_than_a_plain_number_is_invalid() {
    for at in ["+1614265330", "1614265330.0", "1.6e9", " 1614265330", "", "9999999999999"] {
        let header = format!("t={at},v1={}", stripe_signature(SECRET, at));
        let found = verify(&Scheme::Stripe, &[("stripe-signature", &header)], BODY, 0);
        assert_eq!(found, Err(Refusal::Invalid), "{at}");
    }
}

#[test]
fn a_standard_signature_is_valid_within_five_minutes_of_its_time() {
    let (id, at) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", NOW_S.to_string());
    let several = format!("v1,AAAA v1a,BBBB {STANDARD_SIGNATURE}");
    let other_version = STANDARD_SIGNATURE.replace("v1,", "v2,");
    for (id, at, signature, age_s, expected) in [
        (id, &*at, STANDARD_SIGNATURE, 0, Ok(())),
        (id, &at, &several, 0, Ok(())),
        (id, &at, STANDARD_SIGNATURE, 300, Ok(())),
        (id, &at, STANDARD_SIGNATURE, -300, Ok(())),
        (id, &at, STANDARD_SIGNATURE, 301, Err(Refusal::Stale)),
        (id, &at, STANDARD_SIGNATURE, -301, Err(Refusal::Stale)),
        ("msg_other", &at, STANDARD_SIGNATURE, 0, Err(Refusal::Invalid)),
        (id, "1614265331", STANDARD_SIGNATURE, 0, Err(Refusal::Invalid)),
        (id, &at, &other_version, 0, Err(Refusal::Invalid)),
        (id, &at, "", 0, Err(Refusal::Invalid)),
    ] {
        for family in ["webhook", "svix"] {
            let [id_name, at_name, signature_name] =
                ["id", "timestamp", "signature"].map(|part| format!("{family}-{part}"));
            let pairs = [(&*id_name, id), (&*at_name, at), (&*signature_name, signature)];
            let found = verify(&Scheme::Standard, &pairs, BODY, age_s);
            assert_eq!(found, expected, "{family} {id} {at} {signature} after {age_s} s");
        }
    }
}

#[test]
fn the_headers_of_two_families_do_not_mix_and_none_is_repeated() {
    let at = NOW_S.to_string();
    let id = ("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek");
    let mixed = [id, ("svix-timestamp", &*at), ("webhook-signature", STANDARD_SIGNATURE)];
    assert_eq!(verify(&Scheme::Standard, &mixed, BODY, 0), Err(Refusal::Missing));
    let good = [id, ("webhook-timestamp", &*at), ("webhook-signature", STANDARD_SIGNATURE)];
    assert_eq!(verify(&Scheme::Standard, &good, BODY, 0), Ok(()));
    for doubled in good {
        let mut pairs = good.to_vec();
        pairs.push(doubled);
        assert_eq!(verify(&Scheme::Standard, &pairs, BODY, 0), Err(Refusal::Invalid));
    }
    assert_eq!(verify(&Scheme::Standard, &good, b"{}", 0), Err(Refusal::Invalid));
}

/// Python: `hmac.new(b"whsec_Mf…", BODY, "sha256")`, as hexadecimal digits and as base64.
const HEX: &str = "80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c";
const BASE64: &str = "gOyKic480iEzoQZsrstNBP6nRnZXyFFNcX7ELDilyUw=";

#[test]
fn a_signature_of_the_body_alone_is_valid_at_any_time() {
    let wrong = HEX.replace(['0', '1'], "2");
    for (value, expected) in [
        (format!("hmac-sha256-hex={HEX}"), Ok(())),
        (format!("hmac-sha256-hex={}", HEX.to_uppercase()), Err(Refusal::Invalid)),
        (format!("hmac-sha256-hex={wrong}"), Err(Refusal::Invalid)),
        (format!("hmac-sha1-hex={HEX}"), Err(Refusal::Invalid)),
        (HEX.to_owned(), Err(Refusal::Invalid)),
        (String::new(), Err(Refusal::Invalid)),
    ] {
        let found = verify(&Scheme::HmacHex, &[("x-hmac-signature", &value)], BODY, 1_000_000);
        assert_eq!(found, expected, "{value}");
    }
    let scheme = Scheme::HmacBase64("x-shop-hmac-sha256".to_owned());
    for (value, expected) in [(BASE64, Ok(())), ("AAAA", Err(Refusal::Invalid))] {
        let found = verify(&scheme, &[("x-shop-hmac-sha256", value)], BODY, 0);
        assert_eq!(found, expected, "{value}");
    }
    assert_eq!(verify(&scheme, &[], BODY, 0), Err(Refusal::Missing));
}

#[test]
fn the_secret_of_a_hexadecimal_signature_is_decomposed() {
    let composed: Secret = "gr\u{e9}ve secret of ours".parse().unwrap();
    let decomposed = "gre\u{301}ve secret of ours";
    let mac = crate::webhooks::signing::hmac_sha256(decomposed.as_bytes(), &[BODY]).unwrap();
    let value = format!("hmac-sha256-hex={}", hex::encode(mac));
    let headers = headers(&[("x-hmac-signature", &value)]);
    let now = Timestamp::from_millis(0);
    assert_eq!(Scheme::HmacHex.verify((&headers, BODY), &[composed], now), Ok(()));
}

#[test]
fn without_secrets_nothing_is_trusted() {
    let at = NOW_S.to_string();
    let empty = hex::encode(
        crate::webhooks::signing::hmac_sha256(b"", &[at.as_bytes(), b".", BODY]).unwrap(),
    );
    let headers = headers(&[("stripe-signature", &format!("t={at},v1={empty}"))]);
    let now = Timestamp::from_millis(NOW_S * 1_000);
    assert_eq!(Scheme::Stripe.verify((&headers, BODY), &[], now), Err(Refusal::Invalid));
}

/// `openssl rsa -pubout -outform DER`, in base64.
const RSA_KEY: &str = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7dxvu5Gl8Q+j0C52TQyBNyN6BoFhV+b/1hJzLxNOj7tpwoNssMLjlxNw\
    xKh6C80tzYH4D9rs9qJIOApBixrGnnYuRahnqapgIsI7moRNWUBUtMjzDc3Xf7XPieZOjx+U6ym7S7J7/ZmKgzU2lhAMtduErMfB\
    7Tm9YUwVJIgMXNPSmaYbqrT9EV1VWzC4XgY9AcFSTtp5eUa6ecuciuLEERlLbThgDoVqgqEbtpEGbfyRTNOzo6HcHc6aQ6MlHe0H\
    6fbbzZ678qUDjM15M3sBk4SfmgnFkYJ1+MP89cuznAypIO9vuecarrE6I4intfYhE0mz5p8gy/4GPuhb7qim9QIDAQAB";

/// `openssl dgst -sha256 -sign` of the time in seconds, a dot and the body.
const RSA_SIGNATURE: &str = "QC87idwK8ZfLQpBRQCbY8Xi3ud1vmYNfq8hK5jyAE1gWZk4550TkBB/09OPM7K1m0yK/zIEpD0tq9Q6POYabtvwrC8RjeIce5w0r\
    QGDwy1+WctdDWe2v8C8ecr0Rdz3vpwdD98arXMg8GwbrKT28wOcHacU2koQ8NMZd5o8kUROCUFObC80zPl+IhoolpW82Fj7ear9Z\
    vvE1ZZX0uXuX2AXLylX0+upctnPW0uz0T+1CvZsJCQ0Olj4GktVHunQ048NXaKv/ayYdRatjiuByIzZOrj3R2zEpGeMUSwhbS2yr\
    UHMEvV9f97N3lGhomEGZo2y5t8nu5y29EnPCRUlxyA==";

/// The same of `2021-02-25T15:02:10Z`.
const RSA_SIGNATURE_OF_TEXT: &str = "10JVrxPfnvT3JE5RjIeYPxMl8TT5qVBj4xdE9LEyDnEmWzSnXP0iaAnV7I8yU/MdCm/8Vg5YtWTACEfsxr7fyBGXD7WJ3dWcn4Fy\
    bI0eOcyqblhP9vst1VcAy0S1u4huxu8OGJedA/WaRYI8IkHfQmKTp3aEhYgXLlnk7WNT4y6xAs9hja53tP3Q0p/apa73pcyCY1yf\
    39/jXRUU2MOduOoCuxlMhDIsl88h5+gPJjKnXK9LyQQrK8oLe02PqJ+P89Y9VTfbBlqzSZiIo6zHukUJTFk2THp+mSC/NUe/FCgR\
    T/u/vuNlCVwVd4nt9uvhErmruBNShwwq4CR7VKkHQQ==";

#[test]
fn an_rsa_signature_is_valid_for_the_key_that_is_named_within_five_minutes() {
    let at = NOW_S.to_string();
    let keys = [Secret::of_text(&format!("key-1:{RSA_KEY}")).unwrap()];
    let wrong = RSA_SIGNATURE.replace('Q', "R");
    for (signature, key_id, at, age_s, expected) in [
        (RSA_SIGNATURE, "key-1", &*at, 0, Ok(())),
        (RSA_SIGNATURE, "key-1", &at, -300, Ok(())),
        (RSA_SIGNATURE, "key-1", &at, 301, Err(Refusal::Stale)),
        (RSA_SIGNATURE_OF_TEXT, "key-1", "2021-02-25T15:02:10Z", 300, Ok(())),
        (RSA_SIGNATURE_OF_TEXT, "key-1", "2021-02-25T15:02:10Z", 301, Err(Refusal::Stale)),
        (RSA_SIGNATURE, "key-2", &at, 0, Err(Refusal::Invalid)),
        (RSA_SIGNATURE, "key-1", "1614265331", 0, Err(Refusal::Invalid)),
        (&wrong, "key-1", &at, 0, Err(Refusal::Invalid)),
        ("no base64", "key-1", &at, 0, Err(Refusal::Invalid)),
    ] {
        let headers = headers(&[
            ("x-shipengine-rsa-sha256-signature", signature),
            ("x-shipengine-rsa-sha256-key-id", key_id),
            ("x-shipengine-timestamp", at),
        ]);
        let now = Timestamp::from_millis(NOW_S * 1_000).plus_ms(age_s * 1_000);
        let found = Scheme::Rsa.verify((&headers, BODY), &keys, now);
        assert_eq!(found, expected, "{signature} by {key_id} at {at} after {age_s} s");
        assert_eq!(Scheme::Rsa.verify((&headers, b"{}"), &keys, now), Err(Refusal::Invalid));
    }
    let broken = [Secret::of_text("key-1:MIIBIjANBgkqhkiG9w0BAQEF").unwrap()];
    let headers = headers(&[("x-shipengine-rsa-sha256-signature", RSA_SIGNATURE)]);
    assert_eq!(
        Scheme::Rsa.verify((&headers, BODY), &broken, Timestamp::from_millis(0)),
        Err(Refusal::Missing)
    );
}
