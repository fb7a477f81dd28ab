//! The SQL of levels and stock movements.

use rusqlite::named_params;
use serde_json::json;

use crate::database::listing::ListQuery;
use crate::database::{Error, Listable, Record, Tx};
use crate::ids::{self, ById, InventoryItemId, InventoryLevelId, StockLocationId};
use crate::inventory::level::{Level, OnHand};

/// Returns the items and locations of levels.
pub(crate) fn places_of(
    tx: &Tx<'_>,
    levels: &[InventoryLevelId],
) -> Result<ById<(InventoryItemId, StockLocationId)>, Error> {
    let levels = ids::list(levels);
    tx.sql(
        "select id, inventory_item_id, location_id from inventory_level
          where id in (select value from json_each(:levels))",
    )
    .all(named_params! { ":levels": levels }, |row| {
        Ok((row.get::<_, InventoryLevelId>(0)?, (row.get(1)?, row.get(2)?)))
    })
}

/// Returns a page of an item's levels and their total number.
pub(crate) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
    item: &InventoryItemId,
) -> Result<(Vec<Level>, u64), Error> {
    Level::page(tx, query.narrow("l.inventory_item_id = ?", [item.to_string().into()]))
}

pub(crate) fn find(
    tx: &Tx<'_>,
    item: &InventoryItemId,
    location: &StockLocationId,
) -> Result<Option<Level>, Error> {
    let rest = "where l.inventory_item_id = :item and l.location_id = :location";
    Level::select_one(tx, rest, named_params! { ":item": item, ":location": location })
}

/// Returns the levels of items, by item and location.
pub(crate) fn of_items(tx: &Tx<'_>, items: &[InventoryItemId]) -> Result<Vec<Level>, Error> {
    let rest = "where l.inventory_item_id in (select value from json_each(:items))
                order by l.inventory_item_id, l.location_id";
    let items = ids::list(items);
    Level::select(tx, rest, named_params! { ":items": items })
}

pub(crate) fn at_location(tx: &Tx<'_>, location: &StockLocationId) -> Result<Vec<Level>, Error> {
    Level::select(tx, "where l.location_id = :location", named_params! { ":location": location })
}

pub(crate) fn delete_at(tx: &Tx<'_>, location: &StockLocationId) -> Result<(), Error> {
    tx.sql("delete from inventory_level where location_id = :location")
        .run(named_params! { ":location": location })
}

/// Returns the stock of items at a location, with the part reserved without backorder.
pub(crate) fn on_hand(
    tx: &Tx<'_>,
    location: &StockLocationId,
    items: &[&InventoryItemId],
) -> Result<ById<OnHand>, Error> {
    tx.sql(
        "select l.inventory_item_id, l.stocked_quantity, l.reserved_quantity,
                (select coalesce(sum(r.quantity), 0)
                   from reservation r
                  where r.inventory_item_id = l.inventory_item_id and r.location_id = l.location_id
                    and r.deleted_at is null and r.allow_backorder = 0)
           from inventory_level l
          where l.inventory_item_id in (select value from json_each(:items)) and l.location_id = :location",
    )
    .all(
        named_params! {
            ":items": ids::list(items), ":location": location,
        },
        |row| {
            let on_hand =
                OnHand { stocked: row.get(1)?, reserved: row.get(2)?, promised: row.get(3)? };
            Ok((row.get::<_, InventoryItemId>(0)?, on_hand))
        },
    )
}

/// Inserts empty levels where there are none.
pub(crate) fn ensure(
    tx: &Tx<'_>,
    places: &[(InventoryItemId, StockLocationId)],
) -> Result<(), Error> {
    let rows: serde_json::Value = places
        .iter()
        .map(|(item, location)| {
            json!({ "id": InventoryLevelId::new(), "item": item, "location": location })
        })
        .collect();
    tx.sql(
        "insert into inventory_level (id, inventory_item_id, location_id, created_at, updated_at)
         select value ->> 'id', value ->> 'item', value ->> 'location', :now, :now
           from json_each(:rows) where true
             on conflict (inventory_item_id, location_id) do nothing",
    )
    .run(named_params! { ":rows": rows.to_string(), ":now": tx.now() })
}

/// Adds to the stocked and reserved pieces of levels, given as a JSON array of `[item, location, stocked, reserved]`.
pub(crate) fn apply(tx: &Tx<'_>, changes: &str) -> Result<(), Error> {
    tx.sql(
        "update inventory_level
            set stocked_quantity = stocked_quantity + c.stocked,
                reserved_quantity = reserved_quantity + c.reserved, updated_at = :now
           from (select value ->> 0 as item, value ->> 1 as location, value ->> 2 as stocked, value ->> 3 as reserved
                   from json_each(:changes)) c
          where inventory_item_id = c.item and location_id = c.location",
    )
    .run(named_params! { ":changes": changes, ":now": tx.now() })
}

/// Records the movements of [`apply`], given the same array.
pub(crate) fn record(
    tx: &Tx<'_>,
    changes: &str,
    reason: &str,
    reference: Option<&str>,
) -> Result<(), Error> {
    tx.sql(
        "insert into inventory_movement
           (inventory_item_id, location_id, change_quantity, stocked_after, reason, reference_id, created_at)
         select l.inventory_item_id, l.location_id, c.value ->> 2, l.stocked_quantity, :reason, :reference, :now
           from json_each(:changes) c
           join inventory_level l on l.inventory_item_id = c.value ->> 0 and l.location_id = c.value ->> 1
          where c.value ->> 2 <> 0",
    )
    .run(named_params! {
        ":changes": changes, ":reason": reason, ":reference": reference, ":now": tx.now(),
    })
}
