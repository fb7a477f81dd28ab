//! The orders of a customer, as a part of the customer; `/store/orders` returns them in full.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::FromRow;
use crate::http::{Resource, ToSchema};
use crate::ids::{OrderId, RegionId, SalesChannelId};
use crate::money::Currency;

/// An order of a customer, without the data computed from its lines.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow, Resource)]
#[resource(name = "order")]
pub struct CustomerOrder {
    pub id: OrderId,
    /// Its human-readable number.
    pub display_id: i64,
    /// `pending`, `completed`, `archived`, `canceled` or `requires_action`.
    #[schema(example = "pending")]
    pub status: String,
    #[schema(example = "captured")]
    pub payment_status: String,
    #[schema(example = "not_fulfilled")]
    pub fulfillment_status: String,
    pub email: Option<String>,
    #[column(name = "currency")]
    pub currency_code: Currency,
    pub region_id: Option<RegionId>,
    pub sales_channel_id: Option<SalesChannelId>,
    pub canceled_at: Option<Timestamp>,
    /// When the order was placed.
    #[column(name = "placed_at")]
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
