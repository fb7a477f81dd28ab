//! The views of returns.

use rusqlite::named_params;
use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::{Filtered as _, FromRow, Record, Tx};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{OrderId, OrderLineId, ReturnId, ReturnLineId, ReturnReasonId, StockLocationId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::orders::view::DetailView;
use crate::resource::View;
use crate::statuses::ReturnStatus;

use super::{ReturnError, queries};

/// Items of an order that are returned together.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "order_return r", title = "Return")]
#[record(list(
    plural = "returns",
    usual,
    search = [
        "cast(r.display_id as text)",
        "exists (select 1 from orders o where o.id = r.order_id and o.email {})",
    ],
    order = "-created_at",
    limit = 15,
))]
#[resource(name = "return")]
pub(crate) struct ReturnView {
    pub(super) id: ReturnId,
    #[column(filter)]
    pub(super) order_id: OrderId,
    /// The human-readable number.
    #[schema(example = 4)]
    #[column(filter, order)]
    pub(super) display_id: i64,
    /// The location that the items are returned to.
    #[column(filter)]
    pub(super) location_id: Option<StockLocationId>,
    /// The order's version when the return was opened.
    #[schema(example = 5)]
    pub(super) order_version: i64,
    /// `open`, `requested`, `partially_received`, `received` or `canceled`.
    #[schema(example = "received")]
    #[column(filter, kind = ReturnStatus::KIND)]
    pub(super) status: String,
    #[serde(skip)]
    refund_minor: Option<i64>,
    #[serde(skip)]
    #[column(sql = "(select currency from orders where id = r.order_id)")]
    currency: Currency,
    /// The amount to refund for the received items; the refund itself is a separate request.
    #[column(skip)]
    pub(super) refund_amount: Option<Amount>,
    /// Whether the notification of the customer is skipped.
    pub(super) no_notification: bool,
    pub(super) created_by: Option<String>,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    pub(super) requested_at: Option<Timestamp>,
    /// When items were last received.
    pub(super) received_at: Option<Timestamp>,
    pub(super) canceled_at: Option<Timestamp>,
    #[field(relation)]
    pub(super) items: Vec<ReturnItemView>,
}

/// Pieces of one line that are returned.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "order_return_line l")]
#[resource(name = "return item")]
pub(crate) struct ReturnItemView {
    pub(super) id: ReturnLineId,
    pub(super) return_id: ReturnId,
    #[column(name = "line_id")]
    pub(super) item_id: OrderLineId,
    /// The number of requested pieces.
    #[schema(example = 1)]
    pub(super) quantity: i64,
    #[schema(example = 1)]
    pub(super) received_quantity: i64,
    #[schema(example = 0)]
    pub(super) damaged_quantity: i64,
    /// Unpacked pieces, to be received when the receipt is confirmed.
    #[schema(example = 0)]
    pub(super) receiving_quantity: i64,
    /// Unpacked damaged pieces, to be dismissed when the receipt is confirmed.
    #[schema(example = 0)]
    pub(super) dismissing_quantity: i64,
    /// The customer's note.
    pub(super) note: Option<String>,
    pub(super) reason_id: Option<ReturnReasonId>,
    #[field(relation)]
    pub(super) reason: Option<ReasonView>,
    /// The order line.
    #[column(skip)]
    pub(super) item: Option<ReturnedLineView>,
    /// The progress of the order line.
    #[column(skip)]
    pub(super) detail: Option<DetailView>,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// The order line of a returned item.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow)]
#[schema(as = ReturnedLine)]
pub(crate) struct ReturnedLineView {
    id: OrderLineId,
    title: String,
    subtitle: Option<String>,
    /// The URL of a picture.
    thumbnail: Option<String>,
    /// The variant's stock-keeping unit when it was sold.
    variant_sku: Option<String>,
}

/// The reason of a return, even if it is deleted.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[schema(title = "ReturnItemReason")]
#[record(table = "return_reason reason")]
#[resource(name = "return reason")]
pub(crate) struct ReasonView {
    pub(super) id: ReturnReasonId,
    /// The machine-readable name.
    #[schema(example = "too_small")]
    pub(super) value: String,
    /// The display name.
    #[schema(example = "Too small")]
    pub(super) label: String,
    pub(super) description: Option<String>,
}

impl View for ReturnView {
    type Row = Self;
    type Error = ReturnError;

    fn attach(tx: &Tx<'_>, returns: &mut [Self], selection: &Selection) -> Result<(), ReturnError> {
        for one in &mut *returns {
            one.refund_amount = one.refund_minor.map(|minor| one.currency.amount(minor));
        }
        if returns.is_empty() || !selection.wants("items") {
            return Ok(());
        }
        let ids = crate::ids::list(returns.iter().map(|one| one.id.as_str()));
        let rest =
            "where l.return_id in (select value from json_each(:ids)) order by l.return_id, l.id";
        let items = ReturnItemView::select(tx, rest, named_params! { ":ids": ids })?;
        let reasons = items.iter().filter_map(|item| item.reason_id.as_ref());
        let reasons = crate::ids::list(reasons.map(ReturnReasonId::as_str));
        let rest = "where reason.id in (select value from json_each(:ids))";
        let reasons = ReasonView::select(tx, rest, named_params! { ":ids": reasons })?;
        let orders: Vec<&OrderId> = returns.iter().map(|one| &one.order_id).collect();
        let lines: Vec<&OrderLineId> = items.iter().map(|item| &item.item_id).collect();
        let lines = queries::shown_lines(tx, &orders, &lines)?;
        for mut item in items {
            let reason = reasons.iter().find(|reason| Some(&reason.id) == item.reason_id.as_ref());
            item.reason = reason.cloned();
            (item.item, item.detail) = lines.get(&item.item_id).cloned().unzip();
            if let Some(owner) = returns.iter_mut().find(|one| one.id == item.return_id) {
                owner.items.push(item);
            }
        }
        Ok(())
    }
}
