//! Why goods come back: words that the store chooses.

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::database::{Error, Tx};
use crate::ids::ReturnReasonId;
use crate::metadata::Metadata;

use super::ReturnError;
use super::queries::reasons as queries;

/// Why something comes back.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ReturnReason {
    /// Its id.
    pub(super) id: ReturnReasonId,
    /// Its word for programs.
    #[schema(example = "too_small")]
    pub(super) value: String,
    /// Its words for people.
    #[schema(example = "Too small")]
    pub(super) label: String,
    /// More about it.
    pub(super) description: Option<String>,
    /// The client's own data.
    pub(super) metadata: Metadata,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was last changed.
    pub(super) updated_at: Timestamp,
}

/// The reason, if there is one.
pub(super) fn find(tx: &Tx<'_>, id: &ReturnReasonId) -> Result<ReturnReason, ReturnError> {
    queries::find(tx, id)?.ok_or_else(|| ReturnError::unknown("Return reason", id))
}

/// Writes a reason, new or changed; its value must be its own.
pub(super) fn put(tx: &Tx<'_>, reason: &ReturnReason) -> Result<(), ReturnError> {
    queries::put(tx, reason).map_err(|error| {
        if matches!(error, Error::Duplicate(_)) {
            return ReturnError::DuplicateReason(reason.value.clone());
        }
        ReturnError::Db(error)
    })
}

/// Takes a reason away.
pub(super) fn delete(tx: &Tx<'_>, id: &ReturnReasonId) -> Result<(), ReturnError> {
    if queries::delete(tx, id)? {
        return Ok(());
    }
    Err(ReturnError::unknown("Return reason", id))
}
