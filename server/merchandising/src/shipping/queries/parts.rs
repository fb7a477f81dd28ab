//! The SQL for the contents of shipping options and service zones, and for their uses.

use rusqlite::named_params;
use serde_json::{Value, json};

use super::offers;
use crate::database::{Error, Record, Tx, Word as _};
use crate::ids::{
    self, FulfillmentSetId, GeoZoneId, ServiceZoneId, ShippingOptionId, ShippingOptionRuleId,
    ShippingOptionTypeId, ShippingProfileId,
};
use crate::shipping::model::{ServiceZone, StoredPlace, StoredRule};
use crate::shipping::{GeoZone, NewRule};

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

pub(crate) fn insert_places(
    tx: &Tx<'_>,
    zone: &ServiceZoneId,
    places: &[GeoZone],
) -> Result<(), Error> {
    let rows: Value = places.iter().map(row).collect();
    tx.sql(
        "insert into geo_zone
           (id, service_zone_id, type, country, province, city, postal_expression, created_at, updated_at)
         select value ->> 'id', :zone, value ->> 'type', value ->> 'country', value ->> 'province',
                value ->> 'city', value ->> 'postal', :now, :now
           from json_each(:rows)",
    )
    .run(named_params! { ":zone": zone, ":rows": rows.to_string(), ":now": tx.now() })
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
        "city": city, "postal": postal,
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

/// Returns whether an option uses the type.
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
