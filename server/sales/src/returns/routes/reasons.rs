//! `/admin/return-reasons`, which the store defines.

use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx};
use crate::http::{Patch, Resource, Text, ToSchema, request};
use crate::ids::ReturnReasonId;
use crate::metadata::{Metadata, MetadataPatch};
use crate::resource::AdminRoutes;
use crate::returns::ReturnError;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<ReturnReason, _>::at("/admin/return-reasons", "Admin return reasons")
        .list()
        .create(CreateReturnReasonRequest::create)
        .taken("The value is taken")
        .show()
        .update(UpdateReturnReasonRequest::update)
        .taken("The value is taken")
        .delete(ReturnReason::remove)
        .note("Returns that name it keep it.")
        .router()
}

/// A reason for returning items.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "return_reason r", soft_delete)]
#[record(list(plural = "return_reasons", usual, search = ["r.value", "r.label", "r.description"]))]
#[resource(name = "return reason", error = ReturnError)]
pub(crate) struct ReturnReason {
    id: ReturnReasonId,
    /// The machine-readable name.
    #[schema(example = "too_small")]
    #[column(filter, order)]
    value: String,
    /// The display name.
    #[schema(example = "Too small")]
    #[column(filter, order)]
    label: String,
    #[column(filter, order)]
    description: Option<String>,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Inserts or updates a reason; its value must be unique.
fn put(tx: &Tx<'_>, reason: &ReturnReason) -> Result<(), ReturnError> {
    let taken = || ReturnError::ReasonTaken(reason.value.clone());
    reason.put(tx).map_err(|error| error.or_taken(taken))
}

/// A new return reason.
#[request]
#[schema(example = json!({ "value": "too_small", "label": "Too small" }))]
struct CreateReturnReasonRequest {
    /// The machine-readable name, unique among the reasons.
    value: Text,
    /// The display name.
    label: Text,
    description: Option<Text<2000>>,
    metadata: Option<MetadataPatch>,
}

impl CreateReturnReasonRequest {
    fn create(self, tx: &Tx<'_>, _by: &str) -> Result<ReturnReasonId, ReturnError> {
        let made = ReturnReason {
            id: ReturnReasonId::new(),
            value: self.value.into(),
            label: self.label.into(),
            description: self.description.map(String::from),
            metadata: self.metadata.unwrap_or_default().create()?,
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        put(tx, &made)?;
        Ok(made.id)
    }
}

/// The fields of a return reason to change.
#[request]
#[schema(example = json!({ "label": "Too tight" }))]
struct UpdateReturnReasonRequest {
    /// The machine-readable name, unique among the reasons.
    value: Option<Text>,
    /// The display name.
    label: Option<Text>,
    description: Patch<Text<2000>>,
    /// Keys to merge into the metadata; a key with an empty value is removed.
    metadata: Option<MetadataPatch>,
}

impl UpdateReturnReasonRequest {
    fn update(self, tx: &Tx<'_>, id: &ReturnReasonId) -> Result<(), ReturnError> {
        let mut reason = ReturnReason::require::<ReturnError>(tx, id)?;
        crate::assign!(self => reason: value, label, description);
        reason.metadata = self.metadata.unwrap_or_default().merge(&reason.metadata)?;
        put(tx, &reason)
    }
}
