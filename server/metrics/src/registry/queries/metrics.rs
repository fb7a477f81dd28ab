//! Queries for metrics.

use rusqlite::{Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{self, Stored, Tx};
use crate::registry::metric::Metric;

/// The columns of a text search.
const SEARCH_COLUMNS: &[&str] = &["m.key", "m.name", "m.description", "m.formula"];

/// The list of metrics.
pub(crate) static METRICS: Listing = Listing {
    plural: "metrics",
    table: "metric m",
    id: "m.id",
    columns: &[
        Column::new("id", "m.id", Kind::Id),
        Column::new("key", "m.key", Kind::Text),
        Column::new("name", "m.name", Kind::Text),
        Column::new("category", "m.category", Kind::Text),
        Column::new("scope", "m.scope", Kind::Text),
        Column::new("data_type", "m.data_type", Kind::Text),
        Column::new("visibility", "m.visibility", Kind::Text),
        Column::new("state", "m.state", Kind::Text),
        Column::new("org_id", "m.org_id", Kind::Text),
        Column::new("owner_id", "m.owner_id", Kind::Text),
        Column::new("created_at", "m.created_at", Kind::Time),
        Column::new("updated_at", "m.updated_at", Kind::Time),
    ],
    search: SEARCH_COLUMNS,
    default_limit: 20,
    default_order: "name",
    extra: &[],
};

/// The list of metrics with the catalog's names.
pub(crate) static CATALOG: Listing = Listing {
    plural: "metrics",
    table: "metric m",
    id: "m.id",
    columns: &[
        Column::new("id", "m.id", Kind::Id),
        Column::new("key", "m.key", Kind::Text),
        Column::new("name", "m.name", Kind::Text),
        Column::new("category", "m.category", Kind::Text),
        Column::new("scope", "m.scope", Kind::Text),
        Column::new("dataType", "m.data_type", Kind::Text),
        Column::new("visibility", "m.visibility", Kind::Text),
        Column::new("state", "m.state", Kind::Text),
        Column::new("orgId", "m.org_id", Kind::Text),
        Column::new("ownerId", "m.owner_id", Kind::Text),
        Column::new("createdAt", "m.created_at", Kind::Time),
        Column::new("updatedAt", "m.updated_at", Kind::Time),
    ],
    search: SEARCH_COLUMNS,
    default_limit: 20,
    default_order: "name",
    extra: &["search"],
};

const COLUMNS: &str = "m.seq, m.id, m.key, m.name, m.description, m.category, m.scope, m.formula, m.data_type,
    m.formatting_rules, m.tags, m.org_id, m.owner_id, m.visibility, m.is_system, m.is_active, m.is_locked, m.state,
    m.version, m.created_by, m.updated_by, m.created_at, m.updated_at, m.deleted_at";

fn read(row: &Row<'_>) -> rusqlite::Result<Metric> {
    let Stored(formatting_rules) = row.get("formatting_rules")?;
    let Stored(tags) = row.get("tags")?;
    Ok(Metric {
        seq: row.get("seq")?,
        id: row.get("id")?,
        key: row.get("key")?,
        name: row.get("name")?,
        description: row.get("description")?,
        category: row.get("category")?,
        scope: row.get("scope")?,
        formula: row.get("formula")?,
        data_type: row.get("data_type")?,
        formatting_rules,
        tags,
        org_id: row.get("org_id")?,
        owner_id: row.get("owner_id")?,
        visibility: row.get("visibility")?,
        is_system: row.get("is_system")?,
        is_active: row.get("is_active")?,
        is_locked: row.get("is_locked")?,
        state: row.get("state")?,
        version: row.get("version")?,
        created_by: row.get("created_by")?,
        updated_by: row.get("updated_by")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        deleted_at: row.get("deleted_at")?,
    })
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
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// Returns every metric in creation order, including removed ones.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<Metric>, database::Error> {
    tx.sql(&format!("select {COLUMNS} from metric m order by m.seq")).all([], read)
}

/// Inserts or updates a metric. Immutable columns keep their first value.
pub(crate) fn put(tx: &Tx<'_>, metric: &Metric) -> Result<(), database::Error> {
    tx.sql(
        "insert into metric (seq, id, key, name, description, category, scope, formula, data_type, formatting_rules,
            tags, org_id, owner_id, visibility, is_system, is_active, is_locked, state, version, created_by,
            updated_by, created_at, updated_at, deleted_at)
         values (:seq, :id, :key, :name, :description, :category, :scope, :formula, :data_type, :formatting_rules,
            :tags, :org_id, :owner_id, :visibility, :is_system, :is_active, :is_locked, :state, :version, :created_by,
            :updated_by, :created_at, :updated_at, :deleted_at)
         on conflict (seq) do update
            set name = excluded.name, description = excluded.description, formula = excluded.formula,
                data_type = excluded.data_type, formatting_rules = excluded.formatting_rules, tags = excluded.tags,
                visibility = excluded.visibility, is_active = excluded.is_active, is_locked = excluded.is_locked,
                state = excluded.state, version = excluded.version, updated_by = excluded.updated_by,
                updated_at = excluded.updated_at, deleted_at = excluded.deleted_at",
    )
    .run(named_params! {
        ":seq": metric.seq,
        ":id": metric.id,
        ":key": metric.key,
        ":name": metric.name,
        ":description": metric.description,
        ":category": metric.category,
        ":scope": metric.scope,
        ":formula": metric.formula,
        ":data_type": metric.data_type,
        ":formatting_rules": Stored(&metric.formatting_rules),
        ":tags": Stored(&metric.tags),
        ":org_id": metric.org_id,
        ":owner_id": metric.owner_id,
        ":visibility": metric.visibility,
        ":is_system": metric.is_system,
        ":is_active": metric.is_active,
        ":is_locked": metric.is_locked,
        ":state": metric.state,
        ":version": metric.version,
        ":created_by": metric.created_by,
        ":updated_by": metric.updated_by,
        ":created_at": metric.created_at,
        ":updated_at": metric.updated_at,
        ":deleted_at": metric.deleted_at,
    })
}
