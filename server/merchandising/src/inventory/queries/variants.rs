//! The SQL of the items of variants and their levels.

use rusqlite::named_params;

use crate::database::{Error, Link, Tx};
use crate::ids::{self, InventoryItemId, SalesChannelId, StockLocationId, VariantId};
use crate::inventory::availability::{Level, Policy};
use crate::inventory::promise::{Part, Stocks, VariantStock};

pub(crate) const ITEMS: Link =
    Link::new("product_variant_inventory_item", "variant_id", "inventory_item_id");

/// Returns the locations that serve any of the channels, oldest first.
pub(crate) fn locations(
    tx: &Tx<'_>,
    channels: &[SalesChannelId],
) -> Result<Vec<StockLocationId>, Error> {
    tx.sql(
        "select distinct stock_location_id
           from stock_location_sales_channel
          where sales_channel_id in (select value from json_each(:channels))
          order by stock_location_id",
    )
    .all(named_params! { ":channels": ids::list(channels) }, |row| row.get(0))
}

/// Returns the items of variants and their levels at the locations, by location id.
pub(crate) fn stocks(
    tx: &Tx<'_>,
    variants: impl IntoIterator<Item: AsRef<str>>,
    locations: &[StockLocationId],
) -> Result<Stocks, Error> {
    let mut statement = tx.prepare_cached(
        "select v.id, v.manage_inventory, v.allow_backorder, p.inventory_item_id, p.required_quantity,
                l.location_id, l.stocked_quantity, l.reserved_quantity
           from product_variant v
           left join product_variant_inventory_item p on p.variant_id = v.id
           left join inventory_level l on l.inventory_item_id = p.inventory_item_id
                 and l.location_id in (select value from json_each(:locations))
          where v.id in (select value from json_each(:variants)) and v.deleted_at is null
          order by v.id, p.inventory_item_id, l.location_id",
    )?;
    let mut rows = statement.query(named_params! {
        ":locations": ids::list(locations),
        ":variants": ids::list(variants),
    })?;
    let mut stocks = Stocks::default();
    while let Some(row) = rows.next()? {
        let variant_id: VariantId = row.get(0)?;
        if stocks.variants.get(&variant_id).is_none() {
            let policy = Policy::of(row.get(1)?, row.get(2)?);
            stocks.variants.insert(&variant_id, VariantStock { policy, parts: Vec::new() });
        }
        let Some(variant) = stocks.variants.get_mut(&variant_id) else { continue };
        let Some(item_id) = row.get::<_, Option<InventoryItemId>>(3)? else { continue };
        if variant.parts.last().is_none_or(|part| part.item_id != item_id) {
            variant.parts.push(Part { item_id: item_id.clone(), required: row.get(4)? });
        }
        let Some(location) = row.get::<_, Option<StockLocationId>>(5)? else { continue };
        // Variants that share an item have the same levels.
        if stocks.levels.group(&item_id).iter().all(|level| level.location != location) {
            let (stocked, reserved) = (row.get(6)?, row.get(7)?);
            stocks.levels.push(item_id, Level { location, stocked, reserved });
        }
    }
    Ok(stocks)
}

/// Returns the items in one piece of each variant: variant, item, pieces.
pub(crate) fn parts(
    tx: &Tx<'_>,
    variants: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<(VariantId, InventoryItemId, i64)>, Error> {
    tx.sql(
        "select p.variant_id, p.inventory_item_id, p.required_quantity
           from product_variant_inventory_item p
           join product_variant v on v.id = p.variant_id
          where p.variant_id in (select value from json_each(:variants)) and v.manage_inventory = 1
          order by p.variant_id, p.inventory_item_id",
    )
    .all(named_params! { ":variants": ids::list(variants) }, |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })
}
