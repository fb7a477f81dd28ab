//! Stored bundles.

use serde::{Deserialize, Serialize};

use super::pricing::{Amounts, Pricing, PricingType};
use crate::clock::Timestamp;
use crate::database::{Record, Word};
use crate::http::{Resource, ToSchema};
use crate::ids::{BundleItemId, BundleProductId, ProductId, SalesChannelId, VariantId};
use crate::metadata::Metadata;

/// Whether storefronts show a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
#[schema(as = BundleStatus)]
pub enum BundleStatus {
    Draft,
    Published,
}

/// A slot of a bundle: a quantity of one product, in any of its variants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Resource)]
#[resource(name = "bundle item")]
#[schema(as = BundleItem)]
pub struct Slot {
    pub id: BundleItemId,
    pub title: String,
    pub product_id: ProductId,
    /// The number of pieces in a set.
    pub quantity: i64,
    /// Whether a set is complete without it. It is sold at its own price.
    pub is_optional: bool,
    pub default_variant_id: Option<VariantId>,
}

/// A bundle with its slots.
#[derive(Debug, Clone, Record)]
#[record(table = "bundle_product b", title = "Bundle product")]
#[record(list(plural = "bundle_products", usual, search = ["b.title", "b.handle"], order = "-created_at"))]
pub struct Bundle {
    pub id: BundleProductId,
    #[column(filter, order)]
    pub title: String,
    #[column(filter, order)]
    pub handle: String,
    pub description: Option<String>,
    /// The product that it is sold as.
    #[column(filter)]
    pub product_id: Option<ProductId>,
    #[column(filter)]
    pub status: BundleStatus,
    pub(super) pricing_type: PricingType,
    pub(super) percent_ppm: Option<i64>,
    #[column(json)]
    pub(super) amounts: Amounts,
    /// The sales channels in which it is sold; all if empty.
    #[column(json)]
    pub sales_channel_ids: Vec<SalesChannelId>,
    pub metadata: Metadata,
    #[column(
        json,
        sql = "(select json_group_array(json_object('id', id, 'title', title, 'product_id', product_id,
                        'quantity', quantity, 'is_optional', json(iif(is_optional, 'true', 'false')),
                        'default_variant_id', default_variant_id))
                  from (select * from bundle_slot where bundle_id = b.id order by position))"
    )]
    pub items: Vec<Slot>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Bundle {
    /// Returns how its sets are priced.
    pub fn pricing(&self) -> Pricing<'_> {
        Pricing { kind: self.pricing_type, percent_ppm: self.percent_ppm, amounts: &self.amounts }
    }

    pub fn is_sold_in(&self, channels: &[SalesChannelId]) -> bool {
        let own = &self.sales_channel_ids;
        self.status == BundleStatus::Published
            && (own.is_empty() || channels.iter().any(|channel| own.contains(channel)))
    }

    pub fn slot(&self, id: &BundleItemId) -> Option<&Slot> {
        self.items.iter().find(|slot| slot.id == *id)
    }
}
