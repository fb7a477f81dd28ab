//! Request and response bodies of returns.

use serde::Serialize;

use crate::http::{Resource, Selection, Text, ToSchema, request};
use crate::ids::{OrderId, OrderLineId, ReturnId, ReturnReasonId, StockLocationId};
use crate::metadata::MetadataPatch;
use crate::orders::admin;
use crate::orders::admin::changes::{self, OrderChangeView};
use crate::orders::view::{OrderView, ProgressTotalsView, attach_transactions};
use crate::resource::View as _;
use crate::returns::ReturnError;
use crate::returns::steps::Announced;
use crate::returns::view::ReturnView;

/// A return with its order.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReturnWithOrderResponse {
    pub(super) order: ReturnedOrderView,
    pub(super) r#return: ReturnView,
}

/// A return with its order, in the state that includes the return.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReturnPreviewResponse {
    pub(super) order_preview: ReturnedOrderView,
    pub(super) r#return: ReturnView,
}

/// The order of a return.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReturnedOrder)]
pub(super) struct ReturnedOrderView {
    #[serde(flatten)]
    order: OrderView,
    #[serde(flatten)]
    progress: ProgressTotalsView,
    /// The change that the return last made to the order; null until it is requested.
    order_change: Option<OrderChangeView>,
}

/// A return to open.
#[request]
#[schema(example = json!({ "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct BeginReturnRequest {
    /// The order whose items are returned.
    pub(super) order_id: OrderId,
    /// The location that they are returned to; defaults to the one that shipped them.
    pub(super) location_id: Option<StockLocationId>,
    /// Whether to skip the notification of the customer.
    #[serde(default)]
    pub(super) no_notification: bool,
    pub(super) metadata: Option<MetadataPatch>,
}

/// Items to add to a return.
#[request]
#[schema(example = json!({ "items": [{ "id": "ordli_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 1 }] }))]
pub(super) struct PutReturnItemsRequest {
    pub(super) items: Vec<ReturnItemRequest>,
}

/// Pieces of one line to return.
#[request]
pub(super) struct ReturnItemRequest {
    id: OrderLineId,
    /// The number of pieces.
    #[schema(minimum = 1, example = 1)]
    quantity: i64,
    reason_id: Option<ReturnReasonId>,
    /// The customer's note.
    internal_note: Option<Text<2000>>,
    /// An alias of `internal_note`.
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

/// The arrival of a return.
#[request]
pub(super) struct BeginReceiptRequest {
    /// The location where it arrives, if it differs from the planned one.
    pub(super) location_id: Option<StockLocationId>,
}

/// Unpacked items.
#[request]
#[schema(example = json!({ "items": [{ "id": "ordli_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 1 }] }))]
pub(super) struct UnpackRequest {
    items: Vec<UnpackedItemRequest>,
}

impl UnpackRequest {
    pub(super) fn pieces(&self) -> Vec<(OrderLineId, i64)> {
        self.items.iter().map(|item| (item.id.clone(), item.quantity)).collect()
    }
}

/// Unpacked pieces of one line.
#[request]
pub(super) struct UnpackedItemRequest {
    id: OrderLineId,
    /// The number of pieces.
    #[schema(minimum = 1, example = 1)]
    quantity: i64,
}

/// The body of an action that needs no data.
#[request]
pub(super) struct ReturnStepRequest {
    /// Whether to skip the notification of the customer. No notification is sent yet, so it has no effect.
    #[serde(default)]
    #[expect(dead_code, reason = "clients send it; no notification is sent yet")]
    no_notification: bool,
}

/// Returns a return with all its fields, and its order with the default fields.
pub(super) fn with_order(
    tx: &crate::database::Tx<'_>,
    id: &ReturnId,
) -> Result<(ReturnedOrderView, ReturnView), ReturnError> {
    let found = ReturnView::show(tx, id, &Selection::of_defaults(ReturnView::SHAPE))?;
    let selection = Selection::of_defaults(OrderView::SHAPE);
    let mut order = admin::order_view(tx, &found.order_id, &selection)?;
    attach_transactions(tx, std::slice::from_mut(&mut order))?;
    let progress = ProgressTotalsView::sum(&order.items);
    let order_change = changes::last_of_return(tx, &found.order_id, id)?;
    Ok((ReturnedOrderView { order, progress, order_change }, found))
}
