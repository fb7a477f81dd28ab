//! The SQL of shipping options and service zones: what is offered for a cart, their contents and their uses.

use rusqlite::{Row, named_params};
use serde_json::{Value, json};

use super::conditions::NewRule;
use super::model::{ServiceZone, ShippingOptionRule, StoredPlace};
use super::options::{Candidate, OfferType, ShippingContext};
use super::places::GeoZone;
use crate::database::{Error, FromRow as _, Named, Record, Tx, Word as _};
use crate::ids::{
    self, FulfillmentSetId, GeoZoneId, ServiceZoneId, ShippingOptionId, ShippingOptionRuleId,
    ShippingOptionTypeId, ShippingProfileId,
};

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

/// Reads a place from five columns, after its id and its zone; none if the columns are invalid.
fn place(row: &Row<'_>) -> rusqlite::Result<Option<GeoZone>> {
    let kind: String = row.get(2)?;
    let country_code = row.get(3)?;
    let (province, city): (Option<String>, Option<String>) = (row.get(4)?, row.get(5)?);
    let postal: Option<String> = row.get(6)?;
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

pub(crate) fn zones_of(tx: &Tx<'_>, set: &FulfillmentSetId) -> Result<Vec<ServiceZone>, Error> {
    ServiceZone::select(
        tx,
        "where z.fulfillment_set_id = :set order by z.id",
        named_params! { ":set": set },
    )
}

/// Returns the places of zones, in a country if one is given.
pub(crate) fn places_of(
    tx: &Tx<'_>,
    zones: &[&str],
    country: Option<&str>,
) -> Result<Vec<StoredPlace>, Error> {
    let condition = if country.is_some() { "country = :country" } else { ":country is null" };
    let mut statement = tx.prepare_cached(&format!(
        "select id, service_zone_id, type, country, province, city, postal_expression
           from geo_zone
          where service_zone_id in (select value from json_each(:zones)) and {condition}
          order by id"
    ))?;
    let country = country.map(str::to_ascii_lowercase);
    let mut rows =
        statement.query(named_params! { ":zones": ids::list(zones), ":country": country })?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        if let Some(place) = place(row)? {
            places.push(StoredPlace { id: row.get(0)?, service_zone_id: row.get(1)?, place });
        }
    }
    Ok(places)
}

pub(crate) fn rules_of(tx: &Tx<'_>, options: &[&str]) -> Result<Vec<ShippingOptionRule>, Error> {
    tx.sql(
        "select id, attribute, operator, values_json, shipping_option_id
           from shipping_option_rule
          where shipping_option_id in (select value from json_each(:options))
          order by id",
    )
    .all(named_params! { ":options": ids::list(options) }, ShippingOptionRule::from_row)
}

pub(crate) fn insert_places(
    tx: &Tx<'_>,
    zone: &ServiceZoneId,
    places: &[GeoZone],
) -> Result<(), Error> {
    let rows: Value = places.iter().map(row).collect();
    let columns = ["id", "type", "country", "province", "city", "postal_expression"];
    let zone = named_params! { ":service_zone_id": zone };
    tx.insert_rows("geo_zone", zone, &columns, rows.to_string())
}

fn row(place: &GeoZone) -> Value {
    let (kind, province, city, postal) = match place {
        GeoZone::Country { .. } => ("country", None, None, None),
        GeoZone::Province { province_code, .. } => ("province", Some(province_code), None, None),
        GeoZone::City { province_code, city, .. } => {
            ("city", Some(province_code), Some(city), None)
        }
        GeoZone::Zip { province_code, city, postal_expression, .. } => {
            let postal = json!(postal_expression).to_string();
            ("zip", province_code.as_ref(), city.as_ref(), Some(postal))
        }
    };
    json!({
        "id": GeoZoneId::new(), "type": kind, "country": place.country(), "province": province,
        "city": city, "postal_expression": postal,
    })
}

pub(crate) fn insert_rules(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
    rules: &[NewRule],
) -> Result<(), Error> {
    let rows: Value = rules
        .iter()
        .map(|rule| {
            json!({
                "id": ShippingOptionRuleId::new(), "attribute": rule.attribute,
                "operator": rule.operator.as_str(), "value": rule.value().to_string(),
            })
        })
        .collect();
    tx.sql(
        "insert into shipping_option_rule (id, shipping_option_id, attribute, operator, values_json)
         select value ->> 'id', :option, value ->> 'attribute', value ->> 'operator', value ->> 'value'
           from json_each(:rows)",
    )
    .run(named_params! { ":option": option, ":rows": rows.to_string() })
}

/// Returns whether a product or an option uses the profile.
pub(crate) fn is_profile_used(tx: &Tx<'_>, id: &ShippingProfileId) -> Result<bool, Error> {
    tx.sql(
        "select 1 from shipping_option where shipping_profile_id = :id and deleted_at is null
          union all
         select 1 from product where shipping_profile_id = :id and deleted_at is null
          limit 1",
    )
    .exists(named_params! { ":id": id })
}

pub(crate) fn is_type_used(tx: &Tx<'_>, id: &ShippingOptionTypeId) -> Result<bool, Error> {
    tx.sql("select 1 from shipping_option where type_id = :id and deleted_at is null limit 1")
        .exists(named_params! { ":id": id })
}

/// Removes a type from the deleted options that had it.
pub(crate) fn forget_type(tx: &Tx<'_>, id: &ShippingOptionTypeId) -> Result<(), Error> {
    tx.sql(
        "update shipping_option set type_id = null where type_id = :id and deleted_at is not null",
    )
    .run(named_params! { ":id": id })
}

/// Takes the options of zones away from the methods of carts, which are dropped when their carts are next computed.
pub(crate) fn forget_options(tx: &Tx<'_>, zones: &[ServiceZoneId]) -> Result<(), Error> {
    tx.sql(
        "update cart_shipping_method set shipping_option_id = null
          where shipping_option_id in (select id from shipping_option
                where service_zone_id in (select value from json_each(:zones)))",
    )
    .run(named_params! { ":zones": ids::list(zones) })
}

pub(crate) fn delete_places(tx: &Tx<'_>, zone: &ServiceZoneId) -> Result<(), Error> {
    tx.sql("delete from geo_zone where service_zone_id = :zone")
        .run(named_params! { ":zone": zone })
}

pub(crate) fn delete_rules(tx: &Tx<'_>, option: &ShippingOptionId) -> Result<(), Error> {
    tx.sql("delete from shipping_option_rule where shipping_option_id = :option")
        .run(named_params! { ":option": option })
}

/// Updates a rule of an option; returns whether it exists.
pub(crate) fn update_rule(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
    id: &ShippingOptionRuleId,
    rule: &NewRule,
) -> Result<bool, Error> {
    let count = tx
        .sql(
            "update shipping_option_rule
                set attribute = :attribute, operator = :operator, values_json = :value
              where id = :id and shipping_option_id = :option",
        )
        .execute(named_params! {
            ":id": id, ":option": option, ":attribute": rule.attribute,
            ":operator": rule.operator.as_str(), ":value": rule.value().to_string(),
        })?;
    Ok(count > 0)
}

/// Deletes a rule of an option; returns whether it existed.
pub(crate) fn delete_rule(
    tx: &Tx<'_>,
    option: &ShippingOptionId,
    id: &ShippingOptionRuleId,
) -> Result<bool, Error> {
    let count = tx
        .sql("delete from shipping_option_rule where id = :id and shipping_option_id = :option")
        .execute(named_params! { ":id": id, ":option": option })?;
    Ok(count > 0)
}
