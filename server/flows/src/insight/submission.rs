//! What shoppers did at the buttons of a flow, as merchants see it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::queries;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{Record, Table as _, Tx, Word as _};
use crate::http::{Resource, ToSchema};
use crate::ids::{CartId, CustomerId, FlowButtonId, FlowId, FlowPressId, FlowSessionId, OrderId};
use crate::money::{Amount, Currency};
use crate::sessions::error::SessionError;
use crate::sessions::session::{Action, PressState, Session};

/// What a shopper did at a button.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "flow_press p", title = "Flow submission")]
#[record(list(
    plural = "submissions",
    search = ["p.key"],
    order = "-created_at",
    limit = 20,
    columns = [Column::filter("key", "p.key", Kind::Text)],
))]
#[resource(name = "submission")]
#[schema(as = FlowSubmission)]
pub(super) struct Submission {
    #[column(filter, order)]
    id: FlowPressId,
    #[column(filter)]
    session_id: FlowSessionId,
    #[column(sql = "(select order_id from flow_session where id = p.session_id)")]
    order_id: Option<OrderId>,
    #[column(filter)]
    button_id: FlowButtonId,
    #[column(name = "key")]
    button_key: String,
    /// `shown`, `accepted`, `declined`, `skipped` or `answered`.
    #[column(filter)]
    #[schema(value_type = String, example = "accepted")]
    action: Action,
    /// `claimed`, `settled`, `refused` or `closed`.
    #[column(filter)]
    #[schema(value_type = String, example = "settled")]
    state: PressState,
    title: String,
    quantity: Option<i64>,
    #[column(
        sql = "(select amount(p.amount_minor, currency) from flow_session where id = p.session_id)"
    )]
    amount: Option<Amount>,
    #[column(sql = "(select currency from flow_session where id = p.session_id)")]
    currency_code: Currency,
    reason: Option<String>,
    #[column(filter)]
    is_spam: bool,
    /// How long the button had been shown, in milliseconds.
    shown_ms: Option<i64>,
    /// The conditions that were evaluated after it.
    #[column(json)]
    #[schema(value_type = Option<Object>)]
    conditions: Option<Value>,
    #[column(filter, order)]
    created_at: Timestamp,
    settled_at: Option<Timestamp>,
}

/// A session as merchants see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AdminFlowSession)]
pub(super) struct SessionDetails {
    id: FlowSessionId,
    flow_id: FlowId,
    version: i64,
    /// `open`, `completed`, `expired` or `revoked`.
    #[schema(example = "completed")]
    status: &'static str,
    cart_id: Option<CartId>,
    order_id: Option<OrderId>,
    customer_id: Option<CustomerId>,
    currency_code: Currency,
    /// The key of the current button.
    current_button: String,
    bucket: i64,
    original_order_total: Amount,
    upsell_total: Amount,
    started_at: Timestamp,
    expires_at: Timestamp,
    completed_at: Option<Timestamp>,
    journey: Vec<Submission>,
    /// The answers by press and field; empty once erased.
    #[schema(value_type = Object)]
    answers: BTreeMap<String, BTreeMap<String, Value>>,
}

pub(super) fn details(tx: &Tx<'_>, id: &FlowSessionId) -> Result<SessionDetails, SessionError> {
    let session = Session::require::<SessionError>(tx, id)?;
    let journey = Submission::select(tx, "where p.session_id = ?1 order by p.rowid", [id])?;
    let mut answers: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    for (press, field, value) in queries::answers(tx, id)? {
        answers.entry(press.to_string()).or_default().insert(field, value);
    }
    let currency = session.currency;
    Ok(SessionDetails {
        id: session.id,
        flow_id: session.flow_id,
        version: session.version,
        status: session.status.as_str(),
        cart_id: session.cart_id,
        order_id: session.order_id,
        customer_id: session.customer_id,
        currency_code: currency,
        current_button: session.current_key,
        bucket: session.bucket,
        original_order_total: currency.amount(session.original_total_minor),
        upsell_total: currency.amount(session.upsell_total_minor),
        started_at: session.started_at,
        expires_at: session.expires_at,
        completed_at: session.completed_at,
        journey,
        answers,
    })
}
