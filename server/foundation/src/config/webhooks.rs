//! The settings of incoming webhooks: for each sender, how its deliveries are processed and verified. Secrets come
//! from the environment or the file, never from the database.

use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::{Args, ValueEnum};
use secrecy::{ExposeSecret as _, SecretString};

use super::invalid;

/// Limit: secrets of one receiver, so that they can be rotated.
const MAX_SECRETS: usize = 3;

/// Limit: minimum bytes of a secret.
const MIN_SECRET_BYTES: usize = 16;

/// Webhooks that come in. Secrets are lists, newest first, of at most three, each of 16 bytes or more; they are read
/// again on SIGHUP.
#[derive(Debug, Clone, Args)]
pub struct WebhookSettings {
    /// Whether what the warehouse reports is acted on; otherwise it is only kept
    #[arg(long, env = "WAREHOUSE_WEBHOOK_RECORD_ENABLED", value_name = "BOOL", default_value_t = false,
          action = clap::ArgAction::Set)]
    pub warehouse_webhook_record_enabled: bool,
    /// What is done with webhooks of the fulfillment partner; record where there is a secret
    #[arg(long, value_enum)]
    pub fulfillment_partner_webhook_mode: Option<WebhookMode>,
    /// The secrets of the fulfillment partner
    #[arg(long, value_delimiter = ',', value_name = "SECRET")]
    pub fulfillment_partner_webhook_secrets: Vec<SecretString>,
    /// The signatures of the fulfillment partner: standard, hmac-hex, or `hmac-base64:HEADER[:ID-HEADER]`
    #[arg(long, default_value = "standard", value_name = "SCHEME")]
    pub fulfillment_partner_webhook_scheme: WebhookScheme,
    /// What is done with webhooks of the e-mail provider; record where there is a secret
    #[arg(long, value_enum)]
    pub email_provider_webhook_mode: Option<WebhookMode>,
    /// The secrets of the e-mail provider
    #[arg(long, value_delimiter = ',', value_name = "SECRET")]
    pub email_provider_webhook_secrets: Vec<SecretString>,
    /// The signatures of the e-mail provider, as those of the fulfillment partner
    #[arg(long, default_value = "standard", value_name = "SCHEME")]
    pub email_provider_webhook_scheme: WebhookScheme,
    /// What is done with webhooks of the provider of text messages; record where there is a secret
    #[arg(long, value_enum)]
    pub sms_provider_webhook_mode: Option<WebhookMode>,
    /// The secrets of the provider of text messages
    #[arg(long, value_delimiter = ',', value_name = "SECRET")]
    pub sms_provider_webhook_secrets: Vec<SecretString>,
    /// The signatures of the provider of text messages, as those of the fulfillment partner
    #[arg(long, default_value = "standard", value_name = "SCHEME")]
    pub sms_provider_webhook_scheme: WebhookScheme,
    /// What is done with webhooks of the shipping platform; record where there is a secret
    #[arg(long, value_enum)]
    pub shipping_platform_webhook_mode: Option<WebhookMode>,
    /// The secrets of the shipping platform; with the scheme rsa its public keys, each `KEY-ID:` and the base64 of DER
    #[arg(long, value_delimiter = ',', value_name = "SECRET")]
    pub shipping_platform_webhook_secrets: Vec<SecretString>,
    /// The signatures of the shipping platform, as those of the fulfillment partner, or rsa
    #[arg(long, default_value = "hmac-hex", value_name = "SCHEME")]
    pub shipping_platform_webhook_scheme: WebhookScheme,
    /// The secrets of the card processor, without which its webhooks are refused
    #[arg(long, value_delimiter = ',', value_name = "SECRET")]
    pub card_processor_webhook_secrets: Vec<SecretString>,
    /// Whether the card processor moves real money; its events of the other kind are skipped. Both kinds count if absent
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub card_processor_livemode: Option<bool>,
}

/// What is done with the deliveries of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WebhookMode {
    /// They are kept and have no effect.
    Capture,
    /// They are verified and acted on.
    Record,
}

/// How a sender signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookScheme {
    /// As Standard Webhooks says.
    Standard,
    /// The header `X-Hmac-Signature`.
    HmacHex,
    /// The base64 of the body's HMAC in a header; another one may have the id of a delivery.
    HmacBase64 { header: String, id_header: Option<String> },
    /// The shipping platform's own, with RSA.
    Rsa,
}

impl FromStr for WebhookScheme {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let mut parts = text.split(':');
        let scheme = match (parts.next(), parts.next()) {
            (Some("standard"), None) => Self::Standard,
            (Some("hmac-hex"), None) => Self::HmacHex,
            (Some("rsa"), None) => Self::Rsa,
            (Some("hmac-base64"), Some(header)) if is_header(header) => {
                let id_header = parts.next().map(str::to_ascii_lowercase);
                if id_header.as_deref().is_some_and(|header| !is_header(header)) {
                    return Err("the header of ids is not the name of a header");
                }
                Self::HmacBase64 { header: header.to_ascii_lowercase(), id_header }
            }
            _ => return Err("expected standard, hmac-hex, rsa, or hmac-base64:HEADER[:ID-HEADER]"),
        };
        if parts.next().is_some() { Err("there is a part too many") } else { Ok(scheme) }
    }
}

fn is_header(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl WebhookSettings {
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        for (name, mode, secrets, scheme) in [
            (
                "fulfillment_partner",
                self.fulfillment_partner_webhook_mode,
                &self.fulfillment_partner_webhook_secrets,
                &self.fulfillment_partner_webhook_scheme,
            ),
            (
                "email_provider",
                self.email_provider_webhook_mode,
                &self.email_provider_webhook_secrets,
                &self.email_provider_webhook_scheme,
            ),
            (
                "sms_provider",
                self.sms_provider_webhook_mode,
                &self.sms_provider_webhook_secrets,
                &self.sms_provider_webhook_scheme,
            ),
            (
                "shipping_platform",
                self.shipping_platform_webhook_mode,
                &self.shipping_platform_webhook_secrets,
                &self.shipping_platform_webhook_scheme,
            ),
            ("card_processor", None, &self.card_processor_webhook_secrets, &WebhookScheme::HmacHex),
        ] {
            let key = format!("{name}_webhook_secrets");
            let is_short = |secret: &SecretString| key_len(secret, scheme) < MIN_SECRET_BYTES;
            if secrets.len() > MAX_SECRETS || secrets.iter().any(is_short) {
                let message = if *scheme == WebhookScheme::Rsa {
                    "at most three public keys, each `KEY-ID:` and the base64 of DER"
                } else {
                    "at most three secrets of 16 bytes or more, in base64 behind `whsec_`"
                };
                return Err(invalid(&key, message));
            }
            if mode == Some(WebhookMode::Record) && secrets.is_empty() {
                let message = "what is not verified is not acted on: a secret is needed";
                return Err(invalid(&key, message));
            }
        }
        Ok(())
    }
}

/// Returns the length of a secret's key: in Standard Webhooks, `whsec_` is followed by base64, and a public key is
/// base64 too.
fn key_len(secret: &SecretString, scheme: &WebhookScheme) -> usize {
    let text = secret.expose_secret();
    let encoded = match scheme {
        WebhookScheme::Standard => text.strip_prefix("whsec_"),
        WebhookScheme::Rsa => Some(text.split_once(':').map_or("", |(_, key)| key)),
        WebhookScheme::HmacHex | WebhookScheme::HmacBase64 { .. } => None,
    };
    match encoded {
        Some(encoded) => STANDARD.decode(encoded).map_or(0, |key| key.len()),
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_names_its_headers() {
        let base64 = |header: &str, id_header: Option<&str>| WebhookScheme::HmacBase64 {
            header: header.to_owned(),
            id_header: id_header.map(str::to_owned),
        };
        for (text, expected) in [
            ("standard", Some(WebhookScheme::Standard)),
            ("hmac-hex", Some(WebhookScheme::HmacHex)),
            ("hmac-base64:X-Shop-Hmac-SHA256", Some(base64("x-shop-hmac-sha256", None))),
            ("hmac-base64:X-Sum:X-Id", Some(base64("x-sum", Some("x-id")))),
            ("hmac-base64", None),
            ("hmac-base64:", None),
            ("hmac-base64:X Sum", None),
            ("hmac-base64:X-Sum:", None),
            ("hmac-base64:X-Sum:X-Id:more", None),
            ("standard:more", None),
            ("rsa", Some(WebhookScheme::Rsa)),
            ("rsa:key", None),
            ("sha1", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
