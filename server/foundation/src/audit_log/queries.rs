//! Queries of the audit log.

use rusqlite::named_params;

use super::chain::Head;
use super::entry::AuditEntry;
use super::export::ExportFilter;
use crate::database::listing::ListQuery;
use crate::database::{Error, Record as _, Tx};

/// Returns a page of entries, and the total count.
pub fn listed(tx: &Tx<'_>, query: &ListQuery) -> Result<(Vec<AuditEntry>, u64), Error> {
    Ok((query.page(tx, AuditEntry::COLUMNS, AuditEntry::read)?, query.count(tx)?))
}

/// Returns the head of the chain.
pub fn head(tx: &Tx<'_>) -> Result<Head, Error> {
    tx.sql("select seq, hash from audit_head")
        .one([], |row| Ok(Head { seq: row.get(0)?, hash: row.get(1)? }))
}

/// Makes an entry the head of the chain.
pub(super) fn set_head(tx: &Tx<'_>, entry: &AuditEntry) -> Result<(), Error> {
    tx.sql("update audit_head set seq = :seq, hash = :hash")
        .run(named_params! { ":seq": entry.seq, ":hash": entry.hash })
}

/// Returns the entries after a position.
pub(super) fn after(tx: &Tx<'_>, seq: i64, limit: u32) -> Result<Vec<AuditEntry>, Error> {
    let rest = "where e.seq > :seq order by e.seq limit :limit";
    AuditEntry::select(tx, rest, named_params! { ":seq": seq, ":limit": limit })
}

/// Returns the entries of an export after a position, up to its head.
pub(super) fn exported(
    tx: &Tx<'_>,
    filter: &ExportFilter,
    (seq, end): (i64, i64),
    limit: u32,
) -> Result<Vec<AuditEntry>, Error> {
    let rest = "where e.seq > :seq and e.seq <= :end and (:from is null or e.at >= :from)
                  and (:until is null or e.at < :until) and (:entity is null or e.entity_id = :entity)
                order by e.seq limit :limit";
    let ExportFilter { from, until, entity_id } = filter;
    AuditEntry::select(
        tx,
        rest,
        named_params! {
            ":seq": seq, ":end": end, ":from": from, ":until": until, ":entity": entity_id, ":limit": limit,
        },
    )
}
