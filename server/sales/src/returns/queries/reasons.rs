//! The reasons why goods come back.

use rusqlite::{Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::ReturnReasonId;
use crate::returns::reason::ReturnReason;

/// What return reasons can be asked for.
pub(in crate::returns) static RETURN_REASONS: Listing = Listing {
    plural: "return_reasons",
    table: "return_reason r",
    id: "r.id",
    columns: &[
        Column::new("id", "r.id", Kind::Id),
        Column::new("value", "r.value", Kind::Text),
        Column::new("label", "r.label", Kind::Text),
        Column::new("description", "r.description", Kind::Text),
        Column::new("created_at", "r.created_at", Kind::Time),
        Column::new("updated_at", "r.updated_at", Kind::Time),
    ],
    search: &["r.value", "r.label", "r.description"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

const COLUMNS: &str =
    "r.id, r.value, r.label, r.description, r.metadata, r.created_at, r.updated_at";

/// A page of reasons, and how many there are.
pub(in crate::returns) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<ReturnReason>, u64), Error> {
    let query = query.narrow("r.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// A reason.
pub(in crate::returns) fn find(
    tx: &Tx<'_>,
    id: &ReturnReasonId,
) -> Result<Option<ReturnReason>, Error> {
    let mut statement = tx.prepare_cached(&format!(
        "select {COLUMNS} from return_reason r where r.id = :id and r.deleted_at is null"
    ))?;
    let mut rows = statement.query_map(named_params! { ":id": id }, read)?;
    Ok(rows.next().transpose()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<ReturnReason> {
    Ok(ReturnReason {
        id: row.get(0)?,
        value: row.get(1)?,
        label: row.get(2)?,
        description: row.get(3)?,
        metadata: row.get(4)?,
        created_at: row.get(5)?,
        updated_at: row.get(6)?,
    })
}

/// Writes a reason, new or changed.
pub(in crate::returns) fn put(tx: &Tx<'_>, reason: &ReturnReason) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into return_reason (id, value, label, description, metadata, created_at, updated_at)
         values (:id, :value, :label, :description, :metadata, :created_at, :updated_at)
         on conflict (id) do update
            set value = excluded.value, label = excluded.label, description = excluded.description,
                metadata = excluded.metadata, updated_at = excluded.updated_at",
    )?
    .execute(named_params! {
        ":id": reason.id,
        ":value": reason.value,
        ":label": reason.label,
        ":description": reason.description,
        ":metadata": reason.metadata,
        ":created_at": reason.created_at,
        ":updated_at": reason.updated_at,
    })?;
    Ok(())
}

/// Takes a reason away; returns that name it keep it. Gives whether it was there.
pub(in crate::returns) fn delete(tx: &Tx<'_>, id: &ReturnReasonId) -> Result<bool, Error> {
    let gone = tx
        .prepare_cached(
            "update return_reason set deleted_at = :now, updated_at = :now where id = :id and deleted_at is null",
        )?
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(gone > 0)
}
