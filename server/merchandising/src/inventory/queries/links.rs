//! The SQL of the links of stock locations.

use rusqlite::named_params;

use crate::database::{Error, Record, Tx};
use crate::ids::{self, SalesChannelId, StockLocationId};
use crate::inventory::location::{LocationChannel, LocationFulfillmentSet};

/// Returns the sales channels of locations, given as a JSON list of ids.
pub(in crate::inventory) fn channels(
    tx: &Tx<'_>,
    locations: &str,
) -> Result<Vec<(StockLocationId, LocationChannel)>, Error> {
    let from = "stock_location_sales_channel k
                join sales_channel c on c.id = k.sales_channel_id
               where k.stock_location_id in (select value from json_each(:locations)) and c.deleted_at is null
               order by c.id";
    let locations = named_params! { ":locations": locations };
    LocationChannel::select_by(tx, "k.stock_location_id", from, locations)
}

/// Returns the fulfillment sets of locations.
pub(in crate::inventory) fn sets(
    tx: &Tx<'_>,
    locations: &str,
) -> Result<Vec<(StockLocationId, LocationFulfillmentSet)>, Error> {
    let from = "fulfillment_set s
               where s.location_id in (select value from json_each(:locations))
               order by s.id";
    LocationFulfillmentSet::select_by(
        tx,
        "s.location_id",
        from,
        named_params! { ":locations": locations },
    )
}

/// Returns the ids of the fulfillment providers of locations.
pub(in crate::inventory) fn providers(
    tx: &Tx<'_>,
    locations: &str,
) -> Result<Vec<(StockLocationId, String)>, Error> {
    tx.sql(
        "select stock_location_id, provider_id
           from stock_location_fulfillment_provider
          where stock_location_id in (select value from json_each(:locations))
          order by provider_id",
    )
    .all(named_params! { ":locations": locations }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the first of the ids that is not a sales channel.
pub(in crate::inventory) fn missing_channel(
    tx: &Tx<'_>,
    channels: &[SalesChannelId],
) -> Result<Option<SalesChannelId>, Error> {
    tx.sql(
        "select value from json_each(:channels) sent
          where not exists (select 1 from sales_channel c where c.id = sent.value and c.deleted_at is null)
          limit 1",
    )
    .first(
        named_params! { ":channels": ids::list(channels.iter().map(SalesChannelId::as_str)) },
        |row| row.get(0),
    )
}

/// Removes a location from every channel.
pub(in crate::inventory) fn remove_all_channels(
    tx: &Tx<'_>,
    location: &StockLocationId,
) -> Result<(), Error> {
    tx.sql("delete from stock_location_sales_channel where stock_location_id = :location")
        .run(named_params! { ":location": location })
}

/// Returns whether pieces are reserved at a location.
pub(in crate::inventory) fn has_reserved(
    tx: &Tx<'_>,
    location: &StockLocationId,
) -> Result<bool, Error> {
    tx.sql("select 1 from inventory_level where location_id = :location and reserved_quantity > 0 limit 1")
        .exists(named_params! { ":location": location })
}

/// Returns whether it is the store's default location.
pub(in crate::inventory) fn is_default(
    tx: &Tx<'_>,
    location: &StockLocationId,
) -> Result<bool, Error> {
    tx.sql("select 1 from store where default_location_id = :location")
        .exists(named_params! { ":location": location })
}
