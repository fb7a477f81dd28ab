//! Creating placeholders.

use crate::audit_log::{self, EntityType};
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
    let after = serde_json::json!({
        "key": new.key,
        "display_name": new.display_name,
        "description": new.description,
        "data_source": new.data_source,
        "source_field": new.source_field,
        "data_type": new.data_type,
        "default_aggregation": new.default_aggregation,
        "category": new.category,
    });
    let entity = (EntityType::Placeholder, new.id.as_str());
    let actor_id = new.created_by.as_deref().unwrap_or_default();
    audit_log::record_change(tx, entity, "create", (None, Some(after)), actor_id)?;
    stamp::renew(tx)?;
    Ok(new)
}
