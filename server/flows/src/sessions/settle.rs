//! The last step of a charged press: one write adds the line to the order, or releases everything.

use serde_json::Value;

use super::button::{self, ActionView};
use super::error::SessionError;
use super::session::{Press, PressState, Session};
use super::steps;
use crate::database::{Table as _, Tx};
use crate::definition::flow::Definition;
use crate::definition::queries as flows;
use crate::ids::FlowPressId;
use crate::inventory;
use crate::jobs;
use crate::orders::{self, addition, reversal};
use crate::payments::provider::{AUTHENTICATION_REQUIRED, Data, Outcome};
use crate::payments::{self, renewals};
use crate::proportion::add;
use quotient_sales::statuses::SessionStatus;

/// Limit: consecutive refused charges before the offer is closed.
const MAX_REFUSALS: i64 = 3;

/// Records the provider's answer to the charge of a press, once; returns the stored answer.
pub(super) fn settle(
    tx: &Tx<'_>,
    id: &FlowPressId,
    outcome: &Outcome,
) -> Result<String, SessionError> {
    let press = Press::require::<SessionError>(tx, id)?;
    if press.state != PressState::Claimed {
        return press.answer.ok_or(SessionError::NotCurrent);
    }
    let session = Session::require::<SessionError>(tx, &press.session_id)?;
    let definition = flows::definition(tx, &session.version_id)?;
    let definition = definition.ok_or(SessionError::UnknownButton)?;
    let (data, is_captured) = match outcome {
        Outcome::Captured { data } => (data, true),
        Outcome::Authorized { data } => (data, false),
        Outcome::RequiresMore { data } => {
            return needs_action(tx, &definition, session, press, data);
        }
        Outcome::Declined { reason } => {
            return refuse(tx, &definition, (session, press), (reason, None));
        }
    };
    if let (Some(order), Some(payment)) = (&session.order_id, &press.payment_session_id) {
        payments::authorized(tx, order, payment, data, is_captured)?;
    }
    gained(tx, &definition, (session, press))
}

/// Moves the draft of a press into the order.
pub(super) fn gained(
    tx: &Tx<'_>,
    definition: &Definition,
    (session, mut press): (Session, Press),
) -> Result<String, SessionError> {
    if let (Some(order_id), Some(draft)) = (&session.order_id, &press.draft_order_id) {
        let lines = addition::gain(tx, order_id, draft, press.id.as_str())?;
        press.line_id = lines.first().map(ToString::to_string);
        if addition::placed(tx, order_id)?.canceled_at.is_some() {
            // The order was canceled while the charge was in progress: the money is refunded with
            // the rest.
            inventory::release(tx, order_id).map_err(orders::OrderError::from)?;
            jobs::schedule(tx, reversal::REVERSE, order_id.as_str(), tx.now(), "{}")?;
        }
    }
    accepted(tx, definition, (session, press))
}

/// Settles an accepted offer whose line is written.
pub(super) fn accepted(
    tx: &Tx<'_>,
    definition: &Definition,
    (mut session, mut press): (Session, Press),
) -> Result<String, SessionError> {
    press.state = PressState::Settled;
    press.charge = None;
    press.settled_at = Some(tx.now());
    press.update(tx)?;
    session.upsell_total_minor = add(session.upsell_total_minor, press.amount_minor.unwrap_or(0))?;
    session.refusal_count = 0;
    session.update(tx)?;
    steps::record_press_event(tx, "flow.accepted", (&session, &press), None)?;
    go_on(tx, definition, session, press)
}

/// Continues from a settled press. A session that has ended in the meantime stays where it is.
fn go_on(
    tx: &Tx<'_>,
    definition: &Definition,
    session: Session,
    press: Press,
) -> Result<String, SessionError> {
    if session.is_open() && session.current_key == press.key {
        return steps::advance(tx, definition, session, press);
    }
    steps::answer(tx, definition, &session, press, &session.current_key)
}

/// Stores what the shopper must do before the offer is pressed again. The press stays claimed.
fn needs_action(
    tx: &Tx<'_>,
    definition: &Definition,
    session: Session,
    mut press: Press,
    data: &Data,
) -> Result<String, SessionError> {
    if !session.is_open() {
        return refuse(tx, definition, (session, press), (AUTHENTICATION_REQUIRED, Some(data)));
    }
    press.notice = Some("requires_action".to_owned());
    press.update(tx)?;
    let mut provider_id = String::new();
    if let Some(id) = &press.payment_session_id {
        payments::not_authorized(tx, id, SessionStatus::RequiresMore, Some(data))?;
        provider_id = payments::session(tx, id)?.provider_id;
    }
    let view = button::view(tx, definition, &press.key, Some(&session))?;
    let action = ActionView {
        client_secret: data.get("client_secret").and_then(Value::as_str).map(str::to_owned),
        payment_provider_id: provider_id,
    };
    Ok(view.awaiting(action).answer(false))
}

/// Releases what a refused charge held. The third consecutive refusal closes the offer.
fn refuse(
    tx: &Tx<'_>,
    definition: &Definition,
    (mut session, mut press): (Session, Press),
    (reason, data): (&str, Option<&Data>),
) -> Result<String, SessionError> {
    if let Some(draft) = press.draft_order_id.take() {
        orders::discard_draft(tx, &draft)?;
    }
    if let Some(payment) = &press.payment_session_id {
        renewals::refused_present(tx, payment, data)?;
    }
    session.refusal_count = add(session.refusal_count, 1)?;
    session.update(tx)?;
    press.reason = Some(reason.to_owned());
    press.charge = None;
    press.settled_at = Some(tx.now());
    if session.refusal_count >= MAX_REFUSALS {
        press.state = PressState::Closed;
        press.update(tx)?;
        return go_on(tx, definition, session, press);
    }
    press.state = PressState::Refused;
    let key = press.key.clone();
    steps::answer(tx, definition, &session, press, &key)
}
