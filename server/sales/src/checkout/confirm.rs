//! Pays a cart with a confirmation token, which the shopper's browser created from the card and the billing details.
//!
//! Invariant: a confirmed payment ends as an order or is refunded: by [`finish`], if the storefront does not complete the
//! cart.

use rusqlite::named_params;

use super::claim;
use super::complete::lock;
use super::error::CheckoutError;
use super::finish;
use super::pay::{self, SessionDraft};
use super::update_amount::word;
use crate::auth::{SecretDigest, Shop};
use crate::cart;
use crate::cart::contents::Cart;
use crate::clock::{Clock, Timestamp};
use crate::context::Context;
use crate::database::{self, Db, Record, Table as _, Tx, Word};
use crate::ids::{CartId, PaymentConfirmationId, PaymentSessionId};
use crate::jobs;
use crate::money::{Amount, Currency, Major};
use crate::payments::payment::Session;
use crate::payments::provider::{Data, Outcome, ProviderError, Purpose};
use crate::payments::{self, PaymentError, PaymentGateway};
use crate::statuses::SessionStatus;

/// Limit: refused attempts to pay a cart, to prevent card testing.
const MAX_REFUSALS: i64 = 5;

#[derive(Debug, Clone)]
pub(super) struct ConfirmRequest {
    pub(super) cart_id: CartId,
    pub(super) token: String,
    /// The amount that the shopper saw; must equal the part of the cart's total that is due now.
    pub(super) expected: Option<Major>,
    /// Defaults to the first provider of the cart's region.
    pub(super) provider_id: Option<String>,
    /// Data for the provider in addition to the amount.
    pub(super) data: Data,
}

/// The payment after the confirmation.
#[derive(Debug)]
pub(super) struct Confirmed {
    pub(super) session_id: PaymentSessionId,
    pub(super) currency: Currency,
    pub(super) amount: Amount,
    pub(super) status: &'static str,
    pub(super) data: Data,
}

/// Why a cart is not paid.
#[derive(Debug)]
pub(super) enum ConfirmError {
    /// The cart is not found.
    Unknown,
    /// The cart costs another amount than the shopper saw.
    AmountChanged(Amount),
    /// The card is declined, with the provider's code.
    Declined(String),
    /// The provider does not accept the token.
    Token(String),
    /// Another token is being confirmed, or has been.
    OtherToken,
    /// Too many attempts were refused.
    TooMany,
    /// The provider is not configured.
    NoProvider(String),
    /// The provider did not answer; the request may be repeated.
    Silent(String),
    Other(CheckoutError),
}

impl<E: Into<CheckoutError>> From<E> for ConfirmError {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Word)]
#[word(inherent)]
pub(super) enum ConfirmationStatus {
    /// The provider has not answered yet.
    Pending,
    Succeeded,
    RequiresCapture,
    RequiresAction,
    Failed,
}

/// An attempt to confirm a payment, as stored.
#[derive(Debug, Clone, Record)]
#[record(table = "payment_confirmation k", title = "Payment confirmation")]
struct Confirmation {
    id: PaymentConfirmationId,
    #[column(once)]
    cart_id: CartId,
    payment_session_id: PaymentSessionId,
    #[column(once)]
    token_digest: SecretDigest,
    provider_id: String,
    currency: Currency,
    amount_minor: i64,
    status: ConfirmationStatus,
    refusal_code: Option<String>,
    #[expect(dead_code, reason = "only written")]
    created_at: Timestamp,
    #[expect(dead_code, reason = "only written")]
    updated_at: Timestamp,
}

/// Pays a cart. Repeating the request with the same token returns the same payment. Runs to completion even if the client
/// disconnects.
pub(super) async fn confirm(
    db: Db,
    gateway: PaymentGateway,
    clock: Clock,
    shop: Shop,
    request: ConfirmRequest,
) -> Result<Confirmed, ConfirmError> {
    let work = async move {
        let _lock = lock(&gateway, &request.cart_id).await?;
        let digest = SecretDigest::of(&request.token);
        let (prepared, due) = prepare(&db, &shop, &request, digest).await?;
        let session = match prepared {
            Prepared::Paid(session) => return Ok(confirmed(*session, due)),
            Prepared::Session(session) => *session,
            Prepared::NoSession => {
                let draft = begin(&db, &shop, &request, due).await?;
                let started = pay::start(db.clone(), gateway.clone(), clock.now(), draft).await;
                let begun = match started {
                    Ok(session) => session,
                    Err(CheckoutError::Payment(error)) => return Err(refusal(error)),
                    Err(error) => return Err(error.into()),
                };
                let wanted = digest;
                db.write(move |tx| record(tx, wanted, &begun, due).map(|()| begun)).await?
            }
        };
        let purpose = if due.is_setup() { Purpose::Setup } else { Purpose::Pay };
        let outcome = gateway.confirm(&session, &request.token, purpose).await;
        let cart_id = request.cart_id;
        db.write(move |tx| Ok::<_, CheckoutError>(settle(tx, &cart_id, digest, session, outcome)))
            .await?
            .map(|session| confirmed(session, due))
    };
    Context::current().repeatable().run_to_end(work).await
}

/// The present price of a cart, in minor units.
#[derive(Debug, Clone, Copy)]
struct Due {
    /// Zero if the method is only saved, for a subscription that begins later.
    charged_minor: i64,
    session_minor: i64,
}

impl Due {
    fn of(tx: &Tx<'_>, cart: &Cart) -> Result<Self, CheckoutError> {
        let charged_minor = pay::due_now(tx, cart, None)?.max(0);
        // A session that only saves its method is for the whole total.
        let session_minor = if charged_minor == 0 { cart.totals.total } else { charged_minor };
        Ok(Self { charged_minor, session_minor })
    }

    fn is_setup(self) -> bool {
        self.charged_minor == 0
    }
}

/// What is available for payment.
enum Prepared {
    /// The same token has already paid.
    Paid(Box<Session>),
    /// A session for the amount due now.
    Session(Box<Session>),
    NoSession,
}

/// Checks the cart and the earlier attempts, and records this attempt if there is a session for it.
async fn prepare(
    db: &Db,
    shop: &Shop,
    request: &ConfirmRequest,
    digest: SecretDigest,
) -> Result<(Prepared, Due), ConfirmError> {
    let (shop, request) = (shop.clone(), request.clone());
    db.write(move |tx| {
        let cart = match cart::load_to_change(tx, &request.cart_id, &shop) {
            Err(cart::CartError::NotFound { .. }) => return Ok(Err(ConfirmError::Unknown)),
            cart => cart?,
        };
        let cart = cart::renewed(tx, &cart)?;
        claim::check_payable(tx, &cart)?;
        let due = Due::of(tx, &cart)?;
        let checked = check(tx, &cart, due, &request, digest);
        Ok::<_, CheckoutError>(checked.map(|prepared| (prepared, due)))
    })
    .await?
}

fn check(
    tx: &Tx<'_>,
    cart: &Cart,
    due: Due,
    request: &ConfirmRequest,
    digest: SecretDigest,
) -> Result<Prepared, ConfirmError> {
    if due.session_minor < 1 {
        return Err(PaymentError::NothingToPay.into());
    }
    let changed = || ConfirmError::AmountChanged(cart.currency.amount(due.charged_minor));
    let is_seen = |amount: Major| amount.minor(cart.currency).ok() == Some(due.charged_minor);
    if request.expected.is_some_and(|amount| !is_seen(amount)) {
        return Err(changed());
    }
    let confirmations = confirmations_of(tx, &cart.id)?;
    if let Some(own) = confirmations.iter().find(|confirmation| confirmation.token_digest == digest)
    {
        let Some(session) = session_of(tx, own)?.map(Box::new) else {
            return Err(ConfirmError::Token("The confirmation token was used already".to_owned()));
        };
        if session.amount_minor != due.session_minor {
            return Err(changed());
        }
        let is_open = own.status == ConfirmationStatus::Pending;
        return Ok(if is_open { Prepared::Session(session) } else { Prepared::Paid(session) });
    }
    for other in &confirmations {
        if other.status != ConfirmationStatus::RequiresAction && session_of(tx, other)?.is_some() {
            return Err(ConfirmError::OtherToken);
        }
    }
    let refusals = confirmations
        .iter()
        .filter(|confirmation| confirmation.status == ConfirmationStatus::Failed)
        .count();
    if i64::try_from(refusals).unwrap_or(i64::MAX) >= MAX_REFUSALS {
        return Err(ConfirmError::TooMany);
    }
    let Some((_, Some(session))) = payments::newest(tx, &cart.id)? else {
        return Ok(Prepared::NoSession);
    };
    // A session for the same amount may have been started for paying it.
    let is_wanted = !due.is_setup()
        && request.provider_id.as_ref().is_none_or(|id| *id == session.provider_id)
        && (session.amount_minor, session.currency) == (due.session_minor, cart.currency)
        && matches!(session.status, SessionStatus::Pending | SessionStatus::RequiresMore);
    if !is_wanted {
        return Ok(Prepared::NoSession);
    }
    record(tx, digest, &session, due)?;
    Ok(Prepared::Session(Box::new(session)))
}

/// Returns the attempts to pay a cart, oldest first.
fn confirmations_of(tx: &Tx<'_>, cart_id: &CartId) -> Result<Vec<Confirmation>, database::Error> {
    let sql = "where k.cart_id = :cart order by k.created_at";
    Confirmation::select(tx, sql, named_params! { ":cart": cart_id })
}

/// Returns the session that a confirmation pays: none if it failed, or the session has ended or is parked.
fn session_of(tx: &Tx<'_>, confirmation: &Confirmation) -> Result<Option<Session>, CheckoutError> {
    let session = Session::find(tx, &confirmation.payment_session_id)?;
    let is_live =
        |it: &Session| confirmation.status != ConfirmationStatus::Failed && it.parked_at.is_none();
    Ok(session.filter(is_live))
}

/// Returns the draft of a session for the amount due now.
async fn begin(
    db: &Db,
    shop: &Shop,
    request: &ConfirmRequest,
    due: Due,
) -> Result<SessionDraft, ConfirmError> {
    let (shop, id) = (shop.clone(), request.cart_id.clone());
    let mut data = request.data.clone();
    let begun = if due.is_setup() {
        data.entry("setup_future_usage").or_insert("off_session".into());
        db.write(move |tx| pay::begin_for_customer(tx, &id, &shop, None)).await?
    } else {
        db.write(move |tx| pay::begin_for_cart(tx, &id, &shop)).await?
    };
    Ok(begun.with(request.provider_id.clone(), data)?)
}

/// Records an attempt before the provider is called, and schedules the job that finds out how it ended if no answer is
/// recorded.
fn record(
    tx: &Tx<'_>,
    token: SecretDigest,
    session: &Session,
    due: Due,
) -> Result<(), CheckoutError> {
    let collection = payments::payable(tx, &session.collection_id)?;
    let confirmation = Confirmation {
        id: PaymentConfirmationId::new(),
        cart_id: collection.0,
        payment_session_id: session.id.clone(),
        token_digest: token,
        provider_id: session.provider_id.clone(),
        currency: session.currency,
        amount_minor: due.charged_minor,
        status: ConfirmationStatus::Pending,
        refusal_code: None,
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    confirmation.insert(tx)?;
    finish::schedule(tx, &confirmation.cart_id)
}

/// Records the provider's answer.
fn settle(
    tx: &Tx<'_>,
    cart_id: &CartId,
    token: SecretDigest,
    mut session: Session,
    outcome: Result<Outcome, PaymentError>,
) -> Result<Session, ConfirmError> {
    let found = Confirmation::select_one(
        tx,
        "where k.cart_id = :cart and k.token_digest = :token",
        named_params! { ":cart": cart_id, ":token": token },
    )?;
    let Some(mut confirmation) = found else { return Err(ConfirmError::Unknown) };
    (confirmation.status, session.status, session.data) = match outcome {
        Ok(Outcome::Captured { data }) => {
            (ConfirmationStatus::Succeeded, SessionStatus::Captured, data)
        }
        Ok(Outcome::Authorized { data }) => {
            (ConfirmationStatus::RequiresCapture, SessionStatus::Authorized, data)
        }
        Ok(Outcome::RequiresMore { data }) => {
            (ConfirmationStatus::RequiresAction, SessionStatus::RequiresMore, data)
        }
        Ok(Outcome::Declined { reason }) => {
            fail(tx, &mut confirmation, &reason)?;
            return Err(ConfirmError::Declined(reason));
        }
        Err(error) => {
            let refused = refusal(error);
            if let ConfirmError::Token(reason) = &refused {
                fail(tx, &mut confirmation, reason)?;
            } else if !matches!(refused, ConfirmError::Silent(_)) {
                unschedule(tx, &confirmation)?;
            }
            return Err(refused);
        }
    };
    payments::not_authorized(tx, &session.id, session.status, Some(&session.data))?;
    confirmation.update(tx)?;
    finish::schedule(tx, &confirmation.cart_id)?;
    Ok(session)
}

fn fail(tx: &Tx<'_>, confirmation: &mut Confirmation, reason: &str) -> Result<(), CheckoutError> {
    confirmation.status = ConfirmationStatus::Failed;
    confirmation.refusal_code = Some(reason.to_owned());
    confirmation.update(tx)?;
    unschedule(tx, confirmation)
}

/// Cancels the job for an attempt that paid nothing, unless another attempt may still pay: the job would end the session
/// that the shopper tries the next card with.
fn unschedule(tx: &Tx<'_>, confirmation: &Confirmation) -> Result<(), CheckoutError> {
    for other in confirmations_of(tx, &confirmation.cart_id)? {
        if other.id != confirmation.id && session_of(tx, &other)?.is_some() {
            return Ok(());
        }
    }
    Ok(jobs::cancel(tx, finish::FINISH, confirmation.cart_id.as_str())?)
}

fn refusal(error: PaymentError) -> ConfirmError {
    let message = error.to_string();
    let PaymentError::Provider(cause) = error else {
        let is_unknown = matches!(error, PaymentError::NoProvider(_));
        return if is_unknown { ConfirmError::NoProvider(message) } else { error.into() };
    };
    match cause {
        ProviderError::Invalid { reason } => ConfirmError::Token(reason),
        ProviderError::Unavailable => ConfirmError::Silent(message),
        ProviderError::Unsupported => ConfirmError::NoProvider(message),
    }
}

fn confirmed(session: Session, due: Due) -> Confirmed {
    Confirmed {
        status: word(&session),
        currency: session.currency,
        amount: session.currency.amount(due.charged_minor),
        session_id: session.id,
        data: session.data,
    }
}
