//! A consent to text messages, with its proof.

use serde::{Deserialize, Serialize};

use super::error::SmsError;
use super::phone::{Number, Phone};
use crate::auth::{Pseudonym, SecretDigest};
use crate::clock::Timestamp;
use crate::database::{Record, Word};
use crate::http::{Resource, ToSchema};
use crate::ids::{CartId, CustomerId, SmsConsentId, WebhookDeliveryId};

/// The state of a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
#[schema(as = SmsConsentStatus)]
pub(super) enum ConsentStatus {
    /// The number is not confirmed yet, or the provider has not accepted it yet.
    Pending,
    /// Messages may be sent to the number.
    Confirmed,
    /// The provider does not accept the number.
    Refused,
    Withdrawn,
}

/// A consent to text messages.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "sms_consent s", title = "Consent")]
#[record(list(plural = "sms_consents", search = ["s.phone", "s.email"], order = "-created_at"))]
#[resource(name = "sms consent", error = SmsError)]
pub(super) struct SmsConsent {
    #[column(filter)]
    pub(super) id: SmsConsentId,
    #[column(once, filter)]
    pub(super) phone: Phone,
    /// Kept when the number is erased.
    #[serde(skip)]
    #[column(once)]
    pub(super) phone_digest: Pseudonym,
    /// Whether the number is blocked until it sends `START`, because it sent `STOP` or its owner was erased.
    pub(super) is_blocking: bool,
    #[column(once)]
    pub(super) email: Option<String>,
    #[column(once, filter)]
    pub(super) cart_id: Option<CartId>,
    #[column(once, filter)]
    pub(super) customer_id: Option<CustomerId>,
    /// The text that the shopper agreed to, or the message in which the number agreed.
    #[column(once)]
    pub(super) consent_text: Option<String>,
    /// The delivery of that message.
    #[column(once)]
    pub(super) consent_webhook_id: Option<WebhookDeliveryId>,
    #[column(once)]
    pub(super) locale: Option<String>,
    #[column(filter)]
    pub(super) status: ConsentStatus,
    #[column(once)]
    pub(super) provider_id: String,
    /// When the provider accepted the number.
    pub(super) synced_at: Option<Timestamp>,
    #[serde(skip)]
    pub(super) code_digest: Option<SecretDigest>,
    #[serde(skip)]
    pub(super) code_attempts: i64,
    pub(super) confirmed_at: Option<Timestamp>,
    pub(super) withdrawn_at: Option<Timestamp>,
    /// The admin or API key that withdrew it; `message` if the number did, `erasure` if its owner was erased.
    pub(super) withdrawn_by: Option<String>,
    /// The message in which the number withdrew it.
    pub(super) withdrawn_text: Option<String>,
    /// The delivery of that message.
    pub(super) withdrawn_webhook_id: Option<WebhookDeliveryId>,
    #[column(filter, order)]
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

impl SmsConsent {
    /// Returns a consent that is neither confirmed nor reported to the provider.
    pub(super) fn new(number: Number, provider_id: &str, at: Timestamp) -> Self {
        Self {
            id: SmsConsentId::new(),
            phone: number.phone,
            phone_digest: number.digest,
            is_blocking: false,
            email: None,
            cart_id: None,
            customer_id: None,
            consent_text: None,
            consent_webhook_id: None,
            locale: None,
            status: ConsentStatus::Pending,
            provider_id: provider_id.to_owned(),
            synced_at: None,
            code_digest: None,
            code_attempts: 0,
            confirmed_at: None,
            withdrawn_at: None,
            withdrawn_by: None,
            withdrawn_text: None,
            withdrawn_webhook_id: None,
            created_at: at,
            updated_at: at,
        }
    }
}
