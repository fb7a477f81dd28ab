//! Creating placeholders.

use super::Editor;
use crate::audit_log::{self, EntityType, Entry};
use crate::database::Tx;
use crate::ids::PlaceholderId;
use crate::registry::queries::placeholders::PlaceholderRow;
use crate::registry::queries::{placeholders, stamp};
use crate::registry::schema::{self, NewPlaceholder};
use crate::registry::vocabulary::DataType;
use crate::{MetricError, MetricRegistry};

/// Adds a placeholder; formulas can use it from the next transaction on.
///
/// # Errors
/// [`schema::PlaceholderError`]; [`MetricError::NameTaken`] if a metric has the key.
pub(crate) fn add_placeholder(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    new: NewPlaceholder,
    editor: &Editor,
) -> Result<PlaceholderRow, MetricError> {
    let snapshot = registry.snapshot(tx)?;
    let key = new.key.to_ascii_lowercase();
    if snapshot.metrics().values().any(|metric| metric.key == key) {
        return Err(MetricError::NameTaken(key));
    }
    let new = NewPlaceholder { key, ..new };
    schema::resolve(snapshot.schema(), &new)?;
    let row = PlaceholderRow {
        id: PlaceholderId::new(),
        what: new,
        created_by: Some(editor.id.clone()),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    placeholders::insert(tx, &row)?;
    let entry = Entry {
        entity_type: EntityType::Placeholder,
        entity_id: row.id.as_str(),
        action: "create",
        actor_id: &editor.id,
        before: serde_json::Value::Null,
        after: serde_json::json!({
            "key": row.what.key,
            "display_name": row.what.display_name,
            "description": row.what.description,
            "data_source": row.what.data_source,
            "source_field": row.what.source_field,
            "data_type": DataType::from(row.what.data_type),
            "default_aggregation": row.what.default_aggregation,
            "category": row.what.category,
        }),
    };
    audit_log::record(tx, &entry)?;
    stamp::renew(tx)?;
    Ok(row)
}
