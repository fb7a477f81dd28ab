//! The words of deliveries, as they are stored and shown.

use serde::{Deserialize, Serialize};

use crate::database::Word;
use crate::http::ToSchema;
use crate::stored_as_word;

/// The direction of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
#[schema(as = WebhookDirection)]
pub(super) enum Direction {
    Inbound,
    Outbound,
}

/// A sender of webhooks, by the path that it calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = WebhookReceiver)]
pub(super) enum Receiver {
    WarehouseIntegration,
    FulfillmentPartner,
    EmailProvider,
    SmsProvider,
    ShippingPlatform,
    CardProcessorTolerant,
}

stored_as_word!(
    Receiver: WarehouseIntegration = "warehouse-integration",
    FulfillmentPartner = "fulfillment-partner",
    EmailProvider = "email-provider",
    SmsProvider = "sms-provider",
    ShippingPlatform = "shipping-platform",
    CardProcessorTolerant = "card-processor-tolerant",
);

/// How incoming deliveries are processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
#[schema(as = WebhookReceiverMode)]
pub(super) enum Mode {
    /// Stored without an effect.
    Capture,
    /// It is acted on.
    Record,
}

/// The result of checking an incoming signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
#[schema(as = WebhookSignature)]
pub(super) enum Signature {
    Valid,
    Invalid,
    /// There is none.
    Absent,
    /// There is no secret for checking it.
    Unchecked,
}

/// How far a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
#[schema(as = WebhookStatus)]
pub(super) enum Status {
    /// Received, and being processed.
    Received,
    /// Waiting to be sent.
    Pending,
    /// It took effect, or was taken.
    Handled,
    /// Without an effect; `last_error` says why.
    Skipped,
    /// It will be tried again.
    Failed,
    /// It is given up, until somebody delivers it again.
    Dead,
}
