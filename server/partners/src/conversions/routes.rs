//! The routes of conversions: `/admin/partner-conversions` and `/track/partners/conversion`.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::view::ConversionView;
use super::{Reports, decide};
use crate::clicks::PartnerMessage;
use crate::http::{Json, Text, ToSchema, request};
use crate::ids::OrderId;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
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
        .routes(routes!(report_conversion))
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

/// An order to look at. Other members are ignored: old pixels send totals, and rejecting them would reveal what
/// is used.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConversionReport, example = json!({ "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
struct Report {
    order_id: OrderId,
}

/// The receipt of a report.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConversionReceipt)]
struct Receipt {
    /// Always true: the report was received. It says nothing about the order.
    #[schema(example = true)]
    recorded: bool,
}

/// Report a conversion
///
/// A fallback, since the server follows its orders itself. The order is processed later, and everything about it is read
/// from the store's own rows. Orders that are unknown, not attributed, already reported, unpaid or somebody else's get the
/// same response.
#[crate::http::operation(post, path = "/track/partners/conversion", tag = "Partners", request_body = Report,
    responses((status = 202, description = "The report is taken", body = Receipt),
              (status = 400, description = "There is no id of an order", body = PartnerMessage)))]
async fn report_conversion(State(reports): State<Reports>, body: Bytes) -> Response {
    match serde_json::from_slice::<Report>(&body) {
        Ok(Report { order_id }) => {
            reports.push(order_id);
            (StatusCode::ACCEPTED, Json(Receipt { recorded: true })).into_response()
        }
        Err(_malformed) => {
            let error = PartnerMessage { message: "`order_id` must be the id of an order" };
            (StatusCode::BAD_REQUEST, Json(error)).into_response()
        }
    }
}
