//! `/admin/reviews`: moderation.

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{
    ApproveReviewRequest, DecideReviewsRequest, RejectReviewRequest, RespondToReviewRequest,
};
use crate::auth::AdminWriter;
use crate::database::{Db, Table as _};
use crate::http::{Answer, Fields, HttpError, Json, One, Path};
use crate::ids::ReviewId;
use crate::resource::{AdminRoutes, View as _};
use crate::reviews::error::ReviewError;
use crate::reviews::moderation::{self, Decision};
use crate::reviews::review::Review;
use crate::state::VisitorState;

pub(super) fn router() -> OpenApiRouter<VisitorState> {
    AdminRoutes::<Review, _>::at("/admin/reviews", "Admin reviews")
        .list()
        .note("`flags` are hints for moderators, not verdicts.")
        .show()
        .router()
        .routes(routes!(decide_reviews))
        .routes(routes!(approve_review))
        .routes(routes!(reject_review))
        .routes(routes!(respond_to_review))
}

type ReviewResponse = One<Review>;

/// Reviews that were decided about.
#[derive(Debug, Serialize, ToSchema)]
struct DecidedReviewsResponse {
    /// By id.
    reviews: Vec<Review>,
    count: usize,
}

/// Approve a review
///
/// It is shown and counted from then on. A rejected review can be approved.
#[utoipa::path(post, path = "/admin/reviews/{id}/approve", tag = "Admin reviews",
    params(("id" = ReviewId, Path, description = "The review"), Fields<Review>),
    request_body = ApproveReviewRequest,
    responses((status = 200, description = "The review", body = ReviewResponse)))]
async fn approve_review(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReviewId>,
    fields: Fields<Review>,
    Json(ApproveReviewRequest {}): Json<ApproveReviewRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            moderation::decide(tx, &id, Decision::Approve, admin.actor_id())?;
            Review::show(tx, &id, selection)
        })
        .await
}

/// Reject a review
///
/// It is no longer shown or counted. An approved review can be rejected.
#[utoipa::path(post, path = "/admin/reviews/{id}/reject", tag = "Admin reviews",
    params(("id" = ReviewId, Path, description = "The review"), Fields<Review>),
    request_body = RejectReviewRequest,
    responses((status = 200, description = "The review", body = ReviewResponse)))]
async fn reject_review(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReviewId>,
    fields: Fields<Review>,
    Json(request): Json<RejectReviewRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            moderation::decide(tx, &id, Decision::Reject(request.reason), admin.actor_id())?;
            Review::show(tx, &id, selection)
        })
        .await
}

/// Respond to a review
///
/// Shoppers see the answer below the review. A new answer replaces the one before.
#[utoipa::path(post, path = "/admin/reviews/{id}/respond", tag = "Admin reviews",
    params(("id" = ReviewId, Path, description = "The review"), Fields<Review>),
    request_body = RespondToReviewRequest,
    responses((status = 200, description = "The review", body = ReviewResponse)))]
async fn respond_to_review(
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ReviewId>,
    fields: Fields<Review>,
    Json(request): Json<RespondToReviewRequest>,
) -> Result<Answer, HttpError> {
    let content = request.content.map(String::from);
    fields
        .write(db, move |tx, selection| {
            moderation::respond(tx, &id, content, admin.actor_id())?;
            Review::show(tx, &id, selection)
        })
        .await
}

/// Approve or reject several reviews
///
/// All of them or, if one does not exist, none.
#[utoipa::path(post, path = "/admin/reviews/batch", tag = "Admin reviews",
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
