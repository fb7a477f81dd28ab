//! `/admin/partner-conversions`.

use axum::extract::State;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::AdminWriter;
use crate::conversions::decide;
use crate::conversions::view::ConversionView;
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, One, Path, Text, request};
use crate::ids::PartnerConversionId;
use crate::resource::{AdminRoutes, View as _};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<ConversionView, _>::at("/admin/partner-conversions", "Admin partners")
        .list()
        .show()
        .router()
        .routes(routes!(approve_partner_conversion))
        .routes(routes!(reject_partner_conversion))
}

type ConversionResponse = One<ConversionView>;

/// Why a conversion is approved.
#[request]
#[derive(Default)]
struct ApproveConversionRequest {
    reason: Option<Text<500>>,
}

/// Why a conversion is rejected.
#[request]
#[schema(example = json!({ "reason": "The links were sent as spam." }))]
struct RejectConversionRequest {
    reason: Text<500>,
}

/// Approve a conversion
///
/// Whatever was found, and however long it is still held; the order must be paid. Only a pending conversion is decided on.
#[utoipa::path(post, path = "/admin/partner-conversions/{id}/approve", tag = "Admin partners",
    params(("id" = PartnerConversionId, Path, description = "The conversion"), Fields<ConversionView>),
    request_body = ApproveConversionRequest,
    responses((status = 200, description = "The conversion", body = ConversionResponse)))]
async fn approve_partner_conversion(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<PartnerConversionId>,
    fields: Fields<ConversionView>,
    Json(request): Json<ApproveConversionRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let reason = request.reason.as_ref().map(Text::as_str);
            decide::approve(tx, &id, (reason, admin.actor_id()))?;
            ConversionView::show(tx, &id, selection)
        })
        .await
}

/// Reject a conversion
///
/// It earns nothing. Only a pending conversion is decided on.
#[utoipa::path(post, path = "/admin/partner-conversions/{id}/reject", tag = "Admin partners",
    params(("id" = PartnerConversionId, Path, description = "The conversion"), Fields<ConversionView>),
    request_body = RejectConversionRequest,
    responses((status = 200, description = "The conversion", body = ConversionResponse)))]
async fn reject_partner_conversion(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<PartnerConversionId>,
    fields: Fields<ConversionView>,
    Json(request): Json<RejectConversionRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            decide::reject(tx, &id, (request.reason.as_str(), admin.actor_id()))?;
            ConversionView::show(tx, &id, selection)
        })
        .await
}
