//! The SQL of stock locations and their links.

use rusqlite::named_params;

use crate::database::{Error, Link, Record, Tx};
use crate::ids::StockLocationId;
use crate::inventory::StockLocation;
use crate::inventory::location::{LocationChannel, LocationFulfillmentSet};

/// The sales channels that locations serve.
pub(crate) const CHANNELS: Link =
    Link::new("stock_location_sales_channel", "stock_location_id", "sales_channel_id");

pub(crate) const PROVIDERS: Link =
    Link::new("stock_location_fulfillment_provider", "stock_location_id", "provider_id");

/// Returns the sales channels of locations, given as a JSON list of ids.
pub(crate) fn channels(
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

pub(crate) fn sets(
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

pub(crate) fn has_reserved(tx: &Tx<'_>, location: &StockLocationId) -> Result<bool, Error> {
    tx.sql("select 1 from inventory_level where location_id = :location and reserved_quantity > 0 limit 1")
        .exists(named_params! { ":location": location })
}

/// Returns whether a parcel is packed at a location and neither sent nor canceled.
pub(crate) fn has_packed(tx: &Tx<'_>, location: &StockLocationId) -> Result<bool, Error> {
    tx.sql(
        "select 1 from fulfillment
          where location_id = :location and shipped_at is null and delivered_at is null and canceled_at is null
          limit 1",
    )
    .exists(named_params! { ":location": location })
}

pub(crate) fn is_default(tx: &Tx<'_>, location: &StockLocationId) -> Result<bool, Error> {
    tx.sql("select 1 from store where default_location_id = :location")
        .exists(named_params! { ":location": location })
}

pub(crate) fn set_address(tx: &Tx<'_>, location: &StockLocation) -> Result<(), Error> {
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
