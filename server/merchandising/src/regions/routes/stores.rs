//! `/admin/stores`.

use std::collections::BTreeSet;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::shape::AdminStores;
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Patch, Path, Text};
use crate::ids::{RegionId, SalesChannelId, StockLocationId, StoreId};
use crate::metadata::MetadataPatch;
use crate::money::Currency;
use crate::regions::{self, RegionError, Store, StoreChange, queries};

/// The store.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct StoreResponse {
    /// The store.
    store: Store,
}

/// The stores, of which there is one.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct StoreListResponse {
    /// The page.
    stores: Vec<Store>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// Lists the stores, of which there is one.
#[utoipa::path(get, path = "/admin/stores", tag = "Admin store", params(ListRequest<AdminStores>),
    responses((status = 200, description = "A page", body = StoreListResponse)))]
pub(super) async fn list_stores(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminStores>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (stores, count) = db
        .read(move |tx| {
            let (ids, count) = queries::settings::page(tx, &query)?;
            let store = if ids.is_empty() { None } else { regions::store(tx)? };
            Ok::<_, RegionError>((store, count))
        })
        .await?;
    list.answer(&Vec::from_iter(stores), count)
}

/// Shows the store.
#[utoipa::path(get, path = "/admin/stores/{id}", tag = "Admin store",
    params(("id" = StoreId, Path), Fields<AdminStores>),
    responses((status = 200, description = "The store", body = StoreResponse)))]
pub(super) async fn show_store(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<StoreId>,
    fields: Fields<AdminStores>,
) -> Result<Answer, HttpError> {
    let store = db.read(move |tx| find(tx, &id)).await?;
    fields.selection.answer("store", &store)
}

/// What changes of the store; what is not sent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Greenwich Gifts",
    "supported_currencies": [{ "currency_code": "gbp", "is_default": true }] }))]
pub(super) struct UpdateStoreRequest {
    name: Option<Text<255>>,
    /// All of its currencies afterwards, exactly one of them the default.
    #[schema(min_items = 1, max_items = 200)]
    supported_currencies: Option<Vec<SupportedCurrencyRequest>>,
    #[serde(default)]
    #[schema(value_type = Option<SalesChannelId>)]
    default_sales_channel_id: Patch<SalesChannelId>,
    #[serde(default)]
    #[schema(value_type = Option<RegionId>)]
    default_region_id: Patch<RegionId>,
    #[serde(default)]
    #[schema(value_type = Option<StockLocationId>)]
    default_location_id: Patch<StockLocationId>,
    /// An IANA name.
    #[schema(example = "Europe/London")]
    time_zone: Option<Text<64>>,
    metadata: Option<MetadataPatch>,
}

/// A currency that the store can be paid in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SupportedCurrencyRequest {
    currency_code: Currency,
    #[serde(default)]
    is_default: bool,
    /// Whether prices in it include tax.
    #[serde(default)]
    is_tax_inclusive: bool,
}

/// Changes the store.
#[utoipa::path(post, path = "/admin/stores/{id}", tag = "Admin store",
    params(("id" = StoreId, Path), Fields<AdminStores>), request_body = UpdateStoreRequest,
    responses((status = 200, description = "The store", body = StoreResponse)))]
pub(super) async fn update_store(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<StoreId>,
    fields: Fields<AdminStores>,
    Json(request): Json<UpdateStoreRequest>,
) -> Result<Answer, HttpError> {
    let store = db
        .write(move |tx| {
            let before = find(tx, &id)?;
            regions::change_store(tx, request.into_change(&before)?)
        })
        .await?;
    fields.selection.answer("store", &store)
}

impl UpdateStoreRequest {
    fn into_change(self, before: &Store) -> Result<StoreChange, RegionError> {
        let metadata = self.metadata.map(|sent| sent.merge(&before.metadata)).transpose()?;
        Ok(StoreChange {
            name: self.name.map(String::from),
            currencies: self.supported_currencies.map(currencies).transpose()?,
            default_sales_channel_id: self.default_sales_channel_id.sent(),
            default_region_id: self.default_region_id.sent(),
            default_location_id: self.default_location_id.sent(),
            time_zone: self.time_zone.map(String::from),
            metadata,
        })
    }
}

/// The currencies with the default one first.
fn currencies(
    mut sent: Vec<SupportedCurrencyRequest>,
) -> Result<Vec<(Currency, bool)>, RegionError> {
    if sent.iter().filter(|currency| currency.is_default).count() != 1 {
        let sentence = "exactly one of supported_currencies is the default".to_owned();
        return Err(RegionError::Invalid(sentence));
    }
    sent.sort_by_key(|currency| (!currency.is_default, currency.currency_code));
    let codes: BTreeSet<Currency> = sent.iter().map(|currency| currency.currency_code).collect();
    if codes.len() != sent.len() {
        let sentence = "supported_currencies has a currency twice".to_owned();
        return Err(RegionError::Invalid(sentence));
    }
    Ok(sent
        .into_iter()
        .map(|currency| (currency.currency_code, currency.is_tax_inclusive))
        .collect())
}

fn find(tx: &Tx<'_>, id: &StoreId) -> Result<Store, RegionError> {
    let store = regions::store(tx)?.filter(|store| store.id == *id);
    store.ok_or_else(|| RegionError::not_found("Store", id))
}
