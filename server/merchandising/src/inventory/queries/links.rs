//! The SQL of what stock locations are linked to.

use rusqlite::{OptionalExtension, named_params};

use crate::database::{Error, Tx};
use crate::ids::{self, SalesChannelId, StockLocationId};
use crate::inventory::location::FULFILLMENT_PROVIDERS;
use crate::inventory::routes::{LinkedChannel, LinkedProvider, LinkedSet};

/// The sales channels of locations.
pub(in crate::inventory) fn channels(
    tx: &Tx<'_>,
    locations: &[StockLocationId],
) -> Result<Vec<(StockLocationId, LinkedChannel)>, Error> {
    let rows = tx
        .prepare_cached(
            "select k.stock_location_id, c.id, c.name, c.description, c.is_disabled
               from stock_location_sales_channel k
               join sales_channel c on c.id = k.sales_channel_id
              where k.stock_location_id in (select value from json_each(:locations)) and c.deleted_at is null
              order by c.id",
        )?
        .query_map(
            named_params! { ":locations": ids::list(locations.iter().map(StockLocationId::as_str)) },
            |row| {
                let (id, name) = (row.get(1)?, row.get(2)?);
                let (description, is_disabled) = (row.get(3)?, row.get(4)?);
                Ok((row.get(0)?, LinkedChannel { id, name, description, is_disabled }))
            },
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The fulfillment sets of locations.
pub(in crate::inventory) fn sets(
    tx: &Tx<'_>,
    locations: &[StockLocationId],
) -> Result<Vec<(StockLocationId, LinkedSet)>, Error> {
    let rows = tx
        .prepare_cached(
            "select location_id, id, name, type
               from fulfillment_set
              where location_id in (select value from json_each(:locations))
              order by id",
        )?
        .query_map(
            named_params! { ":locations": ids::list(locations.iter().map(StockLocationId::as_str)) },
            |row| {
                let set = LinkedSet { id: row.get(1)?, name: row.get(2)?, kind: row.get(3)? };
                Ok((row.get(0)?, set))
            },
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The fulfillment providers of locations.
pub(in crate::inventory) fn providers(
    tx: &Tx<'_>,
    locations: &[StockLocationId],
) -> Result<Vec<(StockLocationId, LinkedProvider)>, Error> {
    let rows = tx
        .prepare_cached(
            "select stock_location_id, provider_id
               from stock_location_fulfillment_provider
              where stock_location_id in (select value from json_each(:locations))
              order by provider_id",
        )?
        .query_map(
            named_params! { ":locations": ids::list(locations.iter().map(StockLocationId::as_str)) },
            |row| {
                let id: String = row.get(1)?;
                let is_enabled = FULFILLMENT_PROVIDERS.contains(&id.as_str());
                Ok((row.get(0)?, LinkedProvider { id, is_enabled }))
            },
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The first of the ids that is no sales channel.
pub(in crate::inventory) fn missing_channel(
    tx: &Tx<'_>,
    channels: &[SalesChannelId],
) -> Result<Option<SalesChannelId>, Error> {
    let id = tx
        .prepare_cached(
            "select value from json_each(:channels) sent
              where not exists (select 1 from sales_channel c where c.id = sent.value and c.deleted_at is null)
              limit 1",
        )?
        .query_row(
            named_params! { ":channels": ids::list(channels.iter().map(SalesChannelId::as_str)) },
            |row| row.get(0),
        )
        .optional()?;
    Ok(id)
}

/// Takes a location from every channel.
pub(in crate::inventory) fn remove_all_channels(
    tx: &Tx<'_>,
    location: &StockLocationId,
) -> Result<(), Error> {
    tx.prepare_cached(
        "delete from stock_location_sales_channel where stock_location_id = :location",
    )?
    .execute(named_params! { ":location": location })?;
    Ok(())
}

/// Whether pieces are promised at a location.
pub(in crate::inventory) fn has_reserved(
    tx: &Tx<'_>,
    location: &StockLocationId,
) -> Result<bool, Error> {
    let found = tx
        .prepare_cached(
            "select 1 from inventory_level where location_id = :location and reserved_quantity > 0 limit 1",
        )?
        .exists(named_params! { ":location": location })?;
    Ok(found)
}

/// Whether it is the store's default location.
pub(in crate::inventory) fn is_default(
    tx: &Tx<'_>,
    location: &StockLocationId,
) -> Result<bool, Error> {
    let found = tx
        .prepare_cached("select 1 from store where default_location_id = :location")?
        .exists(named_params! { ":location": location })?;
    Ok(found)
}
