//! A review as shoppers see it: without the author's identity and the order that proves the
//! purchase.

use rusqlite::types::Value;
use serde::Serialize;

use super::error::ReviewError;
use super::queries;
use super::review::{Review, ReviewStatus};
use crate::catalog::rating;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery};
use crate::database::{Listable as _, Record, Tx, Word as _};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{ProductId, ReviewId};
use crate::money::Amount;
use crate::resource::View as _;

/// The columns of a review that shoppers see.
#[derive(Debug, Clone, Record)]
#[record(table = "review r", title = "Review")]
#[record(list(
    plural = "reviews",
    order = "-created_at",
    columns = [
        Column::filter("verified", "r.is_verified", Kind::Boolean),
        Column::order("helpful", "r.helpful_count", Kind::Integer),
    ],
))]
pub(super) struct StoreReviewRow {
    id: ReviewId,
    product_id: ProductId,
    title: Option<String>,
    content: String,
    #[column(filter, order)]
    rating: i64,
    first_name: String,
    last_name: String,
    #[column(sql = "r.is_verified")]
    is_verified: bool,
    response: Option<String>,
    responded_at: Option<Timestamp>,
    #[column(sql = "r.helpful_count")]
    helpful_count: i64,
    #[column(sql = "r.unhelpful_count")]
    unhelpful_count: i64,
    #[column(order)]
    created_at: Timestamp,
    written_at: Timestamp,
}

/// A review in the storefront.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "review", rows = StoreReviewRow, error = ReviewError)]
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

impl From<StoreReviewRow> for StoreReview {
    fn from(row: StoreReviewRow) -> Self {
        let answer = row.response.zip(row.responded_at);
        Self {
            id: row.id,
            product_id: row.product_id,
            title: row.title,
            content: row.content,
            rating: row.rating,
            first_name: row.first_name,
            last_name: row.last_name,
            is_verified: row.is_verified,
            response: answer.map(|(content, created_at)| StoreAnswer { content, created_at }),
            helpful_count: row.helpful_count,
            unhelpful_count: row.unhelpful_count,
            created_at: row.created_at,
            updated_at: row.written_at,
        }
    }
}

impl StoreReview {
    /// Shortens the last name to its initial.
    fn with_initial(self) -> Self {
        let initial = self.last_name.chars().next().map(|first| format!("{first}."));
        Self { last_name: initial.unwrap_or_default(), ..self }
    }
}

/// The number of approved reviews with each rating.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = ReviewRatingCounts, example = json!({ "1": 0, "2": 0, "3": 1, "4": 3, "5": 12 }))]
pub(super) struct RatingCounts {
    #[serde(rename = "1")]
    pub(super) one: i64,
    #[serde(rename = "2")]
    pub(super) two: i64,
    #[serde(rename = "3")]
    pub(super) three: i64,
    #[serde(rename = "4")]
    pub(super) four: i64,
    #[serde(rename = "5")]
    pub(super) five: i64,
}

/// The approved reviews of a product, regardless of a page's filters.
#[derive(Debug, Default)]
pub(super) struct Ratings {
    pub(super) sum: i64,
    pub(super) count: i64,
    pub(super) counts: RatingCounts,
}

impl Ratings {
    /// Returns the average with two decimals; none without reviews.
    pub(super) fn average(&self) -> Option<Amount> {
        rating::average(self.sum, self.count)
    }
}

/// A page of the approved reviews of a product.
pub(super) struct StoreReviewPage {
    pub(super) reviews: Vec<StoreReview>,
    pub(super) count: u64,
    pub(super) ratings: Ratings,
}

/// Returns a page of a product's approved reviews, with three statements.
pub(super) fn page(
    tx: &Tx<'_>,
    product_id: &ProductId,
    query: ListQuery,
    shows_last_names: bool,
) -> Result<StoreReviewPage, ReviewError> {
    let approved = ReviewStatus::Approved.as_str().to_owned();
    let values = [Value::Text(product_id.to_string()), Value::Text(approved)];
    let query = query.narrow("r.product_id = ? and r.status = ?", values);
    let (rows, count) = StoreReviewRow::page(tx, query)?;
    let ratings = queries::ratings(tx, product_id)?.unwrap_or_default();
    let shown = |row| {
        let review = StoreReview::from(row);
        if shows_last_names { review } else { review.with_initial() }
    };
    Ok(StoreReviewPage { reviews: rows.into_iter().map(shown).collect(), count, ratings })
}

/// Returns an approved review.
pub(super) fn approved(
    tx: &Tx<'_>,
    id: &ReviewId,
    shows_last_names: bool,
    selection: &Selection,
) -> Result<StoreReview, ReviewError> {
    let review = StoreReview::show(tx, id, selection)?;
    Ok(if shows_last_names { review } else { review.with_initial() })
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
        let answer = review.response.zip(review.responded_at);
        Self {
            review: StoreReview {
                id: review.id,
                product_id: review.product_id,
                title: review.title,
                content: review.content,
                rating: review.rating,
                first_name: review.first_name,
                last_name: review.last_name,
                is_verified: false,
                response: answer.map(|(content, created_at)| StoreAnswer { content, created_at }),
                helpful_count: review.helpful_count,
                unhelpful_count: review.unhelpful_count,
                created_at: review.created_at,
                updated_at: review.written_at,
            },
            status: ReviewStatus::Pending,
        }
    }
}
