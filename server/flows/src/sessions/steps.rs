//! The steps of a session: arriving at a button, completing, expiring.

use serde_json::{Value, json};

use super::button;
use super::error::SessionError;
use super::path::{Path, PathEvaluator};
use super::session::{Action, Press, PressState, Session, SessionStatus};
use super::{facts, queries};
use crate::clock::{MINUTE_MS, Timestamp};
use crate::database::{Table as _, Tx};
use crate::definition::draft::ButtonKind;
use crate::definition::flow::Definition;
use crate::events;
use crate::orders::addition;

/// Why an open session ends without an action of the shopper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// No call for a day, or the order was canceled.
    Gone,
    /// Nothing more can be added to the order.
    Closed,
}

/// Returns whether an open session has to end, and why.
pub(super) fn ending(tx: &Tx<'_>, session: &Session) -> Result<Option<Ending>, SessionError> {
    if let Some(order_id) = &session.order_id {
        let order = addition::placed(tx, order_id)?;
        if order.canceled_at.is_some() {
            return Ok(Some(Ending::Gone));
        }
        if session.window_ends(order.placed_at) <= tx.now() || !addition::is_open(tx, &order)? {
            return Ok(Some(Ending::Closed));
        }
    }
    Ok((session.expires_at <= tx.now()).then_some(Ending::Gone))
}

/// Returns when the window of a session's order ends.
pub(super) fn window_ends(
    tx: &Tx<'_>,
    session: &Session,
) -> Result<Option<Timestamp>, SessionError> {
    match &session.order_id {
        Some(id) => Ok(Some(session.window_ends(addition::placed(tx, id)?.placed_at))),
        None => Ok(None),
    }
}

/// Limit: the smallest extension of an expiry, in milliseconds, so that calls that read rarely write.
const MIN_EXTENSION_MS: i64 = MINUTE_MS;

/// Extends the expiry of a session called by its shopper; returns whether it has to be stored.
pub(super) fn extend_expiry(tx: &Tx<'_>, session: &mut Session) -> Result<bool, SessionError> {
    if !session.is_open() || ending(tx, session)?.is_some() {
        return Ok(false);
    }
    let mut later = session.clone();
    later.extend(tx.now(), window_ends(tx, session)?);
    let is_later = later.expires_at >= session.expires_at.plus_ms(MIN_EXTENSION_MS);
    if is_later {
        *session = later;
    }
    Ok(is_later)
}

/// Ends an open session that has expired.
pub(super) fn expire_if_over(tx: &Tx<'_>, session: &mut Session) -> Result<(), SessionError> {
    if session.is_open() && ending(tx, session)?.is_some() {
        expire(tx, session)?;
    }
    Ok(())
}

pub(super) fn expire(tx: &Tx<'_>, session: &mut Session) -> Result<(), SessionError> {
    session.status = SessionStatus::Expired;
    session.completed_at = Some(tx.now());
    session.update(tx)?;
    Ok(events::record(tx, "flow.expired", &about(session))?)
}

/// Writes the result of a path: what was skipped, what is shown, and the end.
pub(super) fn arrive(
    tx: &Tx<'_>,
    definition: &Definition,
    mut session: Session,
    path: &Path,
) -> Result<Session, SessionError> {
    for key in &path.skipped {
        if let (Some(button), Some(id)) = (definition.button(key), definition.id_of(key)) {
            let place = (id, key.as_str(), button.title.as_str());
            let mut press = Press::new(&session, place, Action::Skipped, tx.now());
            press.conditions = path.conditions();
            press.insert(tx)?;
        }
    }
    session.current_key.clone_from(&path.at);
    show(tx, definition, &session, &path.at)?;
    let is_end = definition.button(&path.at).is_some_and(|one| one.kind == ButtonKind::End);
    if is_end && session.is_open() {
        session.status = SessionStatus::Completed;
        session.completed_at = Some(tx.now());
        let mut event = about(&session);
        if let Some(members) = event.as_object_mut() {
            let amount = session.currency.amount(session.upsell_total_minor);
            members.insert("amount".to_owned(), json!(amount));
        }
        events::record(tx, "flow.completed", &event)?;
    }
    session.update(tx)?;
    Ok(session)
}

/// Records that a button was shown, once.
fn show(
    tx: &Tx<'_>,
    definition: &Definition,
    session: &Session,
    key: &str,
) -> Result<(), SessionError> {
    let (Some(button), Some(id)) = (definition.button(key), definition.id_of(key)) else {
        return Ok(());
    };
    if queries::shown_at(tx, &session.id, id)?.is_none() {
        let place = (id, key, button.title.as_str());
        Press::new(session, place, Action::Shown, tx.now()).insert(tx)?;
    }
    Ok(())
}

/// Continues from a written press, from a closed offer as if it had been declined; stores its answer and returns it.
pub(super) fn advance(
    tx: &Tx<'_>,
    definition: &Definition,
    session: Session,
    mut press: Press,
) -> Result<String, SessionError> {
    let button = definition.button(&press.key).ok_or(SessionError::UnknownButton)?;
    let is_declined = press.action == Action::Declined || press.state == PressState::Closed;
    let ways = if is_declined { &button.decline_next } else { &button.accept_next };
    let mut facts = facts::of_session(tx, &session)?;
    press.record_hash = Some(facts.hash());
    let evaluator = PathEvaluator::new(&definition.version.definition, session.currency);
    let path = evaluator.follow(&press.key, ways, &mut facts);
    press.conditions = path.conditions();
    let session = arrive(tx, definition, session, &path)?;
    answer(tx, definition, &session, press, &session.current_key)
}

/// Stores the answer of a press, which shows a button and says whether the press failed, and returns it.
pub(super) fn answer(
    tx: &Tx<'_>,
    definition: &Definition,
    session: &Session,
    mut press: Press,
    key: &str,
) -> Result<String, SessionError> {
    let notice = match press.state {
        PressState::Closed => Some("offer_closed"),
        PressState::Refused => Some("payment_declined"),
        PressState::Claimed | PressState::Settled => None,
    };
    let view = button::view(tx, definition, key, Some(session))?;
    let text = view.noting(notice).answer(notice.is_none());
    press.answer = Some(text.clone());
    press.update(tx)?;
    Ok(text)
}

pub(super) fn about(session: &Session) -> Value {
    json!({ "session_id": session.id, "flow_id": session.flow_id, "order_id": session.order_id })
}

/// Records the event of a press, unless it seems to be a robot's.
pub(super) fn record_press_event(
    tx: &Tx<'_>,
    name: &'static str,
    (session, press): (&Session, &Press),
    fields: Option<Vec<&str>>,
) -> Result<(), SessionError> {
    if press.is_spam {
        return Ok(());
    }
    let mut event = about(session);
    if let Some(members) = event.as_object_mut() {
        members.insert("button_key".to_owned(), json!(press.key));
        if let Some(amount_minor) = press.amount_minor {
            members.insert("amount".to_owned(), json!(session.currency.amount(amount_minor)));
        }
        if let Some(fields) = fields {
            members.insert("fields".to_owned(), json!(fields));
        }
    }
    Ok(events::record(tx, name, &event)?)
}

/// Ends the expired sessions.
pub(super) fn expire_due(tx: &Tx<'_>, limit: u32) -> Result<(), SessionError> {
    queries::expired(tx, limit)?.iter_mut().try_for_each(|session| expire(tx, session))
}
