//! Creating placeholders.

use crate::audit_log::{self, EntityType, Entry};
use crate::database::{Table as _, Tx};
use crate::registry::queries::placeholders::PlaceholderRow;
use crate::registry::queries::stamp;
use crate::registry::schema;
use crate::{MetricError, MetricRegistry};

/// Adds a placeholder; formulas can use it from the next transaction on.
///
/// # Errors
/// [`schema::PlaceholderError`]; [`MetricError::NameTaken`] if a metric has the key.
pub(crate) fn add_placeholder(
    tx: &Tx<'_>,
    registry: &MetricRegistry,
    new: PlaceholderRow,
) -> Result<PlaceholderRow, MetricError> {
    let snapshot = registry.snapshot(tx)?;
    if snapshot.metrics().values().any(|metric| metric.key == new.key) {
        return Err(MetricError::NameTaken(new.key));
    }
    schema::resolve(snapshot.schema(), &new)?;
    new.insert(tx)?;
    let entry = Entry {
        entity_type: EntityType::Placeholder,
        entity_id: new.id.as_str(),
        action: "create",
        actor_id: new.created_by.as_deref().unwrap_or_default(),
        before: serde_json::Value::Null,
        after: serde_json::json!({
            "key": new.key,
            "display_name": new.display_name,
            "description": new.description,
            "data_source": new.data_source,
            "source_field": new.source_field,
            "data_type": new.data_type,
            "default_aggregation": new.default_aggregation,
            "category": new.category,
        }),
    };
    audit_log::record(tx, &entry)?;
    stamp::renew(tx)?;
    Ok(new)
}
