//! Reading returns with their lines, a page at a time.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{OrderId, OrderLineId, ReturnId, ReturnLineId, ReturnReasonId, StockLocationId};
use crate::metadata::Metadata;
use crate::money::{Currency, Money};
use crate::returns::view::{ReasonView, ReturnItemView, ReturnView};

/// The words of a return's status.
const STATUSES: &[&str] = &["open", "requested", "partially_received", "received", "canceled"];

/// What returns can be asked for.
pub(in crate::returns) static RETURNS: Listing = Listing {
    plural: "returns",
    table: "order_return r join orders o on o.id = r.order_id",
    id: "r.id",
    columns: &[
        Column::new("id", "r.id", Kind::Id),
        Column::filter("order_id", "r.order_id", Kind::Id),
        Column::filter("status", "r.status", Kind::Word(STATUSES)),
        Column::filter("location_id", "r.location_id", Kind::Id),
        Column::new("display_id", "r.display_id", Kind::Integer),
        Column::new("created_at", "r.created_at", Kind::Time),
        Column::new("updated_at", "r.updated_at", Kind::Time),
    ],
    search: &["cast(r.display_id as text)", "o.email"],
    default_limit: 15,
    default_order: "-created_at",
    extra: &[],
};

const COLUMNS: &str = "r.id, r.order_id, r.display_id, r.location_id, r.order_version, r.status, r.refund_minor, o.currency,
     r.no_notification, r.created_by, r.metadata, r.created_at, r.updated_at, r.requested_at, r.received_at,
     r.canceled_at";

/// A page of returns without their lines, and how many there are.
pub(in crate::returns) fn page(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<(Vec<ReturnView>, u64), Error> {
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// A return without its lines.
pub(in crate::returns) fn find(tx: &Tx<'_>, id: &ReturnId) -> Result<Option<ReturnView>, Error> {
    let mut statement = tx.prepare_cached(&format!(
        "select {COLUMNS} from order_return r join orders o on o.id = r.order_id where r.id = :id"
    ))?;
    let mut rows = statement.query_map(named_params! { ":id": id }, read)?;
    Ok(rows.next().transpose()?)
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<ReturnView> {
    let currency: Currency = row.get(7)?;
    let refund_minor: Option<i64> = row.get(6)?;
    Ok(ReturnView {
        id: row.get(0)?,
        order_id: row.get::<_, OrderId>(1)?,
        display_id: row.get(2)?,
        location_id: row.get::<_, Option<StockLocationId>>(3)?,
        order_version: row.get(4)?,
        status: row.get(5)?,
        refund_amount: refund_minor.map(|minor| Money::new(minor, currency)),
        no_notification: row.get(8)?,
        created_by: row.get(9)?,
        metadata: row.get::<_, Metadata>(10)?,
        created_at: row.get::<_, Timestamp>(11)?,
        updated_at: row.get(12)?,
        requested_at: row.get(13)?,
        received_at: row.get(14)?,
        canceled_at: row.get(15)?,
        items: Vec::new(),
    })
}

/// The lines of returns, each with its reason, in the order of the returns' ids.
pub(in crate::returns) fn items(
    tx: &Tx<'_>,
    return_ids: &str,
) -> Result<Vec<ReturnItemView>, Error> {
    let mut statement = tx.prepare_cached(
        "select line.id, line.return_id, line.line_id, line.quantity, line.received_quantity, line.damaged_quantity,
                line.receiving_quantity, line.dismissing_quantity, line.note, line.metadata, line.created_at,
                line.updated_at, line.reason_id, reason.value, reason.label, reason.description
           from order_return_line line left join return_reason reason on reason.id = line.reason_id
          where line.return_id in (select value from json_each(:ids))
          order by line.return_id, line.id",
    )?;
    let rows = statement.query_map(named_params! { ":ids": return_ids }, |row| {
        let reason_id: Option<ReturnReasonId> = row.get(12)?;
        let reason = match &reason_id {
            Some(id) => Some(ReasonView {
                id: id.clone(),
                value: row.get(13)?,
                label: row.get(14)?,
                description: row.get(15)?,
            }),
            None => None,
        };
        Ok(ReturnItemView {
            id: row.get::<_, ReturnLineId>(0)?,
            return_id: row.get(1)?,
            item_id: row.get::<_, OrderLineId>(2)?,
            quantity: row.get(3)?,
            received_quantity: row.get(4)?,
            damaged_quantity: row.get(5)?,
            receiving_quantity: row.get(6)?,
            dismissing_quantity: row.get(7)?,
            note: row.get(8)?,
            metadata: row.get(9)?,
            created_at: row.get(10)?,
            updated_at: row.get(11)?,
            reason_id,
            reason,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
