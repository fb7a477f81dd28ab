//! One action: checked, written or only previewed, and shown.

use crate::clock::Timestamp;
use crate::context::Context;
use crate::database::{self, Db, Tx};
use crate::http::IfMatch;
use crate::ids::{CustomerId, SubscriptionId};
use crate::payments::PaymentGateway;
use crate::subscriptions::actions::Actor;
use crate::subscriptions::billing::{self, PendingCharge};
use crate::subscriptions::cycle::AttemptStatus;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::proration::Proration;
use crate::subscriptions::subscription::Subscription;
use crate::subscriptions::view::{SubscriptionView, whole};
use crate::subscriptions::{change, queries};

/// A request for an action.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) id: SubscriptionId,
    pub(crate) actor: Actor,
    /// The customer whose subscription it must be; none for admins.
    pub(crate) owner: Option<CustomerId>,
    pub(crate) versions: IfMatch,
    pub(crate) is_preview: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Cost {
    pub(crate) proration: Option<Proration>,
    /// The charge that must succeed before the action takes effect.
    pub(crate) charge: Option<Box<PendingCharge>>,
}

/// The work of an action, which returns its cost.
pub(crate) type Apply =
    Box<dyn FnOnce(&Tx<'_>, &mut Subscription, &Actor) -> Result<Cost, SubscriptionError> + Send>;

impl Call {
    /// Loads the subscription, if the caller may act on this state of it.
    pub(crate) fn load(&self, tx: &Tx<'_>) -> Result<Subscription, SubscriptionError> {
        let subscription = match &self.owner {
            Some(owner) => change::load_own(tx, &self.id, owner)?,
            None => change::load(tx, &self.id)?,
        };
        if !self.versions.admits(&subscription.version.to_string()) {
            return Err(SubscriptionError::Changed(self.id.clone()));
        }
        if queries::pending_attempt(tx, &self.id)?.is_some() {
            return Err(SubscriptionError::Busy(self.id.clone()));
        }
        Ok(subscription)
    }
}

/// A subscription after an action.
#[derive(Debug)]
pub(crate) struct Performed {
    pub(crate) view: SubscriptionView,
    pub(crate) proration: Option<Proration>,
    pub(crate) at: Timestamp,
}

/// Why an action wrote nothing.
enum Unwritten<T> {
    Preview(Box<T>),
    Failed(SubscriptionError),
}

impl<T> From<database::Error> for Unwritten<T> {
    fn from(error: database::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Does work in one write, or previews it: then its writes are rolled back.
pub(super) async fn write<T: Send + 'static>(
    db: &Db,
    is_preview: bool,
    work: impl FnOnce(&Tx<'_>) -> Result<T, SubscriptionError> + Send + 'static,
) -> Result<T, SubscriptionError> {
    let written = db
        .write(move |tx| {
            let done = work(tx).map_err(Unwritten::Failed)?;
            if is_preview { Err(Unwritten::Preview(Box::new(done))) } else { Ok(done) }
        })
        .await;
    match written {
        Ok(done) => Ok(done),
        Err(Unwritten::Preview(done)) => Ok(*done),
        Err(Unwritten::Failed(error)) => Err(error),
    }
}

/// Performs an action, and the work that falls due because of it; or previews it: then its writes
/// are rolled back.
pub(crate) async fn perform(
    db: &Db,
    gateway: &PaymentGateway,
    call: Call,
    apply: Apply,
) -> Result<Performed, SubscriptionError> {
    let id = call.id.clone();
    let (is_own, is_preview) = (call.owner.is_some(), call.is_preview);
    let (performed, charge, is_due) = write(db, is_preview, move |tx| {
        let mut subscription = call.load(tx)?;
        let Cost { proration, charge } = apply(tx, &mut subscription, &call.actor)?;
        let view = show(tx, &call.id, is_own)?;
        let performed = Performed { view, proration, at: tx.now() };
        let is_due = subscription.acts_at.is_some_and(|acts_at| acts_at <= tx.now());
        Ok((performed, charge, is_due))
    })
    .await?;
    if is_preview {
        return Ok(performed);
    }
    let is_charged = charge.is_some();
    if let Some(charge) = charge {
        pay(db, gateway, *charge, &id).await?;
    }
    if is_due {
        billing::act(db, gateway, &id).await?;
    }
    if !is_due && !is_charged {
        return Ok(performed);
    }
    let view = db.read(move |tx| show(tx, &id, is_own)).await?;
    Ok(Performed { view, ..performed })
}

/// Pays for an action. Runs to completion even if the caller is gone.
async fn pay(
    db: &Db,
    gateway: &PaymentGateway,
    charge: PendingCharge,
    id: &SubscriptionId,
) -> Result<(), SubscriptionError> {
    let (db, gateway, subject) = (db.clone(), gateway.clone(), id.clone());
    // Two concurrent calls for one charge would both find none and both make one.
    let asking = async move {
        let lock = gateway.locks.lock(subject.as_str(), billing::LOCK_WAIT_LIMIT).await;
        let Some(_lock) = lock else { return Ok(None) };
        billing::ask(&db, &gateway, charge).await
    };
    match Context::current().run_to_end::<_, SubscriptionError>(asking).await? {
        // The server keeps retrying.
        None => Err(SubscriptionError::Busy(id.clone())),
        Some(attempt) if attempt.status == AttemptStatus::Refused => {
            let reason = attempt.reason.unwrap_or_else(|| "card_declined".to_owned());
            Err(SubscriptionError::Declined(reason))
        }
        Some(_) => Ok(()),
    }
}

/// Returns a subscription with its next bill, as seen by its customer or an administrator.
fn show(
    tx: &Tx<'_>,
    id: &SubscriptionId,
    is_own: bool,
) -> Result<SubscriptionView, SubscriptionError> {
    let mut view = whole(tx, id)?;
    if is_own {
        view.reveal_action(tx)?;
    }
    Ok(view)
}
