//! Starts a session, or finds the one started for the same cart or order.

use serde_json::{Map, Value};

use super::button::{self, ButtonView};
use super::error::SessionError;
use super::path::PathEvaluator;
use super::queries;
use super::receipt::SessionView;
use super::session::{Session, SessionStatus};
use super::{facts, steps};
use crate::auth::{Pseudonym, Secret, SecretDigest, Shop};
use crate::cart::{self, CartError};
use crate::clock::{MINUTE_MS, Timestamp};
use crate::database::{Table as _, Tx};
use crate::definition::flow::{Definition, Flow, FlowKind};
use crate::definition::queries as flows;
use crate::events;
use crate::ids::{CartId, CustomerId, FlowId, FlowSessionId, OrderId, PaymentCollectionId};
use crate::orders::OrderError;
use crate::orders::addition;
use crate::payments::renewals;

#[derive(Debug, Clone)]
pub(crate) enum Surface {
    /// A page without credentials, with its origin unless it is on this server.
    Public { origin: Option<String> },
    /// A storefront with its publishable key.
    Store(Shop),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Source {
    /// Its pseudonyms of today and yesterday.
    pub(crate) digests: [Pseudonym; 2],
    /// Limit: its open sessions.
    pub(crate) max_open: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Beginning {
    pub(crate) surface: Surface,
    /// Where it is started from, if that is limited.
    pub(crate) source: Option<Source>,
    /// The id of the flow, or its public token.
    pub(crate) flow: String,
    pub(crate) cart_id: Option<CartId>,
    pub(crate) order_id: Option<OrderId>,
    pub(crate) collection_id: Option<PaymentCollectionId>,
    /// The token of the session to resume.
    pub(crate) token: Option<SecretDigest>,
    pub(crate) context: Map<String, Value>,
    pub(crate) locale: Option<String>,
}

/// A session that was started or found.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) flow_id: FlowId,
    /// With the new token, unless the request had a valid one.
    pub(crate) session: SessionView,
    pub(crate) button: ButtonView,
    pub(crate) is_new: bool,
}

#[derive(Default)]
struct Target {
    cart_id: Option<CartId>,
    order_id: Option<OrderId>,
    customer_id: Option<CustomerId>,
    total_minor: i64,
    locale: Option<String>,
    window_ends: Option<Timestamp>,
}

/// Starts a session or finds the existing one. `secret` is a new token, which opens it unless the request had a valid
/// token.
///
/// # Errors
/// [`SessionError::NotStartable`], whatever the reason; [`SessionError::TooManyOpen`].
pub(super) fn begin(tx: &Tx<'_>, new: &Beginning, secret: &Secret) -> Result<Begun, SessionError> {
    let flow = flows::named(tx, &new.flow)?.filter(|flow| is_open_to(flow, &new.surface));
    let flow = flow.ok_or(SessionError::NotStartable)?;
    let number = flow.version.ok_or(SessionError::NotStartable)?;
    let target = target(tx, &flow, new).map_err(without_ids)?;
    if let Some(found) = find(tx, &flow, &target, new.token)? {
        return take_up(tx, found, new.token, secret);
    }
    check_source(tx, new.source)?;
    let version = flows::version(tx, &flow.id, number)?.ok_or(SessionError::NotStartable)?;
    let definition = flows::definition(tx, &version.id)?.ok_or(SessionError::NotStartable)?;
    let session = insert(tx, &flow, &definition, new, target)?;
    queries::insert_token(tx, &session.id, secret.digest())?;
    let session = enter(tx, &definition, session)?;
    let begun = view(tx, &definition, &session, Some(secret))?;
    Ok(Begun { is_new: true, ..begun })
}

/// Returns a session in its current state, with its new token.
fn view(
    tx: &Tx<'_>,
    definition: &Definition,
    session: &Session,
    secret: Option<&Secret>,
) -> Result<Begun, SessionError> {
    let button = button::view(tx, definition, &session.current_key, Some(session))?;
    let flow_id = session.flow_id.clone();
    let mut session = SessionView::new(session, definition);
    session.token = secret.map(|secret| secret.reveal().to_owned());
    Ok(Begun { flow_id, session, button, is_new: false })
}

fn check_source(tx: &Tx<'_>, source: Option<Source>) -> Result<(), SessionError> {
    match source {
        Some(Source { digests, max_open }) if queries::open_from(tx, digests)? >= max_open => {
            Err(SessionError::TooManyOpen)
        }
        Some(_) | None => Ok(()),
    }
}

fn is_open_to(flow: &Flow, surface: &Surface) -> bool {
    match surface {
        Surface::Public { origin } => {
            flow.is_public
                && origin.as_ref().is_none_or(|origin| flow.allowed_origins.contains(origin))
        }
        Surface::Store(_) => true,
    }
}

/// Answers an unknown cart or order like any other reason, so that ids cannot be probed.
fn without_ids(error: SessionError) -> SessionError {
    let is_unknown = matches!(
        error,
        SessionError::Cart(CartError::NotFound { .. })
            | SessionError::Order(OrderError::NotFound(_))
    );
    if is_unknown { SessionError::NotStartable } else { error }
}

fn target(tx: &Tx<'_>, flow: &Flow, new: &Beginning) -> Result<Target, SessionError> {
    let load = |id: &CartId| match &new.surface {
        Surface::Store(shop) => cart::load_for(tx, id, shop),
        Surface::Public { .. } => cart::load(tx, id),
    };
    match (flow.kind, &new.cart_id, &new.order_id) {
        (FlowKind::PrePurchase, None, None) if matches!(new.surface, Surface::Store(_)) => {
            Ok(Target::default())
        }
        (FlowKind::PrePurchase, Some(id), None) => {
            let cart = load(id)?;
            if cart.completed_at.is_some() || cart.currency != flow.currency {
                return Err(SessionError::NotStartable);
            }
            Ok(Target {
                cart_id: Some(cart.id),
                customer_id: cart.customer_id,
                total_minor: cart.totals.total,
                locale: cart.locale,
                ..Target::default()
            })
        }
        (FlowKind::PostPurchase, Some(cart_id), Some(order_id)) => {
            load(cart_id)?;
            if addition::of_completed_cart(tx, cart_id)?.as_ref() != Some(order_id) {
                return Err(SessionError::NotStartable);
            }
            of_order(tx, flow, cart_id, order_id, new.collection_id.as_ref())
        }
        (FlowKind::PrePurchase | FlowKind::PostPurchase, _, _) => Err(SessionError::NotStartable),
    }
}

fn of_order(
    tx: &Tx<'_>,
    flow: &Flow,
    cart_id: &CartId,
    order_id: &OrderId,
    collection: Option<&PaymentCollectionId>,
) -> Result<Target, SessionError> {
    let order = addition::placed(tx, order_id)?;
    if let Some(collection) = collection
        && !addition::has_collection(tx, order_id, collection)?
    {
        return Err(SessionError::NotStartable);
    }
    let window_ms = flow.offer_window_minutes.saturating_mul(MINUTE_MS);
    let window_ends = order.placed_at.plus_ms(window_ms);
    let has_begun = flows::has_session(tx, &flow.id, order_id)?;
    let can_begin = order.currency == flow.currency
        && window_ends > tx.now()
        && addition::is_open(tx, &order)?
        && renewals::reusable_method(tx, order_id, order.customer_id.as_ref())?.is_some();
    if !has_begun && !can_begin {
        return Err(SessionError::NotStartable);
    }
    Ok(Target {
        cart_id: Some(cart_id.clone()),
        order_id: Some(order.id),
        customer_id: order.customer_id,
        total_minor: order.totals.total,
        locale: order.locale,
        window_ends: Some(window_ends),
    })
}

/// Returns the session that was started earlier.
fn find(
    tx: &Tx<'_>,
    flow: &Flow,
    target: &Target,
    token: Option<SecretDigest>,
) -> Result<Option<Session>, SessionError> {
    if target.cart_id.is_none() && target.order_id.is_none() {
        let Some(token) = token else { return Ok(None) };
        return Ok(queries::of_token(tx, token)?.filter(|session| session.flow_id == flow.id));
    }
    let pair = (target.cart_id.as_ref(), target.order_id.as_ref());
    Ok(queries::of_pair(tx, &flow.id, pair)?)
}

fn take_up(
    tx: &Tx<'_>,
    mut session: Session,
    token: Option<SecretDigest>,
    secret: &Secret,
) -> Result<Begun, SessionError> {
    steps::expire_if_over(tx, &mut session)?;
    if matches!(session.status, SessionStatus::Expired | SessionStatus::Revoked) {
        return Err(SessionError::NotStartable);
    }
    if steps::extend_expiry(tx, &mut session)? {
        session.update(tx)?;
    }
    let own = token.map(|token| queries::of_token(tx, token)).transpose()?.flatten();
    let is_known = own.is_some_and(|own| own.id == session.id);
    if !is_known {
        queries::insert_token(tx, &session.id, secret.digest())?;
    }
    let definition = flows::definition(tx, &session.version_id)?;
    let definition = definition.ok_or(SessionError::NotStartable)?;
    view(tx, &definition, &session, (!is_known).then_some(secret))
}

fn insert(
    tx: &Tx<'_>,
    flow: &Flow,
    definition: &Definition,
    new: &Beginning,
    target: Target,
) -> Result<Session, SessionError> {
    let id = FlowSessionId::new();
    let person = target.customer_id.as_ref().map_or(id.as_str(), CustomerId::as_str);
    let mut session = Session {
        flow_id: flow.id.clone(),
        kind: flow.kind,
        window_minutes: flow.offer_window_minutes,
        version: definition.version.number,
        version_id: definition.version.id.clone(),
        status: SessionStatus::Open,
        cart_id: target.cart_id,
        order_id: target.order_id,
        bucket: facts::bucket(&flow.id, person),
        customer_id: target.customer_id,
        currency: flow.currency,
        current_key: definition.version.definition.entry.clone(),
        context: new.context.clone(),
        locale: new.locale.clone().or(target.locale),
        original_total_minor: target.total_minor,
        upsell_total_minor: 0,
        refusal_count: 0,
        started_at: tx.now(),
        seen_at: tx.now(),
        expires_at: tx.now(),
        completed_at: None,
        id,
    };
    session.extend(tx.now(), target.window_ends);
    session.insert(tx)?;
    if let Some(Source { digests: [today, _], .. }) = new.source {
        queries::note_source(tx, &session.id, today)?;
    }
    events::record(tx, "flow.session_started", &steps::about(&session))?;
    Ok(session)
}

fn enter(tx: &Tx<'_>, definition: &Definition, session: Session) -> Result<Session, SessionError> {
    let mut facts = facts::of_session(tx, &session)?;
    let path =
        PathEvaluator::new(&definition.version.definition, session.currency).enter(&mut facts);
    steps::arrive(tx, definition, session, &path)
}
