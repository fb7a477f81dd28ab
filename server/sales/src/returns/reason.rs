//! Return reasons, which the store defines.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx};
use crate::http::{Refusal, Resource, ToSchema};
use crate::ids::ReturnReasonId;
use crate::metadata::Metadata;

use super::ReturnError;

/// A reason for returning items.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "return_reason r", soft_delete)]
#[record(list(plural = "return_reasons", usual, search = ["r.value", "r.label", "r.description"]))]
#[resource(name = "return reason", error = ReturnError)]
pub(crate) struct ReturnReason {
    pub(super) id: ReturnReasonId,
    /// The machine-readable name.
    #[schema(example = "too_small")]
    #[column(filter, order)]
    pub(super) value: String,
    /// The display name.
    #[schema(example = "Too small")]
    #[column(filter, order)]
    pub(super) label: String,
    #[column(filter, order)]
    pub(super) description: Option<String>,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// Inserts or updates a reason; its value must be unique.
pub(super) fn put(tx: &Tx<'_>, reason: &ReturnReason) -> Result<(), ReturnError> {
    let message = || format!("Return reason with value: {}, already exists.", reason.value);
    reason.put(tx).map_err(|error| error.or_taken(|| Refusal::invalid(message()).into()))
}
