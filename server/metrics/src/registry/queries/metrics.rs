//! Queries for metrics.

use rusqlite::named_params;

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{self, Filtered as _, FromRow as _, Stored, Tx};
use crate::registry::metric::Metric;
use crate::registry::vocabulary::{Category, DataType, Lifecycle, Scope, Visibility};

const LISTING: Listing = Listing {
    plural: "metrics",
    table: "metric m",
    tie_breaker: "m.id",
    columns: &columns(["data_type", "org_id", "owner_id", "created_at", "updated_at"]),
    search: &["m.key", "m.name", "m.description", "m.formula"],
    default_limit: 20,
    default_order: "name",
    extra: &[],
};

pub(crate) static METRICS: Listing = LISTING;

/// The list of metrics with the counts of who uses them.
pub(crate) static USES: Listing = Listing { plural: "uses", ..LISTING };

/// The list of metrics with the catalog's names.
pub(crate) static CATALOG: Listing = Listing {
    columns: &columns(["dataType", "orgId", "ownerId", "createdAt", "updatedAt"]),
    extra: &["search"],
    ..LISTING
};

/// Returns the columns of a list of metrics, with its names of those that have several words.
const fn columns(
    [data_type, org_id, owner_id, created_at, updated_at]: [&'static str; 5],
) -> [Column; 12] {
    [
        Column::new("id", "m.id", Kind::Id),
        Column::new("key", "m.key", Kind::Text),
        Column::new("name", "m.name", Kind::Text),
        Column::new("category", "m.category", Category::KIND),
        Column::new("scope", "m.scope", Scope::KIND),
        Column::new(data_type, "m.data_type", DataType::KIND),
        Column::new("visibility", "m.visibility", Visibility::KIND),
        Column::new("state", "m.state", Lifecycle::KIND),
        Column::new(org_id, "m.org_id", Kind::Text),
        Column::new(owner_id, "m.owner_id", Kind::Text),
        Column::new(created_at, "m.created_at", Kind::Time),
        Column::new(updated_at, "m.updated_at", Kind::Time),
    ]
}

/// Returns a page of the metrics that are not removed, without other users' private ones, and the total count.
pub(crate) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
    viewer: &str,
) -> Result<(Vec<Metric>, u64), database::Error> {
    let query = query
        .narrow("m.deleted_at is null", [])
        .narrow("(m.visibility <> 'private' or m.owner_id = ?)", [viewer.to_owned().into()]);
    Ok((query.page(tx, "m.*", Metric::from_row)?, query.count(tx)?))
}

/// Returns every metric in creation order, including removed ones.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<Metric>, database::Error> {
    tx.sql("select * from metric order by seq").all([], Metric::from_row)
}

/// Inserts or updates a metric. Immutable columns keep their first value.
pub(crate) fn put(tx: &Tx<'_>, metric: &Metric) -> Result<(), database::Error> {
    tx.put("metric", &["seq"], &["id", "key", "category", "scope", "org_id", "owner_id", "is_system", "created_by"], named_params! {
        ":seq": metric.seq, ":id": metric.id, ":key": metric.key, ":name": metric.name,
        ":description": metric.description, ":category": metric.category, ":scope": metric.scope,
        ":formula": metric.formula, ":data_type": metric.data_type,
        ":formatting_rules": Stored(&metric.formatting_rules), ":tags": Stored(&metric.tags),
        ":org_id": metric.org_id, ":owner_id": metric.owner_id, ":visibility": metric.visibility,
        ":is_system": metric.is_system, ":is_active": metric.is_active,
        ":is_locked": metric.is_locked, ":state": metric.state, ":version": metric.version,
        ":created_by": metric.created_by, ":updated_by": metric.updated_by,
        ":created_at": metric.created_at, ":updated_at": metric.updated_at,
        ":deleted_at": metric.deleted_at,
    })
}
