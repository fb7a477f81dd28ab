//! The read routes of `/admin/payments`. Captures and refunds are routes of orders, which they settle.

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::AdminReader;
use crate::http::{Json, ToSchema};
use crate::payments::PaymentGateway;
use crate::payments::view::PaymentView;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<PaymentView, _>::at("/admin/payments", "Admin payments")
        .list()
        .show()
        .router()
        .routes(routes!(list_admin_payment_providers))
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
