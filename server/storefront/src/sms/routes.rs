//! `/store/sms-marketing` and `/admin/sms-consents`.

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

use super::consent::SmsConsent;
use super::error::SmsError;
use super::opt_in::{self, Begun, SmsOptInRequest};
use super::phone::Phone;
use super::provider::ProviderError;
use super::sync;
use crate::admission::Quota;
use crate::auth::Shop;
use crate::http::{HttpError, Json, Text, ToSchema, request};
use crate::middleware::Client;
use crate::resource::AdminRoutes;
use crate::state::VisitorState;

/// Limit: numbers per address.
const ADDRESS: Quota = Quota { what: "sms address", per_hour: 10, per_day: None };

/// Limit: numbers per cart.
const CART: Quota = Quota { what: "sms cart", per_hour: 5, per_day: None };

/// Limit: codes per address.
const CODES: Quota = Quota { what: "sms code", per_hour: 10, per_day: None };

/// The store and admin routes of consents to text messages.
pub fn router() -> OpenApiRouter<VisitorState> {
    AdminRoutes::<SmsConsent, _>::at("/admin/sms-consents", "Admin text messages")
        .list()
        .show()
        .update_part_by(
            "/withdraw",
            "withdraw_sms_consent",
            "Withdraw a consent to text messages",
            |WithdrawConsentRequest {}, tx, id, by| sync::withdraw(tx, id, by),
        )
        .note(
            "The provider is told, and the number gets no more messages. A later consent is another one.",
        )
        .router()
        .routes(routes!(opt_in_to_sms_marketing))
        .routes(routes!(confirm_sms_marketing))
}

/// Nothing.
#[request]
struct WithdrawConsentRequest {}

/// The result of an opt-in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(example = json!({ "success": true, "syncedPhone": "+4915112345678", "isNew": true }))]
enum SmsOptInResponse {
    /// Nothing had to be done.
    Skipped {
        /// Always true.
        success: bool,
        /// Always true.
        skipped: bool,
        message: &'static str,
    },
    /// Reported to the provider.
    #[serde(rename_all = "camelCase")]
    Synced {
        /// Always true.
        success: bool,
        synced_phone: Phone,
        /// Whether this cart and this customer had not agreed before. It says nothing about the number.
        is_new: bool,
    },
    /// The provider does not accept the number.
    Refused {
        /// Always false.
        success: bool,
        error: String,
    },
}

/// The request is invalid.
#[derive(Debug, Serialize, ToSchema)]
struct SmsRequestError {
    error: String,
}

/// The provider did not respond.
#[derive(Debug, Serialize, ToSchema)]
struct SmsProviderError {
    /// Always false.
    success: bool,
    error: String,
}

/// The code from the second message.
#[request]
#[schema(example = json!({ "phone": "+4915112345678", "code": "012345" }))]
struct SmsConfirmRequest {
    /// With its country code.
    phone: Text<40>,
    code: Text<12>,
}

/// The number is confirmed.
#[derive(Debug, Serialize, ToSchema)]
struct SmsConfirmedResponse {
    /// Always true.
    success: bool,
}

/// Opt in to text messages
///
/// The only place where a checkout reports a shopper to the SMS provider; with `syncedPhone`, the client can avoid doing
/// it twice. The consent is stored with its text before the provider is called. Unless the store is configured otherwise,
/// a code is sent to the number, which receives messages only once it is confirmed. At most 5 an hour per cart and 10 per
/// address; a number is messaged at most three times a day.
#[crate::http::operation(post, path = "/store/sms-marketing/opt-in", tag = "Store text messages", request_body = SmsOptInRequest,
    responses((status = 200, description = "What has become of it", body = SmsOptInResponse),
              (status = 400, description = "The request is wrong", body = SmsRequestError),
              (status = 500, description = "The provider did not answer; it is asked again", body = SmsProviderError)),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])))]
async fn opt_in_to_sms_marketing(
    shop: Shop,
    Extension(client): Extension<Client>,
    State(VisitorState { shared, admission, sms, .. }): State<VisitorState>,
    request: Result<Json<SmsOptInRequest>, HttpError>,
) -> Result<Json<SmsOptInResponse>, HttpError> {
    let Json(request) = request.map_err(in_own_shape)?;
    if !request.consent {
        return Ok(skipped("The shopper does not agree"));
    }
    let Some(register) = sms.register() else {
        return Ok(skipped("The store sends no text messages"));
    };
    admission.admit(ADDRESS, &client.address.to_string())?;
    if let Some(cart_id) = &request.cart_id {
        admission.admit(CART, cart_id.as_str())?;
    }
    let db = &shared.db;
    let begun = db.write(move |tx| opt_in::begin(tx, &shop, request, &register)).await;
    let begun = begun.map_err(|error: SmsError| in_own_shape(error.into()))?;
    let Some(Begun { id, phone, is_new, is_quiet }) = begun else {
        return Ok(skipped("The provider knows the number"));
    };
    let synced = || SmsOptInResponse::Synced { success: true, synced_phone: phone.clone(), is_new };
    if is_quiet {
        return Ok(Json(synced()));
    }
    let result = sync::advance(db, &sms, &id).await;
    match result.map_err(|error| in_own_shape(error.into()))? {
        Ok(()) => Ok(Json(synced())),
        Err(ProviderError::Refused(error)) => {
            Ok(Json(SmsOptInResponse::Refused { success: false, error }))
        }
        Err(ProviderError::Silent) => {
            let scheduled = db.write(move |tx| sync::later(tx, &id, sync::PAUSE_MS)).await;
            scheduled.map_err(|error| in_own_shape(error.into()))?;
            let body = broken("The provider does not answer");
            Err(HttpError::shaped(StatusCode::INTERNAL_SERVER_ERROR, body))
        }
    }
}

fn skipped(message: &'static str) -> Json<SmsOptInResponse> {
    Json(SmsOptInResponse::Skipped { success: true, skipped: true, message })
}

/// Confirm a number for text messages
///
/// With the code from the second message, within a day. A wrong code and an unknown number get the same response. At
/// most 10 an hour per address, and 5 per consent.
#[crate::http::operation(post, path = "/store/sms-marketing/confirm", tag = "Store text messages", request_body = SmsConfirmRequest,
    responses((status = 200, description = "Confirmed", body = SmsConfirmedResponse),
              (status = 400, description = "The code is wrong", body = SmsRequestError)),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])))]
async fn confirm_sms_marketing(
    _shop: Shop,
    Extension(client): Extension<Client>,
    State(VisitorState { shared, admission, .. }): State<VisitorState>,
    request: Result<Json<SmsConfirmRequest>, HttpError>,
) -> Result<Json<SmsConfirmedResponse>, HttpError> {
    let Json(request) = request.map_err(in_own_shape)?;
    admission.admit(CODES, &client.address.to_string())?;
    let phone = Phone::read(request.phone.as_str(), None)
        .map_err(|error| in_own_shape(SmsError::from(error).into()))?;
    let confirmed =
        shared.db.write(move |tx| opt_in::confirm(tx, &phone, request.code.as_str())).await?;
    if !confirmed {
        return Err(in_own_shape(SmsError::WrongCode.into()));
    }
    Ok(Json(SmsConfirmedResponse { success: true }))
}

/// Converts a 400 and a 500 to the bodies of the opt-in; other errors stay unchanged.
fn in_own_shape(error: HttpError) -> HttpError {
    error
        .with_error_body(&[StatusCode::BAD_REQUEST])
        .reshaped(&[StatusCode::INTERNAL_SERVER_ERROR], |error| broken(error.message()))
}

fn broken(error: &str) -> Value {
    json!({ "success": false, "error": error })
}
