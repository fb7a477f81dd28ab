//! The SQL of the admin views of shipping.

use rusqlite::named_params;

use super::offers;
use crate::database::{Error, Record, Tx};
use crate::ids::{self, FulfillmentSetId};
use crate::shipping::model::{ServiceZone, StoredPlace, StoredRule};

pub(crate) fn zones_of(tx: &Tx<'_>, set: &FulfillmentSetId) -> Result<Vec<ServiceZone>, Error> {
    ServiceZone::select(
        tx,
        "where z.fulfillment_set_id = :set order by z.id",
        named_params! { ":set": set },
    )
}

pub(crate) fn places_of(tx: &Tx<'_>, zones: &[&str]) -> Result<Vec<StoredPlace>, Error> {
    let mut statement = tx.prepare_cached(
        "select id, service_zone_id, type, country, province, city, postal_expression
           from geo_zone
          where service_zone_id in (select value from json_each(:zones))
          order by id",
    )?;
    let mut rows = statement.query(named_params! { ":zones": ids::list(zones) })?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        if let Some(place) = offers::place(row, 2)? {
            places.push(StoredPlace { id: row.get(0)?, service_zone_id: row.get(1)?, place });
        }
    }
    Ok(places)
}

pub(crate) fn rules_of(tx: &Tx<'_>, options: &[&str]) -> Result<Vec<StoredRule>, Error> {
    tx.sql(
        "select id, shipping_option_id, attribute, operator, values_json
           from shipping_option_rule
          where shipping_option_id in (select value from json_each(:options))
          order by id",
    )
    .all(named_params! { ":options": ids::list(options) }, |row| {
        Ok(StoredRule { id: row.get(0)?, option_id: row.get(1)?, rule: offers::rule(row, 2)? })
    })
}
