//! A review as moderators see it, with its earlier texts.

use serde::{Deserialize, Serialize};

use super::error::ReviewError;
use super::flag::Flag;
use super::queries;
use crate::clock::Timestamp;
use crate::database::listing::Column;
use crate::database::{Filtered as _, Record, Tx, Word};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{ById, CustomerId, OrderId, ProductId, ReviewId, VariantId};
use crate::resource::View;

/// The state of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReviewStatus {
    /// Not decided yet.
    Pending,
    /// Shown.
    Approved,
    /// Not shown.
    Rejected,
}

/// Why a review is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
pub(super) enum RejectReason {
    Spam,
    Abuse,
    /// Not about the product.
    OffTopic,
    /// Reveals somebody's identity.
    PersonalData,
    Duplicate,
    /// Against the law.
    Unlawful,
}

/// A review.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "review r")]
#[record(list(
    plural = "reviews",
    usual,
    search = ["r.title", "r.content", "r.first_name", "r.last_name"],
    order = "-created_at",
    columns = [Column::filter(
        "flags",
        "(r.flags <> '[]' and exists (select 1 from json_each(r.flags) f where f.value in ({})))",
        Flag::KIND,
    )],
))]
#[resource(name = "review")]
pub(super) struct Review {
    pub(super) id: ReviewId,
    #[column(once, filter)]
    pub(super) product_id: ProductId,
    /// The author's variant.
    pub(super) variant_id: Option<VariantId>,
    /// The author, if logged in.
    #[column(once, filter)]
    pub(super) customer_id: Option<CustomerId>,
    /// The guest order that the author named, if it contains the product.
    #[column(once)]
    pub(super) order_reference: Option<String>,
    /// The order that proves that the author bought the product.
    #[column(filter)]
    pub(super) verified_order_id: Option<OrderId>,
    /// Whether there is such an order.
    #[column(filter, sql = "r.is_verified")]
    pub(super) is_verified: bool,
    #[schema(example = "Keeps tea warm")]
    pub(super) title: Option<String>,
    #[schema(example = "Half an hour later the tea is still hot.")]
    pub(super) content: String,
    /// From 1 to 5.
    #[column(filter, order)]
    #[schema(minimum = 1, maximum = 5)]
    pub(super) rating: i64,
    pub(super) first_name: String,
    pub(super) last_name: String,
    #[column(filter)]
    pub(super) status: ReviewStatus,
    pub(super) reject_reason: Option<RejectReason>,
    /// When a moderator decided, or the store automatically.
    pub(super) decided_at: Option<Timestamp>,
    /// The admin or API key that decided; null for the store itself.
    pub(super) decided_by: Option<String>,
    /// The store's response.
    pub(super) response: Option<String>,
    pub(super) responded_at: Option<Timestamp>,
    pub(super) responded_by: Option<String>,
    /// What a moderator should look at.
    #[column(json)]
    pub(super) flags: Vec<Flag>,
    #[serde(skip)]
    pub(super) text_digest: String,
    /// How many customers found it helpful.
    #[column(sql = "r.helpful_count")]
    pub(super) helpful_count: i64,
    #[column(sql = "r.unhelpful_count")]
    pub(super) unhelpful_count: i64,
    /// How many times it was written.
    pub(super) version: i64,
    /// When it was last written.
    pub(super) written_at: Timestamp,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Its earlier texts, latest first.
    #[column(skip)]
    #[field(on_request)]
    pub(super) versions: Vec<ReviewVersion>,
}

/// An earlier text of a review.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "review_version v")]
#[resource(name = "review version")]
pub(super) struct ReviewVersion {
    pub(super) number: i64,
    pub(super) title: Option<String>,
    pub(super) content: String,
    pub(super) rating: i64,
    pub(super) first_name: String,
    pub(super) last_name: String,
    /// When it was written.
    pub(super) created_at: Timestamp,
}

impl View for Review {
    type Row = Self;
    type Error = ReviewError;

    fn attach(tx: &Tx<'_>, reviews: &mut [Self], selection: &Selection) -> Result<(), ReviewError> {
        if !selection.wants("versions") {
            return Ok(());
        }
        let versions = queries::versions(tx, reviews.iter().map(|review| &review.id))?;
        let mut versions = ById::grouped(versions);
        for review in reviews {
            review.versions = versions.take(&review.id);
        }
        Ok(())
    }
}
