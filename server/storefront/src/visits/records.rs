//! Events and wishes as administrators see them.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::clock::Timestamp;
use crate::database::Record;
use crate::database::listing::Kind;
use crate::error::ContentError;
use crate::http::{Resource, ToSchema};
use crate::ids::{CustomerId, ProductId, SalesChannelId, WishlistItemId};

/// A product that is or was on somebody's wishlist.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "wishlist_item w")]
#[record(list(plural = "wishlist_items", order = "-created_at"))]
#[resource(name = "wishlist item", error = ContentError)]
pub(super) struct WishlistItem {
    id: WishlistItemId,
    #[column(filter)]
    product_id: ProductId,
    variant_id: Option<String>,
    /// The customer, if logged in.
    #[column(filter)]
    customer_id: Option<CustomerId>,
    /// The visit of somebody who was not logged in.
    #[column(name = "visit_id")]
    session_id: Option<String>,
    /// When it was last added.
    #[column(order)]
    added_at: Option<Timestamp>,
    /// When it was last removed; it is on the wishlist if that was before it was added.
    removed_at: Option<Timestamp>,
    #[column(filter, order)]
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// An event of a visitor.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "visit_event e")]
#[record(list(plural = "events", order = "-created_at"))]
#[resource(name = "event", key = "tracking_event", error = ContentError)]
#[schema(as = TrackingEvent)]
pub(super) struct VisitEvent {
    /// The number of the event.
    #[column(name = "seq", key)]
    id: i64,
    #[column(filter)]
    #[schema(example = "page_viewed")]
    name: String,
    /// The visit; null without consent, like everything that identifies a person.
    #[column(name = "visit_id", filter, kind = Kind::Id)]
    session_id: Option<String>,
    #[column(filter)]
    customer_id: Option<CustomerId>,
    sales_channel_id: Option<SalesChannelId>,
    product_id: Option<String>,
    variant_id: Option<String>,
    cart_id: Option<String>,
    order_id: Option<String>,
    banner_id: Option<String>,
    #[column(json)]
    #[schema(value_type = Object)]
    properties: Map<String, Value>,
    /// When it happened, according to the storefront.
    #[column(filter, order)]
    created_at: Timestamp,
    received_at: Timestamp,
}

/// A custom event name.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "visit_event_name n", title = "Event name")]
#[record(list(plural = "event_names", order = "id"))]
#[resource(name = "event name", error = ContentError)]
pub(super) struct EventName {
    /// The name.
    #[column(name = "name", key, filter, order, kind = Kind::Text)]
    #[schema(example = "quiz_finished")]
    id: String,
    /// When it first occurred.
    created_at: Timestamp,
}
