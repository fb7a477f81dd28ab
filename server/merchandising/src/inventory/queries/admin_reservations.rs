//! The SQL of reservations as people see and change them.

use rusqlite::{OptionalExtension, Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{OrderId, OrderLineId, ReservationId};
use crate::inventory::reservation::Reservation;

/// What the list of reservations can be asked for.
pub(in crate::inventory) static RESERVATIONS: Listing = Listing {
    plural: "reservations",
    table: "reservation r",
    id: "r.id",
    columns: &[
        Column::new("id", "r.id", Kind::Id),
        Column::filter("location_id", "r.location_id", Kind::Id),
        Column::filter("inventory_item_id", "r.inventory_item_id", Kind::Id),
        Column::filter("line_item_id", "r.line_item_id", Kind::Id),
        Column::filter("order_id", "r.order_id", Kind::Id),
        Column::filter("created_by", "r.created_by", Kind::Text),
        Column::filter("description", "r.description", Kind::Text),
        Column::new("quantity", "r.quantity", Kind::Integer),
        Column::new("created_at", "r.created_at", Kind::Time),
        Column::new("updated_at", "r.updated_at", Kind::Time),
    ],
    search: &["r.description"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

const COLUMNS: &str = "r.id, r.location_id, r.inventory_item_id, r.quantity, r.required_quantity, r.line_item_id, \
     r.order_id, r.allow_backorder, r.description, r.external_id, r.created_by, r.metadata, r.created_at, \
     r.updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<Reservation> {
    Ok(Reservation {
        id: row.get(0)?,
        location_id: row.get(1)?,
        inventory_item_id: row.get(2)?,
        quantity: row.get(3)?,
        required_quantity: row.get(4)?,
        line_item_id: row.get(5)?,
        order_id: row.get(6)?,
        allow_backorder: row.get(7)?,
        description: row.get(8)?,
        external_id: row.get(9)?,
        created_by: row.get(10)?,
        metadata: row.get(11)?,
        created_at: row.get(12)?,
        updated_at: row.get(13)?,
    })
}

/// A page of the list, and how many there are.
pub(in crate::inventory) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<Reservation>, u64), Error> {
    let query = query.narrow("r.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

pub(in crate::inventory) fn find(
    tx: &Tx<'_>,
    id: &ReservationId,
) -> Result<Option<Reservation>, Error> {
    let row = tx
        .prepare_cached(
            "select r.id, r.location_id, r.inventory_item_id, r.quantity, r.required_quantity,
                    r.line_item_id, r.order_id, r.allow_backorder, r.description, r.external_id,
                    r.created_by, r.metadata, r.created_at, r.updated_at
               from reservation r
              where r.id = :id and r.deleted_at is null",
        )?
        .query_row(named_params! { ":id": id }, read)
        .optional()?;
    Ok(row)
}

/// The order of a line for which something is, or was, reserved.
pub(in crate::inventory) fn order_of_line(
    tx: &Tx<'_>,
    line: &OrderLineId,
) -> Result<Option<OrderId>, Error> {
    let id = tx
        .prepare_cached(
            "select order_id from reservation
              where line_item_id = :line and order_id is not null
              limit 1",
        )?
        .query_row(named_params! { ":line": line }, |row| row.get(0))
        .optional()?;
    Ok(id)
}

pub(in crate::inventory) fn insert(tx: &Tx<'_>, row: &Reservation) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into reservation
           (id, inventory_item_id, location_id, line_item_id, order_id, quantity, required_quantity,
            allow_backorder, description, external_id, created_by, metadata, created_at, updated_at)
         values
           (:id, :item, :location, :line, :order, :quantity, :required, :backorder, :description,
            :external_id, :created_by, :metadata, :created_at, :updated_at)",
    )?
    .execute(named_params! {
        ":id": row.id, ":item": row.inventory_item_id, ":location": row.location_id,
        ":line": row.line_item_id, ":order": row.order_id, ":quantity": row.quantity,
        ":required": row.required_quantity, ":backorder": row.allow_backorder,
        ":description": row.description, ":external_id": row.external_id,
        ":created_by": row.created_by, ":metadata": row.metadata, ":created_at": row.created_at,
        ":updated_at": row.updated_at,
    })?;
    Ok(())
}

pub(in crate::inventory) fn update(tx: &Tx<'_>, row: &Reservation) -> Result<(), Error> {
    tx.prepare_cached(
        "update reservation
            set location_id = :location, quantity = :quantity, description = :description,
                metadata = :metadata, updated_at = :updated_at
          where id = :id",
    )?
    .execute(named_params! {
        ":id": row.id, ":location": row.location_id, ":quantity": row.quantity,
        ":description": row.description, ":metadata": row.metadata, ":updated_at": row.updated_at,
    })?;
    Ok(())
}

pub(in crate::inventory) fn delete(tx: &Tx<'_>, id: &ReservationId) -> Result<(), Error> {
    tx.prepare_cached(
        "update reservation set deleted_at = :now, updated_at = :now
          where id = :id and deleted_at is null",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}
