//! The fulfillments of orders, as admins see them.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Record, Tx};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{ById, FulfillmentId, OrderId, OrderLineId, ShippingOptionId, StockLocationId};
use crate::metadata::Metadata;
use crate::orders::queries::admin as queries;

/// Items of an order that are packed, shipped and delivered together.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "fulfillment f")]
#[resource(name = "fulfillment")]
pub struct FulfillmentView {
    #[serde(skip)]
    order_id: OrderId,
    pub(crate) id: FulfillmentId,
    /// The location that ships the items.
    pub(crate) location_id: Option<StockLocationId>,
    #[schema(example = "manual_manual")]
    pub(crate) provider_id: Option<String>,
    #[column(skip)]
    provider: Option<ProviderReference>,
    pub(crate) shipping_option_id: Option<ShippingOptionId>,
    /// The shipping option that the parcel is sent with.
    #[column(skip)]
    shipping_option: Option<ShippingOptionReference>,
    /// Whether any of the items needs shipping.
    pub(crate) requires_shipping: bool,
    pub(crate) packed_at: Option<Timestamp>,
    pub(crate) shipped_at: Option<Timestamp>,
    pub(crate) delivered_at: Option<Timestamp>,
    pub(crate) canceled_at: Option<Timestamp>,
    pub(crate) created_by: Option<String>,
    /// Always empty.
    #[schema(value_type = Object)]
    #[column(skip)]
    pub(crate) data: Map<String, Value>,
    pub(crate) metadata: Metadata,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    /// Always null.
    #[column(skip)]
    pub(crate) deleted_at: Option<Timestamp>,
    #[field(relation)]
    pub(crate) items: Vec<FulfillmentItemView>,
    #[field(relation)]
    pub(crate) labels: Vec<LabelView>,
}

/// The provider of a fulfillment.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FulfillmentProviderReference)]
struct ProviderReference {
    #[schema(example = "manual_manual")]
    id: String,
}

/// The shipping option of a fulfillment.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FulfillmentShippingOption)]
struct ShippingOptionReference {
    id: ShippingOptionId,
}

/// A quantity of one line in a fulfillment.
#[derive(Debug, Clone, Serialize, ToSchema, Resource, FromRow)]
#[resource(name = "item")]
pub(crate) struct FulfillmentItemView {
    #[schema(example = "fulit_01JD2Q8Z5M6T3W9XKCV4B7N0RE_0")]
    #[column(skip)]
    pub(crate) id: String,
    pub(crate) fulfillment_id: FulfillmentId,
    pub(crate) line_item_id: OrderLineId,
    /// The number of pieces.
    #[schema(example = 2)]
    pub(crate) quantity: i64,
    /// The title of the line.
    pub(crate) title: String,
    pub(crate) sku: Option<String>,
    pub(crate) barcode: Option<String>,
}

/// A label on a parcel.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "fulfillment_label label")]
#[resource(name = "label")]
pub(crate) struct LabelView {
    #[schema(example = "fulla_01JD2Q8Z5M6T3W9XKCV4B7N0RE_0")]
    #[column(skip)]
    pub(crate) id: String,
    pub(crate) fulfillment_id: FulfillmentId,
    #[schema(example = "TRK1")]
    pub(crate) tracking_number: String,
    /// The URL for tracking the parcel; empty if there is none.
    pub(crate) tracking_url: String,
    /// The URL of the printable label; empty if there is none.
    pub(crate) label_url: String,
}

/// Loads the fulfillments of a page of orders with at most three statements.
pub(super) fn of_orders(
    tx: &Tx<'_>,
    orders: &str,
    selection: &Selection,
) -> Result<ById<Vec<FulfillmentView>>, Error> {
    let mut found = queries::fulfillments(tx, orders)?;
    for view in &mut found {
        view.provider = view.provider_id.clone().map(|id| ProviderReference { id });
        let option = view.shipping_option_id.clone();
        view.shipping_option = option.map(|id| ShippingOptionReference { id });
    }
    if !found.is_empty() && selection.wants("fulfillments.items") {
        for mut item in queries::fulfillment_items(tx, orders)? {
            if let Some(owner) = owner(&mut found, &item.fulfillment_id) {
                item.id = part_id("fulit", &owner.id, owner.items.len());
                owner.items.push(item);
            }
        }
    }
    if !found.is_empty() && selection.wants("fulfillments.labels") {
        for mut label in queries::fulfillment_labels(tx, orders)? {
            if let Some(owner) = owner(&mut found, &label.fulfillment_id) {
                label.id = part_id("fulla", &owner.id, owner.labels.len());
                owner.labels.push(label);
            }
        }
    }
    Ok(ById::grouped_by(found, |fulfillment| &fulfillment.order_id))
}

fn owner<'a>(
    found: &'a mut [FulfillmentView],
    id: &FulfillmentId,
) -> Option<&'a mut FulfillmentView> {
    found.iter_mut().find(|view| view.id == *id)
}

/// Returns the id of a part, derived from its owner and its index.
fn part_id(prefix: &str, owner: &FulfillmentId, index: usize) -> String {
    let owner = owner.as_str();
    let owner = owner.split_once('_').map_or(owner, |(_, ulid)| ulid);
    format!("{prefix}_{owner}_{index}")
}
