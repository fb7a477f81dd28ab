//! Erases customers: immediately by an administrator, or by the job after the customer's thirty
//! days.

use std::time::Duration;

use quotient_foundation::privacy::{self, PersonalKeys};
use serde::Serialize;
use serde_json::json;

use super::error::PrivacyError;
use super::queries;
use crate::audit_log::{self, EntityType};
use crate::auth::Credentials;
use crate::clock::{DAY_MS, HOUR_MS, Timestamp};
use crate::context::Context;
use crate::credit::{self, NewEntry};
use crate::customers::{self, Customer};
use crate::database::{self, Db, Missing, Record, Table as _, Tx};
use crate::events;
use crate::http::{Resource, ToSchema};
use crate::ids::CustomerId;
use crate::jobs::JobError;
use crate::payments::methods::{self, PaymentMethod};
use crate::payments::{PaymentError, PaymentGateway};

/// How often the job looks for due erasures.
pub const ERASE_EVERY_MS: i64 = HOUR_MS;

/// How long an erasure can be revoked, in milliseconds.
const GRACE_MS: i64 = 30 * DAY_MS;
/// How long an erasure is postponed while a subscription is running or an order is open, in
/// milliseconds.
const PUT_OFF_MS: i64 = DAY_MS;

/// Limit: the time for locating the rows of a customer that take long to find.
const SEEK_TIMEOUT: Duration = Duration::from_mins(1);

/// An erasure requested by a customer.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "customer_erasure e", title = "Erasure")]
#[resource(name = "erasure", id = CustomerId)]
#[schema(as = CustomerErasure)]
pub(super) struct ErasureRequest {
    #[column(key)]
    pub(super) customer_id: CustomerId,
    /// Whether a balance of store credit may be lost.
    pub(super) confirm_forfeit: bool,
    #[column(once)]
    pub(super) requested_at: Timestamp,
    /// When the customer is erased; until then it can be revoked.
    pub(super) due_at: Timestamp,
}

impl ErasureRequest {
    pub(super) fn new(customer_id: CustomerId, confirm_forfeit: bool, now: Timestamp) -> Self {
        Self { customer_id, confirm_forfeit, requested_at: now, due_at: now.plus_ms(GRACE_MS) }
    }
}

/// Why and by whom a customer is erased.
#[derive(Debug, Clone)]
pub(super) struct Cause {
    pub(super) reason: String,
    pub(super) actor_id: String,
    /// Whether a balance of store credit may be lost; if none, the customer asked for it, and said so then.
    pub(super) confirm_forfeit: Option<bool>,
}

/// Erases a customer: first the saved methods at the payment providers, then events in parts, then all other rows in one
/// transaction.
///
/// # Errors
/// The errors of [`check_cause`]; [`PrivacyError::Payment`] if a provider does not answer. Methods and events may be gone
/// then, and another call continues.
pub(super) async fn erase(
    db: Db,
    gateway: PaymentGateway,
    credentials: Credentials,
    id: CustomerId,
    cause: Cause,
) -> Result<(), PrivacyError> {
    let (customer, confirm_forfeit) = (id.clone(), cause.confirm_forfeit);
    let saved: Vec<PaymentMethod> = db
        .read(move |tx| {
            check_cause(tx, &customer, confirm_forfeit)?;
            let ids = queries::methods(tx, &customer)?;
            Ok::<_, PrivacyError>(PaymentMethod::find_all(tx, &ids)?)
        })
        .await?;
    let customer = id.clone();
    let sought = db
        .read_within(SEEK_TIMEOUT, move |tx| Ok::<_, PrivacyError>(privacy::seek(tx, &customer)?));
    let sought = sought.await?;
    for method in &saved {
        gateway.delete_method(&method.provider_id, &method.reference).await?;
        // At once, because the erasure may still fail, and nobody may be charged with it any more.
        let method = method.id.clone();
        let detached = db.write(move |tx| match PaymentMethod::find(tx, &method)? {
            Some(method) => methods::detach(tx, &method),
            None => Ok(()),
        });
        Context::current().repeatable().run(detached).await?;
    }
    loop {
        let customer = id.clone();
        let erased = db.write(move |tx| privacy::erase_some(tx, &customer));
        if Context::current().repeatable().run(erased).await? == 0 {
            break;
        }
    }
    credentials.change(move |tx| erase_rows(tx, &id, &cause, &sought)).await
}

/// Checks that there is a customer to export or erase; deleted customers count until they are
/// erased.
pub(super) fn known(tx: &Tx<'_>, id: &CustomerId) -> Result<(), PrivacyError> {
    if privacy::is_known(tx, id)? {
        return Ok(());
    }
    Err(Missing::new(Customer::TITLE, id).into())
}

/// Checks that a customer may be erased.
pub(super) fn check(tx: &Tx<'_>, id: &CustomerId, may_forfeit: bool) -> Result<(), PrivacyError> {
    known(tx, id)?;
    if let Some(subscription) = customers::subscription(tx, id)? {
        return Err(PrivacyError::Subscribed { customer: id.clone(), subscription });
    }
    if let Some(order) = queries::open_order(tx, id)? {
        return Err(PrivacyError::OpenOrder { customer: id.clone(), order });
    }
    match queries::balances(tx, id)?.first() {
        Some((_, currency, minor)) if !may_forfeit => {
            let balance = currency.amount(*minor);
            Err(PrivacyError::Balance { customer: id.clone(), balance })
        }
        Some(_) | None => Ok(()),
    }
}

/// Checks that a customer may be erased, and that what the customer asked for is due and was not revoked meanwhile.
fn check_cause(
    tx: &Tx<'_>,
    id: &CustomerId,
    confirm_forfeit: Option<bool>,
) -> Result<(), PrivacyError> {
    let may_forfeit = match confirm_forfeit {
        Some(may_forfeit) => may_forfeit,
        None => {
            due(tx, id)?.ok_or_else(|| Missing::new(ErasureRequest::TITLE, id))?.confirm_forfeit
        }
    };
    check(tx, id, may_forfeit)
}

/// Returns the customer's request, if its thirty days are over.
fn due(tx: &Tx<'_>, id: &CustomerId) -> Result<Option<ErasureRequest>, database::Error> {
    let now = tx.now();
    Ok(ErasureRequest::find(tx, id)?.filter(|request| request.due_at <= now))
}

fn erase_rows(
    tx: &Tx<'_>,
    id: &CustomerId,
    cause: &Cause,
    sought: &PersonalKeys,
) -> Result<(), PrivacyError> {
    check_cause(tx, id, cause.confirm_forfeit)?;
    for (account, currency, amount_minor) in queries::balances(tx, id)? {
        let entry = NewEntry {
            amount_minor,
            reference: "erasure",
            reference_id: id.as_str(),
            note: None,
            actor_id: &cause.actor_id,
        };
        credit::debit(tx, &account, currency, entry)?;
    }
    for method in queries::methods(tx, id)? {
        let method = PaymentMethod::require::<PaymentError>(tx, &method)?;
        methods::detach(tx, &method)?;
    }
    privacy::erase(tx, id, sought)?;
    if Customer::find(tx, id)?.is_some() {
        customers::delete(tx, id)?;
    }
    let after = json!({ "reason": cause.reason });
    let entity = (EntityType::Customer, id.as_str());
    audit_log::record_change(tx, entity, "erase", (None, Some(after)), &cause.actor_id)?;
    Ok(events::record(tx, "customer.erased", &json!({ "id": id }))?)
}

/// Erases the customers whose thirty days are over. Those with a running subscription or an open order wait another
/// day.
pub async fn erase_due(
    db: Db,
    gateway: PaymentGateway,
    credentials: Credentials,
) -> Result<(), JobError> {
    let due = db.read(|tx| queries::due(tx, tx.now())).await?;
    for request in due {
        let id = request.customer_id;
        let cause = Cause {
            reason: "requested".to_owned(),
            actor_id: id.to_string(),
            confirm_forfeit: None,
        };
        let erased =
            erase(db.clone(), gateway.clone(), credentials.clone(), id.clone(), cause).await;
        if let Err(error) = erased {
            tracing::warn!(%error, customer = %id, "a customer is not erased");
            db.write(move |tx| put_off(tx, &id)).await?;
        }
    }
    Ok(())
}

fn put_off(tx: &Tx<'_>, id: &CustomerId) -> Result<(), database::Error> {
    match due(tx, id)? {
        Some(request) => {
            ErasureRequest { due_at: tx.now().plus_ms(PUT_OFF_MS), ..request }.update(tx)
        }
        None => Ok(()),
    }
}
