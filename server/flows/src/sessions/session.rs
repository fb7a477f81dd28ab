//! Sessions and presses, as stored.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::database::{Record, Word};
use crate::definition::flow::FlowKind;
use crate::ids::{
    CartId, CustomerId, FlowButtonId, FlowId, FlowPressId, FlowSessionId, FlowVersionId, OrderId,
    PaymentSessionId,
};
use crate::money::Currency;
use crate::payments::methods::SavedCharge;

/// How long a session stays open without a call, in milliseconds.
const IDLE_MS: i64 = DAY_MS;

/// How long a receipt can be read, in milliseconds.
const RECEIPT_MS: i64 = 7 * IDLE_MS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Word)]
pub(crate) enum SessionStatus {
    Open,
    Completed,
    Expired,
    Revoked,
}

#[derive(Debug, Clone, Record)]
#[record(table = "flow_session s", title = "Flow session")]
pub(crate) struct Session {
    pub(crate) id: FlowSessionId,
    #[column(once)]
    pub(crate) flow_id: FlowId,
    #[column(sql = "(select kind from flow where id = s.flow_id)")]
    pub(crate) kind: FlowKind,
    #[column(sql = "(select offer_window_minutes from flow where id = s.flow_id)")]
    pub(crate) window_minutes: i64,
    #[column(sql = "(select number from flow_version where id = s.version_id)")]
    pub(crate) version: i64,
    #[column(once)]
    pub(crate) version_id: FlowVersionId,
    pub(crate) status: SessionStatus,
    pub(crate) cart_id: Option<CartId>,
    pub(crate) order_id: Option<OrderId>,
    pub(crate) customer_id: Option<CustomerId>,
    #[column(once)]
    pub(crate) currency: Currency,
    /// The key of the current button.
    pub(crate) current_key: String,
    /// What the page reported about the visitor.
    #[column(json)]
    pub(crate) context: Map<String, Value>,
    pub(crate) locale: Option<String>,
    #[column(once)]
    pub(crate) bucket: i64,
    pub(crate) original_total_minor: i64,
    pub(crate) upsell_total_minor: i64,
    /// Consecutive refused charges.
    pub(crate) refusal_count: i64,
    pub(crate) started_at: Timestamp,
    pub(crate) seen_at: Timestamp,
    pub(crate) expires_at: Timestamp,
    pub(crate) completed_at: Option<Timestamp>,
}

impl Session {
    /// Extends the expiry because the shopper is active, but not beyond the order's window.
    pub(crate) fn extend(&mut self, now: Timestamp, window_ends: Option<Timestamp>) {
        let idle = now.plus_ms(IDLE_MS);
        self.seen_at = now;
        self.expires_at = window_ends.map_or(idle, |ends| ends.min(idle));
    }

    /// Returns when the order's window for accepting offers ends.
    pub(crate) fn window_ends(&self, placed_at: Timestamp) -> Timestamp {
        placed_at.plus_ms(self.window_minutes.saturating_mul(MINUTE_MS))
    }

    pub(crate) fn is_open(&self) -> bool {
        self.status == SessionStatus::Open
    }

    pub(crate) fn has_receipt(&self, now: Timestamp) -> bool {
        now <= self.completed_at.unwrap_or(self.seen_at).plus_ms(RECEIPT_MS)
    }
}

/// What happened at a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Word)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Shown,
    Accepted,
    Declined,
    Skipped,
    Answered,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Word)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PressState {
    /// The payment is in progress.
    Claimed,
    Settled,
    /// The charge was refused.
    Refused,
    /// The offer could no longer be accepted.
    Closed,
}

/// An entry of a session's journey.
#[derive(Debug, Clone, Record)]
#[record(table = "flow_press p", title = "Flow press")]
pub(crate) struct Press {
    pub(crate) id: FlowPressId,
    #[column(once)]
    pub(crate) session_id: FlowSessionId,
    #[column(once)]
    pub(crate) flow_id: FlowId,
    #[column(once)]
    pub(crate) button_id: FlowButtonId,
    #[column(once)]
    pub(crate) key: String,
    #[column(once)]
    pub(crate) action: Action,
    pub(crate) state: PressState,
    #[column(once)]
    pub(crate) title: String,
    pub(crate) quantity: Option<i64>,
    pub(crate) amount_minor: Option<i64>,
    /// The line that it added to the order or cart.
    pub(crate) line_id: Option<String>,
    /// The draft that holds what is being paid for.
    pub(crate) draft_order_id: Option<OrderId>,
    pub(crate) payment_session_id: Option<PaymentSessionId>,
    /// What it charges, while it is claimed: the order may lose its method before the provider answers.
    #[column(json)]
    pub(crate) charge: Option<SavedCharge>,
    pub(crate) notice: Option<String>,
    pub(crate) reason: Option<String>,
    /// The hash of the record over which its conditions were evaluated.
    pub(crate) record_hash: Option<String>,
    #[column(json)]
    pub(crate) conditions: Option<Value>,
    /// The first answer.
    pub(crate) answer: Option<String>,
    pub(crate) is_spam: bool,
    pub(crate) shown_ms: Option<i64>,
    pub(crate) created_at: Timestamp,
    pub(crate) settled_at: Option<Timestamp>,
}

impl Press {
    /// Returns a press of a button that is settled at once.
    pub(crate) fn new(
        session: &Session,
        (button_id, key, title): (&FlowButtonId, &str, &str),
        action: Action,
        now: Timestamp,
    ) -> Self {
        Self {
            id: FlowPressId::new(),
            session_id: session.id.clone(),
            flow_id: session.flow_id.clone(),
            button_id: button_id.clone(),
            key: key.to_owned(),
            action,
            state: PressState::Settled,
            title: title.to_owned(),
            quantity: None,
            amount_minor: None,
            line_id: None,
            draft_order_id: None,
            payment_session_id: None,
            charge: None,
            notice: None,
            reason: None,
            record_hash: None,
            conditions: None,
            answer: None,
            is_spam: false,
            shown_ms: None,
            created_at: now,
            settled_at: Some(now),
        }
    }
}
