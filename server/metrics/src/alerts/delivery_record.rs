//! What was sent to the channels of alerts, and their responses.

use serde::{Deserialize, Serialize};

use super::alert::AlertState;
use super::channel::Channel;
use crate::clock::Timestamp;
use crate::database::Record;
use crate::http::{Resource, ToSchema};
use crate::ids::{AlertDeliveryId, AlertId};
use crate::registry::vocabulary::text_enum;

text_enum! {
    /// The outcome of a delivery.
    AlertDeliveryStatus {
        /// It is being sent for the first time.
        Pending = "pending",
        /// The channel has accepted it.
        Delivered = "delivered",
        /// The channel has not accepted it, and it is tried again.
        Failed = "failed",
        /// Every attempt has failed; there is no further one.
        Dead = "dead",
        /// The alert or its channel no longer exists.
        Dropped = "dropped",
    }
}

/// A notification to a channel of an alert.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "metric_alert_delivery d")]
#[record(list(plural = "alert_deliveries", order = "-created_at"))]
#[resource(name = "delivery of an alert")]
pub(crate) struct AlertDelivery {
    /// The id, which webhooks get as `webhook-id`.
    #[column(filter)]
    pub(super) id: AlertDeliveryId,
    #[column(filter)]
    pub(super) alert_id: AlertId,
    #[column(sql = "(select name from metric_alert where id = d.alert_id)")]
    #[schema(example = "Orders have dropped")]
    pub(super) alert_name: String,
    /// The reported state: `firing`, or `ok` once that is over.
    pub(super) state: AlertState,
    /// The channel, without its secret.
    #[column(json)]
    pub(super) channel: Channel,
    /// Whether the channel has accepted it.
    #[column(filter)]
    pub(super) status: AlertDeliveryStatus,
    /// How often it was tried.
    pub(super) attempt_count: u32,
    /// The channel's latest response, or why there is none.
    #[schema(example = "it answered 503 Service Unavailable")]
    pub(super) answer: Option<String>,
    /// When it was last tried.
    pub(super) attempted_at: Option<Timestamp>,
    /// When the alert's state changed.
    #[column(filter, order)]
    pub(super) created_at: Timestamp,
}

impl AlertDeliveryStatus {
    /// Returns the status after an attempt; `is_last` if there is no further one.
    pub(super) const fn after(is_accepted: bool, is_last: bool) -> Self {
        match (is_accepted, is_last) {
            (true, _) => Self::Delivered,
            (false, true) => Self::Dead,
            (false, false) => Self::Failed,
        }
    }
}
