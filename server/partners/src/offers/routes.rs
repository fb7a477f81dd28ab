//! `/admin/partners/{id}/offers`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{CreateOfferRequest, UpdateOfferRequest};
use super::view::OfferView;
use super::write;
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Table as _};
use crate::error::PartnerError;
use crate::http::{
    Answer, Deleted, Fields, HttpError, Json, ListRequest, One, OneRequest, Page, Path,
};
use crate::ids::{PartnerId, PartnerOfferId};
use crate::partners::Partner;
use crate::resource::View as _;
use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_partner_offers, create_partner_offer)).routes(routes!(
        show_partner_offer,
        update_partner_offer,
        delete_partner_offer
    ))
}

type OfferResponse = One<OfferView>;
type OfferListResponse = Page<OfferView>;
type OfferDeletedResponse = Deleted<OfferView>;

/// List the offers of a partner
#[crate::http::operation(get, path = "/admin/partners/{id}/offers", tag = "Admin partners",
    params(("id" = PartnerId, Path, description = "The partner"), ListRequest<OfferView>),
    responses((status = 200, description = "A page", body = OfferListResponse)))]
async fn list_partner_offers(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<PartnerId>,
    list: ListRequest<OfferView>,
) -> Result<Answer, HttpError> {
    list.read::<_, PartnerError>(db, move |tx, query, selection| {
        Partner::require::<PartnerError>(tx, &id)?;
        let query = query.narrow("o.partner_id = ?", [id.to_string().into()]);
        OfferView::page(tx, query, selection)
    })
    .await
}

/// Create an offer of a partner
#[crate::http::operation(post, path = "/admin/partners/{id}/offers", tag = "Admin partners",
    params(("id" = PartnerId, Path, description = "The partner"), Fields<OfferView>),
    request_body = CreateOfferRequest,
    responses((status = 200, description = "The offer", body = OfferResponse)))]
async fn create_partner_offer(
    OneRequest { caller: admin, db, id, fields }: OneRequest<AdminWriter, PartnerId, OfferView>,
    Json(request): Json<CreateOfferRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let offer = request.into_offer(tx, id)?;
            write::create(tx, &offer, admin.actor_id())?;
            OfferView::show(tx, &offer.id, selection)
        })
        .await
}

/// Show an offer of a partner
#[crate::http::operation(get, path = "/admin/partners/{id}/offers/{offer_id}", tag = "Admin partners",
    params(("id" = PartnerId, Path, description = "The partner"),
           ("offer_id" = PartnerOfferId, Path, description = "The offer"), Fields<OfferView>),
    responses((status = 200, description = "The offer", body = OfferResponse)))]
async fn show_partner_offer(
    OneRequest { db, id: (id, offer_id), fields, .. }: OneRequest<
        AdminReader,
        (PartnerId, PartnerOfferId),
        OfferView,
    >,
) -> Result<Answer, HttpError> {
    fields.read(db, move |tx, _| write::find(tx, &id, &offer_id).map(OfferView::from)).await
}

/// Change an offer of a partner
///
/// Conversions keep the terms with which they were recorded.
#[crate::http::operation(post, path = "/admin/partners/{id}/offers/{offer_id}", tag = "Admin partners",
    params(("id" = PartnerId, Path, description = "The partner"),
           ("offer_id" = PartnerOfferId, Path, description = "The offer"), Fields<OfferView>),
    request_body = UpdateOfferRequest,
    responses((status = 200, description = "The offer", body = OfferResponse)))]
async fn update_partner_offer(
    OneRequest { caller: admin, db, id: (id, offer_id), fields }: OneRequest<
        AdminWriter,
        (PartnerId, PartnerOfferId),
        OfferView,
    >,
    Json(request): Json<UpdateOfferRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let before = write::find(tx, &id, &offer_id)?;
            let mut offer = before.clone();
            request.apply(&mut offer)?;
            write::change(tx, (&before, &offer), admin.actor_id())?;
            OfferView::show(tx, &offer_id, selection)
        })
        .await
}

/// Delete an offer of a partner
///
/// Its link stops working. Its code stays reserved, and orders that it brought keep their
/// commission.
#[crate::http::operation(delete, path = "/admin/partners/{id}/offers/{offer_id}", tag = "Admin partners",
    params(("id" = PartnerId, Path, description = "The partner"),
           ("offer_id" = PartnerOfferId, Path, description = "The offer")),
    responses((status = 200, description = "Deleted", body = OfferDeletedResponse)))]
async fn delete_partner_offer(
    admin: AdminWriter,
    State(db): State<Db>,
    Path((id, offer_id)): Path<(PartnerId, PartnerOfferId)>,
) -> Result<Json<OfferDeletedResponse>, HttpError> {
    let deleted = offer_id.clone();
    db.write(move |tx| {
        let offer = write::find(tx, &id, &offer_id)?;
        write::delete(tx, &offer, admin.actor_id())
    })
    .await?;
    Ok(Json(Deleted::new(deleted)))
}
