//! `/admin/reviews`: moderation.

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{
    ApproveReviewRequest, DecideReviewsRequest, RejectReviewRequest, RespondToReviewRequest,
};
use crate::auth::AdminWriter;
use crate::database::{Db, Table as _};
use crate::http::{HttpError, Json, ToSchema};
use crate::resource::AdminRoutes;
use crate::reviews::error::ReviewError;
use crate::reviews::moderation::{self, Decision};
use crate::reviews::review::Review;
use crate::state::VisitorState;

pub(super) fn router() -> OpenApiRouter<VisitorState> {
    AdminRoutes::<Review, _>::at("/admin/reviews", "Admin reviews")
        .list()
        .note("`flags` are hints for moderators, not verdicts.")
        .show()
        .update_part_by(
            "/approve",
            "approve_review",
            "Approve a review",
            |ApproveReviewRequest {}, tx, id, by| moderation::decide(tx, id, Decision::Approve, by),
        )
        .note("It is shown and counted from then on. A rejected review can be approved.")
        .update_part_by(
            "/reject",
            "reject_review",
            "Reject a review",
            |RejectReviewRequest { reason }, tx, id, by| {
                moderation::decide(tx, id, Decision::Reject(reason), by)
            },
        )
        .note("It is no longer shown or counted. An approved review can be rejected.")
        .update_part_by(
            "/respond",
            "respond_to_review",
            "Respond to a review",
            |RespondToReviewRequest { content }, tx, id, by| {
                moderation::respond(tx, id, content.map(String::from), by)
            },
        )
        .note("Shoppers see the answer below the review. A new answer replaces the one before.")
        .router()
        .routes(routes!(decide_reviews))
}

/// Reviews after a decision.
#[derive(Debug, Serialize, ToSchema)]
struct DecidedReviewsResponse {
    /// Sorted by id.
    reviews: Vec<Review>,
    count: usize,
}

/// Approve or reject several reviews
///
/// Changes all of them, or none if one does not exist.
#[crate::http::operation(post, path = "/admin/reviews/batch", tag = "Admin reviews",
    request_body = DecideReviewsRequest,
    responses((status = 200, description = "The reviews", body = DecidedReviewsResponse)))]
async fn decide_reviews(
    admin: AdminWriter,
    State(db): State<Db>,
    Json(request): Json<DecideReviewsRequest>,
) -> Result<Json<DecidedReviewsResponse>, HttpError> {
    let (ids, decision) = request.into_parts()?;
    let reviews = db
        .write(move |tx| {
            for id in &ids {
                moderation::decide(tx, id, decision, admin.actor_id())?;
            }
            Ok::<_, ReviewError>(Review::find_all(tx, &ids)?)
        })
        .await?;
    Ok(Json(DecidedReviewsResponse { count: reviews.len(), reviews }))
}
