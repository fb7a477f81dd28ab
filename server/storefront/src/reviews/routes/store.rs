//! `/store/products/:id/reviews` and `/store/reviews`.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;

use super::requests::{SubmitReviewRequest, VoteRequest};
use crate::admission::Quota;
use crate::auth::{Shop, Shopper};
use crate::catalog;
use crate::config::Settings;
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, One, Path, ToSchema};
use crate::ids::{ProductId, ReviewId};
use crate::middleware::Client;
use crate::money::Amount;
use crate::reviews::error::ReviewError;
use crate::reviews::store_review::{self, RatingCounts, StoreReview, SubmittedReview};
use crate::reviews::{vote, write};
use crate::state::VisitorState;

/// Limit: reviews by one author.
const REVIEWS: Quota = Quota { what: "review", per_hour: 5, per_day: Some(20) };

pub(super) fn router() -> OpenApiRouter<VisitorState> {
    OpenApiRouter::new()
        .routes(routes!(list_product_reviews))
        .routes(routes!(submit_review))
        .routes(routes!(vote_on_review))
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
    let page = db
        .read(move |tx| {
            catalog::require_visible(tx, &id, &shop.sales_channel_ids)?;
            store_review::page(tx, &id, query, shows_last_names)
        })
        .await
        .map_err(|error: ReviewError| HttpError::from(error))?;
    Ok(Json(ProductReviewListResponse {
        reviews: list.selection.value(&page.reviews)?,
        count: page.count,
        limit: list.query.limit,
        offset: list.query.offset,
        average_rating: page.ratings.average(),
        rating_counts: page.ratings.counts,
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
        write::submit(tx, request.into(), author, channels, &settings.visitors)
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
        .write(shared.db.clone(), move |tx, selection| {
            vote::vote(tx, &id, &shopper.customer_id, request.is_helpful)?;
            store_review::approved(tx, &id, shows_last_names, selection)
        })
        .await
}
