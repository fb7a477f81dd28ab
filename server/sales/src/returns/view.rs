//! Returns as they are answered.

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::http::{Relation, Selection, Shape};
use crate::ids::{OrderId, OrderLineId, ReturnId, ReturnLineId, ReturnReasonId, StockLocationId};
use crate::metadata::Metadata;
use crate::money::{Amount, Money};

use super::queries::load;

/// What can be answered of a return's reason.
static REASON: Shape = Shape {
    name: "return reason",
    defaults: &["id", "value", "label", "description"],
    extras: &[],
    computed: &[],
    relations: &[],
};

/// What can be answered of a return's line.
static ITEM: Shape = Shape {
    name: "return item",
    defaults: &[
        "id",
        "return_id",
        "item_id",
        "quantity",
        "received_quantity",
        "damaged_quantity",
        "receiving_quantity",
        "dismissing_quantity",
        "note",
        "reason_id",
        "metadata",
        "created_at",
        "updated_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("reason", &REASON)],
};

/// What can be answered of a return.
pub(super) static RETURN: Shape = Shape {
    name: "return",
    defaults: &[
        "id",
        "order_id",
        "display_id",
        "location_id",
        "order_version",
        "status",
        "refund_amount",
        "no_notification",
        "created_by",
        "metadata",
        "created_at",
        "updated_at",
        "requested_at",
        "received_at",
        "canceled_at",
    ],
    extras: &[],
    computed: &[],
    relations: &[Relation::default("items", &ITEM)],
};

/// Goods of an order that come back together.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ReturnView {
    /// Its id.
    pub(super) id: ReturnId,
    /// Its order.
    pub(super) order_id: OrderId,
    /// Its number for people.
    #[schema(example = 4)]
    pub(super) display_id: i64,
    /// Where the goods come back to.
    pub(super) location_id: Option<StockLocationId>,
    /// The order's version when it was begun.
    #[schema(example = 5)]
    pub(super) order_version: i64,
    /// `open`, `requested`, `partially_received`, `received` or `canceled`.
    #[schema(example = "received")]
    pub(super) status: String,
    /// What the customer is owed for what came back; the refund itself is a step of its own.
    #[schema(value_type = Option<Amount>)]
    pub(super) refund_amount: Option<Money>,
    /// Whether the customer hears nothing of it.
    pub(super) no_notification: bool,
    /// Who began it.
    pub(super) created_by: Option<String>,
    /// The client's own data.
    pub(super) metadata: Metadata,
    /// When it was begun.
    pub(super) created_at: Timestamp,
    /// When it was last changed.
    pub(super) updated_at: Timestamp,
    /// When it was announced.
    pub(super) requested_at: Option<Timestamp>,
    /// When goods last came back.
    pub(super) received_at: Option<Timestamp>,
    /// When it was called off.
    pub(super) canceled_at: Option<Timestamp>,
    /// The goods.
    pub(super) items: Vec<ReturnItemView>,
}

/// Pieces of one line that come back.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ReturnItemView {
    /// Its id.
    pub(super) id: ReturnLineId,
    /// Its return.
    pub(super) return_id: ReturnId,
    /// The line of the order.
    pub(super) item_id: OrderLineId,
    /// Announced.
    #[schema(example = 1)]
    pub(super) quantity: i64,
    /// Come back and taken.
    #[schema(example = 1)]
    pub(super) received_quantity: i64,
    /// Come back damaged.
    #[schema(example = 0)]
    pub(super) damaged_quantity: i64,
    /// Unpacked, and taken once the receipt is confirmed.
    #[schema(example = 0)]
    pub(super) receiving_quantity: i64,
    /// Unpacked damaged, and noted once the receipt is confirmed.
    #[schema(example = 0)]
    pub(super) dismissing_quantity: i64,
    /// What the customer says.
    pub(super) note: Option<String>,
    /// Why it comes back.
    pub(super) reason_id: Option<ReturnReasonId>,
    /// Why it comes back.
    pub(super) reason: Option<ReasonView>,
    /// The client's own data.
    pub(super) metadata: Metadata,
    /// When it was announced.
    pub(super) created_at: Timestamp,
    /// When it was last changed.
    pub(super) updated_at: Timestamp,
}

/// Why something comes back.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(title = "ReturnItemReason")]
pub(crate) struct ReasonView {
    /// Its id.
    pub(super) id: ReturnReasonId,
    /// Its word for programs.
    #[schema(example = "too_small")]
    pub(super) value: String,
    /// Its words for people.
    #[schema(example = "Too small")]
    pub(super) label: String,
    /// More about it.
    pub(super) description: Option<String>,
}

/// Puts the lines into returns, by one statement for all of them.
pub(super) fn attach_items(
    tx: &Tx<'_>,
    returns: &mut [ReturnView],
    selection: &Selection,
) -> Result<(), Error> {
    if returns.is_empty() || !selection.wants("items") {
        return Ok(());
    }
    let ids = crate::ids::list(returns.iter().map(|one| one.id.as_str()));
    for item in load::items(tx, &ids)? {
        if let Some(owner) = returns.iter_mut().find(|one| one.id == item.return_id) {
            owner.items.push(item);
        }
    }
    Ok(())
}

/// The return with what is asked for.
pub(super) fn view(
    tx: &Tx<'_>,
    id: &ReturnId,
    selection: &Selection,
) -> Result<Option<ReturnView>, Error> {
    let Some(found) = load::find(tx, id)? else { return Ok(None) };
    let mut returns = [found];
    attach_items(tx, &mut returns, selection)?;
    let [found] = returns;
    Ok(Some(found))
}
