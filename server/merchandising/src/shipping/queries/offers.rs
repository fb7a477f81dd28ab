//! The SQL that finds the options for a cart.

use rusqlite::{Row, named_params};

use crate::database::Word as _;
use crate::database::{Error, FromRow as _, Named, Tx};
use crate::ids::{self, ById, ServiceZoneId, ShippingOptionId, ShippingOptionTypeId};
use crate::shipping::conditions::{NewRule, Operator, values_of};
use crate::shipping::options::{Candidate, OfferType, ShippingContext};
use crate::shipping::places::GeoZone;

/// Returns the options of the profiles whose location serves the channel and whose zone covers a part of the country.
pub(crate) fn candidates(
    tx: &Tx<'_>,
    context: &ShippingContext,
    id: Option<&ShippingOptionId>,
) -> Result<Vec<Candidate>, Error> {
    let profiles = ids::list(&context.profile_ids);
    tx.sql(
        "select o.id, o.name, o.price_type, o.shipping_profile_id, o.provider_id, o.price_set_id, o.data,
                o.metadata, z.id as zone_id, z.name as zone_name, s.id as set_id, s.type as set_type,
                l.id as location_id, l.name as location_name, l.address_1, l.address_2, l.company, l.city,
                l.province, l.postal_code, l.country, l.phone, t.id as type_id, t.label, t.description, t.code
           from shipping_option o
           join service_zone z on z.id = o.service_zone_id
           join fulfillment_set s on s.id = z.fulfillment_set_id
           join stock_location l on l.id = s.location_id
           join stock_location_sales_channel c
                on c.sales_channel_id = :channel and c.stock_location_id = l.id
           left join shipping_option_type t on t.id = o.type_id
          where o.deleted_at is null and l.deleted_at is null and (:id is null or o.id = :id)
            and o.shipping_profile_id in (select value from json_each(:profiles))
            and exists (select 1 from geo_zone g where g.service_zone_id = z.id and g.country = :country)
          order by o.created_at, o.rowid",
    )
    .all(
        named_params! {
            ":channel": context.sales_channel_id, ":id": id, ":profiles": profiles,
            ":country": context.country.to_ascii_lowercase(),
        },
        read,
    )
}

fn read(row: &Row<'_>) -> rusqlite::Result<Candidate> {
    let row = Named::of(row);
    let candidate = Candidate::from_named(&row)?;
    let type_id: Option<ShippingOptionTypeId> = row.get("type_id")?;
    let option_type = type_id.map(|_| OfferType::from_named(&row)).transpose()?;
    Ok(Candidate { option_type, ..candidate })
}

/// Returns whether there are zones limited to cities or postal codes.
pub fn are_zones_narrow(tx: &Tx<'_>) -> Result<bool, Error> {
    tx.sql("select exists (select 1 from geo_zone where type in ('city', 'zip'))")
        .one([], |row| row.get(0))
}

/// Returns the places of zones in a country, by zone.
pub(crate) fn places(
    tx: &Tx<'_>,
    zones: &[&str],
    country: &str,
) -> Result<ById<Vec<GeoZone>>, Error> {
    let mut statement = tx.prepare_cached(
        "select service_zone_id, type, country, province, city, postal_expression
           from geo_zone
          where service_zone_id in (select value from json_each(:zones)) and country = :country
          order by id",
    )?;
    let mut rows = statement.query(named_params! {
        ":zones": ids::list(zones), ":country": country.to_ascii_lowercase(),
    })?;
    let mut places = ById::default();
    while let Some(row) = rows.next()? {
        if let Some(place) = place(row, 1)? {
            places.push(row.get::<_, ServiceZoneId>(0)?, place);
        }
    }
    Ok(places)
}

/// Reads a place from five columns starting at `first`; none if the columns are invalid.
pub(crate) fn place(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<GeoZone>> {
    let column = |index: usize| first.saturating_add(index);
    let kind: String = row.get(column(0))?;
    let country_code = row.get(column(1))?;
    let (province, city): (Option<String>, Option<String>) =
        (row.get(column(2))?, row.get(column(3))?);
    let postal: Option<String> = row.get(column(4))?;
    Ok(match (kind.as_str(), province, city) {
        ("country", ..) => Some(GeoZone::Country { country_code }),
        ("province", Some(province_code), _) => {
            Some(GeoZone::Province { country_code, province_code })
        }
        ("city", Some(province_code), Some(city)) => {
            Some(GeoZone::City { country_code, province_code, city })
        }
        ("zip", province_code, city) => {
            postal.and_then(|text| serde_json::from_str(&text).ok()).map(|postal_expression| {
                GeoZone::Zip { country_code, province_code, city, postal_expression }
            })
        }
        _ => None,
    })
}

/// Returns the rules of options, by option.
pub(crate) fn rules(tx: &Tx<'_>, options: &[&str]) -> Result<ById<Vec<NewRule>>, Error> {
    let mut statement = tx.prepare_cached(
        "select shipping_option_id, attribute, operator, values_json
           from shipping_option_rule
          where shipping_option_id in (select value from json_each(:options))
          order by id",
    )?;
    let mut rows = statement.query(named_params! { ":options": ids::list(options) })?;
    let mut rules = ById::default();
    while let Some(row) = rows.next()? {
        rules.push(row.get::<_, ShippingOptionId>(0)?, rule(row, 1)?);
    }
    Ok(rules)
}

/// Reads a rule from three columns starting at `first`. An invalid rule never holds.
pub(crate) fn rule(row: &Row<'_>, first: usize) -> rusqlite::Result<NewRule> {
    let column = |index: usize| first.saturating_add(index);
    let word: String = row.get(column(1))?;
    let text: String = row.get(column(2))?;
    let values = serde_json::from_str(&text).map(|value| values_of(&value)).unwrap_or_default();
    let operator = Operator::from_word(&word).unwrap_or(Operator::In);
    Ok(NewRule { attribute: row.get(column(0))?, operator, values })
}
