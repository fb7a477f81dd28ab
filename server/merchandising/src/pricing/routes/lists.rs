//! Price lists: `/admin/price-lists`.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::requests::PriceRequest;
use super::shape::PriceLists;
use super::views::{ListPriceView, PriceListView};
use crate::auth::{AdminReader, AdminWriter};
use crate::clock::Timestamp;
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Patch, Path, Text};
use crate::ids::{PriceId, PriceListId, VariantId};
use crate::metadata::MetadataPatch;
use crate::openapi::identified;
use crate::pricing::list::{self, ListChange};
use crate::pricing::queries::lists as queries;
use crate::pricing::{NewPrice, PricingError};

/// Whether a price list counts.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::pricing) enum ListStatus {
    /// Not yet.
    Draft,
    /// Between its two instants.
    Active,
}

impl ListStatus {
    fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
        }
    }
}

/// What a price list does to prices.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::pricing) enum ListType {
    /// Lowers them; the ordinary price stays the original one.
    Sale,
    /// Takes their place.
    Override,
}

impl ListType {
    fn word(self) -> &'static str {
        match self {
            Self::Sale => "sale",
            Self::Override => "override",
        }
    }
}

/// A price list.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::pricing) struct PriceListResponse {
    /// The price list.
    price_list: PriceListView,
}

/// A page of price lists.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::pricing) struct PriceListListResponse {
    /// The price lists of the page.
    price_lists: Vec<PriceListView>,
    /// How many there are on all pages.
    count: u64,
    /// Price lists before the page.
    offset: u32,
    /// Price lists on the page at most.
    limit: u32,
}

/// That something is gone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeletedResponse)]
pub(in crate::pricing) struct DeletedResponse {
    /// What it was.
    id: String,
    /// Its kind.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

impl DeletedResponse {
    /// That the thing of this kind is gone.
    pub(super) fn of(object: &'static str, id: &impl ToString) -> Self {
        Self { id: id.to_string(), object, deleted: true }
    }
}

/// A price of a list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "currency_code": "usd", "amount": 9.99 }))]
pub(in crate::pricing) struct ListPriceRequest {
    /// The price to change, where prices are changed.
    id: Option<PriceId>,
    /// The variant.
    variant_id: VariantId,
    /// Its currency.
    currency_code: crate::money::Currency,
    /// In major units.
    amount: crate::money::Major,
    /// From this quantity on.
    #[schema(minimum = 1)]
    min_quantity: Option<i64>,
    /// Up to this quantity, included.
    #[schema(minimum = 1)]
    max_quantity: Option<i64>,
    /// What must be so, by attribute: `region_id`.
    rules: Option<BTreeMap<Text, Text>>,
}

impl ListPriceRequest {
    fn into_new(self) -> Result<(VariantId, NewPrice), PricingError> {
        let Self { id, variant_id, currency_code, amount, min_quantity, max_quantity, rules } =
            self;
        let sent = PriceRequest::new(currency_code, amount, (min_quantity, max_quantity), rules);
        Ok((variant_id, NewPrice { id, ..sent.into_new()? }))
    }
}

/// A new price list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "title": "Summer sale", "description": "Shirts", "status": "active", "type": "sale" }))]
pub(in crate::pricing) struct CreatePriceListRequest {
    /// Its title.
    title: Text,
    /// What it is for.
    description: Option<Text<2000>>,
    /// A draft unless said.
    status: Option<ListStatus>,
    /// A sale unless said.
    #[serde(rename = "type")]
    kind: Option<ListType>,
    /// From when on it counts.
    starts_at: Option<Timestamp>,
    /// Until when it counts, that instant excluded.
    ends_at: Option<Timestamp>,
    /// For whom, by attribute: `customer.groups.id`, `region_id`.
    rules: Option<BTreeMap<Text, Vec<Text>>>,
    /// Its prices.
    #[serde(default)]
    prices: Vec<ListPriceRequest>,
    /// The caller's own data.
    metadata: Option<MetadataPatch>,
}

/// What is to be set of a price list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "status": "active" }))]
pub(in crate::pricing) struct UpdatePriceListRequest {
    /// Its title.
    title: Option<Text>,
    /// What it is for.
    description: Option<Text<2000>>,
    /// Whether it counts.
    status: Option<ListStatus>,
    /// What it does to prices.
    #[serde(rename = "type")]
    kind: Option<ListType>,
    /// From when on it counts.
    #[serde(default)]
    starts_at: Patch<Timestamp>,
    /// Until when it counts, that instant excluded.
    #[serde(default)]
    ends_at: Patch<Timestamp>,
    /// For whom, all of it.
    rules: Option<BTreeMap<Text, Vec<Text>>>,
    /// The caller's own data: keys are merged, null removes one.
    #[serde(default)]
    metadata: Patch<MetadataPatch>,
}

fn rules(sent: Option<BTreeMap<Text, Vec<Text>>>) -> Option<BTreeMap<String, Vec<String>>> {
    let plain = |values: Vec<Text>| values.into_iter().map(String::from).collect();
    sent.map(|all| all.into_iter().map(|(name, values)| (name.into(), plain(values))).collect())
}

/// List price lists
#[utoipa::path(get, path = "/admin/price-lists", tag = "Admin price lists", params(ListRequest<PriceLists>),
    responses((status = 200, description = "A page", body = PriceListListResponse)))]
pub(in crate::pricing) async fn list_price_lists(
    State(db): State<Db>,
    _admin: AdminReader,
    list: ListRequest<PriceLists>,
) -> Result<Answer, HttpError> {
    let query = queries::existing(list.query.clone());
    let (rows, count) = db
        .read(move |tx| {
            let rows = list::load(tx, queries::page(tx, &query)?)?;
            let count = query.count(tx)?;
            Ok::<_, PricingError>((rows, count))
        })
        .await?;
    let rows: Vec<PriceListView> = rows.into_iter().map(PriceListView::from).collect();
    list.answer(&rows, count)
}

/// Create a price list
#[utoipa::path(post, path = "/admin/price-lists", tag = "Admin price lists", params(Fields<PriceLists>),
    request_body = CreatePriceListRequest,
    responses((status = 200, description = "The price list", body = PriceListResponse)))]
pub(in crate::pricing) async fn create_price_list(
    State(db): State<Db>,
    _admin: AdminWriter,
    fields: Fields<PriceLists>,
    Json(request): Json<CreatePriceListRequest>,
) -> Result<Answer, HttpError> {
    let mut new = Vec::with_capacity(request.prices.len());
    for sent in request.prices {
        let (variant_id, price) = sent.into_new()?;
        new.push((variant_id, NewPrice { id: None, ..price }));
    }
    let change = ListChange {
        title: Some(request.title.into()),
        description: request.description.map(String::from),
        status: request.status.map(ListStatus::word),
        kind: request.kind.map(ListType::word),
        starts_at: Some(request.starts_at),
        ends_at: Some(request.ends_at),
        rules: rules(request.rules),
        metadata: request.metadata.unwrap_or_default(),
    };
    let found = db
        .write(move |tx| {
            let id = list::create_list(tx, change, &new)?;
            one(tx, &id)
        })
        .await?;
    fields.selection.answer("price_list", &found)
}

/// Show a price list
#[utoipa::path(get, path = "/admin/price-lists/{id}", tag = "Admin price lists",
    params(("id" = PriceListId, Path, description = "The price list"), Fields<PriceLists>),
    responses((status = 200, description = "The price list", body = PriceListResponse)))]
pub(in crate::pricing) async fn show_price_list(
    State(db): State<Db>,
    _admin: AdminReader,
    Path(id): Path<PriceListId>,
    fields: Fields<PriceLists>,
) -> Result<Answer, HttpError> {
    let found = db.read(move |tx| one(tx, &id)).await?;
    fields.selection.answer("price_list", &found)
}

/// Change a price list
#[utoipa::path(post, path = "/admin/price-lists/{id}", tag = "Admin price lists",
    params(("id" = PriceListId, Path, description = "The price list"), Fields<PriceLists>),
    request_body = UpdatePriceListRequest,
    responses((status = 200, description = "The price list", body = PriceListResponse)))]
pub(in crate::pricing) async fn update_price_list(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<PriceListId>,
    fields: Fields<PriceLists>,
    Json(request): Json<UpdatePriceListRequest>,
) -> Result<Answer, HttpError> {
    let change = ListChange {
        title: request.title.map(String::from),
        description: request.description.map(String::from),
        status: request.status.map(ListStatus::word),
        kind: request.kind.map(ListType::word),
        starts_at: request.starts_at.sent(),
        ends_at: request.ends_at.sent(),
        rules: rules(request.rules),
        metadata: request.metadata.sent().flatten().unwrap_or_default(),
    };
    let found = db
        .write(move |tx| {
            list::update_list(tx, &id, change)?;
            one(tx, &id)
        })
        .await?;
    fields.selection.answer("price_list", &found)
}

/// Delete a price list
///
/// Its prices count no more.
#[utoipa::path(delete, path = "/admin/price-lists/{id}", tag = "Admin price lists",
    params(("id" = PriceListId, Path, description = "The price list")),
    responses((status = 200, description = "Deleted", body = DeletedResponse)))]
pub(in crate::pricing) async fn delete_price_list(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<PriceListId>,
) -> Result<Json<DeletedResponse>, HttpError> {
    let deleted = id.clone();
    db.write(move |tx| list::delete_list(tx, &id)).await?;
    Ok(Json(DeletedResponse::of("price_list", &deleted)))
}

/// Prices of a list to make, to change and to delete, all or none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::pricing) struct ListPriceBatchRequest {
    /// Prices to make.
    #[serde(default)]
    create: Vec<ListPriceRequest>,
    /// Prices to write anew, each with its id.
    #[serde(default)]
    #[schema(schema_with = identified::<ListPriceRequest, PriceId>)]
    update: Vec<ListPriceRequest>,
    /// Prices to delete.
    #[serde(default)]
    delete: Vec<PriceId>,
}

/// What a batch of prices has done.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::pricing) struct ListPriceBatchResponse {
    /// The prices that were made.
    created: Vec<ListPriceView>,
    /// The prices that were changed.
    updated: Vec<ListPriceView>,
    /// What was deleted.
    deleted: DeletedPrices,
}

/// Prices that were deleted.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::pricing) struct DeletedPrices {
    /// What they were.
    ids: Vec<PriceId>,
    /// `price`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Make, change and delete prices of a list
///
/// All of it or nothing.
#[utoipa::path(post, path = "/admin/price-lists/{id}/prices/batch", tag = "Admin price lists",
    params(("id" = PriceListId, Path, description = "The price list")),
    request_body = ListPriceBatchRequest,
    responses((status = 200, description = "What was done", body = ListPriceBatchResponse)))]
pub(in crate::pricing) async fn batch_list_prices(
    State(db): State<Db>,
    _admin: AdminWriter,
    Path(id): Path<PriceListId>,
    Json(request): Json<ListPriceBatchRequest>,
) -> Result<Json<ListPriceBatchResponse>, HttpError> {
    let ListPriceBatchRequest { create, update, delete } = request;
    let mut new = Vec::with_capacity(create.len().saturating_add(update.len()));
    for sent in create {
        let (variant_id, price) = sent.into_new()?;
        new.push((variant_id, NewPrice { id: Some(PriceId::new()), ..price }));
    }
    let mut changed = BTreeSet::new();
    for sent in update {
        let (variant_id, price) = sent.into_new()?;
        let missing =
            || HttpError::invalid_data("Invalid request: Field 'update[].id' is required");
        changed.insert(price.id.clone().ok_or_else(missing)?);
        new.push((variant_id, price));
    }
    let gone: BTreeSet<PriceId> = changed.iter().chain(&delete).cloned().collect();
    let touched: BTreeSet<PriceId> = new.iter().filter_map(|(_, price)| price.id.clone()).collect();
    let found = db
        .write(move |tx| {
            list::find_list(tx, &id)?;
            list::remove_prices(tx, &id, &gone)?;
            list::add_prices(tx, &id, &new)?;
            one(tx, &id)
        })
        .await?;
    let touched = found.prices.into_iter().filter(|price| touched.contains(&price.id));
    let (updated, created) = touched.partition(|price| changed.contains(&price.id));
    let deleted = DeletedPrices { ids: delete, object: "price", deleted: true };
    Ok(Json(ListPriceBatchResponse { created, updated, deleted }))
}

fn one(tx: &Tx<'_>, id: &PriceListId) -> Result<PriceListView, PricingError> {
    let row = list::find_list(tx, id)?;
    let loaded = list::load(tx, vec![row])?.pop();
    loaded.map(PriceListView::from).ok_or_else(|| PricingError::NoList(id.clone()))
}
