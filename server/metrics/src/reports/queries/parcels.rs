//! Queries for parcels, for the fulfillment report.

use rusqlite::named_params;
use serde::Serialize;

use crate::compute::range::ResolvedRange;
use crate::database::{self, FromRow, Tx};
use crate::http::ToSchema;

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
    let status = "case when f.canceled_at is not null then 'canceled' when f.delivered_at is not null then 'delivered'
           when f.shipped_at is not null then 'shipped' else 'packed' end";
    parcels(tx, range, (status, "null", ""))
}

/// Returns parcels that were not cancelled, by location.
pub(crate) fn by_location(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<Vec<ParcelRow>, database::Error> {
    let name = "(select name from stock_location where id = f.location_id)";
    parcels(tx, range, ("f.location_id", name, "and f.canceled_at is null"))
}

/// Returns parcels that were not cancelled, by carrier.
pub(crate) fn by_carrier(
    tx: &Tx<'_>,
    range: &ResolvedRange,
) -> Result<Vec<ParcelRow>, database::Error> {
    parcels(tx, range, ("f.provider_id", "null", "and f.canceled_at is null"))
}

fn parcels(
    tx: &Tx<'_>,
    range: &ResolvedRange,
    (key, name, condition): (&str, &str, &str),
) -> Result<Vec<ParcelRow>, database::Error> {
    tx.sql(&format!(
        "select {key} as key, {name} as name, count(*) as parcels, count(f.shipped_at) as shipped,
           count(f.delivered_at) as delivered
         from fulfillment f indexed by fulfillment_by_creation join orders o on o.id = f.order_id
         where f.created_at >= :start and f.created_at < :end and o.status <> 'draft' and o.currency = :currency
           and (:channel is null or o.sales_channel_id = :channel)
           and (:region is null or o.region_id = :region) and (:country is null or o.country = :country) {condition}
         group by 1 order by 1"
    ))
    .all(
        &*range.parameters(named_params! { ":start": range.start, ":end": range.end }),
        ParcelRow::from_row,
    )
}
