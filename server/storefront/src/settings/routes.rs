//! `/admin/storefront-settings`, `/store/analytics/config`, `/store/custom` and `/store/checkout-config`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa_axum::router::OpenApiRouter;

use super::analytics::{Analytics, Provider};
use super::checkout::{Checkout, CheckoutConfigResponse};
use super::queries;
use super::setting::StorefrontSetting;
use crate::AppState;
use crate::audit_log::EntityType;
use crate::auth::Shop;
use crate::caching::{self, Freshness};
use crate::clock::Timestamp;
use crate::database::{Db, Table as _, Tx};
use crate::error::{ContentError, must_exist, with_message};
use crate::http::{HttpError, Json, Query, ToSchema, request};
use crate::ids::SalesChannelId;
use crate::payments::PaymentGateway;
use crate::resource::AdminRoutes;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<StorefrontSetting, _>::at("/admin/storefront-settings", "Admin storefront")
        .audited(EntityType::StorefrontSetting)
        .list()
        .create(CreateSettingRequest::create)
        .note("Everything in it is public, so what looks like a secret is refused.")
        .show()
        .update(UpdateSettingRequest::update)
        .delete(StorefrontSetting::remove)
        .router()
        .routes(routes!(show_analytics_config))
        .routes(routes!(show_custom_values))
        .routes(routes!(show_checkout_config))
}

/// The settings of a sales channel that has none yet.
#[request]
#[schema(example = json!({
    "sales_channel_id": "sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "analytics": { "provider": "quotient", "consent_required": true },
    "custom": { "notice": "Closed on Monday." },
}))]
struct CreateSettingRequest {
    sales_channel_id: SalesChannelId,
    /// Defaults to no analytics.
    analytics: Option<Analytics>,
    /// Defaults to the server's payment settings.
    checkout: Option<Checkout>,
    /// Public key-values; at most 16 KiB.
    #[schema(value_type = Option<Object>)]
    custom: Option<Map<String, Value>>,
}

impl CreateSettingRequest {
    fn create(self, tx: &Tx<'_>, _by: &str) -> Result<SalesChannelId, ContentError> {
        must_exist(tx, "sales_channel", "Sales channel", [&self.sales_channel_id], [])?;
        let setting = StorefrontSetting {
            id: self.sales_channel_id,
            analytics: self.analytics.unwrap_or_default(),
            checkout: self.checkout.unwrap_or_default(),
            custom: self.custom.unwrap_or_default(),
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        setting.check()?;
        let taken = || ContentError::Taken {
            what: "the setting of the sales channel",
            value: setting.id.to_string(),
        };
        setting.insert(tx).map_err(|error| error.or_taken(taken))?;
        Ok(setting.id)
    }
}

/// The settings to replace.
#[request]
#[schema(example = json!({ "custom": {} }))]
struct UpdateSettingRequest {
    analytics: Option<Analytics>,
    checkout: Option<Checkout>,
    /// Replaces all key-values.
    #[schema(value_type = Option<Object>)]
    custom: Option<Map<String, Value>>,
}

impl UpdateSettingRequest {
    fn update(self, tx: &Tx<'_>, id: &SalesChannelId) -> Result<(), ContentError> {
        let mut setting = StorefrontSetting::require::<ContentError>(tx, id)?;
        crate::assign!(self => setting: analytics, checkout, custom);
        setting.check()?;
        Ok(setting.update(tx)?)
    }
}

/// Which program counts visits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "provider": "quotient", "config": { "endpoint": "/store/tracking/events", "consent_required": true },
}))]
struct AnalyticsConfigResponse {
    provider: Provider,
    /// Empty for `none`; `endpoint` and `consent_required` for `quotient`; `id`, `host` and `consent_required` for the
    /// others.
    #[schema(value_type = Object)]
    config: Value,
}

/// The key-values of a sales channel.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "custom": { "notice": "Closed on Monday." } }))]
struct CustomValuesResponse {
    #[schema(value_type = Object)]
    custom: Map<String, Value>,
}

/// Returns the setting of the first of these channels that has one, and when it was read.
async fn setting(
    db: &Db,
    channels: Vec<SalesChannelId>,
) -> Result<(Option<StorefrontSetting>, Timestamp), ContentError> {
    db.read(move |tx| Ok((queries::of_channels(tx, &channels)?, tx.now()))).await
}

/// Show the analytics of the storefront
///
/// Only public values. For a key with several sales channels, the first one, by id, that has
/// settings.
#[crate::http::operation(get, path = "/store/analytics/config", tag = "Store content",
    responses((status = 200, description = "The provider", body = AnalyticsConfigResponse)),
    security(("publishable_key" = [])))]
async fn show_analytics_config(
    shop: Shop,
    State(db): State<Db>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let found = setting(&db, shop.sales_channel_ids).await;
    let (setting, now) = found.map_err(|error| with_message(error.into()))?;
    let analytics = setting.map(|setting| setting.analytics).unwrap_or_default();
    let response =
        AnalyticsConfigResponse { provider: analytics.provider, config: analytics.config() };
    caching::answer(&headers, Freshness::of_settings(now), &response)
}

/// Show the merchant's own values
///
/// Key-values such as notices and switches, which an admin sets for the sales channel.
#[crate::http::operation(get, path = "/store/custom", tag = "Store content",
    responses((status = 200, description = "The values", body = CustomValuesResponse)),
    security(("publishable_key" = [])))]
async fn show_custom_values(
    shop: Shop,
    State(db): State<Db>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let (setting, now) = setting(&db, shop.sales_channel_ids).await?;
    let custom = setting.map(|setting| setting.custom).unwrap_or_default();
    caching::answer(&headers, Freshness::of_settings(now), &CustomValuesResponse { custom })
}

/// The query of the configuration.
#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct CheckoutConfigQuery {
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
async fn show_checkout_config(
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
    let (setting, _now) = setting(&db, channels).await?;
    let checkout = setting.map(|setting| setting.checkout);
    Ok(Json(CheckoutConfigResponse::of(checkout, &gateway)))
}
