//! The configured senders: how their deliveries are processed, and what verifies them.

use std::sync::{Arc, PoisonError, RwLock};

use axum::http::HeaderMap;
use quotient_foundation::webhooks::{Refusal, Scheme, Secret};
use secrecy::{ExposeSecret as _, SecretString};

use super::vocabulary::{Mode, Receiver, Signature};
use crate::clock::Timestamp;
use crate::config::{WebhookMode, WebhookScheme, WebhookSettings};

/// The settings of one sender.
#[derive(Debug, Clone)]
pub(super) struct ReceiverSettings {
    pub(super) mode: Mode,
    pub(super) secrets: Vec<Secret>,
    pub(super) scheme: Scheme,
    /// The header with the id of a delivery, where the scheme has none.
    pub(super) id_header: Option<String>,
}

/// All senders. Cheap to clone; the secrets can be replaced while the server runs.
#[derive(Debug, Clone)]
pub struct Receivers(Arc<RwLock<Arc<WebhookSettings>>>);

impl Receivers {
    pub fn new(settings: &WebhookSettings) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(settings.clone()))))
    }

    pub fn replace(&self, settings: &WebhookSettings) {
        let mut current = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *current = Arc::new(settings.clone());
    }

    fn current(&self) -> Arc<WebhookSettings> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns whether only real money of the card processor counts, or only test money; none if both do.
    pub(super) fn livemode(&self) -> Option<bool> {
        self.current().card_processor_livemode
    }

    pub(super) fn of(&self, receiver: Receiver) -> ReceiverSettings {
        let all = self.current();
        let (mode, secrets, scheme) = match receiver {
            Receiver::WarehouseIntegration => {
                let is_on = all.warehouse_webhook_record_enabled;
                let mode = if is_on { WebhookMode::Record } else { WebhookMode::Capture };
                (Some(mode), &Vec::new(), &WebhookScheme::Standard)
            }
            Receiver::FulfillmentPartner => (
                all.fulfillment_partner_webhook_mode,
                &all.fulfillment_partner_webhook_secrets,
                &all.fulfillment_partner_webhook_scheme,
            ),
            Receiver::EmailProvider => (
                all.email_provider_webhook_mode,
                &all.email_provider_webhook_secrets,
                &all.email_provider_webhook_scheme,
            ),
            Receiver::SmsProvider => (
                all.sms_provider_webhook_mode,
                &all.sms_provider_webhook_secrets,
                &all.sms_provider_webhook_scheme,
            ),
            Receiver::ShippingPlatform => (
                all.shipping_platform_webhook_mode,
                &all.shipping_platform_webhook_secrets,
                &all.shipping_platform_webhook_scheme,
            ),
            Receiver::CardProcessorTolerant => {
                let secrets = secrets(&all.card_processor_webhook_secrets, Secret::of_text);
                let (mode, scheme) = (Mode::Record, Scheme::Stripe);
                return ReceiverSettings { mode, secrets, scheme, id_header: None };
            }
        };
        settings(mode, secrets, scheme)
    }
}

fn settings(
    mode: Option<WebhookMode>,
    texts: &[SecretString],
    scheme: &WebhookScheme,
) -> ReceiverSettings {
    let (scheme, id_header, parse): (_, _, fn(&str) -> _) = match scheme {
        WebhookScheme::Standard => (Scheme::Standard, None, str::parse::<Secret>),
        WebhookScheme::HmacHex => (Scheme::HmacHex, None, Secret::of_text),
        WebhookScheme::Rsa => (Scheme::Rsa, None, Secret::of_text),
        WebhookScheme::HmacBase64 { header, id_header } => {
            (Scheme::HmacBase64(header.clone()), id_header.clone(), Secret::of_text)
        }
    };
    let secrets = secrets(texts, parse);
    let usual = if secrets.is_empty() { WebhookMode::Capture } else { WebhookMode::Record };
    let mode = match mode.unwrap_or(usual) {
        WebhookMode::Capture => Mode::Capture,
        WebhookMode::Record => Mode::Record,
    };
    ReceiverSettings { mode, secrets, scheme, id_header }
}

/// Returns the secrets; the settings were checked when they were read.
fn secrets<E>(texts: &[SecretString], parse: fn(&str) -> Result<Secret, E>) -> Vec<Secret> {
    texts.iter().filter_map(|text| parse(text.expose_secret()).ok()).collect()
}

impl ReceiverSettings {
    /// Verifies an incoming request; the refusal says why it is invalid.
    pub(super) fn check(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> (Signature, Option<Refusal>) {
        if self.secrets.is_empty() {
            let is_present = self.scheme.is_present(headers);
            return (if is_present { Signature::Unchecked } else { Signature::Absent }, None);
        }
        match self.scheme.verify((headers, body), &self.secrets, now) {
            Ok(()) => (Signature::Valid, None),
            Err(Refusal::Missing) => (Signature::Absent, Some(Refusal::Missing)),
            Err(refusal) => (Signature::Invalid, Some(refusal)),
        }
    }
}
