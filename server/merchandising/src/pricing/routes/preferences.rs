//! Price preferences: `/admin/price-preferences`.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::lists::DeletedResponse;
use super::shape::PricePreferences;
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{self, Db};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Text};
use crate::ids::PricePreferenceId;
use crate::pricing::preference::{self, PricePreference};
use crate::pricing::queries::preferences as queries;

/// What a preference is about.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::pricing) enum PreferenceAttribute {
    /// Prices in a currency.
    CurrencyCode,
    /// Prices with a rule for a region.
    RegionId,
}

impl PreferenceAttribute {
    fn word(self) -> &'static str {
        match self {
            Self::CurrencyCode => "currency_code",
            Self::RegionId => "region_id",
        }
    }
}

/// A new price preference.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "attribute": "currency_code", "value": "eur", "is_tax_inclusive": true }))]
pub(in crate::pricing) struct CreatePreferenceRequest {
    /// What it is about.
    attribute: PreferenceAttribute,
    /// The currency or the region.
    value: Text,
    /// Whether tax is inside; false unless said.
    #[serde(default)]
    is_tax_inclusive: bool,
}

/// What is to be set of a price preference.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "is_tax_inclusive": true }))]
pub(in crate::pricing) struct UpdatePreferenceRequest {
    /// Whether tax is inside.
    is_tax_inclusive: Option<bool>,
}

/// A price preference.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::pricing) struct PricePreferenceResponse {
    /// The preference.
    price_preference: PricePreference,
}

/// A page of price preferences.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::pricing) struct PricePreferenceListResponse {
    /// The preferences of the page.
    price_preferences: Vec<PricePreference>,
    /// How many there are on all pages.
    count: u64,
    /// Preferences before the page.
    offset: u32,
    /// Preferences on the page at most.
    limit: u32,
}

/// List price preferences
#[utoipa::path(get, path = "/admin/price-preferences", tag = "Admin price lists", params(ListRequest<PricePreferences>),
    responses((status = 200, description = "A page", body = PricePreferenceListResponse)))]
pub(in crate::pricing) async fn list_price_preferences(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<PricePreferences>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (rows, count) = db
        .read::<_, database::Error>(move |tx| Ok((queries::page(tx, &query)?, query.count(tx)?)))
        .await?;
    list.answer(&rows, count)
}

/// Create a price preference
#[utoipa::path(post, path = "/admin/price-preferences", tag = "Admin price lists", params(Fields<PricePreferences>),
    request_body = CreatePreferenceRequest,
    responses((status = 200, description = "The preference", body = PricePreferenceResponse),
              (status = 422, description = "There is one for this value", body = crate::http::ErrorBody)))]
pub(in crate::pricing) async fn create_price_preference(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<PricePreferences>,
    Json(request): Json<CreatePreferenceRequest>,
) -> Result<Answer, HttpError> {
    let CreatePreferenceRequest { attribute, value, is_tax_inclusive } = request;
    let found = db
        .write(move |tx| {
            let attribute = attribute.word();
            preference::create_preference(tx, attribute, value.as_str(), is_tax_inclusive)
        })
        .await?;
    fields.selection.answer("price_preference", &found)
}

/// Show a price preference
#[utoipa::path(get, path = "/admin/price-preferences/{id}", tag = "Admin price lists",
    params(("id" = PricePreferenceId, Path, description = "The preference"), Fields<PricePreferences>),
    responses((status = 200, description = "The preference", body = PricePreferenceResponse)))]
pub(in crate::pricing) async fn show_price_preference(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<PricePreferenceId>,
    fields: Fields<PricePreferences>,
) -> Result<Answer, HttpError> {
    let found = db.read(move |tx| preference::find_preference(tx, &id)).await?;
    fields.selection.answer("price_preference", &found)
}

/// Change a price preference
#[utoipa::path(post, path = "/admin/price-preferences/{id}", tag = "Admin price lists",
    params(("id" = PricePreferenceId, Path, description = "The preference"), Fields<PricePreferences>),
    request_body = UpdatePreferenceRequest,
    responses((status = 200, description = "The preference", body = PricePreferenceResponse)))]
pub(in crate::pricing) async fn update_price_preference(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<PricePreferenceId>,
    fields: Fields<PricePreferences>,
    Json(request): Json<UpdatePreferenceRequest>,
) -> Result<Answer, HttpError> {
    let sent = request.is_tax_inclusive;
    let found = db.write(move |tx| preference::update_preference(tx, &id, sent)).await?;
    fields.selection.answer("price_preference", &found)
}

/// Delete a price preference
///
/// Tax is not inside then.
#[utoipa::path(delete, path = "/admin/price-preferences/{id}", tag = "Admin price lists",
    params(("id" = PricePreferenceId, Path, description = "The preference")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::pricing) async fn delete_price_preference(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<PricePreferenceId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| preference::delete_preference(tx, &id)).await?;
    Ok(Json(DeletedResponse::of("price_preference", &deleted)))
}
