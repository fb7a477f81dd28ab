//! The audit log of resources: the whole resource before and after a change.

use super::View;
use crate::audit_log::{self, EntityType, Entry};
use crate::database::{self, Tx};
use crate::http::{Selection, to_value};

/// Where the changes of a resource are recorded; by default nowhere.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Trail(Option<EntityType>);

impl Trail {
    /// Records changes as those of a type of entity.
    pub(super) const fn of(entity_type: EntityType) -> Self {
        Self(Some(entity_type))
    }

    /// Returns the resource before a change, if changes are recorded.
    pub(super) fn before<V: View>(
        self,
        tx: &Tx<'_>,
        id: &V::Id,
        selection: &Selection,
    ) -> Result<Option<V>, V::Error> {
        self.0.map(|_| V::show(tx, id, selection)).transpose()
    }

    /// Records an actor's change of the resource with an id.
    pub(super) fn record<V: View>(
        self,
        tx: &Tx<'_>,
        (id, action, actor_id): (&V::Id, &str, &str),
        (before, after): (Option<V>, Option<&V>),
    ) -> Result<(), database::Error> {
        let Some(entity_type) = self.0 else { return Ok(()) };
        let state =
            |view: Option<&V>| view.map(to_value).transpose().map(Option::unwrap_or_default);
        let entity_id = serde_json::to_value(id).unwrap_or_default();
        let entity_id = entity_id.as_str().unwrap_or_default();
        let (before, after) = (state(before.as_ref())?, state(after)?);
        audit_log::record(tx, &Entry { entity_type, entity_id, action, actor_id, before, after })
    }
}
