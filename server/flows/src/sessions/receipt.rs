//! The results of a session, and its open offer.

use serde::Serialize;

use super::button::{self, ButtonView};
use super::error::SessionError;
use super::queries;
use super::session::{Press, PressState, Session, SessionStatus};
use super::steps;
use crate::auth::SecretDigest;
use crate::clock::Timestamp;
use crate::database::{Db, Table as _, Tx, Word as _};
use crate::definition::draft::ButtonKind;
use crate::definition::flow::Definition;
use crate::definition::queries as flows;
use crate::http::ToSchema;
use crate::ids::{CartId, FlowButtonId, FlowId, FlowSessionId, OrderId};
use crate::money::{Amount, Currency};

/// A shopper's way through a flow.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FlowSession)]
pub(crate) struct SessionView {
    id: FlowSessionId,
    flow_id: FlowId,
    version: i64,
    /// `open`, `completed`, `expired` or `revoked`.
    #[schema(example = "open")]
    status: &'static str,
    cart_id: Option<CartId>,
    order_id: Option<OrderId>,
    current_button_id: Option<FlowButtonId>,
    /// The total before anything was accepted.
    original_order_total: Amount,
    /// The total of what was accepted.
    upsell_total: Amount,
    currency_code: Currency,
    started_at: Timestamp,
    expires_at: Timestamp,
    /// Opens the session; shown only once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) token: Option<String>,
}

impl SessionView {
    pub(super) fn new(session: &Session, definition: &Definition) -> Self {
        let currency = session.currency;
        Self {
            id: session.id.clone(),
            flow_id: session.flow_id.clone(),
            version: session.version,
            status: session.status.as_str(),
            cart_id: session.cart_id.clone(),
            order_id: session.order_id.clone(),
            current_button_id: definition.id_of(&session.current_key).cloned(),
            original_order_total: currency.amount(session.original_total_minor),
            upsell_total: currency.amount(session.upsell_total_minor),
            currency_code: currency,
            started_at: session.started_at,
            expires_at: session.expires_at,
            token: None,
        }
    }
}

/// One entry of a journey.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FlowJourneyEntry)]
pub(crate) struct JourneyEntry {
    button_id: FlowButtonId,
    key: String,
    /// `shown`, `accepted`, `declined`, `skipped` or `answered`.
    #[schema(example = "accepted")]
    action: &'static str,
    title: String,
    quantity: Option<i64>,
    amount: Option<Amount>,
    at: Timestamp,
}

/// A receipt: a session with its journey.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FlowReceipt)]
pub(crate) struct Receipt {
    session: SessionView,
    journey: Vec<JourneyEntry>,
    /// The total of the order or cart when the session began, plus what was accepted.
    total_revenue: Amount,
}

/// The open offer of a session, priced now.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = FlowUpsell)]
pub(crate) struct Upsell {
    session: SessionView,
    button: ButtonView,
    expires_at: Timestamp,
}

fn load(tx: &Tx<'_>, token: SecretDigest) -> Result<(Session, Definition), SessionError> {
    let session = queries::of_token(tx, token)?.ok_or(SessionError::BadToken)?;
    let definition = flows::definition(tx, &session.version_id)?;
    Ok((session, definition.ok_or(SessionError::UnknownButton)?))
}

/// Returns the receipt of a session.
///
/// # Errors
/// [`SessionError::BadToken`], also once a week has passed since its end; [`SessionError::NotEnded`] if only
/// ended sessions have one.
pub(super) fn receipt(
    tx: &Tx<'_>,
    token: SecretDigest,
    needs_end: bool,
) -> Result<(Receipt, FlowId), SessionError> {
    let (session, definition) = load(tx, token)?;
    if !session.has_receipt(tx.now()) {
        return Err(SessionError::BadToken);
    }
    if needs_end && session.status == SessionStatus::Open {
        return Err(SessionError::NotEnded);
    }
    let currency = session.currency;
    let shown = |press: &Press| matches!(press.state, PressState::Settled);
    let journey = queries::journey(tx, &session.id)?;
    let journey = journey.into_iter().filter(shown).map(|press| JourneyEntry {
        button_id: press.button_id,
        key: press.key,
        action: press.action.as_str(),
        title: press.title,
        quantity: press.quantity,
        amount: press.amount_minor.map(|minor| currency.amount(minor)),
        at: press.settled_at.unwrap_or(press.created_at),
    });
    let total = session.original_total_minor.saturating_add(session.upsell_total_minor);
    let receipt = Receipt {
        session: SessionView::new(&session, &definition),
        journey: journey.collect(),
        total_revenue: currency.amount(total),
    };
    Ok((receipt, session.flow_id))
}

pub(super) fn upsell(tx: &Tx<'_>, token: SecretDigest) -> Result<(Upsell, FlowId), SessionError> {
    let (session, definition) = match load(tx, token) {
        Err(SessionError::BadToken | SessionError::UnknownButton) => {
            return Err(SessionError::NoOffer);
        }
        loaded => loaded?,
    };
    let is_over = !session.is_open() || steps::ending(tx, &session)?.is_some();
    let key = session.current_key.clone();
    let is_offer = definition.button(&key).is_some_and(|one| one.kind == ButtonKind::Offer);
    if is_over || !is_offer {
        return Err(SessionError::NoOffer);
    }
    let upsell = Upsell {
        session: SessionView::new(&session, &definition),
        button: button::view(tx, &definition, &key, Some(&session))?,
        expires_at: session.expires_at,
    };
    Ok((upsell, session.flow_id))
}

type ShownButton = (ButtonView, Option<SessionView>, FlowId);

/// Returns a button, as the session sees it if a token is given.
///
/// # Errors
/// [`SessionError::UnknownButton`], also for a button of another version than the session's.
pub(super) async fn show_button(
    db: &Db,
    id: FlowButtonId,
    token: Option<SecretDigest>,
    is_public: bool,
) -> Result<ShownButton, SessionError> {
    let show = move |tx: &Tx<'_>| shown_button(tx, &id, token, is_public);
    match token {
        Some(token) => called(db, token, show).await,
        None => db.read(show).await,
    }
}

fn shown_button(
    tx: &Tx<'_>,
    id: &FlowButtonId,
    token: Option<SecretDigest>,
    is_public: bool,
) -> Result<ShownButton, SessionError> {
    let session = token.map(|token| queries::of_token(tx, token)).transpose()?.flatten();
    let version_id = flows::version_of(tx, id)?.ok_or(SessionError::UnknownButton)?;
    let definition = flows::definition(tx, &version_id)?.ok_or(SessionError::UnknownButton)?;
    let key = definition.key_of(id).ok_or(SessionError::UnknownButton)?.to_owned();
    let Some(session) = session else {
        let flow = crate::definition::flow::Flow::find(tx, &definition.version.flow_id)?;
        let flow = flow.filter(|flow| flow.is_public || !is_public);
        let flow = flow.ok_or(SessionError::UnknownButton)?;
        return Ok((button::view(tx, &definition, &key, None)?, None, flow.id));
    };
    if session.version_id != version_id {
        return Err(SessionError::UnknownButton);
    }
    let button = button::view(tx, &definition, &key, Some(&session))?;
    Ok((button, Some(SessionView::new(&session, &definition)), session.flow_id))
}

/// Reads for a shopper, which extends the session's expiry. Since few calls extend it, the read decides whether to
/// write.
pub(super) async fn called<T: Send + 'static>(
    db: &Db,
    token: SecretDigest,
    read: impl FnOnce(&Tx<'_>) -> Result<T, SessionError> + Send + 'static,
) -> Result<T, SessionError> {
    let extend_expiry = move |tx: &Tx<'_>| {
        let mut session = queries::of_token(tx, token)?;
        let is_later = match &mut session {
            Some(session) => steps::extend_expiry(tx, session)?,
            None => false,
        };
        Ok::<_, SessionError>(session.filter(|_| is_later))
    };
    if db.read(extend_expiry).await?.is_some() {
        db.write(move |tx| {
            if let Some(session) = extend_expiry(tx)? {
                session.update(tx)?;
            }
            Ok::<_, SessionError>(())
        })
        .await?;
    }
    db.read(read).await
}
