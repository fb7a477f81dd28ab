//! `/admin/return-reasons`.
use utoipa_axum::router::OpenApiRouter;

use crate::database::{Table, Tx};
use crate::http::{Patch, Text, request};
use crate::ids::ReturnReasonId;
use crate::metadata::MetadataPatch;
use crate::resource::AdminRoutes;
use crate::returns::ReturnError;
use crate::returns::reason::{self, ReturnReason};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<ReturnReason, _>::at("/admin/return-reasons", "Admin return reasons")
        .list()
        .create(CreateReturnReasonRequest::create)
        .show()
        .update(UpdateReturnReasonRequest::update)
        .delete(ReturnReason::remove)
        .note("Returns that name it keep it.")
        .router()
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
        reason::put(tx, &made)?;
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
        reason::put(tx, &reason)
    }
}
