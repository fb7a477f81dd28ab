//! Changes of flows. Every change has an entry in the audit log.

use serde_json::json;

use super::check;
use super::draft::Draft;
use super::error::FlowError;
use super::flow::{Flow, Version};
use super::queries;
use crate::audit_log::{self, EntityType};
use crate::auth::Secret;
use crate::clock::HOUR_MS;
use crate::database::{Error, Missing, Table as _, Tx};
use crate::events;
use crate::ids::{FlowId, FlowVersionId, OrderId};
use crate::jobs;
use crate::money::Currency;

/// The kind of job that releases an order, unless a session may still change it; its key is the order.
pub const RELEASE: &str = "flows.release";

const TOKEN_PREFIX: &str = "pf_";

pub(super) fn new_token() -> Result<String, FlowError> {
    Ok(Secret::generate(TOKEN_PREFIX)?.reveal().to_owned())
}

pub(super) fn create(tx: &Tx<'_>, flow: &Flow, actor_id: &str) -> Result<(), FlowError> {
    flow.insert(tx)?;
    record(tx, "create", (None, Some(flow)), actor_id)
}

pub(super) fn update(
    tx: &Tx<'_>,
    before: &Flow,
    mut flow: Flow,
    (action, actor_id): (&'static str, &str),
) -> Result<Flow, FlowError> {
    flow.revision = before.revision.saturating_add(1);
    flow.update(tx)?;
    record(tx, action, (Some(before), Some(&flow)), actor_id)?;
    Ok(flow)
}

/// Archives a flow: it starts no new sessions. Open sessions may finish, unless they are revoked.
pub(super) fn archive(
    tx: &Tx<'_>,
    id: &FlowId,
    (is_revoked, actor_id): (bool, &str),
) -> Result<(), FlowError> {
    let flow = Flow::require::<FlowError>(tx, id)?;
    Flow::delete(tx, id)?;
    if is_revoked {
        for order in queries::revoke(tx, id)?.iter().flatten() {
            release_now(tx, order)?;
        }
    }
    record(tx, "delete", (Some(&flow), None), actor_id)
}

/// Releases a waiting order, unless another session may still change it.
pub(crate) fn release_now(tx: &Tx<'_>, order: &OrderId) -> Result<(), Error> {
    // Without a job, the order has already been released.
    match jobs::payload(tx, RELEASE, order.as_str())? {
        Some(payload) => jobs::schedule(tx, RELEASE, order.as_str(), tx.now(), &payload),
        None => Ok(()),
    }
}

/// Publishes the draft as the next version.
pub(super) fn publish(
    tx: &Tx<'_>,
    id: &FlowId,
    (note, actor_id): (Option<String>, &str),
) -> Result<(), FlowError> {
    let flow = Flow::require::<FlowError>(tx, id)?;
    let draft = flow.draft.clone();
    publish_version(tx, &flow, draft, (note, "publish", actor_id))
}

/// Publishes an earlier version again, as a new one. The draft stays as it is.
///
/// # Errors
/// [`Missing`]; [`FlowError::Invalid`] if the version can no longer be published, for example because a variant has
/// been deleted.
pub(super) fn roll_back(
    tx: &Tx<'_>,
    id: &FlowId,
    (number, actor_id): (i64, &str),
) -> Result<(), FlowError> {
    let flow = Flow::require::<FlowError>(tx, id)?;
    let version = queries::version(tx, id, number)?;
    let version = version.ok_or_else(|| Missing::new(Version::TITLE, &number))?;
    let note = Some(format!("rolled back to version {number}"));
    publish_version(tx, &flow, version.definition, (note, "rollback", actor_id))
}

fn publish_version(
    tx: &Tx<'_>,
    before: &Flow,
    mut definition: Draft,
    (note, action, actor_id): (Option<String>, &'static str, &str),
) -> Result<(), FlowError> {
    check::require_valid(tx, &mut definition, (before.currency, &before.redirect_hosts))?;
    let number = before.version.unwrap_or(0).saturating_add(1);
    let version = Version {
        id: FlowVersionId::new(),
        flow_id: before.id.clone(),
        number,
        definition,
        note,
        created_by: actor_id.to_owned(),
        created_at: tx.now(),
    };
    version.insert(tx)?;
    queries::insert_buttons(tx, &version)?;
    let flow = Flow { version: Some(number), ..before.clone() };
    update(tx, before, flow, (action, actor_id))?;
    let event = json!({ "id": before.id, "version": number });
    Ok(events::record(tx, "flow.published", &event)?)
}

/// Copies a flow with its draft, in the same or another currency. The copy is not published.
pub(super) fn copy(
    tx: &Tx<'_>,
    id: &FlowId,
    (currency, actor_id): (Option<Currency>, &str),
) -> Result<FlowId, FlowError> {
    let flow = Flow::require::<FlowError>(tx, id)?;
    let copy = Flow {
        id: FlowId::new(),
        currency: currency.unwrap_or(flow.currency),
        public_token: new_token()?,
        old_token: None,
        old_token_until: None,
        version: None,
        revision: 1,
        created_at: tx.now(),
        updated_at: tx.now(),
        ..flow
    };
    create(tx, &copy, actor_id)?;
    Ok(copy.id)
}

/// Gives a flow a new public token; the previous one expires after some hours.
pub(super) fn rotate(
    tx: &Tx<'_>,
    id: &FlowId,
    (overlap_hours, actor_id): (i64, &str),
) -> Result<(), FlowError> {
    let before = Flow::require::<FlowError>(tx, id)?;
    let until = tx.now().plus_ms(overlap_hours.saturating_mul(HOUR_MS));
    let flow = Flow {
        public_token: new_token()?,
        old_token: Some(before.public_token.clone()),
        old_token_until: Some(until),
        ..before.clone()
    };
    update(tx, &before, flow, ("rotate_token", actor_id)).map(drop)
}

fn record(
    tx: &Tx<'_>,
    action: &'static str,
    (before, after): (Option<&Flow>, Option<&Flow>),
    actor_id: &str,
) -> Result<(), FlowError> {
    let Some(flow) = after.or(before) else { return Ok(()) };
    let entity = (EntityType::Flow, flow.id.as_str());
    Ok(audit_log::record_change(tx, entity, action, (before, after), actor_id)?)
}
