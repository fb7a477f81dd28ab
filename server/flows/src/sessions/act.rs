//! A complete press, which continues if the client disconnects; and the presses that a crash left open.

use std::time::Duration;

use super::begin::{self, Beginning, Begun};
use super::button::PressAnswer;
use super::error::SessionError;
use super::press::{self, Claim, NewPress, PendingCharge};
use super::queries;
use super::session::{Press, PressState, Session};
use super::{settle, steps};
use crate::auth::Secret;
use crate::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::context::Context;
use crate::database::{self, Db, Table as _, Tx};
use crate::ids::FlowPressId;
use crate::jobs::JobError;
use crate::payments::{PaymentError, PaymentGateway, renewals};

/// The kind of job that settles open presses and ends sessions.
pub const RECOVER: &str = "flows.recover";

/// The interval of that job, in milliseconds.
pub const RECOVER_EVERY_MS: i64 = MINUTE_MS;

/// The age after which no request can still be working on a press, in milliseconds.
const ABANDONED_MS: i64 = MINUTE_MS;

/// How long the address that started a session is stored, in milliseconds.
const ADDRESS_MS: i64 = DAY_MS;

/// Limit: presses and sessions that one run processes.
const BATCH_LEN: u32 = 500;

/// Limit: answers that one run erases.
const FORGET_LEN: u32 = 50_000;

/// Limit: time to wait for other presses of the same session.
const LOCK_WAIT_LIMIT: Duration = Duration::from_secs(25);

const TOKEN_PREFIX: &str = "fst_";

pub(super) async fn begin(db: &Db, new: Beginning) -> Result<Begun, SessionError> {
    let secret = Secret::generate(TOKEN_PREFIX)?;
    db.write(move |tx| begin::begin(tx, &new, &secret)).await
}

/// Presses a button. Concurrent presses in a session wait for each other, and repetitions get the first answer.
///
/// # Errors
/// [`SessionError::Unanswered`] if the provider does not answer; pressing again retries with the same key.
pub(super) async fn press(
    db: Db,
    gateway: PaymentGateway,
    new: NewPress,
) -> Result<PressAnswer, SessionError> {
    Context::current().repeatable().run_to_end(run(db, gateway, new)).await
}

async fn run(db: Db, gateway: PaymentGateway, new: NewPress) -> Result<PressAnswer, SessionError> {
    let token = new.token;
    let session = db.read(move |tx| queries::of_token(tx, token)).await?;
    let session = session.ok_or(SessionError::BadToken)?;
    let lock = gateway.locks.lock(session.id.as_str(), LOCK_WAIT_LIMIT).await;
    let Some(_lock) = lock else { return Err(SessionError::Busy) };
    let text = match db.write(move |tx| press::claim(tx, &new)).await? {
        Claim::Done(text) => text,
        Claim::Refused(error) => return Err(error),
        Claim::Ask(charge) => ask(&db, &gateway, *charge).await?,
    };
    Ok(PressAnswer::read(&text))
}

async fn ask(
    db: &Db,
    gateway: &PaymentGateway,
    charge: PendingCharge,
) -> Result<String, SessionError> {
    let PendingCharge { press_id, session, saved } = charge;
    let outcome = match renewals::charge(gateway, &session, &saved).await {
        Ok(outcome) => outcome,
        Err(PaymentError::Provider(error)) => {
            tracing::warn!(%press_id, %error, "a charge is unanswered");
            return Err(SessionError::Unanswered);
        }
        Err(error) => return Err(error.into()),
    };
    db.write(move |tx| settle::settle(tx, &press_id, &outcome)).await
}

/// Settles the presses that a crash or an unresponsive provider left open, ends expired sessions, and erases the
/// addresses of older ones.
pub async fn recover(db: Db, gateway: PaymentGateway) -> Result<(), JobError> {
    let now = db.read(|tx| Ok::<_, SessionError>(tx.now())).await?;
    let before = now.minus_ms(ABANDONED_MS);
    recover_before(&db, &gateway, before).await?;
    let clean = |tx: &Tx<'_>| {
        steps::expire_due(tx, BATCH_LEN)?;
        Ok::<_, SessionError>(queries::forget_sources(tx, tx.now().minus_ms(ADDRESS_MS))?)
    };
    Ok(db.write(clean).await?)
}

/// Erases the personal data in answers that are older than this number of days.
pub fn forget(tx: &Tx<'_>, days: u32) -> Result<(), database::Error> {
    let age_ms = i64::from(days).saturating_mul(DAY_MS);
    queries::forget_before(tx, tx.now().minus_ms(age_ms), FORGET_LEN)
}

/// Settles all presses that an earlier run of the server left open.
pub async fn recover_all(db: Db, gateway: PaymentGateway) {
    let recovered = async {
        let now = db.read(|tx| Ok::<_, SessionError>(tx.now())).await?;
        recover_before(&db, &gateway, now.plus_ms(1)).await
    };
    if let Err(error) = recovered.await {
        tracing::error!(%error, "unsettled presses cannot be read");
    }
}

async fn recover_before(
    db: &Db,
    gateway: &PaymentGateway,
    before: Timestamp,
) -> Result<(), SessionError> {
    let claimed = db.read(move |tx| queries::claimed_before(tx, before, BATCH_LEN));
    for (press_id, session_id) in claimed.await? {
        let lock = gateway.locks.lock(session_id.as_str(), LOCK_WAIT_LIMIT).await;
        let Some(_lock) = lock else { continue };
        if let Err(error) = recover_one(db, gateway, press_id.clone()).await {
            tracing::warn!(%press_id, %error, "a press could not be settled");
        }
    }
    Ok(())
}

async fn recover_one(
    db: &Db,
    gateway: &PaymentGateway,
    press_id: FlowPressId,
) -> Result<(), SessionError> {
    let charge = db.read(move |tx| {
        let press = Press::require::<SessionError>(tx, &press_id)?;
        if press.state != PressState::Claimed {
            return Ok(None);
        }
        let session = Session::require::<SessionError>(tx, &press.session_id)?;
        press::pending(tx, &session, &press).map(Some)
    });
    match charge.await? {
        Some(Claim::Ask(charge)) => ask(db, gateway, *charge).await.map(drop),
        Some(Claim::Done(_) | Claim::Refused(_)) | None => Ok(()),
    }
}
