//! A review as shoppers see it: without the author's identity and the order that proves the
//! purchase.

use rusqlite::types::Value;
use serde::Serialize;

use super::error::ReviewError;
use super::queries;
use super::review::{Review, ReviewStatus};
use crate::catalog::rating;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{FromRow, Listable as _, Record as _, Table as _, Tx, Word as _};
use crate::http::{Resource, ToSchema};
use crate::ids::{ProductId, ReviewId};
use crate::money::Amount;

/// The list of a product's approved reviews.
static STORE_REVIEWS: Listing = Listing {
    plural: "reviews",
    table: Review::FROM,
    tie_breaker: Review::KEY,
    columns: &[
        Column::new("rating", "r.rating", Kind::Integer),
        Column::order("created_at", "r.created_at", Kind::Time),
        Column::filter("verified", "r.is_verified", Kind::Boolean),
        Column::order("helpful", "r.helpful_count", Kind::Integer),
    ],
    search: &[],
    default_limit: 20,
    default_order: "-created_at",
    extra: &[],
};

/// A review in the storefront.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "review", list = STORE_REVIEWS)]
#[schema(as = StoreReview)]
pub(super) struct StoreReview {
    id: ReviewId,
    product_id: ProductId,
    title: Option<String>,
    content: String,
    /// From 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    rating: i64,
    first_name: String,
    /// Only the initial, unless the store shows full names.
    #[schema(example = "L.")]
    last_name: String,
    /// Whether the author bought the product and did not return it.
    is_verified: bool,
    /// The store's response.
    response: Option<StoreAnswer>,
    /// How many customers found it helpful.
    helpful_count: i64,
    unhelpful_count: i64,
    created_at: Timestamp,
    /// When its text was last written.
    updated_at: Timestamp,
}

/// The store's response to a review.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = StoreReviewResponse)]
struct StoreAnswer {
    content: String,
    created_at: Timestamp,
}

impl From<Review> for StoreReview {
    fn from(review: Review) -> Self {
        let answer = review.response.zip(review.responded_at);
        Self {
            id: review.id,
            product_id: review.product_id,
            title: review.title,
            content: review.content,
            rating: review.rating,
            first_name: review.first_name,
            last_name: review.last_name,
            is_verified: review.is_verified,
            response: answer.map(|(content, created_at)| StoreAnswer { content, created_at }),
            helpful_count: review.helpful_count,
            unhelpful_count: review.unhelpful_count,
            created_at: review.created_at,
            updated_at: review.written_at,
        }
    }
}

impl StoreReview {
    /// Returns a review with only the initial of the last name, unless the store shows full names.
    fn shown(review: Review, shows_last_names: bool) -> Self {
        let mut review = Self::from(review);
        if !shows_last_names {
            let initial = review.last_name.chars().next().map(|first| format!("{first}."));
            review.last_name = initial.unwrap_or_default();
        }
        review
    }
}

/// The number of approved reviews with each rating.
#[derive(Debug, Default, Serialize, ToSchema, FromRow)]
#[schema(as = ReviewRatingCounts, example = json!({ "1": 0, "2": 0, "3": 1, "4": 3, "5": 12 }))]
pub(super) struct RatingCounts {
    #[serde(rename = "1")]
    #[column(name = "count_1")]
    one: i64,
    #[serde(rename = "2")]
    #[column(name = "count_2")]
    two: i64,
    #[serde(rename = "3")]
    #[column(name = "count_3")]
    three: i64,
    #[serde(rename = "4")]
    #[column(name = "count_4")]
    four: i64,
    #[serde(rename = "5")]
    #[column(name = "count_5")]
    five: i64,
}

/// The approved reviews of a product, regardless of a page's filters.
#[derive(Debug, Default, FromRow)]
pub(super) struct Ratings {
    rating_sum: i64,
    review_count: i64,
    #[column(flatten)]
    pub(super) counts: RatingCounts,
}

impl Ratings {
    /// Returns the average with two decimals; none without reviews.
    pub(super) fn average(&self) -> Option<Amount> {
        rating::average(self.rating_sum, self.review_count)
    }
}

/// Returns a page of a product's approved reviews, their number, and their ratings, with three statements.
pub(super) fn page(
    tx: &Tx<'_>,
    product_id: &ProductId,
    query: ListQuery,
    shows_last_names: bool,
) -> Result<(Vec<StoreReview>, u64, Ratings), ReviewError> {
    let approved = ReviewStatus::Approved.as_str().to_owned();
    let values = [Value::Text(product_id.to_string()), Value::Text(approved)];
    let query = query.narrow("r.product_id = ? and r.status = ?", values);
    let (rows, count) = Review::page(tx, query)?;
    let ratings = queries::ratings(tx, product_id)?.unwrap_or_default();
    let shown = |row| StoreReview::shown(row, shows_last_names);
    Ok((rows.into_iter().map(shown).collect(), count, ratings))
}

pub(super) fn show(
    tx: &Tx<'_>,
    id: &ReviewId,
    shows_last_names: bool,
) -> Result<StoreReview, ReviewError> {
    Ok(StoreReview::shown(Review::require::<ReviewError>(tx, id)?, shows_last_names))
}

/// A review as its author sees it after writing it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SubmittedReview {
    #[serde(flatten)]
    review: StoreReview,
    /// Always `pending`, even where the store approves some reviews automatically: anything else would reveal to
    /// strangers whether there is an order.
    status: ReviewStatus,
}

impl From<Review> for SubmittedReview {
    fn from(review: Review) -> Self {
        let review = StoreReview { is_verified: false, ..review.into() };
        Self { review, status: ReviewStatus::Pending }
    }
}
