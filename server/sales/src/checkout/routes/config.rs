//! The checkout configuration of a storefront.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::Shop;
use crate::http::{HttpError, Json, Query};
use crate::ids::SalesChannelId;
use crate::payments::PaymentGateway;

/// The sandbox's publishable key for storefronts. It grants nothing, because the sandbox has no external service.
const SANDBOX_KEY: &str = "pk_sandbox";

/// The query of the configuration.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct CheckoutConfigQuery {
    /// The channel to sell in; defaults to the key's own, if it has one.
    sales_channel_id: Option<SalesChannelId>,
}

/// The payment settings of a channel.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "payment_provider_id": "pp_sandbox", "card_processor_publishable_key": "pk_sandbox", "sandbox": true,
}))]
pub(super) struct CheckoutConfigResponse {
    /// The provider to start payments with.
    payment_provider_id: &'static str,
    /// The publishable key for the provider's card form; null if it has none.
    card_processor_publishable_key: Option<&'static str>,
    /// Whether payments move no real money.
    sandbox: bool,
}

/// Returns the payment provider of a sales channel and the provider's publishable key. Without a sandbox that is the
/// live provider, and the key is null.
#[utoipa::path(get, path = "/store/checkout-config", tag = "Store checkout", params(CheckoutConfigQuery),
    security(("publishable_key" = [])),
    responses((status = 200, description = "The payment settings", body = CheckoutConfigResponse),
              (status = 400, description = "The key has several channels, and none is named",
                  body = crate::http::ErrorBody),
              (status = 404, description = "The key has no such channel", body = crate::http::ErrorBody)))]
pub(super) async fn show_checkout_config(
    State(gateway): State<PaymentGateway>,
    shop: Shop,
    Query(query): Query<CheckoutConfigQuery>,
) -> Result<Json<CheckoutConfigResponse>, HttpError> {
    match query.sales_channel_id {
        Some(channel) if !shop.sales_channel_ids.contains(&channel) => {
            let message = format!("Sales channel with id: {channel} was not found");
            return Err(HttpError::not_found(message));
        }
        None if shop.sales_channel_ids.len() > 1 => {
            let message = "`sales_channel_id` is required: the key has several sales channels";
            return Err(HttpError::invalid_data(message));
        }
        Some(_) | None => {}
    }
    let (payment_provider_id, sandbox) = gateway.preferred();
    let card_processor_publishable_key = sandbox.then_some(SANDBOX_KEY);
    Ok(Json(CheckoutConfigResponse {
        payment_provider_id,
        card_processor_publishable_key,
        sandbox,
    }))
}
