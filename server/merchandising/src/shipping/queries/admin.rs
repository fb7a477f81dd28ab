//! The SQL of shipping as people see it.

use rusqlite::{OptionalExtension, Row, named_params};

use super::offers;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{
    self, FulfillmentSetId, ServiceZoneId, ShippingOptionId, ShippingOptionTypeId,
    ShippingProfileId,
};
use crate::shipping::stored::{
    FulfillmentSet, ServiceZone, ShippingOptionType, ShippingProfile, StoredOption, StoredPlace,
    StoredRule,
};

/// What the list of profiles can be asked for.
pub(in crate::shipping) static PROFILES: Listing = Listing {
    plural: "shipping_profiles",
    table: "shipping_profile p",
    id: "p.id",
    columns: &[
        Column::new("id", "p.id", Kind::Id),
        Column::new("name", "p.name", Kind::Text),
        Column::filter("type", "p.type", Kind::Text),
        Column::new("created_at", "p.created_at", Kind::Time),
        Column::new("updated_at", "p.updated_at", Kind::Time),
    ],
    search: &["p.name", "p.type"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

/// What the list of types can be asked for.
pub(in crate::shipping) static TYPES: Listing = Listing {
    plural: "shipping_option_types",
    table: "shipping_option_type t",
    id: "t.id",
    columns: &[
        Column::new("id", "t.id", Kind::Id),
        Column::new("label", "t.label", Kind::Text),
        Column::filter("code", "t.code", Kind::Text),
        Column::filter("description", "t.description", Kind::Text),
        Column::new("created_at", "t.created_at", Kind::Time),
        Column::new("updated_at", "t.updated_at", Kind::Time),
    ],
    search: &["t.label", "t.code", "t.description"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

/// What the list of options can be asked for.
pub(in crate::shipping) static OPTIONS: Listing = Listing {
    plural: "shipping_options",
    table: "shipping_option o",
    id: "o.id",
    columns: &[
        Column::new("id", "o.id", Kind::Id),
        Column::new("name", "o.name", Kind::Text),
        Column::filter("service_zone_id", "o.service_zone_id", Kind::Id),
        Column::filter("shipping_profile_id", "o.shipping_profile_id", Kind::Id),
        Column::filter("provider_id", "o.provider_id", Kind::Text),
        Column::filter("shipping_option_type_id", "o.type_id", Kind::Id),
        Column::filter(
            "stock_location_id",
            "o.service_zone_id in (select z.id from service_zone z
                                     join fulfillment_set s on s.id = z.fulfillment_set_id
                                    where s.location_id in ({}))",
            Kind::Link,
        ),
        Column::new("created_at", "o.created_at", Kind::Time),
        Column::new("updated_at", "o.updated_at", Kind::Time),
    ],
    search: &["o.name"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

fn read_profile(row: &Row<'_>) -> rusqlite::Result<ShippingProfile> {
    Ok(ShippingProfile {
        id: row.get("id")?,
        name: row.get("name")?,
        kind: row.get("type")?,
        metadata: row.get("metadata")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        deleted_at: None,
    })
}

fn read_type(row: &Row<'_>) -> rusqlite::Result<ShippingOptionType> {
    Ok(ShippingOptionType {
        id: row.get("id")?,
        label: row.get("label")?,
        description: row.get("description")?,
        code: row.get("code")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        deleted_at: None,
    })
}

fn read_zone(row: &Row<'_>) -> rusqlite::Result<ServiceZone> {
    Ok(ServiceZone {
        id: row.get("id")?,
        name: row.get("name")?,
        fulfillment_set_id: row.get("fulfillment_set_id")?,
        metadata: row.get("metadata")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        deleted_at: None,
    })
}

fn read_option(row: &Row<'_>) -> rusqlite::Result<StoredOption> {
    Ok(StoredOption {
        id: row.get("id")?,
        name: row.get("name")?,
        price_type: row.get("price_type")?,
        service_zone_id: row.get("service_zone_id")?,
        shipping_profile_id: row.get("shipping_profile_id")?,
        provider_id: row.get("provider_id")?,
        shipping_option_type_id: row.get("type_id")?,
        price_set_id: row.get("price_set_id")?,
        data: row.get("data")?,
        metadata: row.get("metadata")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        deleted_at: None,
    })
}

/// A page of profiles, and how many there are.
pub(in crate::shipping) fn profiles(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<ShippingProfile>, u64), Error> {
    let query = query.narrow("p.deleted_at is null", []);
    Ok((query.page(tx, "p.*", read_profile)?, query.count(tx)?))
}

/// A page of types, and how many there are.
pub(in crate::shipping) fn types(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<(Vec<ShippingOptionType>, u64), Error> {
    Ok((query.page(tx, "t.*", read_type)?, query.count(tx)?))
}

/// A page of options, and how many there are.
pub(in crate::shipping) fn options(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<StoredOption>, u64), Error> {
    let query = query.narrow("o.deleted_at is null", []);
    Ok((query.page(tx, "o.*", read_option)?, query.count(tx)?))
}

pub(in crate::shipping) fn find_profile(
    tx: &Tx<'_>,
    id: &ShippingProfileId,
) -> Result<Option<ShippingProfile>, Error> {
    let profile = tx
        .prepare_cached("select * from shipping_profile where id = :id and deleted_at is null")?
        .query_row(named_params! { ":id": id }, read_profile)
        .optional()?;
    Ok(profile)
}

pub(in crate::shipping) fn find_type(
    tx: &Tx<'_>,
    id: &ShippingOptionTypeId,
) -> Result<Option<ShippingOptionType>, Error> {
    let option_type = tx
        .prepare_cached("select * from shipping_option_type where id = :id")?
        .query_row(named_params! { ":id": id }, read_type)
        .optional()?;
    Ok(option_type)
}

pub(in crate::shipping) fn find_set(
    tx: &Tx<'_>,
    id: &FulfillmentSetId,
) -> Result<Option<FulfillmentSet>, Error> {
    let set = tx
        .prepare_cached("select * from fulfillment_set where id = :id")?
        .query_row(named_params! { ":id": id }, |row| {
            Ok(FulfillmentSet {
                id: row.get("id")?,
                name: row.get("name")?,
                kind: row.get("type")?,
                location_id: row.get("location_id")?,
                metadata: row.get("metadata")?,
                created_at: row.get("created_at")?,
                updated_at: row.get("updated_at")?,
            })
        })
        .optional()?;
    Ok(set)
}

pub(in crate::shipping) fn find_zone(
    tx: &Tx<'_>,
    id: &ServiceZoneId,
) -> Result<Option<ServiceZone>, Error> {
    let zone = tx
        .prepare_cached("select * from service_zone where id = :id")?
        .query_row(named_params! { ":id": id }, read_zone)
        .optional()?;
    Ok(zone)
}

pub(in crate::shipping) fn find_option(
    tx: &Tx<'_>,
    id: &ShippingOptionId,
) -> Result<Option<StoredOption>, Error> {
    let option = tx
        .prepare_cached("select * from shipping_option where id = :id and deleted_at is null")?
        .query_row(named_params! { ":id": id }, read_option)
        .optional()?;
    Ok(option)
}

/// The zones of a set.
pub(in crate::shipping) fn zones_of(
    tx: &Tx<'_>,
    set: &FulfillmentSetId,
) -> Result<Vec<ServiceZone>, Error> {
    let rows = tx
        .prepare_cached("select * from service_zone where fulfillment_set_id = :set order by id")?
        .query_map(named_params! { ":set": set }, read_zone)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The zones of these ids.
pub(in crate::shipping) fn zones_by_ids(
    tx: &Tx<'_>,
    zones: &[&str],
) -> Result<Vec<ServiceZone>, Error> {
    let rows = tx
        .prepare_cached(
            "select * from service_zone where id in (select value from json_each(:zones))",
        )?
        .query_map(named_params! { ":zones": ids::list(zones.iter().copied()) }, read_zone)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The places of zones.
pub(in crate::shipping) fn places_of(
    tx: &Tx<'_>,
    zones: &[&str],
) -> Result<Vec<StoredPlace>, Error> {
    let mut statement = tx.prepare_cached(
        "select id, service_zone_id, type, country, province, city, postal_expression
           from geo_zone
          where service_zone_id in (select value from json_each(:zones))
          order by id",
    )?;
    let mut rows = statement.query(named_params! { ":zones": ids::list(zones.iter().copied()) })?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        if let Some(place) = offers::place(row, 2)? {
            places.push(StoredPlace { id: row.get(0)?, service_zone_id: row.get(1)?, place });
        }
    }
    Ok(places)
}

/// The profiles of these ids.
pub(in crate::shipping) fn profiles_by_ids(
    tx: &Tx<'_>,
    profiles: &[&str],
) -> Result<Vec<ShippingProfile>, Error> {
    let rows = tx
        .prepare_cached(
            "select * from shipping_profile where id in (select value from json_each(:profiles))",
        )?
        .query_map(
            named_params! { ":profiles": ids::list(profiles.iter().copied()) },
            read_profile,
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The types of these ids.
pub(in crate::shipping) fn types_by_ids(
    tx: &Tx<'_>,
    types: &[&str],
) -> Result<Vec<ShippingOptionType>, Error> {
    let rows = tx
        .prepare_cached(
            "select * from shipping_option_type where id in (select value from json_each(:types))",
        )?
        .query_map(named_params! { ":types": ids::list(types.iter().copied()) }, read_type)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The rules of options.
pub(in crate::shipping) fn rules_of(
    tx: &Tx<'_>,
    options: &[&str],
) -> Result<Vec<StoredRule>, Error> {
    let rows = tx
        .prepare_cached(
            "select id, shipping_option_id, attribute, operator, values_json
               from shipping_option_rule
              where shipping_option_id in (select value from json_each(:options))
              order by id",
        )?
        .query_map(named_params! { ":options": ids::list(options.iter().copied()) }, |row| {
            Ok(StoredRule { id: row.get(0)?, option_id: row.get(1)?, rule: offers::rule(row, 2)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}
