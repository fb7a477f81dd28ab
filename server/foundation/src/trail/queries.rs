//! The statements of the trail.

use rusqlite::{Row, named_params};
use serde_json::value::RawValue;

use super::chain::Head;
use super::entry::{EntityType, Kept};
use super::export::Asked;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};

/// What the trail can be asked for.
pub static ENTRIES: Listing = Listing {
    plural: "changes",
    table: "trail_entry e",
    id: "e.id",
    columns: &[
        Column::new("at", "e.at", Kind::Time),
        Column::filter("id", "e.id", Kind::Id),
        Column::filter("entity_type", "e.entity_type", Kind::Word(EntityType::WORDS)),
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
    // What is no JSON is no entry of ours: it is shown as a text, and its hash does not fit.
    Ok(text.map(|text| {
        let quoted = super::canonical::quoted(&text);
        let kept = RawValue::from_string(text).or_else(|_| RawValue::from_string(quoted));
        kept.unwrap_or_default()
    }))
}

fn read(row: &Row<'_>) -> rusqlite::Result<Kept> {
    Ok(Kept {
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

/// A page of entries, and how many there are.
///
/// # Errors
/// [`Error`] if they cannot be read.
pub fn listed(tx: &Tx<'_>, query: &ListQuery) -> Result<(Vec<Kept>, u64), Error> {
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// The end of the chain.
pub(super) fn head(tx: &Tx<'_>) -> Result<Head, Error> {
    let mut statement = tx.prepare_cached("select seq, hash from trail_head")?;
    Ok(statement.query_row([], |row| Ok(Head { seq: row.get(0)?, hash: row.get(1)? }))?)
}

/// Puts an entry at the end of the chain.
pub(super) fn insert(tx: &Tx<'_>, kept: &Kept) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into trail_entry (seq, id, entity_type, entity_id, action, actor_type, actor_id, request_id, before,
            after, changed, at, previous_hash, hash)
         values (:seq, :id, :entity_type, :entity_id, :action, :actor_type, :actor_id, :request_id, :before,
            :after, :changed, :at, :previous_hash, :hash)",
    )?
    .execute(named_params! {
        ":seq": kept.seq,
        ":id": kept.id,
        ":entity_type": kept.entity_type,
        ":entity_id": kept.entity_id,
        ":action": kept.action,
        ":actor_type": kept.actor_type,
        ":actor_id": kept.actor_id,
        ":request_id": kept.request_id,
        ":before": kept.before.as_ref().map(|raw| raw.get()),
        ":after": kept.after.as_ref().map(|raw| raw.get()),
        ":changed": kept.changed.get(),
        ":at": kept.at,
        ":previous_hash": kept.previous_hash,
        ":hash": kept.hash,
    })?;
    tx.prepare_cached("update trail_head set seq = :seq, hash = :hash")?
        .execute(named_params! { ":seq": kept.seq, ":hash": kept.hash })?;
    Ok(())
}

/// The entries behind a place of the chain.
pub(super) fn after(tx: &Tx<'_>, seq: i64, limit: u32) -> Result<Vec<Kept>, Error> {
    let mut statement = tx.prepare_cached(&format!(
        "select {COLUMNS} from trail_entry e where e.seq > :seq order by e.seq limit :limit"
    ))?;
    let rows = statement.query_map(named_params! { ":seq": seq, ":limit": limit }, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The entries of an export behind a place of the chain, up to its end.
pub(super) fn exported(
    tx: &Tx<'_>,
    asked: &Asked,
    (seq, end): (i64, i64),
    limit: u32,
) -> Result<Vec<Kept>, Error> {
    let mut statement = tx.prepare_cached(&format!(
        "select {COLUMNS} from trail_entry e
          where e.seq > :seq and e.seq <= :end and (:from is null or e.at >= :from)
            and (:until is null or e.at < :until) and (:entity is null or e.entity_id = :entity)
          order by e.seq limit :limit"
    ))?;
    let rows = statement.query_map(
        named_params! {
            ":seq": seq,
            ":end": end,
            ":from": asked.from,
            ":until": asked.until,
            ":entity": asked.entity_id,
            ":limit": limit,
        },
        read,
    )?;
    Ok(rows.collect::<Result<_, _>>()?)
}
