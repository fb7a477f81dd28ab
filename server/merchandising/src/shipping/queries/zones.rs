//! The SQL of the places of service zones.

use rusqlite::named_params;
use serde_json::{Value, json};

use crate::database::{Error, Tx};
use crate::ids::{GeoZoneId, ServiceZoneId, StockLocationId};
use crate::shipping::GeoZone;

pub(crate) fn is_location(tx: &Tx<'_>, id: &StockLocationId) -> Result<bool, Error> {
    tx.sql("select 1 from stock_location where id = :id and deleted_at is null")
        .exists(named_params! { ":id": id })
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
