//! `/admin/partner-payouts`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::payout::{self, Payout, PayoutView};
use super::{file, queries};
use crate::auth::{AdminReader, AdminWriter};
use crate::clock::Timestamp;
use crate::database::{Db, Listable as _};
use crate::error::PartnerError;
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, One, OneRequest, Page, request};
use crate::ids::{PartnerId, PartnerPayoutId};
use crate::money::Currency;
use crate::resource::View as _;
use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_partner_payouts, create_partner_payout))
        .routes(routes!(show_partner_payout))
}

type PayoutResponse = One<PayoutView>;
type PayoutListResponse = Page<PayoutView>;

/// What to pay out.
#[request]
#[schema(example = json!({ "partner_id": "partner_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "currency_code": "eur" }))]
struct CreatePayoutRequest {
    partner_id: PartnerId,
    currency_code: Currency,
    /// Pays conversions decided up to this instant. Defaults to now.
    up_to: Option<Timestamp>,
}

fn wants_csv(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|kind| {
        let name = kind.split(';').next().unwrap_or_default();
        name.trim().eq_ignore_ascii_case("text/csv")
    })
}

fn csv(text: String) -> Response {
    ([(CONTENT_TYPE, "text/csv; charset=utf-8")], text).into_response()
}

/// List payouts
///
/// With `accept: text/csv`, the response is a CSV file.
#[crate::http::operation(get, path = "/admin/partner-payouts", tag = "Admin partners", params(ListRequest<PayoutView>),
    responses((status = 200, description = "A page",
               content((PayoutListResponse = "application/json"), (String = "text/csv")))))]
async fn list_partner_payouts(
    _admin: AdminReader,
    State(db): State<Db>,
    headers: HeaderMap,
    list: ListRequest<PayoutView>,
) -> Result<Response, HttpError> {
    if wants_csv(&headers) {
        let query = list.query.clone();
        let (payouts, names) = db
            .read::<_, PartnerError>(move |tx| {
                let (payouts, _) = Payout::page(tx, query)?;
                let names = queries::names(tx, &payouts)?;
                Ok((payouts, names))
            })
            .await?;
        return Ok(csv(file::payouts(&payouts, &names)));
    }
    Ok(list.read(db, PayoutView::page).await?.into_response())
}

/// Pay a partner
///
/// Pays the approved ledger entries that have not been paid; refunds of what was paid earlier are deducted. If the
/// balance is negative, nothing is paid, and later commissions offset it.
#[crate::http::operation(post, path = "/admin/partner-payouts", tag = "Admin partners", params(Fields<PayoutView>),
    request_body = CreatePayoutRequest,
    responses((status = 200, description = "The payout", body = PayoutResponse)))]
async fn create_partner_payout(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<PayoutView>,
    Json(request): Json<CreatePayoutRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let owner = (&request.partner_id, request.currency_code);
            let up_to = request.up_to.unwrap_or(tx.now()).min(tx.now());
            let id = payout::pay(tx, owner, up_to, admin.actor_id())?;
            PayoutView::show(tx, &id, selection)
        })
        .await
}

/// Show a payout
///
/// With `accept: text/csv`, the response is a CSV file of the ledger entries that it pays.
#[crate::http::operation(get, path = "/admin/partner-payouts/{id}", tag = "Admin partners",
    params(("id" = PartnerPayoutId, Path, description = "The payout"), Fields<PayoutView>),
    responses((status = 200, description = "The payout",
               content((PayoutResponse = "application/json"), (String = "text/csv")))))]
async fn show_partner_payout(
    OneRequest { db, id, fields, .. }: OneRequest<AdminReader, PartnerPayoutId, PayoutView>,
    headers: HeaderMap,
) -> Result<Response, HttpError> {
    let selection = fields.selection.clone();
    let wanted = id.clone();
    let view = db.read(move |tx| PayoutView::show(tx, &wanted, &selection)).await?;
    if wants_csv(&headers) {
        let entries = db.read(move |tx| queries::entries(tx, &id)).await?;
        return Ok(csv(file::entries(&entries)));
    }
    Ok(fields.answer(&view)?.into_response())
}
