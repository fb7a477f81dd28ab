//! Added placeholders: their rows, and their list.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::{self, Filtered as _, Record, Tx};
use crate::http::{Resource, ToSchema};
use crate::ids::PlaceholderId;
use crate::registry::vocabulary::{DataSource, DataType};

/// A name for a field of a source, or for an input that only a context provides.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "placeholder p")]
#[record(list(plural = "placeholders", search = ["p.key", "p.display_name", "p.description"], order = "key"))]
#[resource(name = "placeholder")]
#[schema(as = PlaceholderView, example = json!({
    "id": "ph_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "refunded", "display_name": "Refunded", "description": null,
    "data_source": "refunds", "source_field": "amount", "data_type": "currency", "default_aggregation": "sum",
    "category": null, "created_by": "user_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "created_at": "2026-11-21T10:00:00.000Z",
    "updated_at": "2026-11-21T10:00:00.000Z"
}))]
pub(crate) struct PlaceholderRow {
    #[column(filter, order)]
    pub id: PlaceholderId,
    /// The name in formulas.
    #[column(filter, order)]
    pub key: String,
    #[column(filter, order)]
    pub display_name: String,
    /// The meaning of the placeholder.
    pub description: Option<String>,
    /// The source of the field, or `input`.
    #[column(filter, order, kind = DataSource::KIND)]
    pub data_source: String,
    /// The field, optionally through links: `order.country`.
    pub source_field: String,
    /// The type of the values.
    #[column(filter, order)]
    pub data_type: DataType,
    /// The aggregation applied when it is used alone.
    pub default_aggregation: Option<String>,
    /// The category in lists.
    #[column(filter, order)]
    pub category: Option<String>,
    pub created_by: Option<String>,
    /// When the placeholder was added.
    #[column(filter, order)]
    pub created_at: Timestamp,
    /// When the placeholder was last changed.
    pub updated_at: Timestamp,
}

/// Returns every placeholder in creation order.
pub(crate) fn all(tx: &Tx<'_>) -> Result<Vec<PlaceholderRow>, database::Error> {
    PlaceholderRow::select(tx, "order by p.created_at, p.rowid", [])
}
