//! Stored settings.

use serde::Serialize;
use serde_json::{Map, Value};

use super::analytics::{Analytics, check_public};
use super::checkout::Checkout;
use crate::clock::Timestamp;
use crate::database::Record;
use crate::error::ContentError;
use crate::http::{Refusal, Resource, ToSchema};
use crate::ids::SalesChannelId;

/// Limit: bytes of a channel's key-values.
const MAX_BYTES: usize = 16 * 1024;

/// What a sales channel publishes to its storefronts.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "storefront_setting s", title = "Storefront setting")]
#[record(list(plural = "storefront_settings", usual, order = "-created_at"))]
#[resource(name = "storefront setting", error = ContentError)]
pub(super) struct StorefrontSetting {
    /// The sales channel.
    pub(super) id: SalesChannelId,
    #[column(json)]
    pub(super) analytics: Analytics,
    #[column(json)]
    pub(super) checkout: Checkout,
    /// Public key-values, such as notices and switches.
    #[column(json)]
    #[schema(value_type = Object, example = json!({ "notice": "Closed on Monday." }))]
    pub(super) custom: Map<String, Value>,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

impl StorefrontSetting {
    pub(super) fn check(&self) -> Result<(), Refusal> {
        self.analytics.check()?;
        self.checkout.check()?;
        let text = serde_json::to_string(&self.custom).unwrap_or_default();
        if text.len() > MAX_BYTES {
            return Err(Refusal::invalid("`custom` is larger than 16384 bytes"));
        }
        check_public(&text)
    }
}
