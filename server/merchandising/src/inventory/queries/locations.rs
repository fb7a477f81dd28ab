//! The SQL of stock locations.

use rusqlite::{OptionalExtension, Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, SalesChannelId, StockLocationId};
use crate::inventory::location::{LocationAddress, StockLocation};

/// What the list of stock locations can be asked for.
pub(in crate::inventory) static LOCATIONS: Listing = Listing {
    plural: "stock_locations",
    table: "stock_location l",
    id: "l.id",
    columns: &[
        Column::new("id", "l.id", Kind::Id),
        Column::new("name", "l.name", Kind::Text),
        Column::filter(
            "sales_channel_id",
            "l.id in (select stock_location_id from stock_location_sales_channel where sales_channel_id in ({}))",
            Kind::Link,
        ),
        Column::new("created_at", "l.created_at", Kind::Time),
        Column::new("updated_at", "l.updated_at", Kind::Time),
    ],
    search: &["l.name"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

/// What [`read`] reads.
const COLUMNS: &str = "l.id, l.name, l.metadata, l.created_at, l.updated_at, l.address_1, l.address_2, l.company, \
     l.city, l.province, l.postal_code, l.country, l.phone";

/// A page of the list, and how many there are.
pub(in crate::inventory) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<StockLocation>, u64), Error> {
    let query = query.narrow("l.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

fn read(row: &Row<'_>) -> rusqlite::Result<StockLocation> {
    Ok(StockLocation {
        id: row.get(0)?,
        name: row.get(1)?,
        metadata: row.get(2)?,
        created_at: row.get(3)?,
        updated_at: row.get(4)?,
        address: LocationAddress {
            address_1: row.get(5)?,
            address_2: row.get(6)?,
            company: row.get(7)?,
            city: row.get(8)?,
            province: row.get(9)?,
            postal_code: row.get(10)?,
            country_code: row.get(11)?,
            phone: row.get(12)?,
        },
    })
}

pub(in crate::inventory) fn insert(tx: &Tx<'_>, location: &StockLocation) -> Result<(), Error> {
    let address = &location.address;
    tx.prepare_cached(
        "insert into stock_location
           (id, name, address_1, address_2, company, city, province, postal_code, country, phone,
            metadata, created_at, updated_at)
         values
           (:id, :name, :address_1, :address_2, :company, :city, :province, :postal_code, :country, :phone,
            :metadata, :created_at, :updated_at)",
    )?
    .execute(named_params! {
        ":id": location.id, ":name": location.name, ":address_1": address.address_1,
        ":address_2": address.address_2, ":company": address.company, ":city": address.city,
        ":province": address.province, ":postal_code": address.postal_code,
        ":country": address.country_code, ":phone": address.phone, ":metadata": location.metadata,
        ":created_at": location.created_at, ":updated_at": location.updated_at,
    })?;
    Ok(())
}

pub(in crate::inventory) fn update(tx: &Tx<'_>, location: &StockLocation) -> Result<(), Error> {
    let address = &location.address;
    tx.prepare_cached(
        "update stock_location
            set name = :name, address_1 = :address_1, address_2 = :address_2, company = :company,
                city = :city, province = :province, postal_code = :postal_code, country = :country,
                phone = :phone, metadata = :metadata, updated_at = :updated_at
          where id = :id",
    )?
    .execute(named_params! {
        ":id": location.id, ":name": location.name, ":address_1": address.address_1,
        ":address_2": address.address_2, ":company": address.company, ":city": address.city,
        ":province": address.province, ":postal_code": address.postal_code,
        ":country": address.country_code, ":phone": address.phone, ":metadata": location.metadata,
        ":updated_at": location.updated_at,
    })?;
    Ok(())
}

pub(in crate::inventory) fn delete(tx: &Tx<'_>, id: &StockLocationId) -> Result<(), Error> {
    tx.prepare_cached(
        "update stock_location set deleted_at = :now, updated_at = :now
          where id = :id and deleted_at is null",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

pub(in crate::inventory) fn find(
    tx: &Tx<'_>,
    id: &StockLocationId,
) -> Result<Option<StockLocation>, Error> {
    let location = tx
        .prepare_cached(
            "select l.id, l.name, l.metadata, l.created_at, l.updated_at, l.address_1, l.address_2,
                    l.company, l.city, l.province, l.postal_code, l.country, l.phone
               from stock_location l
              where l.id = :id and l.deleted_at is null",
        )?
        .query_row(named_params! { ":id": id }, read)
        .optional()?;
    Ok(location)
}

pub(in crate::inventory) fn add_channels(
    tx: &Tx<'_>,
    location: &StockLocationId,
    channels: &[SalesChannelId],
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert or ignore into stock_location_sales_channel (stock_location_id, sales_channel_id)
         select :location, value from json_each(:channels)",
    )?
    .execute(named_params! {
        ":location": location,
        ":channels": ids::list(channels.iter().map(SalesChannelId::as_str)),
    })?;
    Ok(())
}

pub(in crate::inventory) fn remove_channels(
    tx: &Tx<'_>,
    location: &StockLocationId,
    channels: &[SalesChannelId],
) -> Result<(), Error> {
    tx.prepare_cached(
        "delete from stock_location_sales_channel
          where stock_location_id = :location
            and sales_channel_id in (select value from json_each(:channels))",
    )?
    .execute(named_params! {
        ":location": location,
        ":channels": ids::list(channels.iter().map(SalesChannelId::as_str)),
    })?;
    Ok(())
}

pub(in crate::inventory) fn add_providers(
    tx: &Tx<'_>,
    location: &StockLocationId,
    providers: &[String],
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert or ignore into stock_location_fulfillment_provider (stock_location_id, provider_id)
         select :location, value from json_each(:providers)",
    )?
    .execute(named_params! {
        ":location": location, ":providers": ids::list(providers.iter().map(String::as_str)),
    })?;
    Ok(())
}

pub(in crate::inventory) fn remove_providers(
    tx: &Tx<'_>,
    location: &StockLocationId,
    providers: &[String],
) -> Result<(), Error> {
    tx.prepare_cached(
        "delete from stock_location_fulfillment_provider
          where stock_location_id = :location
            and provider_id in (select value from json_each(:providers))",
    )?
    .execute(named_params! {
        ":location": location, ":providers": ids::list(providers.iter().map(String::as_str)),
    })?;
    Ok(())
}
