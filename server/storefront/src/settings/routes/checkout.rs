//! `/store/checkout-config`.

use axum::extract::State;
use serde::Deserialize;

use crate::auth::Shop;
use crate::database::Db;
use crate::error::ContentError;
use crate::http::{HttpError, Json, Query};
use crate::ids::SalesChannelId;
use crate::payments::PaymentGateway;
use crate::settings::checkout::CheckoutConfigResponse;
use crate::settings::queries;

/// The query of the configuration.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct CheckoutConfigQuery {
    /// The sales channel; defaults to the key's own, if it has one.
    sales_channel_id: Option<SalesChannelId>,
}

/// Returns the payment provider of a sales channel and the provider's publishable key, as set for the channel under
/// `/admin/storefront-settings`, otherwise the server's. Without a sandbox, the provider is the live one and the key is
/// null.
#[crate::http::operation(get, path = "/store/checkout-config", tag = "Store checkout", params(CheckoutConfigQuery),
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
    let checkout = setting.map(|setting| setting.checkout);
    Ok(Json(CheckoutConfigResponse::of(checkout, &gateway)))
}
