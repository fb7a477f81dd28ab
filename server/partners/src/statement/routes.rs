//! `/partners/me`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::queries;
use super::view::{OwnClick, OwnConversion, OwnPayoutView, StatementView};
use crate::auth::PartnerReader;
use crate::database::{Db, Table as _};
use crate::error::PartnerError;
use crate::http::{Answer, Fields, HttpError, ListRequest, One, Page};
use crate::partners::Partner;
use crate::resource::View;
use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_own_statement))
        .routes(routes!(list_own_conversions))
        .routes(routes!(list_own_clicks))
        .routes(routes!(list_own_payouts))
}

type StatementResponse = One<StatementView>;
type OwnConversionListResponse = Page<OwnConversion>;
type OwnClickListResponse = Page<OwnClick>;
type OwnPayoutListResponse = Page<OwnPayoutView>;

/// Show a partner's own statement
#[crate::http::operation(get, path = "/partners/me", tag = "Partners", params(Fields<StatementView>),
    responses((status = 200, description = "The statement", body = StatementResponse)))]
async fn show_own_statement(
    partner: PartnerReader,
    State(db): State<Db>,
    fields: Fields<StatementView>,
) -> Result<Answer, HttpError> {
    fields
        .read(db, move |tx, _| {
            let own = Partner::require::<PartnerError>(tx, &partner.partner_id)?;
            let balances = queries::balances(tx, &partner.partner_id)?;
            Ok::<_, PartnerError>(StatementView::new(own, balances))
        })
        .await
}

/// List a partner's own conversions
///
/// Without the buyer, the order and its total.
#[crate::http::operation(get, path = "/partners/me/conversions", tag = "Partners", params(ListRequest<OwnConversion>),
    responses((status = 200, description = "A page", body = OwnConversionListResponse)))]
async fn list_own_conversions(
    partner: PartnerReader,
    State(db): State<Db>,
    list: ListRequest<OwnConversion>,
) -> Result<Answer, HttpError> {
    own_page(partner, db, list, "v.partner_id = ?").await
}

/// List a partner's own clicks
#[crate::http::operation(get, path = "/partners/me/clicks", tag = "Partners", params(ListRequest<OwnClick>),
    responses((status = 200, description = "A page", body = OwnClickListResponse)))]
async fn list_own_clicks(
    partner: PartnerReader,
    State(db): State<Db>,
    list: ListRequest<OwnClick>,
) -> Result<Answer, HttpError> {
    own_page(partner, db, list, "k.partner_id = ?").await
}

/// List a partner's own payouts
#[crate::http::operation(get, path = "/partners/me/payouts", tag = "Partners", params(ListRequest<OwnPayoutView>),
    responses((status = 200, description = "A page", body = OwnPayoutListResponse)))]
async fn list_own_payouts(
    partner: PartnerReader,
    State(db): State<Db>,
    list: ListRequest<OwnPayoutView>,
) -> Result<Answer, HttpError> {
    own_page(partner, db, list, "y.partner_id = ?").await
}

/// Returns a page of what belongs to a partner, by the condition on the partner's id.
async fn own_page<V: View>(
    partner: PartnerReader,
    db: Db,
    list: ListRequest<V>,
    of_partner: &'static str,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, selection| {
        let id = partner.partner_id.to_string();
        V::page(tx, query.narrow(of_partner, [id.into()]), selection)
    })
    .await
}
