//! Queries for parcels, for the fulfillment report.

use rusqlite::{Row, named_params};
use serde::Serialize;

use crate::compute::range::ResolvedRange;
use crate::database::{self, FromRow, Tx};
use crate::http::ToSchema;

macro_rules! parcels {
    ($columns:literal, $rest:literal) => {
        concat!(
            "select ",
            $columns,
            " from fulfillment f indexed by fulfillment_by_creation join orders o on o.id = f.order_id
              where f.created_at >= :start and f.created_at < :end and o.status <> 'draft' and o.currency = :currency
                and (:channel is null or o.sales_channel_id = :channel)
                and (:region is null or o.region_id = :region) and (:country is null or o.country = :country) ",
            $rest
        )
    };
}

fn rows<T>(
    tx: &Tx<'_>,
    sql: &str,
    range: &ResolvedRange,
    read: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, database::Error> {
    let ((start, end), filters) = (range.instants(), &range.filters);
    let mut statement = tx.prepare_cached(sql)?;
    let rows = statement.query_map(
        named_params! {
            ":start": start, ":end": end, ":currency": range.currency_code(),
            ":channel": filters.sales_channel_id, ":region": filters.region_id, ":country": filters.country_code,
        },
        read,
    )?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Parcels with the same status, location or carrier.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow)]
pub(crate) struct ParcelRow {
    /// A status, a location's id, or a carrier; null if unknown.
    key: Option<String>,
    /// The name of the location.
    name: Option<String>,
    /// The number of parcels.
    #[column(name = "parcels")]
    count: i64,
    /// The number of shipped parcels.
    shipped: i64,
    /// The number of delivered parcels.
    delivered: i64,
}

pub(crate) fn by_status(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<Vec<ParcelRow>, database::Error> {
    let sql = parcels!(
        "case when f.canceled_at is not null then 'canceled' when f.delivered_at is not null then 'delivered'
           when f.shipped_at is not null then 'shipped' else 'packed' end as key, null as name,
         count(*) as parcels, count(f.shipped_at) as shipped, count(f.delivered_at) as delivered",
        "group by key order by key"
    );
    rows(tx, sql, range, ParcelRow::from_row)
}

/// Returns parcels that were not cancelled, by location.
pub(crate) fn by_location(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<Vec<ParcelRow>, database::Error> {
    let sql = parcels!(
        "f.location_id as key, (select name from stock_location where id = f.location_id) as name,
         count(*) as parcels, count(f.shipped_at) as shipped, count(f.delivered_at) as delivered",
        "and f.canceled_at is null group by f.location_id order by f.location_id"
    );
    rows(tx, sql, range, ParcelRow::from_row)
}

/// Returns parcels that were not cancelled, by carrier.
pub(crate) fn by_carrier(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<Vec<ParcelRow>, database::Error> {
    let sql = parcels!(
        "f.provider_id as key, null as name,
         count(*) as parcels, count(f.shipped_at) as shipped, count(f.delivered_at) as delivered",
        "and f.canceled_at is null group by f.provider_id order by f.provider_id"
    );
    rows(tx, sql, range, ParcelRow::from_row)
}
