//! `/store/checkout-config`: what the storefronts of a sales channel pay with.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::analytics::check_short;
use super::queries;
use crate::auth::Shop;
use crate::database::Db;
use crate::error::ContentError;
use crate::http::{HttpError, Json, Query, Refusal};
use crate::ids::SalesChannelId;
use crate::payments::{PaymentGateway, sandbox};

/// The publishable key of the sandbox in this process. It grants nothing, because there is no external service.
const SANDBOX_KEY: &str = "pk_sandbox";

/// What the storefronts of a sales channel pay with.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StorefrontCheckout, example = json!({
    "payment_provider_id": "pp_stripe", "card_processor_publishable_key": "pk_test_1",
}))]
pub(super) struct Checkout {
    /// The provider to start payments with; the server's own if absent.
    payment_provider_id: Option<String>,
    /// The publishable key of the provider's sandbox; absent if payments move real money.
    card_processor_publishable_key: Option<String>,
}

impl Checkout {
    /// Checks the values.
    ///
    /// # Errors
    /// A refusal of what is no id of a provider, and of a key that is not publishable or not of a sandbox.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        for (field, text, prefix) in [
            ("payment_provider_id", &self.payment_provider_id, "pp_"),
            ("card_processor_publishable_key", &self.card_processor_publishable_key, "pk_"),
        ] {
            let Some(text) = text else { continue };
            check_short(text)?;
            if !text.starts_with(prefix) {
                let message = format!("`checkout.{field}` must begin with `{prefix}`");
                return Err(Refusal::invalid(message));
            }
            if text.starts_with("pk_live_") {
                let message =
                    format!("`checkout.{field}` is of a sandbox: storefronts have the live key");
                return Err(Refusal::invalid(message));
            }
        }
        Ok(())
    }

    /// Returns whether this server has the provider.
    fn is_offered(&self, gateway: &PaymentGateway) -> bool {
        let id = self.payment_provider_id.as_deref();
        id.is_none_or(|id| gateway.provider_ids().any(|offered| offered == id))
    }
}

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
    payment_provider_id: String,
    /// The publishable key for the card form of the provider's sandbox; null if payments move real money.
    card_processor_publishable_key: Option<String>,
    /// Whether payments move no real money.
    sandbox: bool,
}

/// Returns the payment provider of a sales channel and the provider's publishable key, as `/admin/storefront-settings` has
/// them for the channel; otherwise those of the server. Without a sandbox that is the live provider, and the key is null.
#[utoipa::path(get, path = "/store/checkout-config", tag = "Store checkout", params(CheckoutConfigQuery),
    security(("publishable_key" = [])),
    responses((status = 200, description = "The payment settings", body = CheckoutConfigResponse),
              (status = 400, description = "The key has several channels, and none is named",
                  body = crate::http::ErrorBody),
              (status = 404, description = "The key has no such channel", body = crate::http::ErrorBody)))]
pub(super) async fn show_checkout_config(
    State(gateway): State<PaymentGateway>,
    State(db): State<Db>,
    shop: Shop,
    Query(query): Query<CheckoutConfigQuery>,
) -> Result<Json<CheckoutConfigResponse>, HttpError> {
    let channels = match query.sales_channel_id {
        Some(channel) if shop.sales_channel_ids.contains(&channel) => vec![channel],
        Some(channel) => {
            let message = format!("Sales channel with id: {channel} was not found");
            return Err(HttpError::not_found(message));
        }
        None if shop.sales_channel_ids.len() > 1 => {
            let message = "`sales_channel_id` is required: the key has several sales channels";
            return Err(HttpError::invalid_data(message));
        }
        None => shop.sales_channel_ids,
    };
    let setting =
        db.read::<_, ContentError>(move |tx| Ok(queries::of_channels(tx, &channels)?)).await?;
    // A key belongs to its provider: one that is gone takes it away.
    let checkout = setting.map(|setting| setting.checkout);
    let checkout = checkout.filter(|checkout| checkout.is_offered(&gateway)).unwrap_or_default();
    let id = checkout.payment_provider_id.unwrap_or_else(|| gateway.preferred().to_owned());
    let key = checkout.card_processor_publishable_key;
    let key = key.or_else(|| (id == sandbox::ID).then(|| SANDBOX_KEY.to_owned()));
    Ok(Json(CheckoutConfigResponse {
        payment_provider_id: id,
        sandbox: key.is_some(),
        card_processor_publishable_key: key,
    }))
}
