//! The checkout configuration of a storefront.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::auth::Shop;
use crate::http::{HttpError, Json, Query};
use crate::ids::SalesChannelId;
use crate::payments::PaymentGateway;

/// The key that a storefront gives to the sandbox: it opens nothing, for the sandbox has no service of its own.
const SANDBOX_KEY: &str = "pk_sandbox";

/// What the configuration is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct CheckoutConfigQuery {
    /// The channel that is sold in; the key's own when it is left out.
    sales_channel_id: Option<SalesChannelId>,
}

/// The payment settings of a channel.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "payment_provider_id": "pp_sandbox", "card_processor_publishable_key": "pk_sandbox", "sandbox": true,
}))]
pub(super) struct CheckoutConfigResponse {
    /// The provider to begin payments with.
    payment_provider_id: &'static str,
    /// The publishable key of its form for cards; null when it has none.
    card_processor_publishable_key: Option<&'static str>,
    /// Whether no money moves.
    sandbox: bool,
}

/// The payment provider of a sales channel and its publishable key, from one place. Without a sandbox that is the
/// live provider, and the key is null.
#[utoipa::path(get, path = "/store/checkout-config", tag = "Store checkout",
    security(("publishable_key" = [])),
    responses((status = 200, description = "How the channel is paid", body = CheckoutConfigResponse)))]
pub(super) async fn show_checkout_config(
    State(gateway): State<PaymentGateway>,
    shop: Shop,
    Query(query): Query<CheckoutConfigQuery>,
) -> Result<Json<CheckoutConfigResponse>, HttpError> {
    if let Some(channel) = query.sales_channel_id
        && !shop.sales_channel_ids.contains(&channel)
    {
        let message = format!("Sales channel with id: {channel} was not found");
        return Err(HttpError::not_found(message));
    }
    let (payment_provider_id, sandbox) = gateway.preferred();
    let card_processor_publishable_key = sandbox.then_some(SANDBOX_KEY);
    Ok(Json(CheckoutConfigResponse {
        payment_provider_id,
        card_processor_publishable_key,
        sandbox,
    }))
}
