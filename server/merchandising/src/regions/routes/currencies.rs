//! `/store/currencies` and `/admin/currencies`.

use serde::Serialize;
use utoipa::ToSchema;

use super::shape::Currencies;
use crate::auth::{AdminReader, Shop};
use crate::http::{Answer, Fields, HttpError, ListRequest, Path};
use crate::money::Currency;
use crate::regions::{CurrencyView, currencies};

/// A currency.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CurrencyResponse {
    /// The currency.
    currency: CurrencyView,
}

/// A page of currencies.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CurrencyListResponse {
    /// The page.
    currencies: Vec<CurrencyView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// Lists the currencies of ISO 4217.
#[utoipa::path(get, path = "/store/currencies", tag = "Store regions", params(ListRequest<Currencies>),
    responses((status = 200, description = "A page", body = CurrencyListResponse)))]
pub(super) async fn list_store_currencies(
    _shop: Shop,
    list: ListRequest<Currencies>,
) -> Result<Answer, HttpError> {
    answer_list(&list)
}

/// Shows a currency.
#[utoipa::path(get, path = "/store/currencies/{code}", tag = "Store regions",
    params(("code" = Currency, Path), Fields<Currencies>),
    responses((status = 200, description = "The currency", body = CurrencyResponse)))]
pub(super) async fn show_store_currency(
    _shop: Shop,
    Path(code): Path<Currency>,
    fields: Fields<Currencies>,
) -> Result<Answer, HttpError> {
    fields.selection.answer("currency", &CurrencyView::from(code))
}

/// Lists the currencies of ISO 4217.
#[utoipa::path(get, path = "/admin/currencies", tag = "Admin store", params(ListRequest<Currencies>),
    responses((status = 200, description = "A page", body = CurrencyListResponse)))]
pub(super) async fn list_currencies(
    _admin: AdminReader,
    list: ListRequest<Currencies>,
) -> Result<Answer, HttpError> {
    answer_list(&list)
}

/// Shows a currency.
#[utoipa::path(get, path = "/admin/currencies/{code}", tag = "Admin store",
    params(("code" = Currency, Path), Fields<Currencies>),
    responses((status = 200, description = "The currency", body = CurrencyResponse)))]
pub(super) async fn show_currency(
    _admin: AdminReader,
    Path(code): Path<Currency>,
    fields: Fields<Currencies>,
) -> Result<Answer, HttpError> {
    fields.selection.answer("currency", &CurrencyView::from(code))
}

fn answer_list(list: &ListRequest<Currencies>) -> Result<Answer, HttpError> {
    let (page, count) = currencies::page(&list.query);
    list.answer(&page, count)
}
