//! `/admin/refund-reasons`.
use utoipa_axum::router::OpenApiRouter;

use crate::database::{Table, Tx};
use crate::http::{AssignTo as _, Patch, Text, request};
use crate::ids::RefundReasonId;
use crate::metadata::MetadataPatch;
use crate::payments::PaymentError;
use crate::payments::refund_reason::{self as reason, RefundReason};
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<RefundReason, _>::at("/admin/refund-reasons", "Admin refund reasons")
        .list()
        .create(CreateRefundReasonRequest::create)
        .show()
        .update(UpdateRefundReasonRequest::update)
        .delete(RefundReason::remove)
        .note("Refunds that name it keep it.")
        .router()
}

/// A new refund reason.
#[request]
#[schema(example = json!({ "label": "Arrived late", "code": "arrived_late" }))]
struct CreateRefundReasonRequest {
    /// The display name.
    label: Text,
    /// Defaults to the machine-readable name derived from the label; must be unique.
    code: Option<Text>,
    description: Option<Text<2000>>,
    metadata: Option<MetadataPatch>,
}

impl CreateRefundReasonRequest {
    fn create(self, tx: &Tx<'_>, _by: &str) -> Result<RefundReasonId, PaymentError> {
        let made = RefundReason {
            id: RefundReasonId::new(),
            code: self.code.map_or_else(|| reason::code_of(self.label.as_str()), String::from),
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

/// The fields of a refund reason to change.
#[request]
#[schema(example = json!({ "label": "Arrived too late" }))]
struct UpdateRefundReasonRequest {
    /// The display name.
    label: Option<Text>,
    /// The machine-readable name, unique among the reasons.
    code: Option<Text>,
    description: Patch<Text<2000>>,
    /// Keys to merge into the metadata; a key with an empty value is removed.
    metadata: Option<MetadataPatch>,
}

impl UpdateRefundReasonRequest {
    fn update(self, tx: &Tx<'_>, id: &RefundReasonId) -> Result<(), PaymentError> {
        let mut reason = RefundReason::require::<PaymentError>(tx, id)?;
        self.label.assign_to(&mut reason.label);
        self.code.assign_to(&mut reason.code);
        self.description.assign_to(&mut reason.description);
        reason.metadata = self.metadata.unwrap_or_default().merge(&reason.metadata)?;
        reason::put(tx, &reason)
    }
}
