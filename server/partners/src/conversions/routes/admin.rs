//! `/admin/partner-conversions`.

use utoipa_axum::router::OpenApiRouter;

use crate::conversions::decide;
use crate::conversions::view::ConversionView;
use crate::http::{Text, request};
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<ConversionView, _>::at("/admin/partner-conversions", "Admin partners")
        .list()
        .show()
        .update_part_by(
            "/approve",
            "approve_partner_conversion",
            "Approve a conversion",
            |request: ApproveConversionRequest, tx, id, by| {
                decide::approve(tx, id, (request.reason.as_ref().map(Text::as_str), by))
            },
        )
        .note(
            "Whatever was found, and however long it is still held; the order must be paid. Only a pending conversion is \
             decided on.",
        )
        .update_part_by(
            "/reject",
            "reject_partner_conversion",
            "Reject a conversion",
            |request: RejectConversionRequest, tx, id, by| {
                decide::reject(tx, id, (request.reason.as_str(), by))
            },
        )
        .note("It earns nothing. Only a pending conversion is decided on.")
        .router()
}

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
