//! The reasons why money goes back.

use rusqlite::{Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::RefundReasonId;
use crate::payments::refund_reason::RefundReason;

/// What refund reasons can be asked for.
pub(in crate::payments) static REFUND_REASONS: Listing = Listing {
    plural: "refund_reasons",
    table: "refund_reason r",
    id: "r.id",
    columns: &[
        Column::new("id", "r.id", Kind::Id),
        Column::new("label", "r.label", Kind::Text),
        Column::new("code", "r.code", Kind::Text),
        Column::new("description", "r.description", Kind::Text),
        Column::new("created_at", "r.created_at", Kind::Time),
        Column::new("updated_at", "r.updated_at", Kind::Time),
    ],
    search: &["r.label", "r.code", "r.description"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

const COLUMNS: &str =
    "r.id, r.label, r.code, r.description, r.metadata, r.created_at, r.updated_at";

/// A page of reasons, and how many there are.
pub(in crate::payments) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<RefundReason>, u64), Error> {
    let query = query.narrow("r.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// A reason.
pub(in crate::payments) fn find(
    tx: &Tx<'_>,
    id: &RefundReasonId,
) -> Result<Option<RefundReason>, Error> {
    let mut statement = tx.prepare_cached(&format!(
        "select {COLUMNS} from refund_reason r where r.id = :id and r.deleted_at is null"
    ))?;
    let mut rows = statement.query_map(named_params! { ":id": id }, read)?;
    Ok(rows.next().transpose()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<RefundReason> {
    Ok(RefundReason {
        id: row.get(0)?,
        label: row.get(1)?,
        code: row.get(2)?,
        description: row.get(3)?,
        metadata: row.get(4)?,
        created_at: row.get(5)?,
        updated_at: row.get(6)?,
    })
}

/// Writes a reason, new or changed.
pub(in crate::payments) fn put(tx: &Tx<'_>, reason: &RefundReason) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into refund_reason (id, label, code, description, metadata, created_at, updated_at)
         values (:id, :label, :code, :description, :metadata, :created_at, :updated_at)
         on conflict (id) do update
            set label = excluded.label, code = excluded.code, description = excluded.description,
                metadata = excluded.metadata, updated_at = excluded.updated_at",
    )?
    .execute(named_params! {
        ":id": reason.id,
        ":label": reason.label,
        ":code": reason.code,
        ":description": reason.description,
        ":metadata": reason.metadata,
        ":created_at": reason.created_at,
        ":updated_at": reason.updated_at,
    })?;
    Ok(())
}

/// Takes a reason away; refunds that name it keep it. Gives whether it was there.
pub(in crate::payments) fn delete(tx: &Tx<'_>, id: &RefundReasonId) -> Result<bool, Error> {
    let gone = tx
        .prepare_cached(
            "update refund_reason set deleted_at = :now, updated_at = :now where id = :id and deleted_at is null",
        )?
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(gone > 0)
}
