//! A consent to text messages, with its proof.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::error::SmsError;
use super::phone::Phone;
use crate::auth::SecretDigest;
use crate::clock::Timestamp;
use crate::database::Record;
use crate::http::Resource;
use crate::ids::{CartId, CustomerId, SmsConsentId};
use crate::resource::View;
use crate::stored_as_word;

/// What has become of a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SmsConsentStatus)]
pub(super) enum ConsentStatus {
    /// The number is not confirmed yet, or the provider has not taken it.
    Pending,
    /// The number may be written to.
    Confirmed,
    /// The provider does not take the number.
    Refused,
    Withdrawn,
}

stored_as_word!(ConsentStatus:
    Pending = "pending",
    Confirmed = "confirmed",
    Refused = "refused",
    Withdrawn = "withdrawn",
);

/// A consent to text messages.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "sms_consent s", title = "Consent")]
#[record(list(plural = "sms_consents", search = ["s.phone", "s.email"], order = "-created_at"))]
#[resource(name = "sms consent")]
pub(super) struct SmsConsent {
    #[column(filter)]
    pub(super) id: SmsConsentId,
    #[column(once, filter)]
    pub(super) phone: Phone,
    #[column(once)]
    pub(super) email: Option<String>,
    #[column(once, filter)]
    pub(super) cart_id: Option<CartId>,
    #[column(once, filter)]
    pub(super) customer_id: Option<CustomerId>,
    /// The text that the shopper agreed to.
    #[column(once)]
    pub(super) consent_text: Option<String>,
    #[column(once)]
    pub(super) locale: Option<String>,
    #[column(filter)]
    pub(super) status: ConsentStatus,
    #[column(once)]
    pub(super) provider_id: String,
    /// When the provider took the number.
    pub(super) synced_at: Option<Timestamp>,
    #[serde(skip)]
    pub(super) code_digest: Option<SecretDigest>,
    #[serde(skip)]
    pub(super) code_attempts: i64,
    pub(super) confirmed_at: Option<Timestamp>,
    pub(super) withdrawn_at: Option<Timestamp>,
    /// The admin or API key that withdrew it.
    pub(super) withdrawn_by: Option<String>,
    #[column(filter, order)]
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

impl View for SmsConsent {
    type Row = Self;
    type Error = SmsError;
}
