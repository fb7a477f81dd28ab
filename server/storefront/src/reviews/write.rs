//! Writing and rewriting a review.

use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::badge;
use super::error::ReviewError;
use super::flag::flags;
use super::queries;
use super::review::{Review, ReviewStatus};
use crate::catalog;
use crate::config::{ReviewAuthors, ReviewAutoApprove, VisitorSettings};
use crate::database::{Table as _, Tx};
use crate::events;
use crate::ids::{CustomerId, ProductId, ReviewId, SalesChannelId, VariantId};

/// The range of ratings.
const RATINGS: std::ops::RangeInclusive<i64> = 1..=5;

/// A review as sent by its author.
#[derive(Debug, Clone)]
pub(super) struct NewReview {
    pub(super) product_id: ProductId,
    pub(super) variant_id: Option<VariantId>,
    /// The guest order that the author names; it may be any text.
    pub(super) order_reference: Option<String>,
    pub(super) title: Option<String>,
    pub(super) content: String,
    pub(super) rating: i64,
    pub(super) first_name: String,
    pub(super) last_name: String,
}

/// Writes a review, or rewrites the author's review of the product, which then waits for a moderator
/// again.
///
/// # Errors
/// [`ReviewError::Catalog`] if the product is not sold in the channels; [`ReviewError::Anonymous`] and
/// [`ReviewError::NotBought`] if the store does not accept reviews from this author.
pub(super) fn submit(
    tx: &Tx<'_>,
    mut new: NewReview,
    customer_id: Option<CustomerId>,
    channels: &[SalesChannelId],
    settings: &VisitorSettings,
) -> Result<Review, ReviewError> {
    check(tx, &new, channels)?;
    // With any other text, strangers who send the same one could replace each other's reviews.
    new.order_reference =
        queries::guest_order(tx, &new.product_id, new.order_reference.as_deref())?;
    let reference = new.order_reference.as_deref();
    let verified_order_id =
        badge::order_with(tx, &new.product_id, customer_id.as_ref(), reference)?;
    match (settings.review_authors, &customer_id) {
        (ReviewAuthors::Customers, None) => return Err(ReviewError::Anonymous),
        (ReviewAuthors::Buyers, None) if verified_order_id.is_none() => {
            return Err(ReviewError::Anonymous);
        }
        (ReviewAuthors::Buyers, Some(_)) if verified_order_id.is_none() => {
            return Err(ReviewError::NotBought);
        }
        (ReviewAuthors::Anyone | ReviewAuthors::Customers | ReviewAuthors::Buyers, _) => {}
    }
    let before = match (&customer_id, reference) {
        (Some(customer_id), _) => queries::of_customer(tx, &new.product_id, customer_id)?,
        (None, Some(reference)) => queries::of_guest(tx, &new.product_id, reference)?,
        (None, None) => None,
    };
    if let Some(before) = before.as_ref().filter(|before| is_same(before, &new)) {
        return Ok(before.clone());
    }
    let mut review = drafted(tx, new, customer_id, before.as_ref());
    let text = format!("{} {}", review.title.as_deref().unwrap_or_default(), review.content);
    review.flags = flags(&text, queries::same_count(tx, &review.text_digest, &review.id)?);
    review.verified_order_id = verified_order_id;
    let approves = settings.review_auto_approve == ReviewAutoApprove::Verified;
    if approves && review.verified_order_id.is_some() && review.flags.is_empty() {
        review.status = ReviewStatus::Approved;
        review.decided_at = Some(tx.now());
    }
    store(tx, &review, before.as_ref())?;
    Ok(review)
}

fn check(tx: &Tx<'_>, new: &NewReview, channels: &[SalesChannelId]) -> Result<(), ReviewError> {
    if !RATINGS.contains(&new.rating) {
        return Err(ReviewError::OutOfBounds { field: "rating", least: 1, most: 5 });
    }
    catalog::require_visible(tx, &new.product_id, channels)?;
    match &new.variant_id {
        Some(id) if !catalog::has_variant(tx, &new.product_id, id)? => {
            Err(ReviewError::NotItsVariant(id.clone()))
        }
        Some(_) | None => Ok(()),
    }
}

/// Returns whether a review already has this content, as when a form is sent twice.
fn is_same(before: &Review, new: &NewReview) -> bool {
    before.title == new.title
        && before.content == new.content
        && before.rating == new.rating
        && before.first_name == new.first_name
        && before.last_name == new.last_name
        && before.variant_id == new.variant_id
}

/// Returns the review to store, as pending.
fn drafted(
    tx: &Tx<'_>,
    new: NewReview,
    customer_id: Option<CustomerId>,
    before: Option<&Review>,
) -> Review {
    let digest = digest(&new.content);
    let blank = || Review {
        id: ReviewId::new(),
        product_id: new.product_id.clone(),
        variant_id: None,
        customer_id,
        order_reference: new.order_reference.clone(),
        verified_order_id: None,
        is_verified: false,
        title: None,
        content: String::new(),
        rating: new.rating,
        first_name: String::new(),
        last_name: String::new(),
        status: ReviewStatus::Pending,
        reject_reason: None,
        decided_at: None,
        decided_by: None,
        response: None,
        responded_at: None,
        responded_by: None,
        flags: Vec::new(),
        text_digest: String::new(),
        helpful_count: 0,
        unhelpful_count: 0,
        version: 0,
        written_at: tx.now(),
        created_at: tx.now(),
        updated_at: tx.now(),
        versions: Vec::new(),
    };
    let base = before.cloned().unwrap_or_else(blank);
    Review {
        variant_id: new.variant_id,
        title: new.title,
        content: new.content,
        rating: new.rating,
        first_name: new.first_name,
        last_name: new.last_name,
        status: ReviewStatus::Pending,
        reject_reason: None,
        decided_at: None,
        decided_by: None,
        text_digest: digest,
        version: base.version.saturating_add(1),
        written_at: tx.now(),
        ..base
    }
}

/// Writes a review with its events, and archives the previous text.
fn store(tx: &Tx<'_>, review: &Review, before: Option<&Review>) -> Result<(), ReviewError> {
    match before {
        Some(before) => {
            queries::archive(tx, &before.id)?;
            review.update(tx)?;
        }
        None => review.insert(tx)?,
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
    hex::encode(Sha256::digest(words.join(" ").as_bytes()))
}
