//! Votes: whether customers find a review helpful.

use super::error::ReviewError;
use super::queries;
use super::review::{Review, ReviewStatus};
use crate::database::{Missing, Table as _, Tx};
use crate::ids::{CustomerId, ReviewId};

/// Sets or removes a customer's vote on a visible review.
///
/// # Errors
/// [`ReviewError::NotFound`] if it is not visible; [`ReviewError::OwnReview`] for its author.
pub(super) fn vote(
    tx: &Tx<'_>,
    id: &ReviewId,
    customer_id: &CustomerId,
    is_helpful: Option<bool>,
) -> Result<(), ReviewError> {
    let review = Review::require::<ReviewError>(tx, id)?;
    if review.status != ReviewStatus::Approved {
        return Err(Missing::new(Review::TITLE, id).into());
    }
    if review.customer_id.as_ref() == Some(customer_id) {
        return Err(ReviewError::OwnReview);
    }
    Ok(queries::vote(tx, id, customer_id, is_helpful)?)
}
