//! Queries for placeholders.

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{self, Filtered as _, FromRow, Named, Tx};
use crate::ids::PlaceholderId;
use crate::registry::schema::NewPlaceholder;
use crate::registry::vocabulary::{DataSource, DataType};

pub(crate) static PLACEHOLDERS: Listing = Listing {
    plural: "placeholders",
    table: "placeholder p",
    tie_breaker: "p.id",
    columns: &[
        Column::new("id", "p.id", Kind::Id),
        Column::new("key", "p.key", Kind::Text),
        Column::new("display_name", "p.display_name", Kind::Text),
        Column::new("data_source", "p.data_source", DataSource::KIND),
        Column::new("data_type", "p.data_type", DataType::KIND),
        Column::new("category", "p.category", Kind::Text),
        Column::new("created_at", "p.created_at", Kind::Time),
    ],
    search: &["p.key", "p.display_name", "p.description"],
    default_limit: 20,
    default_order: "key",
    extra: &[],
};

#[derive(Debug, Clone, FromRow)]
pub(crate) struct PlaceholderRow {
    pub id: PlaceholderId,
    #[column(flatten)]
    pub what: NewPlaceholder,
    pub created_by: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl FromRow for NewPlaceholder {
    fn from_named(row: &Named<'_, '_>) -> rusqlite::Result<Self> {
        Ok(Self {
            key: row.get("key")?,
            display_name: row.get("display_name")?,
            description: row.get("description")?,
            data_source: row.get("data_source")?,
            source_field: row.get("source_field")?,
            data_type: row.get::<DataType>("data_type")?.into(),
            default_aggregation: row.get("default_aggregation")?,
            category: row.get("category")?,
        })
    }
}

/// Returns a page of placeholders, and the total count.
pub(crate) fn page(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<(Vec<PlaceholderRow>, u64), database::Error> {
    Ok((query.page(tx, "p.*", PlaceholderRow::from_row)?, query.count(tx)?))
}

/// Returns every placeholder in creation order.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<PlaceholderRow>, database::Error> {
    tx.sql("select * from placeholder order by created_at, rowid").all([], PlaceholderRow::from_row)
}

pub(crate) fn insert(tx: &Tx<'_>, row: &PlaceholderRow) -> Result<(), database::Error> {
    tx.insert("placeholder", named_params! {
        ":id": row.id, ":key": row.what.key, ":display_name": row.what.display_name,
        ":description": row.what.description, ":data_source": row.what.data_source,
        ":source_field": row.what.source_field, ":data_type": DataType::from(row.what.data_type),
        ":default_aggregation": row.what.default_aggregation, ":category": row.what.category,
        ":created_by": row.created_by, ":created_at": row.created_at, ":updated_at": row.updated_at,
    })
}
