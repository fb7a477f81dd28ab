//! Why goods come back: words that the store chooses.

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::database::{Error, Record, Table, Tx};
use crate::http::Resource;
use crate::ids::ReturnReasonId;
use crate::metadata::Metadata;

use super::ReturnError;

/// Why something comes back.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "return_reason r", soft_delete)]
#[record(list(plural = "return_reasons", search = ["r.value", "r.label", "r.description"]))]
#[resource(name = "return reason")]
pub(crate) struct ReturnReason {
    /// Its id.
    #[column(filter, order)]
    pub(super) id: ReturnReasonId,
    /// Its word for programs.
    #[schema(example = "too_small")]
    #[column(filter, order)]
    pub(super) value: String,
    /// Its words for people.
    #[schema(example = "Too small")]
    #[column(filter, order)]
    pub(super) label: String,
    /// More about it.
    #[column(filter, order)]
    pub(super) description: Option<String>,
    /// The client's own data.
    pub(super) metadata: Metadata,
    /// When it was made.
    #[column(filter, order)]
    pub(super) created_at: Timestamp,
    /// When it was last changed.
    #[column(filter, order)]
    pub(super) updated_at: Timestamp,
}

/// Writes a reason, new or changed; its value must be its own.
pub(super) fn put(tx: &Tx<'_>, reason: &ReturnReason) -> Result<(), ReturnError> {
    reason.put(tx).map_err(|error| {
        if matches!(error, Error::Duplicate(_)) {
            return ReturnError::DuplicateReason(reason.value.clone());
        }
        ReturnError::Db(error)
    })
}
