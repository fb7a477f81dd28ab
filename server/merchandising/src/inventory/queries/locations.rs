//! The SQL of stock locations.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{self, SalesChannelId, StockLocationId};
use crate::inventory::StockLocation;

pub(in crate::inventory) fn set_address(
    tx: &Tx<'_>,
    location: &StockLocation,
) -> Result<(), Error> {
    let address = &location.address;
    tx.sql(
        "update stock_location
            set address_1 = :address_1, address_2 = :address_2, company = :company, city = :city,
                province = :province, postal_code = :postal_code, country = :country, phone = :phone
          where id = :id",
    )
    .run(named_params! {
        ":id": location.id, ":address_1": address.address_1, ":address_2": address.address_2,
        ":company": address.company, ":city": address.city, ":province": address.province,
        ":postal_code": address.postal_code, ":country": address.country_code,
        ":phone": address.phone,
    })
}

pub(in crate::inventory) fn add_channels(
    tx: &Tx<'_>,
    location: &StockLocationId,
    channels: &[SalesChannelId],
) -> Result<(), Error> {
    tx.sql(
        "insert or ignore into stock_location_sales_channel (stock_location_id, sales_channel_id)
         select :location, value from json_each(:channels)",
    )
    .run(named_params! {
        ":location": location,
        ":channels": ids::list(channels.iter().map(SalesChannelId::as_str)),
    })
}

pub(in crate::inventory) fn remove_channels(
    tx: &Tx<'_>,
    location: &StockLocationId,
    channels: &[SalesChannelId],
) -> Result<(), Error> {
    tx.sql(
        "delete from stock_location_sales_channel
          where stock_location_id = :location
            and sales_channel_id in (select value from json_each(:channels))",
    )
    .run(named_params! {
        ":location": location,
        ":channels": ids::list(channels.iter().map(SalesChannelId::as_str)),
    })
}

pub(in crate::inventory) fn add_providers(
    tx: &Tx<'_>,
    location: &StockLocationId,
    providers: &[String],
) -> Result<(), Error> {
    tx.sql(
        "insert or ignore into stock_location_fulfillment_provider (stock_location_id, provider_id)
         select :location, value from json_each(:providers)",
    )
    .run(named_params! {
        ":location": location, ":providers": ids::list(providers.iter().map(String::as_str)),
    })
}

pub(in crate::inventory) fn remove_providers(
    tx: &Tx<'_>,
    location: &StockLocationId,
    providers: &[String],
) -> Result<(), Error> {
    tx.sql(
        "delete from stock_location_fulfillment_provider
          where stock_location_id = :location
            and provider_id in (select value from json_each(:providers))",
    )
    .run(named_params! {
        ":location": location, ":providers": ids::list(providers.iter().map(String::as_str)),
    })
}
