//! `/admin/reviews`: moderation; `/store/products/:id/reviews` and `/store/reviews`.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;

use super::error::ReviewError;
use super::moderation::{self, Decision};
use super::review::{RejectReason, Review};
use super::store_review::{self, RatingCounts, StoreReview, SubmittedReview};
use super::write::{self, SubmitReviewRequest};
use crate::admission::Quota;
use crate::auth::{AdminWriter, Shop, Shopper};
use crate::catalog;
use crate::config::Settings;
use crate::database::{Db, Table as _};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, One, Path, Text, ToSchema, request,
};
use crate::ids::{ProductId, ReviewId};
use crate::middleware::Client;
use crate::money::Amount;
use crate::resource::AdminRoutes;
use crate::state::VisitorState;

/// Limit: reviews that one request decides about.
const MAX_BATCH: usize = 100;

/// Limit: reviews by one author.
const REVIEWS: Quota = Quota { what: "review", per_hour: 5, per_day: Some(20) };

/// The store and admin routes of reviews.
pub fn router() -> OpenApiRouter<VisitorState> {
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
        .routes(routes!(list_product_reviews))
        .routes(routes!(submit_review))
        .routes(routes!(vote_on_review))
}

/// Nothing.
#[request]
struct ApproveReviewRequest {}

/// Why a review is not shown.
#[request]
struct RejectReviewRequest {
    reason: RejectReason,
}

/// The store's response to a review.
#[request]
struct RespondToReviewRequest {
    /// Null removes the response.
    #[schema(example = "Thank you, Ada!")]
    content: Option<Text<2000>>,
}

/// The decision about several reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum BatchAction {
    Approve,
    Reject,
}

/// Reviews to decide about, by their ids: never by their ratings, since hiding bad ratings is unlawful in some
/// places.
#[request]
#[schema(example = json!({ "action": "reject", "ids": ["rev_01JD2Q8Z5M6T3W9XKCV4B7N0RE"], "reason": "spam" }))]
struct DecideReviewsRequest {
    action: BatchAction,
    /// At most 100.
    #[schema(min_items = 1, max_items = 100)]
    ids: Vec<ReviewId>,
    /// Required to reject.
    reason: Option<RejectReason>,
}

impl DecideReviewsRequest {
    /// Returns the reviews without duplicates, and the decision.
    fn into_parts(mut self) -> Result<(Vec<ReviewId>, Decision), ReviewError> {
        let decision = match (self.action, self.reason) {
            (BatchAction::Approve, None) => Decision::Approve,
            (BatchAction::Approve, Some(_)) => return Err(ReviewError::NeedlessReason),
            (BatchAction::Reject, Some(reason)) => Decision::Reject(reason),
            (BatchAction::Reject, None) => return Err(ReviewError::NoReason),
        };
        if self.ids.is_empty() || self.ids.len() > MAX_BATCH {
            return Err(ReviewError::OutOfBounds { field: "ids", least: 1, most: 100 });
        }
        self.ids.sort_unstable();
        self.ids.dedup();
        Ok((self.ids, decision))
    }
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

/// The approved reviews of a product.
#[derive(Debug, Serialize, ToSchema)]
struct ProductReviewListResponse {
    #[schema(value_type = Vec<StoreReview>)]
    reviews: Value,
    /// How many match the filters.
    count: u64,
    limit: u32,
    offset: u32,
    /// Over all approved reviews, with two decimals; null if there are none.
    #[schema(example = 4.67)]
    average_rating: Option<Amount>,
    /// Over all approved reviews.
    rating_counts: RatingCounts,
}

/// Whether a review is helpful.
#[request]
struct VoteRequest {
    /// Null removes the vote.
    is_helpful: Option<bool>,
}

/// A review that was written.
#[derive(Debug, Serialize, ToSchema)]
struct SubmittedReviewResponse {
    review: SubmittedReview,
}

type StoreReviewResponse = One<StoreReview>;

/// List the reviews of a product
///
/// Only approved ones. `count` follows the filters; `average_rating` and `rating_counts` cover all approved reviews.
#[crate::http::operation(get, path = "/store/products/{id}/reviews", tag = "Store reviews",
    params(("id" = ProductId, Path, description = "The product"), ListRequest<StoreReview>),
    responses((status = 200, description = "A page", body = ProductReviewListResponse)),
    security(("publishable_key" = [])))]
async fn list_product_reviews(
    shop: Shop,
    State(db): State<Db>,
    State(settings): State<Arc<Settings>>,
    Path(id): Path<ProductId>,
    list: ListRequest<StoreReview>,
) -> Result<Json<ProductReviewListResponse>, HttpError> {
    let query = list.query.clone();
    let shows_last_names = settings.visitors.review_last_names;
    let (reviews, count, ratings) = db
        .read(move |tx| {
            catalog::require_visible(tx, &id, &shop.sales_channel_ids)?;
            store_review::page(tx, &id, query, shows_last_names)
        })
        .await
        .map_err(|error: ReviewError| HttpError::from(error))?;
    Ok(Json(ProductReviewListResponse {
        reviews: list.selection.value(&reviews)?,
        count,
        limit: list.query.limit,
        offset: list.query.offset,
        average_rating: ratings.average(),
        rating_counts: ratings.counts,
    }))
}

/// Write a review
///
/// It is shown once a moderator has approved it. A customer has one review per product, and a guest who names an
/// order with the product has one for that order; writing another replaces it, and it waits for a moderator again.
/// At most 5 an hour and 20 a day.
#[crate::http::operation(post, path = "/store/reviews", tag = "Store reviews", request_body = SubmitReviewRequest,
    responses((status = 200, description = "The review", body = SubmittedReviewResponse)),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])))]
async fn submit_review(
    shop: Shop,
    Extension(client): Extension<Client>,
    State(VisitorState { shared, admission, .. }): State<VisitorState>,
    Json(request): Json<SubmitReviewRequest>,
) -> Result<Json<SubmittedReviewResponse>, HttpError> {
    let author = shop.customer_id.clone();
    let visitor = author.as_ref().map_or_else(|| client.address.to_string(), ToString::to_string);
    admission.admit(REVIEWS, &visitor)?;
    let settings = Arc::clone(&shared.settings);
    let written = shared.db.write(move |tx| {
        let channels = &shop.sales_channel_ids;
        write::submit(tx, request, author, channels, &settings.visitors)
    });
    let written = written.await.inspect_err(|_refused| admission.take_back(REVIEWS, &visitor))?;
    Ok(Json(SubmittedReviewResponse { review: written.into() }))
}

/// Vote on a review
///
/// Each customer has one vote per review, except its author.
#[crate::http::operation(post, path = "/store/reviews/{id}/votes", tag = "Store reviews",
    params(("id" = ReviewId, Path, description = "The review"), Fields<StoreReview>), request_body = VoteRequest,
    responses((status = 200, description = "The review", body = StoreReviewResponse)),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])))]
async fn vote_on_review(
    shopper: Shopper,
    State(VisitorState { shared, .. }): State<VisitorState>,
    Path(id): Path<ReviewId>,
    fields: Fields<StoreReview>,
    Json(request): Json<VoteRequest>,
) -> Result<Answer, HttpError> {
    let shows_last_names = shared.settings.visitors.review_last_names;
    fields
        .write(shared.db.clone(), move |tx, _| {
            write::vote(tx, &id, &shopper, request.is_helpful)?;
            store_review::show(tx, &id, shows_last_names)
        })
        .await
}
