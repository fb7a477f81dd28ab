//! The routes of payments, refund reasons and saved payment methods. Captures and refunds are routes of orders, which
//! they settle.

mod methods;

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::refund_reason::RefundReason;
use super::view::PaymentView;
use super::{PaymentError, PaymentGateway, refund_reason as reason};
use crate::auth::AdminReader;
use crate::database::{Table, Tx};
use crate::http::{Json, Patch, Text, ToSchema, request};
use crate::ids::RefundReasonId;
use crate::metadata::MetadataPatch;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    let refund_reasons =
        AdminRoutes::<RefundReason, _>::at("/admin/refund-reasons", "Admin refund reasons")
            .list()
            .create(CreateRefundReasonRequest::create)
            .taken("The code is taken")
            .show()
            .update(UpdateRefundReasonRequest::update)
            .taken("The code is taken")
            .delete(RefundReason::remove)
            .note("Refunds that name it keep it.")
            .router();
    AdminRoutes::<PaymentView, _>::at("/admin/payments", "Admin payments")
        .list()
        .show()
        .router()
        .routes(routes!(list_admin_payment_providers))
        .merge(refund_reasons)
        .merge(methods::router())
}

/// The payment providers.
#[derive(Debug, Serialize, ToSchema)]
struct AdminPaymentProviderListResponse {
    payment_providers: Vec<AdminPaymentProviderView>,
    count: usize,
    /// Always 0.
    offset: u32,
    /// Always the number of providers.
    limit: usize,
}

/// A payment provider.
#[derive(Debug, Serialize, ToSchema)]
struct AdminPaymentProviderView {
    #[schema(example = "pp_system_default")]
    id: &'static str,
    /// Always true: only available providers are listed.
    is_enabled: bool,
}

/// Lists the payment providers.
#[crate::http::operation(get, path = "/admin/payments/payment-providers", tag = "Admin payments",
    responses((status = 200, description = "The providers", body = AdminPaymentProviderListResponse)))]
async fn list_admin_payment_providers(
    _admin: AdminReader,
    State(gateway): State<PaymentGateway>,
) -> Json<AdminPaymentProviderListResponse> {
    let payment_providers: Vec<AdminPaymentProviderView> = gateway
        .provider_ids()
        .map(|id| AdminPaymentProviderView { id, is_enabled: true })
        .collect();
    let count = payment_providers.len();
    Json(AdminPaymentProviderListResponse { payment_providers, count, offset: 0, limit: count })
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
        crate::assign!(self => reason: label, code, description);
        reason.metadata = self.metadata.unwrap_or_default().merge(&reason.metadata)?;
        reason::put(tx, &reason)
    }
}
