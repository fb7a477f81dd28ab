//! What has happened to an order, and the available steps.

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::order::{Order, Payment};
use crate::client::segment;
use crate::records::{PAYMENTS, word};
use crate::visit::Visit;

/// A past event.
#[derive(Debug)]
pub(super) struct Event {
    at: String,
    pub(super) shown_at: String,
    pub(super) text: String,
}

/// Returns the past events, latest first.
pub(super) fn events(visit: &Visit, order: &Order) -> Vec<Event> {
    let mut events = Vec::new();
    let mut add = |at: &Option<String>, text: String| {
        if let Some(at) = at {
            let shown_at = visit.store.moment(at);
            events.push(Event { at: at.clone(), shown_at, text });
        }
    };
    let money = |amount: &Value| visit.store.money(&order.currency_code, amount);
    add(&Some(order.created_at.clone()), format!("Placed for {}", money(&order.total)));
    for payment in order.payment_collections.iter().flat_map(|own| &own.payments) {
        for own in &payment.captures {
            add(&Some(own.created_at.clone()), format!("{} captured", money(&own.amount)));
        }
        for own in &payment.refunds {
            add(&Some(own.created_at.clone()), format!("{} refunded", money(&own.amount)));
        }
        add(&payment.canceled_at, "Payment cancelled".to_owned());
    }
    for parcel in &order.fulfillments {
        let pieces = pieces(parcel.pieces());
        add(&parcel.packed_at, format!("{pieces} packed"));
        add(&parcel.shipped_at, format!("{pieces} sent"));
        add(&parcel.delivered_at, format!("{pieces} delivered"));
        add(&parcel.canceled_at, format!("Parcel of {pieces} cancelled"));
    }
    add(&order.canceled_at, "Cancelled".to_owned());
    events.sort_by(|left, right| right.at.cmp(&left.at));
    events
}

/// Returns a number of items in words.
fn pieces(count: u64) -> String {
    if count == 1 { "1 piece".to_owned() } else { format!("{count} pieces") }
}

/// An available step.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) word: &'static str,
    /// The payment or the parcel that it applies to.
    pub(super) of: String,
    pub(super) label: String,
    /// What will happen, in amounts.
    pub(super) meaning: String,
    pub(super) api: String,
    pub(super) body: Value,
    /// The maximum amount, if it asks for one.
    pub(super) asks_amount: Option<String>,
    pub(super) asks_note: bool,
    pub(super) asks_tracking: bool,
    pub(super) is_final: bool,
}

impl Step {
    fn new(word: &'static str, label: impl Into<String>, meaning: String, api: String) -> Self {
        Self {
            word,
            of: String::new(),
            label: label.into(),
            meaning,
            api,
            body: json!({}),
            asks_amount: None,
            asks_note: false,
            asks_tracking: false,
            is_final: false,
        }
    }
}

/// Returns the steps that the order's state suggests; the API decides.
pub(super) fn possible(visit: &Visit, order: &Order) -> Vec<Step> {
    let base = format!("/admin/orders/{}", segment(&order.id));
    let mut steps = Vec::new();
    if order.status != "canceled" {
        steps.extend(parcels(order, &base));
    }
    for payment in order.payment_collections.iter().flat_map(|own| &own.payments) {
        if payment.canceled_at.is_none() {
            steps.extend(payments(visit, order, payment));
        }
    }
    let is_open = matches!(&*order.status, "pending" | "requires_action");
    if is_open {
        let meaning =
            "The order counts as done. Nothing is sent and nothing is charged.".to_owned();
        steps.push(Step::new("complete", "Complete", meaning, format!("{base}/complete")));
    }
    // The API cancels no order with packed or shipped items.
    let is_packed = order.fulfillments.iter().any(|parcel| parcel.canceled_at.is_none());
    if is_open && !is_packed {
        let total = visit.store.money(&order.currency_code, &order.summary.paid_total);
        let meaning = format!(
            "The order ends. Reserved stock is released and what was paid is paid back, at most {total}. This cannot be undone."
        );
        let cancel = Step::new("cancel", "Cancel", meaning, format!("{base}/cancel"));
        steps.push(Step { is_final: true, ..cancel });
    }
    steps
}

fn parcels(order: &Order, base: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let unpacked: Vec<Value> = order
        .items
        .iter()
        .filter(|item| item.unpacked() > 0)
        .map(|item| json!({ "id": item.id, "quantity": item.unpacked() }))
        .collect();
    if !unpacked.is_empty() {
        let pieces =
            order.items.iter().fold(0_u64, |sum, item| sum.saturating_add(item.unpacked()));
        let pieces = self::pieces(pieces);
        let meaning = format!("A parcel of {pieces} is packed, and the stock is taken.");
        let step = Step::new("fulfil", "Pack", meaning, format!("{base}/fulfillments"));
        steps.push(Step { body: json!({ "items": unpacked }), ..step });
    }
    for parcel in order.fulfillments.iter().filter(|parcel| parcel.canceled_at.is_none()) {
        let path = format!("{base}/fulfillments/{}", segment(&parcel.id));
        let pieces = pieces(parcel.pieces());
        if parcel.shipped_at.is_none() {
            let meaning = format!("The parcel of {pieces} is sent, and the customer is told.");
            let step = Step::new("ship", "Send", meaning, format!("{path}/shipments"));
            steps.push(Step { of: parcel.id.clone(), asks_tracking: true, ..step });
            let meaning = format!(
                "The parcel of {pieces} is not sent. Its goods are in stock again, reserved for the order."
            );
            let step = Step::new("unpack", "Unpack", meaning, format!("{path}/cancel"));
            steps.push(Step { of: parcel.id.clone(), ..step });
        } else if parcel.delivered_at.is_none() {
            let meaning = format!("The parcel of {pieces} has arrived.");
            let path = format!("{path}/mark-as-delivered");
            let step = Step::new("deliver", "Mark as delivered", meaning, path);
            steps.push(Step { of: parcel.id.clone(), ..step });
        }
    }
    steps
}

fn payments(visit: &Visit, order: &Order, payment: &Payment) -> Vec<Step> {
    let base = format!("/admin/payments/{}", segment(&payment.id));
    let money = |amount: Decimal| visit.store.amount(&order.currency_code, amount);
    let mut steps = Vec::new();
    let open = payment.uncaptured();
    if open > Decimal::ZERO {
        let label = format!("Capture {}", money(open));
        let payer = word(PAYMENTS, &payment.provider_id);
        let meaning = format!("{} is taken from the customer by {payer}.", money(open));
        let step = Step::new("capture", label, meaning, format!("{base}/capture"));
        steps.push(Step { of: payment.id.clone(), ..step });
    }
    let left = payment.refundable();
    if left > Decimal::ZERO {
        let to = order.email.as_deref().unwrap_or("the customer");
        let meaning = format!("The amount goes back to {to}, at most {}.", money(left));
        let step = Step::new("refund", "Refund", meaning, format!("{base}/refund"));
        let asks_amount = Some(left.to_string());
        steps.push(Step { of: payment.id.clone(), asks_amount, asks_note: true, ..step });
    }
    steps
}
