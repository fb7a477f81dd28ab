//! Queries of the audit log.

use rusqlite::{Row, named_params};
use serde_json::value::RawValue;

use super::chain::Head;
use super::entry::{AuditEntry, EntityType};
use super::export::ExportFilter;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Filtered as _, Tx};

pub static ENTRIES: Listing = Listing {
    plural: "changes",
    table: "audit_entry e",
    tie_breaker: "e.seq",
    columns: &[
        Column::new("at", "e.at", Kind::Time),
        Column::filter("id", "e.id", Kind::Id),
        Column::filter("entity_type", "e.entity_type", EntityType::KIND),
        Column::filter("entity_id", "e.entity_id", Kind::Id),
        Column::filter("action", "e.action", Kind::Text),
        Column::filter("actor_id", "e.actor_id", Kind::Id),
    ],
    search: &[],
    default_limit: 20,
    default_order: "-at",
    extra: &[],
};

const COLUMNS: &str =
    "e.seq, e.id, e.entity_type, e.entity_id, e.action, e.actor_type, e.actor_id, e.request_id,
    e.before, e.after, e.changed, e.at, e.previous_hash, e.hash";

fn raw(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Box<RawValue>>> {
    let text: Option<String> = row.get(column)?;
    // Text that is not JSON was not written by this server: it is returned as a string, and its hash does not match.
    Ok(text.map(|text| {
        let quoted = super::canonical::quoted(&text);
        RawValue::from_string(text).or_else(|_| RawValue::from_string(quoted)).unwrap_or_default()
    }))
}

fn read(row: &Row<'_>) -> rusqlite::Result<AuditEntry> {
    Ok(AuditEntry {
        seq: row.get("seq")?,
        id: row.get("id")?,
        entity_type: row.get("entity_type")?,
        entity_id: row.get("entity_id")?,
        action: row.get("action")?,
        actor_type: row.get("actor_type")?,
        actor_id: row.get("actor_id")?,
        request_id: row.get("request_id")?,
        before: raw(row, "before")?,
        after: raw(row, "after")?,
        changed: raw(row, "changed")?.unwrap_or_default(),
        at: row.get("at")?,
        previous_hash: row.get("previous_hash")?,
        hash: row.get("hash")?,
    })
}

/// Returns a page of entries, and the total count.
pub fn listed(tx: &Tx<'_>, query: &ListQuery) -> Result<(Vec<AuditEntry>, u64), Error> {
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// Returns the head of the chain.
pub(super) fn head(tx: &Tx<'_>) -> Result<Head, Error> {
    tx.sql("select seq, hash from audit_head")
        .one([], |row| Ok(Head { seq: row.get(0)?, hash: row.get(1)? }))
}

/// Appends an entry to the chain.
pub(super) fn insert(tx: &Tx<'_>, entry: &AuditEntry) -> Result<(), Error> {
    tx.insert(
        "audit_entry",
        named_params! {
            ":seq": entry.seq, ":id": entry.id, ":entity_type": entry.entity_type,
            ":entity_id": entry.entity_id, ":action": entry.action, ":actor_type": entry.actor_type,
            ":actor_id": entry.actor_id, ":request_id": entry.request_id,
            ":before": entry.before.as_ref().map(|raw| raw.get()),
            ":after": entry.after.as_ref().map(|raw| raw.get()), ":changed": entry.changed.get(),
            ":at": entry.at, ":previous_hash": entry.previous_hash, ":hash": entry.hash,
        },
    )?;
    tx.sql("update audit_head set seq = :seq, hash = :hash")
        .run(named_params! { ":seq": entry.seq, ":hash": entry.hash })
}

/// Returns the entries after a position.
pub(super) fn after(tx: &Tx<'_>, seq: i64, limit: u32) -> Result<Vec<AuditEntry>, Error> {
    tx.sql(&format!(
        "select {COLUMNS} from audit_entry e where e.seq > :seq order by e.seq limit :limit"
    ))
    .all(named_params! { ":seq": seq, ":limit": limit }, read)
}

/// Returns the entries of an export after a position, up to its head.
pub(super) fn exported(
    tx: &Tx<'_>,
    filter: &ExportFilter,
    (seq, end): (i64, i64),
    limit: u32,
) -> Result<Vec<AuditEntry>, Error> {
    tx.sql(&format!(
        "select {COLUMNS} from audit_entry e
          where e.seq > :seq and e.seq <= :end and (:from is null or e.at >= :from)
            and (:until is null or e.at < :until) and (:entity is null or e.entity_id = :entity)
          order by e.seq limit :limit"
    ))
    .all(
        named_params! {
            ":seq": seq,
            ":end": end,
            ":from": filter.from,
            ":until": filter.until,
            ":entity": filter.entity_id,
            ":limit": limit,
        },
        read,
    )
}
