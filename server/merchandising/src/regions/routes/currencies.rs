//! `/store/currencies` and `/admin/currencies`.

use crate::auth::{AdminReader, Shop};
use crate::http::{Answer, Fields, HttpError, ListRequest, One, Page, Path};
use crate::money::Currency;
use crate::regions::{CurrencyView, currencies};

type CurrencyResponse = One<CurrencyView>;
type CurrencyListResponse = Page<CurrencyView>;

/// Lists the currencies of ISO 4217.
#[crate::http::operation(get, path = "/store/currencies", tag = "Store regions", params(ListRequest<CurrencyView>),
    responses((status = 200, description = "A page", body = CurrencyListResponse)))]
pub(super) async fn list_store_currencies(
    _shop: Shop,
    list: ListRequest<CurrencyView>,
) -> Result<Answer, HttpError> {
    answer_list(&list)
}

/// Returns a currency.
#[crate::http::operation(get, path = "/store/currencies/{code}", tag = "Store regions",
    params(("code" = Currency, Path), Fields<CurrencyView>),
    responses((status = 200, description = "The currency", body = CurrencyResponse)))]
pub(super) async fn show_store_currency(
    _shop: Shop,
    Path(code): Path<Currency>,
    fields: Fields<CurrencyView>,
) -> Result<Answer, HttpError> {
    fields.answer(&CurrencyView::from(code))
}

/// Lists the currencies of ISO 4217.
#[crate::http::operation(get, path = "/admin/currencies", tag = "Admin store", params(ListRequest<CurrencyView>),
    responses((status = 200, description = "A page", body = CurrencyListResponse)))]
pub(super) async fn list_currencies(
    _admin: AdminReader,
    list: ListRequest<CurrencyView>,
) -> Result<Answer, HttpError> {
    answer_list(&list)
}

/// Returns a currency.
#[crate::http::operation(get, path = "/admin/currencies/{code}", tag = "Admin store",
    params(("code" = Currency, Path), Fields<CurrencyView>),
    responses((status = 200, description = "The currency", body = CurrencyResponse)))]
pub(super) async fn show_currency(
    _admin: AdminReader,
    Path(code): Path<Currency>,
    fields: Fields<CurrencyView>,
) -> Result<Answer, HttpError> {
    fields.answer(&CurrencyView::from(code))
}

fn answer_list(list: &ListRequest<CurrencyView>) -> Result<Answer, HttpError> {
    let (page, count) = currencies::page(&list.query);
    list.answer(&page, count)
}
