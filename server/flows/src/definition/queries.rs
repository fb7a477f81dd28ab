//! The SQL of flows and their versions.

use rusqlite::named_params;

use super::flow::{Definition, Flow, Version};
use crate::database::{Error, Record as _, Table as _, Tx};
use crate::ids::{FlowButtonId, FlowId, FlowVersionId, OrderId};

/// Returns the flow with an id or token sent by a page.
pub(crate) fn named(tx: &Tx<'_>, name: &str) -> Result<Option<Flow>, Error> {
    let rest = "where (f.id = :name or f.public_token = :name
                   or (f.old_token = :name and f.old_token_until > :now)) and f.deleted_at is null";
    Flow::select_one(tx, rest, named_params! { ":name": name, ":now": tx.now() })
}

/// Returns a flow, including archived ones.
pub(crate) fn any(tx: &Tx<'_>, id: &FlowId) -> Result<Option<Flow>, Error> {
    Flow::select_one(tx, "where f.id = :id", named_params! { ":id": id })
}

pub(crate) fn version(tx: &Tx<'_>, flow: &FlowId, number: i64) -> Result<Option<Version>, Error> {
    let rest = "where v.flow_id = :flow and v.number = :number";
    Version::select_one(tx, rest, named_params! { ":flow": flow, ":number": number })
}

pub(crate) fn definition(tx: &Tx<'_>, id: &FlowVersionId) -> Result<Option<Definition>, Error> {
    let Some(version) = Version::find(tx, id)? else { return Ok(None) };
    let buttons = tx
        .sql("select key, id from flow_button where version_id = :version order by key")
        .all(named_params! { ":version": id }, |row| Ok((row.get(0)?, row.get(1)?)))?;
    let redirect_hosts = tx
        .sql("select value from flow f, json_each(f.redirect_hosts) where f.id = :flow")
        .all(named_params! { ":flow": version.flow_id }, |row| row.get(0))?;
    Ok(Some(Definition { version, buttons, redirect_hosts }))
}

pub(super) fn insert_buttons(tx: &Tx<'_>, version: &Version) -> Result<(), Error> {
    for key in version.definition.buttons.keys() {
        tx.insert(
            "flow_button",
            named_params! { ":id": FlowButtonId::new(), ":version_id": version.id, ":key": key },
        )?;
    }
    Ok(())
}

pub(crate) fn version_of(tx: &Tx<'_>, id: &FlowButtonId) -> Result<Option<FlowVersionId>, Error> {
    tx.sql("select version_id from flow_button where id = :id")
        .first(named_params! { ":id": id }, |row| row.get(0))
}

pub(crate) fn origins(tx: &Tx<'_>) -> Result<Vec<String>, Error> {
    tx.sql(
        "select distinct value from flow f, json_each(f.allowed_origins)
          where f.version is not null and f.deleted_at is null",
    )
    .all([], |row| row.get(0))
}

/// Ends the open sessions of a flow; returns the order of each that follows one.
pub(super) fn revoke(tx: &Tx<'_>, flow: &FlowId) -> Result<Vec<Option<OrderId>>, Error> {
    tx.sql(
        "update flow_session set status = 'revoked', completed_at = :now
          where flow_id = :flow and status = 'open'
      returning order_id",
    )
    .all(named_params! { ":flow": flow, ":now": tx.now() }, |row| row.get(0))
}

pub(crate) fn has_session(tx: &Tx<'_>, flow: &FlowId, order: &OrderId) -> Result<bool, Error> {
    tx.sql("select 1 from flow_session where flow_id = :flow and order_id = :order")
        .exists(named_params! { ":flow": flow, ":order": order })
}

pub(crate) fn newest_public(tx: &Tx<'_>) -> Result<Option<String>, Error> {
    tx.sql(
        "select public_token from flow
          where is_public = 1 and version is not null and deleted_at is null
          order by created_at desc
          limit 1",
    )
    .first([], |row| row.get(0))
}
