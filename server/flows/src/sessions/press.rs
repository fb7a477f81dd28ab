//! The first step of a press: one write checks it and claims what it needs. A press that costs nothing is settled
//! with it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::error::SessionError;
use super::queries;
use super::session::{Action, Press, PressState, Session};
use super::settle;
use super::steps::{self, Ending};
use super::{answers, button};
use crate::auth::{SecretDigest, Shop};
use crate::cart::offers::OfferTerms;
use crate::cart::{self, CartError};
use crate::database::{Record as _, Table as _, Tx};
use crate::definition::draft::{ButtonDraft, ButtonKind, OfferDraft};
use crate::definition::flow::{Definition, FlowKind};
use crate::definition::queries as flows;
use crate::ids::{CartId, FlowButtonId, FlowPressId};
use crate::inventory::InventoryError;
use crate::orders::order::NewOrder;
use crate::orders::{self, OrderError, addition};
use crate::payments::methods::SavedCharge;
use crate::payments::payment::Session as PaymentSession;
use crate::payments::renewals::{self, ReusableMethod};

/// Presses faster than this, in milliseconds, are taken for a robot's.
const ROBOT_MS: i64 = 700;

#[derive(Debug, Clone)]
pub(crate) struct NewPress {
    pub(crate) token: SecretDigest,
    pub(crate) button_id: FlowButtonId,
    pub(crate) is_accepted: bool,
    pub(crate) quantity: Option<i64>,
    pub(crate) answers: BTreeMap<String, Value>,
    pub(crate) reason: Option<String>,
    /// The cart that a storefront sends.
    pub(crate) cart: Option<(CartId, Shop)>,
    /// Whether a field invisible to people was filled in.
    pub(crate) is_trapped: bool,
}

#[derive(Debug, Clone)]
pub(super) struct PendingCharge {
    pub(super) press_id: FlowPressId,
    pub(super) session: PaymentSession,
    pub(super) saved: SavedCharge,
}

#[derive(Debug)]
pub(super) enum Claim {
    /// The stored text of the answer.
    Done(String),
    Ask(Box<PendingCharge>),
    /// The press is rejected, but what it wrote is kept.
    Refused(SessionError),
}

struct Subject<'a> {
    definition: &'a Definition,
    session: Session,
    key: &'a str,
    button: &'a ButtonDraft,
    id: &'a FlowButtonId,
}

impl Subject<'_> {
    fn advance(self, tx: &Tx<'_>, press: Press) -> Result<Claim, SessionError> {
        steps::advance(tx, self.definition, self.session, press).map(Claim::Done)
    }
}

/// Claims a press, or returns the result of an earlier one.
pub(super) fn claim(tx: &Tx<'_>, new: &NewPress) -> Result<Claim, SessionError> {
    let session = queries::of_token(tx, new.token)?.ok_or(SessionError::BadToken)?;
    let definition = flows::definition(tx, &session.version_id)?;
    let definition = definition.ok_or(SessionError::UnknownButton)?;
    let Some(key) = definition.key_of(&new.button_id) else {
        return Err(SessionError::UnknownButton);
    };
    let button = definition.button(key).ok_or(SessionError::UnknownButton)?;
    if let Some(earlier) = queries::press_at(tx, &session.id, &new.button_id)? {
        return again(tx, &session, &earlier, new);
    }
    let mut subject = Subject { definition: &definition, session, key, button, id: &new.button_id };
    if let Some(refused) = check_open(tx, &mut subject, new)? {
        return Ok(Claim::Refused(refused));
    }
    bind(tx, &mut subject.session, new)?;
    let window = steps::window_ends(tx, &subject.session)?;
    subject.session.extend(tx.now(), window);
    match (new.is_accepted, button.kind) {
        (_, ButtonKind::End) => Err(SessionError::NotCurrent),
        (false, _) => decline(tx, subject, new),
        (true, ButtonKind::Offer) => accept_offer(tx, subject, new),
        (true, ButtonKind::Question) => answer(tx, subject, new),
        (true, ButtonKind::Notice) => {
            let press = press(tx, &subject, Action::Accepted, new)?;
            press.insert(tx)?;
            subject.advance(tx, press)
        }
    }
}

/// Returns the result of an earlier press of the same button.
fn again(
    tx: &Tx<'_>,
    session: &Session,
    earlier: &Press,
    new: &NewPress,
) -> Result<Claim, SessionError> {
    let was_accepted = matches!(earlier.action, Action::Accepted | Action::Answered);
    if was_accepted != new.is_accepted || earlier.action == Action::Skipped {
        return Err(SessionError::NotCurrent);
    }
    match (earlier.state, earlier.answer.clone()) {
        (PressState::Claimed, _) => pending(tx, session, earlier),
        (_, Some(answer)) => Ok(Claim::Done(answer)),
        (_, None) => Err(SessionError::NotCurrent),
    }
}

pub(super) fn pending(
    tx: &Tx<'_>,
    session: &Session,
    press: &Press,
) -> Result<Claim, SessionError> {
    let (Some(payment), Some(order_id)) = (&press.payment_session_id, &session.order_id) else {
        return Err(SessionError::NotCurrent);
    };
    let saved = match &press.charge {
        Some(saved) => saved.clone(),
        // Earlier versions did not keep it.
        None => renewals::reusable_method(tx, order_id, session.customer_id.as_ref())?
            .ok_or(SessionError::NotCurrent)?
            .charge(press.id.as_str()),
    };
    let payment = PaymentSession::select_one(tx, "where s.id = ?1", [payment])?;
    let payment = payment.ok_or(SessionError::NotCurrent)?;
    let (press_id, session) = (press.id.clone(), payment);
    Ok(Claim::Ask(Box::new(PendingCharge { press_id, session, saved })))
}

/// Checks that the session is open and at this button. Otherwise returns why it is not; what was written is
/// kept.
fn check_open(
    tx: &Tx<'_>,
    subject: &mut Subject<'_>,
    new: &NewPress,
) -> Result<Option<SessionError>, SessionError> {
    if !subject.session.is_open() {
        return Ok(Some(SessionError::Over));
    }
    let is_current = subject.session.current_key == subject.key;
    let is_offer = new.is_accepted && subject.button.kind == ButtonKind::Offer;
    match steps::ending(tx, &subject.session)? {
        // The shopper is told that the offer is closed.
        Some(Ending::Closed) if is_offer && is_current => return Ok(None),
        Some(_) => {
            steps::expire(tx, &mut subject.session)?;
            return Ok(Some(SessionError::Over));
        }
        None => {}
    }
    Ok((!is_current).then_some(SessionError::NotCurrent))
}

/// Binds a session without a cart to the caller's cart, once and only when a button is accepted.
fn bind(tx: &Tx<'_>, session: &mut Session, new: &NewPress) -> Result<(), SessionError> {
    let Some((cart_id, shop)) = &new.cart else { return Ok(()) };
    if let Some(own) = &session.cart_id {
        return if own == cart_id { Ok(()) } else { Err(SessionError::OtherCart) };
    }
    if !new.is_accepted {
        return Ok(());
    }
    let cart = match cart::load_for(tx, cart_id, shop) {
        Err(CartError::NotFound { .. }) => return Err(SessionError::OtherCart),
        found => found?,
    };
    let is_taken = queries::of_pair(tx, &session.flow_id, (Some(cart_id), None))?.is_some();
    if cart.currency != session.currency || cart.completed_at.is_some() || is_taken {
        return Err(SessionError::OtherCart);
    }
    session.cart_id = Some(cart.id);
    session.customer_id = cart.customer_id;
    session.original_total_minor = cart.totals.total;
    Ok(session.update(tx)?)
}

/// Returns a press of the button that is not written yet.
fn press(
    tx: &Tx<'_>,
    subject: &Subject<'_>,
    action: Action,
    new: &NewPress,
) -> Result<Press, SessionError> {
    let place = (subject.id, subject.key, subject.button.title.as_str());
    let mut press = Press::new(&subject.session, place, action, tx.now());
    let shown_at = queries::shown_at(tx, &subject.session.id, subject.id)?;
    press.shown_ms =
        shown_at.map(|shown_at| tx.now().as_millis().saturating_sub(shown_at.as_millis()));
    let is_fast = press.shown_ms.is_some_and(|shown_ms| shown_ms < ROBOT_MS);
    press.is_spam = new.is_trapped || is_fast;
    Ok(press)
}

fn decline(tx: &Tx<'_>, subject: Subject<'_>, new: &NewPress) -> Result<Claim, SessionError> {
    if subject.button.kind == ButtonKind::Notice {
        return Err(SessionError::Invalid("A notice can only be accepted".to_owned()));
    }
    let mut press = press(tx, &subject, Action::Declined, new)?;
    press.reason.clone_from(&new.reason);
    press.insert(tx)?;
    steps::record_press_event(tx, "flow.declined", (&subject.session, &press), None)?;
    subject.advance(tx, press)
}

fn answer(tx: &Tx<'_>, subject: Subject<'_>, new: &NewPress) -> Result<Claim, SessionError> {
    let kept = answers::check(&subject.button.fields, &new.answers)?;
    let press = press(tx, &subject, Action::Answered, new)?;
    press.insert(tx)?;
    for (field, value) in &kept {
        queries::insert_answer(tx, &press.id, &field.key, value, field.pii())?;
    }
    let keys = kept.iter().map(|(field, _)| field.key.as_str()).collect();
    steps::record_press_event(tx, "flow.answered", (&subject.session, &press), Some(keys))?;
    subject.advance(tx, press)
}

fn accept_offer(tx: &Tx<'_>, subject: Subject<'_>, new: &NewPress) -> Result<Claim, SessionError> {
    let Some(offer) = &subject.button.offer else { return Err(SessionError::NotCurrent) };
    let quantity = new.quantity.unwrap_or(offer.quantity);
    if !(1..=offer.max_quantity()).contains(&quantity) {
        let message = format!("Field 'quantity' must be from 1 to {}", offer.max_quantity());
        return Err(SessionError::Invalid(message));
    }
    let mut press = press(tx, &subject, Action::Accepted, new)?;
    press.quantity = Some(quantity);
    let terms = button::terms(offer, subject.session.currency, (press.id.as_str(), quantity))?;
    if subject.session.kind == FlowKind::PostPurchase {
        return charge_offer(tx, subject, press, terms);
    }
    let Some(cart_id) = subject.session.cart_id.clone() else {
        return Err(SessionError::Unbound);
    };
    let currency = subject.session.currency;
    let added =
        tx.attempt(|tx| cart::add_offer(tx, &cart_id, &offer.variant_id, terms, currency))?;
    match added {
        Ok(line) => {
            press.amount_minor = Some(line.totals.amounts.total);
            press.line_id = Some(line.id.to_string());
            press.insert(tx)?;
            let parts = (subject.session, press);
            settle::accepted(tx, subject.definition, parts).map(Claim::Done)
        }
        Err(error) if is_closed(&error) => close(tx, subject, press),
        Err(error) => Err(error.into()),
    }
}

/// Returns whether an offer can no longer be accepted.
fn is_closed(error: &CartError) -> bool {
    if let CartError::Inventory(error) = error {
        return !matches!(error, InventoryError::Db(_));
    }
    matches!(
        error,
        CartError::UnknownVariant { .. }
            | CartError::NoPrice { .. }
            | CartError::Completed { .. }
            | CartError::BeingCompleted { .. }
            | CartError::NotFound { .. }
    )
}

/// Claims the charge of an offer: its line is written to a draft, which reserves stock.
fn charge_offer(
    tx: &Tx<'_>,
    subject: Subject<'_>,
    mut press: Press,
    terms: OfferTerms,
) -> Result<Claim, SessionError> {
    let Some(offer) = &subject.button.offer else { return Err(SessionError::NotCurrent) };
    let (draft, method) = match tx.attempt(|tx| reserve(tx, &subject.session, offer, terms))? {
        Ok(Some(reserved)) => reserved,
        Err(SessionError::Cart(error)) if !is_closed(&error) => return Err(error.into()),
        Err(SessionError::Order(OrderError::Inventory(InventoryError::Db(error)))) => {
            return Err(error.into());
        }
        Ok(None) | Err(SessionError::Cart(_) | SessionError::Order(OrderError::Inventory(_))) => {
            return close(tx, subject, press);
        }
        Err(error) => return Err(error),
    };
    let total_minor =
        draft.lines.iter().fold(0_i64, |sum, line| sum.saturating_add(line.amounts.total));
    press.amount_minor = Some(total_minor);
    press.draft_order_id = Some(draft.id.clone());
    // A paid acceptance is never a robot's.
    press.is_spam = false;
    if total_minor == 0 {
        press.insert(tx)?;
        let parts = (subject.session, press);
        return settle::gained(tx, subject.definition, parts).map(Claim::Done);
    }
    let amount = (total_minor, subject.session.currency);
    let payment = renewals::open_present(tx, &draft.id, amount, &method.provider_id)?;
    press.state = PressState::Claimed;
    press.settled_at = None;
    press.payment_session_id = Some(payment.id.clone());
    let saved = method.charge(press.id.as_str());
    press.charge = Some(saved.clone());
    press.insert(tx)?;
    subject.session.update(tx)?;
    Ok(Claim::Ask(Box::new(PendingCharge { press_id: press.id, session: payment, saved })))
}

/// Writes the draft of an offer; none if nothing more can be added to the order.
fn reserve(
    tx: &Tx<'_>,
    session: &Session,
    offer: &OfferDraft,
    terms: OfferTerms,
) -> Result<Option<(NewOrder, ReusableMethod)>, SessionError> {
    let Some(order_id) = &session.order_id else { return Ok(None) };
    if steps::ending(tx, session)?.is_some() {
        return Ok(None);
    }
    let order = addition::placed(tx, order_id)?;
    let method = renewals::reusable_method(tx, order_id, order.customer_id.as_ref())?;
    let Some(method) = method else { return Ok(None) };
    let place = addition::place(&order);
    let cart = cart::price_offer(tx, place, &offer.variant_id, terms)?;
    let draft = NewOrder { cart_id: None, ..orders::of_cart(tx, &cart)? };
    orders::place_draft(tx, &draft, |_| true)?;
    Ok(Some((draft, method)))
}

/// Closes an offer that can no longer be accepted; the shopper continues as if it had been
/// declined.
fn close(tx: &Tx<'_>, subject: Subject<'_>, mut press: Press) -> Result<Claim, SessionError> {
    press.state = PressState::Closed;
    press.insert(tx)?;
    subject.advance(tx, press)
}
