//! The work on one subscription: everything that is due, step by step, each in its own transaction.

use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;

use super::claim::{self, BillingRequest, Claimed, PendingCharge};
use super::{dunning, settle, steps};
use crate::clock::{MINUTE_MS, Timestamp};
use crate::context::Context;
use crate::database::{self, Db, Table as _, Tx};
use crate::ids::SubscriptionId;
use crate::payments::{PaymentError, PaymentGateway, renewals};
use crate::subscriptions::actions::pause;
use crate::subscriptions::cycle::{Attempt, Cycle, SkipReason};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::{CancellationReason, Subscription, SubscriptionKind};
use crate::subscriptions::{change, queries, schedule};

/// The kind of job that bills what is due.
pub const RENEW: &str = "subscriptions.renew";

/// The interval of that job, in milliseconds.
pub const RENEW_EVERY_MS: i64 = 10_000;

/// Limit: subscriptions processed at once.
const BATCH_LEN: u32 = 200;

/// Limit: batches of one run.
const MAX_BATCHES: usize = 100;

/// Limit: charges at one time.
const MAX_CHARGES: usize = 16;

/// Limit: steps of one subscription in one run, enough for a daily one after three years.
const MAX_STEPS: usize = 2_400;

/// How long a subscription waits after its work failed, in milliseconds.
const WAIT_MS: i64 = MINUTE_MS;

/// Limit: time to wait for other work on the same subscription.
pub(crate) const LOCK_WAIT_LIMIT: Duration = Duration::from_secs(25);

/// Does everything that is due; returns for how many subscriptions.
pub async fn act_on_due(db: &Db, gateway: &PaymentGateway) -> Result<usize, SubscriptionError> {
    let mut count: usize = 0;
    for _ in 0..MAX_BATCHES {
        let due = db.read(move |tx| queries::due(tx, BATCH_LEN)).await?;
        if due.is_empty() {
            break;
        }
        count = count.saturating_add(due.len());
        let mut running = JoinSet::new();
        for id in due {
            if running.len() >= MAX_CHARGES {
                running.join_next().await;
            }
            running.spawn(act_or_wait(db.clone(), gateway.clone(), id));
        }
        while running.join_next().await.is_some() {}
    }
    Ok(count)
}

/// Settles the charges that a crash left unanswered.
pub async fn recover(db: Db, gateway: PaymentGateway) {
    let marked = db.write::<_, database::Error>(queries::ask_again_now).await;
    let settled = match marked {
        Ok(()) => act_on_due(&db, &gateway).await.map(drop),
        Err(error) => Err(error.into()),
    };
    if let Err(error) = settled {
        tracing::error!(%error, "charges of subscriptions could not be settled");
    }
}

/// Works on a subscription. If that fails, it waits, so that it delays no other.
async fn act_or_wait(db: Db, gateway: PaymentGateway, id: SubscriptionId) {
    let Err(error) = act(&db, &gateway, &id).await else { return };
    tracing::warn!(subscription = %id, %error, "a subscription could not be worked on");
    let waited = db
        .write::<_, database::Error>(move |tx| queries::put_off(tx, &id, tx.now().plus_ms(WAIT_MS)))
        .await;
    if let Err(error) = waited {
        tracing::warn!(%error, "a subscription could not be put off");
    }
}

/// Does the due work on a subscription. Runs to completion even if the caller is gone.
///
/// # Errors
/// If a step fails; earlier steps stay done.
pub async fn act(
    db: &Db,
    gateway: &PaymentGateway,
    id: &SubscriptionId,
) -> Result<(), SubscriptionError> {
    let work = run(db.clone(), gateway.clone(), id.clone());
    Context::current().run_to_end(work).await
}

async fn run(db: Db, gateway: PaymentGateway, id: SubscriptionId) -> Result<(), SubscriptionError> {
    let lock = gateway.locks.lock(id.as_str(), LOCK_WAIT_LIMIT).await;
    let Some(_lock) = lock else { return Err(SubscriptionError::Busy(id)) };
    for _ in 0..MAX_STEPS {
        let subject = id.clone();
        match db.write(move |tx| step(tx, &subject)).await? {
            Step::Done => break,
            Step::Again => {}
            Step::Ask(charge) => {
                if ask(&db, &gateway, *charge).await?.is_none() {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Calls the provider for a charge and settles its answer; `None` if it does not answer.
pub(crate) async fn ask(
    db: &Db,
    gateway: &PaymentGateway,
    charge: PendingCharge,
) -> Result<Option<Attempt>, SubscriptionError> {
    let PendingCharge { attempt_id, session, saved } = charge;
    let outcome = match renewals::charge(gateway, &session, &saved).await {
        Ok(outcome) => outcome,
        Err(PaymentError::Provider(error)) => {
            tracing::warn!(%attempt_id, %error, "a charge is unanswered");
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    db.write(move |tx| settle::settle(tx, &attempt_id, &outcome)).await.map(Some)
}

/// What to do after a step.
enum Step {
    Done,
    Again,
    Ask(Box<PendingCharge>),
}

/// Does the next thing that is due.
fn step(tx: &Tx<'_>, id: &SubscriptionId) -> Result<Step, SubscriptionError> {
    let mut subscription = change::load(tx, id)?;
    if subscription.acts_at.is_none_or(|acts_at| acts_at > tx.now()) {
        return Ok(Step::Done);
    }
    if let Some(attempt) = queries::pending_attempt(tx, id)? {
        return again(tx, &mut subscription, &attempt);
    }
    let open = queries::open_cycle(tx, id)?;
    match subscription.status {
        SubscriptionStatus::Paused => unpause(tx, &mut subscription),
        _ if is_past(tx, subscription.cancel_at) => {
            change::end(
                tx,
                &mut subscription,
                SubscriptionStatus::Canceled,
                None,
                "cancellation_due",
            )?;
            Ok(Step::Done)
        }
        SubscriptionStatus::Trial | SubscriptionStatus::Active | SubscriptionStatus::PastDue => {
            match open {
                Some(cycle) => retry(tx, &mut subscription, cycle),
                None => renew(tx, &mut subscription),
            }
        }
        SubscriptionStatus::Canceled | SubscriptionStatus::Expired => Ok(Step::Done),
    }
}

fn is_past(tx: &Tx<'_>, at: Option<Timestamp>) -> bool {
    at.is_some_and(|at| at <= tx.now())
}

/// Repeats an unanswered attempt.
fn again(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    attempt: &Attempt,
) -> Result<Step, SubscriptionError> {
    let charge = claim::pending(tx, attempt)?;
    // The next time is a minute away, so that an unavailable provider is not called endlessly.
    change::save(tx, subscription)?;
    Ok(charge.map_or(Step::Done, |charge| Step::Ask(Box::new(charge))))
}

fn unpause(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<Step, SubscriptionError> {
    if is_past(tx, subscription.resume_at) {
        pause::resume_by_schedule(tx, subscription, "resume_due")?;
        return Ok(Step::Again);
    }
    let reason = Some(CancellationReason::PausedTooLong);
    change::end(tx, subscription, SubscriptionStatus::Canceled, reason, "pause_over")?;
    Ok(Step::Done)
}

/// Retries a cycle that is unpaid or waits for stock.
fn retry(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    mut cycle: Cycle,
) -> Result<Step, SubscriptionError> {
    let is_scheduled = is_past(tx, subscription.dunning_next_at);
    if cycle.first_failed_at.is_some() && dunning::is_hopeless(tx, subscription, &cycle)? {
        if is_scheduled {
            dunning::pass_over(tx, subscription, &cycle)?;
        } else {
            change::save(tx, subscription)?;
        }
        return Ok(Step::Again);
    }
    let cause = if is_scheduled { "dunning" } else { dunning::NEW_METHOD };
    let request = BillingRequest { cause, method_id: None };
    Ok(after(claim::claim(tx, subscription, &mut cycle, request)?))
}

fn after(claimed: Claimed) -> Step {
    match claimed {
        Claimed::Ask(charge) => Step::Ask(charge),
        Claimed::Paid | Claimed::NotSent | Claimed::Refused(_) => Step::Again,
    }
}

/// Bills the next cycle, or announces it.
fn renew(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<Step, SubscriptionError> {
    let next = schedule::ahead(subscription, 0)?;
    if next.due_at > tx.now() {
        return announce(tx, subscription);
    }
    if schedule::is_complete(subscription) {
        change::end(tx, subscription, SubscriptionStatus::Expired, None, "cycles_complete")?;
        return Ok(Step::Done);
    }
    if let Some(reason) = skipped(tx, subscription)? {
        steps::skip(tx, subscription, reason)?;
        change::save(tx, subscription)?;
        return Ok(Step::Again);
    }
    let mut cycle = steps::begin(tx, subscription, next)?;
    cycle.put(tx)?;
    let request = BillingRequest { cause: "schedule", method_id: None };
    Ok(after(claim::claim(tx, subscription, &mut cycle, request)?))
}

/// Returns why the next cycle is not billed: the customer skipped it, or a following one that is billed is due as well,
/// even if it is the first after a trial. Access is billed for each period.
fn skipped(
    tx: &Tx<'_>,
    subscription: &Subscription,
) -> Result<Option<SkipReason>, SubscriptionError> {
    let next = schedule::ahead(subscription, 0)?;
    if queries::cycle(tx, &subscription.id, next.number)?.is_some() {
        return Ok(Some(SkipReason::Customer));
    }
    let mut passed = queries::skipped_after(tx, &subscription.id, subscription.cycle)?;
    passed.insert(next.number);
    let is_missed = subscription.kind == SubscriptionKind::Delivery
        && schedule::next(subscription, &passed)?.due_at <= tx.now();
    Ok(is_missed.then_some(SkipReason::Outage))
}

/// Announces the next cycle that is billed.
fn announce(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<Step, SubscriptionError> {
    let next = schedule::next_billed(tx, subscription)?;
    subscription.announced_cycle = next.number;
    change::save(tx, subscription)?;
    let facts = json!({ "cycle": next.number, "at": next.due_at });
    change::event(tx, "subscription.upcoming", subscription, facts)?;
    Ok(Step::Again)
}
