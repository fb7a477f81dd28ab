//! Request and response bodies of returns.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::{Resource, Selection, Text};
use crate::ids::{OrderId, OrderLineId, ReturnId, ReturnReasonId, StockLocationId};
use crate::metadata::MetadataPatch;
use crate::orders::view::OrderView;
use crate::resource::View as _;
use crate::returns::ReturnError;
use crate::returns::steps::Announced;
use crate::returns::view::ReturnView;

/// A return with its order.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReturnWithOrderResponse {
    pub(super) order: OrderView,
    /// The return.
    pub(super) r#return: ReturnView,
}

/// A return with its order as it stands with the return.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReturnPreviewResponse {
    pub(super) order_preview: OrderView,
    /// The return.
    pub(super) r#return: ReturnView,
}

/// A return to begin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct BeginReturnRequest {
    /// The order whose goods come back.
    pub(super) order_id: OrderId,
    /// Where they come back to; by default where they came from.
    pub(super) location_id: Option<StockLocationId>,
    /// Whether the customer hears nothing of it.
    #[serde(default)]
    pub(super) no_notification: bool,
    pub(super) metadata: Option<MetadataPatch>,
}

/// Goods to put into a return.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "items": [{ "id": "ordli_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 1 }] }))]
pub(super) struct PutReturnItemsRequest {
    pub(super) items: Vec<ReturnItemRequest>,
}

/// Pieces of one line that come back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReturnItemRequest {
    /// Line of the order.
    id: OrderLineId,
    /// Number of pieces.
    #[schema(minimum = 1, example = 1)]
    quantity: i64,
    /// Reason.
    reason_id: Option<ReturnReasonId>,
    /// The customer's words.
    internal_note: Option<Text<2000>>,
    /// What the customer says; the same as `internal_note`.
    note: Option<Text<2000>>,
}

impl From<ReturnItemRequest> for Announced {
    fn from(item: ReturnItemRequest) -> Self {
        Self {
            line_id: item.id,
            quantity: item.quantity,
            reason_id: item.reason_id,
            note: item.note.or(item.internal_note).map(String::from),
        }
    }
}

/// A return that arrives.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BeginReceiptRequest {
    /// Where it arrives, if elsewhere than planned.
    pub(super) location_id: Option<StockLocationId>,
}

/// Goods that were unpacked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "items": [{ "id": "ordli_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 1 }] }))]
pub(super) struct UnpackRequest {
    pub(super) items: Vec<UnpackedItemRequest>,
}

/// Pieces of one line that were unpacked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UnpackedItemRequest {
    /// Line of the order.
    pub(super) id: OrderLineId,
    /// Number of pieces.
    #[schema(minimum = 1, example = 1)]
    pub(super) quantity: i64,
}

/// A request that only asks for a step.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReturnStepRequest {
    /// Whether the customer hears nothing of it. Nobody is written to yet, so it changes nothing.
    #[serde(default)]
    #[expect(
        dead_code,
        reason = "accepted for clients that send it; nothing is sent to customers"
    )]
    no_notification: bool,
}

/// A return with all of it, and its order with its defaults.
pub(super) fn with_order(
    tx: &crate::database::Tx<'_>,
    id: &ReturnId,
) -> Result<(OrderView, ReturnView), ReturnError> {
    let found = ReturnView::show(tx, id, &Selection::of_defaults(ReturnView::SHAPE))?;
    let selection = Selection::of_defaults(OrderView::SHAPE);
    let order = crate::orders::admin::order_view(tx, &found.order_id, &selection)?;
    Ok((order, found))
}
