//! Writing and rewriting a review, and voting on one.

use quotient_foundation::digest::sha256_hex;
use serde_json::json;

use super::error::ReviewError;
use super::flag::flags;
use super::queries;
use super::review::{Review, ReviewStatus};
use crate::auth::Shopper;
use crate::catalog;
use crate::config::{ReviewAuthors, ReviewAutoApprove, VisitorSettings};
use crate::database::{Error, Missing, Table as _, Tx};
use crate::events;
use crate::http::{OptionalText, Text, request};
use crate::ids::{CustomerId, ProductId, ReviewId, SalesChannelId, VariantId};

const RATINGS: std::ops::RangeInclusive<i64> = 1..=5;

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

/// Writes a review, or rewrites the author's review of the product, which then waits for a moderator
/// again.
///
/// # Errors
/// [`ReviewError::Catalog`] if the product is not sold in the channels; [`ReviewError::Anonymous`] and
/// [`ReviewError::NotBought`] if the store does not accept reviews from this author.
pub(super) fn submit(
    tx: &Tx<'_>,
    request: SubmitReviewRequest,
    customer_id: Option<CustomerId>,
    channels: &[SalesChannelId],
    settings: &VisitorSettings,
) -> Result<Review, ReviewError> {
    check(tx, &request, channels)?;
    let mut review = request.into_review(tx, customer_id)?;
    let (product_id, customer_id) = (&review.product_id, review.customer_id.as_ref());
    let reference = review.order_reference.as_deref();
    let before = match (customer_id, reference) {
        (Some(customer_id), _) => queries::of_customer(tx, product_id, customer_id)?,
        (None, Some(reference)) => queries::of_guest(tx, product_id, reference)?,
        (None, None) => None,
    };
    if let Some(before) = &before {
        review.id = before.id.clone();
    }
    let verified_order_id = queries::order_with(tx, &review)?;
    match (settings.review_authors, &review.customer_id) {
        (ReviewAuthors::Customers, None) => return Err(ReviewError::Anonymous),
        (ReviewAuthors::Buyers, None) if verified_order_id.is_none() => {
            return Err(ReviewError::Anonymous);
        }
        (ReviewAuthors::Buyers, Some(_)) if verified_order_id.is_none() => {
            return Err(ReviewError::NotBought);
        }
        (ReviewAuthors::Anyone | ReviewAuthors::Customers | ReviewAuthors::Buyers, _) => {}
    }
    let is_new = before.is_none();
    if let Some(before) = before {
        if is_same(&before, &review) {
            return Ok(before);
        }
        review = Review {
            order_reference: before.order_reference,
            response: before.response,
            responded_at: before.responded_at,
            responded_by: before.responded_by,
            helpful_count: before.helpful_count,
            unhelpful_count: before.unhelpful_count,
            version: before.version.saturating_add(1),
            created_at: before.created_at,
            ..review
        };
    }
    let text = format!("{} {}", review.title.as_deref().unwrap_or_default(), review.content);
    review.flags = flags(&text, queries::same_count(tx, &review.text_digest, &review.id)?);
    review.verified_order_id = verified_order_id;
    let approves = settings.review_auto_approve == ReviewAutoApprove::Verified;
    if approves && review.verified_order_id.is_some() && review.flags.is_empty() {
        review.status = ReviewStatus::Approved;
        review.decided_at = Some(tx.now());
    }
    store(tx, &review, is_new)?;
    Ok(review)
}

fn check(
    tx: &Tx<'_>,
    request: &SubmitReviewRequest,
    channels: &[SalesChannelId],
) -> Result<(), ReviewError> {
    if !RATINGS.contains(&request.rating) {
        return Err(ReviewError::OutOfBounds { field: "rating", least: 1, most: 5 });
    }
    catalog::require_visible(tx, &request.product_id, channels)?;
    match &request.variant_id {
        Some(id) if !catalog::has_variant(tx, &request.product_id, id)? => {
            Err(ReviewError::NotItsVariant(id.clone()))
        }
        Some(_) | None => Ok(()),
    }
}

/// Returns whether a review already has this content, as when a form is sent twice.
fn is_same(before: &Review, new: &Review) -> bool {
    before.title == new.title
        && before.content == new.content
        && before.rating == new.rating
        && before.first_name == new.first_name
        && before.last_name == new.last_name
        && before.variant_id == new.variant_id
}

impl SubmitReviewRequest {
    /// Returns a new review, as pending.
    fn into_review(self, tx: &Tx<'_>, customer_id: Option<CustomerId>) -> Result<Review, Error> {
        let reference = self.order_id.and_then(OptionalText::into_option);
        // With any other text, strangers who send the same one could replace each other's reviews.
        let order_reference = queries::guest_order(tx, &self.product_id, reference.as_deref())?;
        let content = String::from(self.content);
        Ok(Review {
            id: ReviewId::new(),
            product_id: self.product_id,
            variant_id: self.variant_id,
            customer_id,
            order_reference,
            verified_order_id: None,
            is_verified: false,
            title: self.title.and_then(OptionalText::into_option),
            text_digest: digest(&content),
            content,
            rating: self.rating,
            first_name: self.first_name.into(),
            last_name: self.last_name.into(),
            status: ReviewStatus::Pending,
            reject_reason: None,
            decided_at: None,
            decided_by: None,
            response: None,
            responded_at: None,
            responded_by: None,
            flags: Vec::new(),
            helpful_count: 0,
            unhelpful_count: 0,
            version: 1,
            written_at: tx.now(),
            created_at: tx.now(),
            updated_at: tx.now(),
            versions: Vec::new(),
        })
    }
}

/// Writes a review with its events, and archives the previous text.
fn store(tx: &Tx<'_>, review: &Review, is_new: bool) -> Result<(), ReviewError> {
    if is_new {
        review.insert(tx)?;
    } else {
        queries::archive(tx, &review.id)?;
        review.update(tx)?;
    }
    let payload = json!({
        "id": review.id, "product_id": review.product_id, "rating": review.rating, "version": review.version,
    });
    events::record(tx, "review.submitted", &payload)?;
    if review.status == ReviewStatus::Approved {
        events::record(tx, "review.approved", &payload)?;
    }
    Ok(())
}

/// Returns the digest of a text, ignoring case and blanks.
fn digest(content: &str) -> String {
    let words: Vec<String> = content.split_whitespace().map(str::to_lowercase).collect();
    sha256_hex(words.join(" "))
}

/// Sets or removes a customer's vote on a visible review.
///
/// # Errors
/// [`ReviewError::NotFound`] if it is not visible; [`ReviewError::OwnReview`] for its author.
pub(super) fn vote(
    tx: &Tx<'_>,
    id: &ReviewId,
    Shopper { customer_id, shop }: &Shopper,
    is_helpful: Option<bool>,
) -> Result<(), ReviewError> {
    let review = Review::require::<ReviewError>(tx, id)?;
    let is_visible = catalog::is_visible(tx, &review.product_id, &shop.sales_channel_ids)?;
    if review.status != ReviewStatus::Approved || !is_visible {
        return Err(Missing::new(Review::TITLE, id).into());
    }
    if review.customer_id.as_ref() == Some(customer_id) {
        return Err(ReviewError::OwnReview);
    }
    Ok(queries::vote(tx, id, customer_id, is_helpful)?)
}
