//! Price lists: `/admin/price-lists`.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::requests::conditions;
use crate::auth::AdminWriter;
use crate::clock::Timestamp;
use crate::database::{Db, Table, Tx};
use crate::http::{HttpError, Json, Patch, Path, Resource, Selection, Text, ToSchema, request};
use crate::ids::{PriceId, PriceListId, VariantId};
use crate::metadata::MetadataPatch;
use crate::money::{Currency, Major};
use crate::openapi::identified;
use crate::pricing::choice::ListKind;
use crate::pricing::list::{self, ListPrice, ListStatus, PriceList};
use crate::pricing::{NewPrice, PricingError};
use crate::resource::{AdminRoutes, View};
use crate::state::AppState;

pub(super) fn admin() -> OpenApiRouter<AppState> {
    AdminRoutes::<PriceList, _>::at("/admin/price-lists", "Admin price lists")
        .list()
        .create(CreatePriceListRequest::create)
        .show()
        .update(UpdatePriceListRequest::update)
        .delete(PriceList::remove)
        .note("Its prices apply no more.")
        .router()
        .routes(routes!(batch_list_prices))
}

/// A price of a list.
#[request]
#[schema(example = json!({ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "currency_code": "usd", "amount": 9.99 }))]
struct ListPriceRequest {
    /// The price to change, in an update.
    id: Option<PriceId>,
    variant_id: VariantId,
    currency_code: Currency,
    /// In major units.
    amount: Major,
    #[schema(minimum = 1)]
    min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    #[schema(minimum = 1)]
    max_quantity: Option<i64>,
    /// The required value by attribute: `region_id`.
    rules: Option<BTreeMap<Text, Text>>,
}

impl ListPriceRequest {
    fn into_new(self) -> Result<(VariantId, NewPrice), PricingError> {
        let price = NewPrice {
            id: self.id,
            currency: self.currency_code,
            amount_minor: self.amount.minor(self.currency_code)?,
            min_quantity: self.min_quantity,
            max_quantity: self.max_quantity,
            title: None,
            conditions: conditions(self.rules),
        };
        Ok((self.variant_id, price))
    }
}

/// A new price list.
#[request]
#[schema(example = json!({ "title": "Summer sale", "description": "Shirts", "status": "active", "type": "sale" }))]
struct CreatePriceListRequest {
    title: Text,
    description: Option<Text<2000>>,
    /// Defaults to `draft`.
    status: Option<ListStatus>,
    /// Defaults to `sale`.
    #[serde(rename = "type")]
    kind: Option<ListKind>,
    /// The start of its validity.
    starts_at: Option<Timestamp>,
    /// The end of its validity, exclusive.
    ends_at: Option<Timestamp>,
    /// The matching values by attribute: `customer.groups.id`, `region_id`.
    rules: Option<BTreeMap<Text, Vec<Text>>>,
    #[serde(default)]
    prices: Vec<ListPriceRequest>,
    metadata: Option<MetadataPatch>,
}

/// The fields of a price list to change.
#[request]
#[schema(example = json!({ "status": "active" }))]
struct UpdatePriceListRequest {
    title: Option<Text>,
    description: Option<Text<2000>>,
    status: Option<ListStatus>,
    /// Whether it is a sale or an override.
    #[serde(rename = "type")]
    kind: Option<ListKind>,
    /// The start of its validity.
    starts_at: Patch<Timestamp>,
    /// The end of its validity, exclusive.
    ends_at: Patch<Timestamp>,
    /// All rules.
    rules: Option<BTreeMap<Text, Vec<Text>>>,
    /// Keys to merge; null removes a key.
    metadata: Patch<MetadataPatch>,
}

fn rules(sent: Option<BTreeMap<Text, Vec<Text>>>) -> Option<BTreeMap<String, Vec<String>>> {
    let plain = |values: Vec<Text>| values.into_iter().map(String::from).collect();
    sent.map(|all| all.into_iter().map(|(name, values)| (name.into(), plain(values))).collect())
}

impl CreatePriceListRequest {
    fn create(self, tx: &Tx<'_>, _actor: &str) -> Result<PriceListId, PricingError> {
        let mut new = Vec::with_capacity(self.prices.len());
        for sent in self.prices {
            let (variant_id, price) = sent.into_new()?;
            new.push((variant_id, NewPrice { id: None, ..price }));
        }
        let list = PriceList {
            id: PriceListId::new(),
            title: self.title.into(),
            description: self.description.map(String::from).unwrap_or_default(),
            status: self.status.unwrap_or(ListStatus::Draft),
            kind: self.kind.unwrap_or(ListKind::Sale),
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            rules: BTreeMap::new(),
            metadata: self.metadata.unwrap_or_default().create()?,
            created_at: tx.now(),
            updated_at: tx.now(),
            deleted_at: None,
            prices: Vec::new(),
        };
        list::put(tx, &list, rules(self.rules))?;
        list::replace_prices(tx, &list.id, &BTreeSet::new(), &new)?;
        Ok(list.id)
    }
}

impl UpdatePriceListRequest {
    fn update(self, tx: &Tx<'_>, id: &PriceListId) -> Result<(), PricingError> {
        let mut list = PriceList::require::<PricingError>(tx, id)?;
        crate::assign!(self => list: title, description, status, kind, starts_at, ends_at);
        list.metadata.merge(self.metadata.sent().flatten())?;
        list::put(tx, &list, rules(self.rules))
    }
}

/// Prices of a list to create, to change and to delete, all or none.
#[request]
struct ListPriceBatchRequest {
    #[serde(default)]
    create: Vec<ListPriceRequest>,
    /// Prices to replace, each with its id. No id may occur twice, or in `delete` as well.
    #[serde(default)]
    #[schema(schema_with = identified::<ListPriceRequest, PriceId>)]
    update: Vec<ListPriceRequest>,
    #[serde(default)]
    delete: Vec<PriceId>,
}

/// The result of a batch of prices.
#[derive(Debug, Serialize, ToSchema)]
struct ListPriceBatchResponse {
    created: Vec<ListPrice>,
    updated: Vec<ListPrice>,
    deleted: DeletedPrices,
}

/// Deleted prices.
#[derive(Debug, Serialize, ToSchema)]
struct DeletedPrices {
    ids: Vec<PriceId>,
    /// Always `price`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Create, change and delete prices of a list
///
/// All or none.
#[crate::http::operation(post, path = "/admin/price-lists/{id}/prices/batch", tag = "Admin price lists",
    params(("id" = PriceListId, Path, description = "The price list")),
    request_body = ListPriceBatchRequest,
    responses((status = 200, description = "The result", body = ListPriceBatchResponse)))]
async fn batch_list_prices(
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
    let mut changed = Vec::with_capacity(update.len());
    for sent in update {
        let (variant_id, price) = sent.into_new()?;
        let missing = || HttpError::field_required("update[].id");
        changed.push(price.id.clone().ok_or_else(missing)?);
        new.push((variant_id, price));
    }
    let replaced = list::named_once(&[changed.as_slice(), &delete].concat())?;
    let touched: BTreeSet<PriceId> = new.iter().filter_map(|(_, price)| price.id.clone()).collect();
    let found = db
        .write(move |tx| {
            PriceList::require::<PricingError>(tx, &id)?;
            list::replace_prices(tx, &id, &replaced, &new)?;
            PriceList::show(tx, &id, &Selection::of_defaults(PriceList::SHAPE))
        })
        .await?;
    let touched = found.prices.into_iter().filter(|price| touched.contains(&price.id));
    let (updated, created) = touched.partition(|price| changed.contains(&price.id));
    let deleted = DeletedPrices { ids: delete, object: "price", deleted: true };
    Ok(Json(ListPriceBatchResponse { created, updated, deleted }))
}
