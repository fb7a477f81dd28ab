//! The bodies of requests on reviews.

use crate::http::{OptionalText, Text, request};
use crate::ids::{ProductId, ReviewId, VariantId};
use crate::reviews::error::ReviewError;
use crate::reviews::moderation::Decision;
use crate::reviews::review::RejectReason;
use crate::reviews::write::NewReview;

/// Limit: reviews that one request decides about.
const MAX_BATCH: usize = 100;

/// A review.
#[request]
#[schema(example = json!({
    "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "rating": 5, "title": "Keeps tea warm",
    "content": "Half an hour later the tea is still hot.", "first_name": "Ada", "last_name": "Shopper",
}))]
pub(super) struct SubmitReviewRequest {
    product_id: ProductId,
    /// A whole number of stars.
    #[schema(minimum = 1, maximum = 5)]
    rating: i64,
    title: Option<OptionalText<120>>,
    content: Text<5000>,
    first_name: Text<60>,
    last_name: Text<60>,
    /// The author's variant.
    variant_id: Option<VariantId>,
    /// A guest's order. One without the product, or that does not exist, is ignored.
    order_id: Option<OptionalText<64>>,
}

impl From<SubmitReviewRequest> for NewReview {
    fn from(request: SubmitReviewRequest) -> Self {
        Self {
            product_id: request.product_id,
            variant_id: request.variant_id,
            order_reference: request.order_id.and_then(OptionalText::into_option),
            title: request.title.and_then(OptionalText::into_option),
            content: request.content.into(),
            rating: request.rating,
            first_name: request.first_name.into(),
            last_name: request.last_name.into(),
        }
    }
}

/// Whether a review is helpful.
#[request]
pub(super) struct VoteRequest {
    /// Null removes the vote.
    pub(super) is_helpful: Option<bool>,
}

/// Nothing.
#[request]
pub(super) struct ApproveReviewRequest {}

/// Why a review is not shown.
#[request]
pub(super) struct RejectReviewRequest {
    pub(super) reason: RejectReason,
}

/// The store's response to a review.
#[request]
pub(super) struct RespondToReviewRequest {
    /// Null removes the response.
    #[schema(example = "Thank you, Ada!")]
    pub(super) content: Option<Text<2000>>,
}

/// The decision about several reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, crate::http::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum BatchAction {
    Approve,
    Reject,
}

/// Reviews to decide about, by their ids: never by their ratings, since hiding bad ratings is unlawful in some
/// places.
#[request]
#[schema(example = json!({ "action": "reject", "ids": ["rev_01JD2Q8Z5M6T3W9XKCV4B7N0RE"], "reason": "spam" }))]
pub(super) struct DecideReviewsRequest {
    action: BatchAction,
    /// At most 100.
    #[schema(min_items = 1, max_items = 100)]
    ids: Vec<ReviewId>,
    /// Required to reject.
    reason: Option<RejectReason>,
}

impl DecideReviewsRequest {
    /// Returns the reviews without duplicates, and the decision.
    pub(super) fn into_parts(mut self) -> Result<(Vec<ReviewId>, Decision), ReviewError> {
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
