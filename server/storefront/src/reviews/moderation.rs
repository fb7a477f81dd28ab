//! The store's decisions about reviews, and its responses to them.

use serde_json::json;

use super::error::ReviewError;
use super::review::{RejectReason, Review, ReviewStatus};
use crate::database::{Table as _, Tx};
use crate::events;
use crate::ids::ReviewId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Approve,
    Reject(RejectReason),
}

/// Returns a review whose text has not been erased.
fn written(tx: &Tx<'_>, id: &ReviewId) -> Result<Review, ReviewError> {
    let review = Review::require::<ReviewError>(tx, id)?;
    let is_erased = review.text_digest.is_empty();
    if is_erased { Err(ReviewError::Erased(id.clone())) } else { Ok(review) }
}

/// Decides about a review; repeating a decision changes nothing.
pub(super) fn decide(
    tx: &Tx<'_>,
    id: &ReviewId,
    decision: Decision,
    actor_id: &str,
) -> Result<(), ReviewError> {
    let review = written(tx, id)?;
    let (status, reject_reason, event) = match decision {
        Decision::Approve => (ReviewStatus::Approved, None, "review.approved"),
        Decision::Reject(reason) => (ReviewStatus::Rejected, Some(reason), "review.rejected"),
    };
    if (review.status, review.reject_reason) == (status, reject_reason) {
        return Ok(());
    }
    let payload = json!({ "id": id, "product_id": review.product_id, "reason": reject_reason });
    let decided_by = Some(actor_id.to_owned());
    Review { status, reject_reason, decided_at: Some(tx.now()), decided_by, ..review }
        .update(tx)?;
    Ok(events::record(tx, event, &payload)?)
}

/// Sets or removes the store's response to a review.
pub(super) fn respond(
    tx: &Tx<'_>,
    id: &ReviewId,
    content: Option<String>,
    actor_id: &str,
) -> Result<(), ReviewError> {
    let review = written(tx, id)?;
    if review.response == content {
        return Ok(());
    }
    let payload = json!({ "id": id, "product_id": review.product_id });
    let responded_at = content.is_some().then(|| tx.now());
    let responded_by = content.is_some().then(|| actor_id.to_owned());
    Review { response: content, responded_at, responded_by, ..review }.update(tx)?;
    Ok(events::record(tx, "review.responded", &payload)?)
}
