//! The effect of a card processor's event on a payment.

use serde_json::json;

use super::event::{Action, ProcessorEvent};
use super::method;
use crate::database::{Table as _, Tx};
use crate::ids::{PaymentId, PaymentSessionId, SubscriptionAttemptId};
use crate::payments::payment::Session;
use crate::payments::renewals;
use crate::payments::report::{self, Joined};
use crate::subscriptions::{self, Late};
use crate::webhooks::delivery::Effect;
use crate::webhooks::error::WebhookError;
use crate::{checkout, events, orders, payments};

/// Applies an event.
///
/// # Errors
/// [`WebhookError`] if a payment rejects it; it will be retried.
pub(crate) fn apply(
    tx: &Tx<'_>,
    event: &ProcessorEvent,
    livemode: Option<bool>,
) -> Result<Effect, WebhookError> {
    let skipped = |reason: &str| Ok(Effect::Skipped(reason.to_owned()));
    if event.action == Action::NotSupported {
        return skipped("unhandled_type");
    }
    if livemode.is_some() && event.is_live.is_some() && livemode != event.is_live {
        return skipped("wrong_mode");
    }
    if matches!(event.action, Action::MethodSaved | Action::MethodFailed | Action::MethodChanged) {
        return method::apply(tx, event);
    }
    if let Some(intent) = &event.intent
        && report::is_returned(tx, intent)?
    {
        // Its money was refunded.
        return skipped("already_applied");
    }
    let Some(session) = find_session(tx, event)? else {
        // What the event names may be written in a moment; if it names nothing, the payment does not belong to this
        // store. The payment of a subscription cycle has no session, so the cycle is checked only here.
        let is_ours = event.session.is_some() || event.cycle.is_some();
        return if is_ours && event.action.is_of_money() {
            Ok(Effect::Waits("the payment session is not there".to_owned()))
        } else {
            skipped("unknown_session")
        };
    };
    if is_of_another_amount(tx, event, &session)? {
        let payload = json!({ "session_id": session.id, "event_id": event.id });
        events::record(tx, "alert.payment_amount_mismatch", &payload)?;
        tracing::error!(session = session.id.as_str(), event = event.id, "an amount differs");
        return skipped("amount_mismatch");
    }
    match report::join(tx, &session.id, event.reported())? {
        Joined::New => apply_new(tx, event, &session.id),
        Joined::Known => skipped("already_applied"),
        Joined::Stale => skipped("stale"),
    }
}

fn apply_new(
    tx: &Tx<'_>,
    event: &ProcessorEvent,
    session: &PaymentSessionId,
) -> Result<Effect, WebhookError> {
    let applied = report::apply(tx, session)?;
    let is_unclaimed = applied.payment_id.is_none() && applied.paid_cart_id.is_none();
    if let (Action::Captured, true, Some(attempt), Some(intent)) =
        (event.action, is_unclaimed, attempt_of(event), &event.intent)
    {
        return apply_to_attempt(tx, &attempt, intent, session);
    }
    if let Some(order) = &applied.order_id {
        orders::settle(tx, order)?;
    }
    if let Some(cart) = &applied.paid_cart_id {
        checkout::complete_later(tx, cart)?;
    }
    if event.action == Action::Disputed {
        let payload = json!({
            "id": applied.payment_id, "order_id": applied.order_id, "session_id": session, "status": event.dispute,
        });
        events::record(tx, "payment.disputed", &payload)?;
    }
    let mut is_returned = None;
    if let (Some(late), Some(intent)) = (applied.late, &event.intent)
        && event.action == Action::Captured
    {
        renewals::give_back(tx, Session { data: renewals::captured_data(intent), ..late })?;
        is_returned = Some(true);
    }
    Ok(Effect::done([
        ("session_id", json!(session)),
        ("returned", json!(is_returned)),
        ("payment_id", json!(applied.payment_id)),
        ("order_id", json!(applied.order_id)),
    ]))
}

/// Applies money that arrives for a charge of a subscription.
fn apply_to_attempt(
    tx: &Tx<'_>,
    attempt: &SubscriptionAttemptId,
    intent: &str,
    session: &PaymentSessionId,
) -> Result<Effect, WebhookError> {
    let session_id = ("session_id", json!(session));
    match subscriptions::paid_late(tx, attempt, intent)? {
        Late::Paid(order_id) => Ok(Effect::done([session_id, ("order_id", json!(order_id))])),
        Late::Returned => Ok(Effect::done([session_id, ("returned", json!(true))])),
        Late::Known => Ok(Effect::done([session_id])),
        Late::Waits => Err(WebhookError::Waits("another charge of the cycle is not answered")),
    }
}

/// Returns the charge of a subscription that an event is about; its payment has the charge's key.
fn attempt_of(event: &ProcessorEvent) -> Option<SubscriptionAttemptId> {
    event.session.as_deref()?.parse().ok()
}

/// Returns the session named by an event, or else the one of its payment. The charge of a subscription may have moved to
/// another session, so its payment takes precedence.
fn find_session(tx: &Tx<'_>, event: &ProcessorEvent) -> Result<Option<Session>, WebhookError> {
    if let Some(id) = event.session.as_deref().and_then(|named| named.parse().ok())
        && let Some(session) = Session::find(tx, &id)?
    {
        return Ok(Some(session));
    }
    if let Some(intent) = &event.intent
        && let Some(id) = report::session_of(tx, intent)?
        && let Some(session) = Session::find(tx, &id)?
    {
        return Ok(Some(session));
    }
    let Some(attempt) = attempt_of(event) else { return Ok(None) };
    let id = subscriptions::session_of_attempt(tx, &attempt)?;
    Ok(id.map(|id| Session::find(tx, &id)).transpose()?.flatten())
}

/// Returns whether money was taken, or is held, for another amount than the session's.
fn is_of_another_amount(
    tx: &Tx<'_>,
    event: &ProcessorEvent,
    session: &Session,
) -> Result<bool, WebhookError> {
    let Some((amount_minor, currency)) = &event.price else { return Ok(false) };
    if !matches!(event.action, Action::Captured | Action::Authorized) {
        return Ok(false);
    }
    // A payment may be captured in parts, but an order or a cycle is not paid by a part.
    let is_part = event.action == Action::Captured
        && event.received_minor != session.amount_minor
        && payments::payment_of(tx, &session.id)?.is_none();
    Ok(is_part
        || *amount_minor != session.amount_minor
        || !currency.eq_ignore_ascii_case(&session.currency.to_string()))
}

/// Returns the payment whose lock is held while an event is applied, so that a refund in progress is not counted
/// twice.
pub(crate) fn lock_key(
    tx: &Tx<'_>,
    event: &ProcessorEvent,
) -> Result<Option<PaymentId>, WebhookError> {
    let Some(session) = find_session(tx, event)? else { return Ok(None) };
    Ok(payments::payment_of(tx, &session.id)?.map(|payment| payment.id))
}
