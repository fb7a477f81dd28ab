//! What a line of a cart or an order has to know of a variant and its product.

use std::collections::BTreeMap;

use super::{CatalogError, ProductStatus, queries};
use crate::database::Tx;
use crate::ids::{
    CategoryId, CollectionId, PriceSetId, ProductId, ProductTypeId, SalesChannelId,
    ShippingProfileId, TagId, VariantId,
};

/// A variant with its product, as it is at this instant; what a line copies.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, as stored")]
pub struct Sellable {
    pub variant_id: VariantId,
    pub variant_title: String,
    /// Stock keeping unit.
    pub sku: Option<String>,
    pub barcode: Option<String>,
    pub price_set_id: PriceSetId,
    /// Whether its stock is counted.
    pub manage_inventory: bool,
    /// Whether it is sold when none is in stock.
    pub allow_backorder: bool,
    /// The picture of the variant, or else of the product.
    pub thumbnail: Option<String>,
    pub product_id: ProductId,
    pub product_title: String,
    pub product_subtitle: Option<String>,
    pub product_description: Option<String>,
    /// Name in addresses.
    pub product_handle: String,
    /// Whether it can be bought.
    pub status: ProductStatus,
    /// Whether it is a gift card.
    pub is_giftcard: bool,
    /// Whether promotions apply to it.
    pub discountable: bool,
    pub type_id: Option<ProductTypeId>,
    /// Its type's name.
    pub type_value: Option<String>,
    /// Its collection.
    pub collection_id: Option<CollectionId>,
    /// Its collection's title.
    pub collection_title: Option<String>,
    pub shipping_profile_id: Option<ShippingProfileId>,
    /// Whether it is shipped at all: it is no gift card, and it has a shipping profile or an inventory item that is
    /// shipped.
    pub requires_shipping: bool,
    pub category_ids: Vec<CategoryId>,
    /// The tags it has.
    pub tag_ids: Vec<TagId>,
    pub sales_channel_ids: Vec<SalesChannelId>,
}

impl Sellable {
    /// Whether it can be bought in a channel.
    pub fn is_sold_in(&self, sales_channel_id: &SalesChannelId) -> bool {
        self.status == ProductStatus::Published && self.sales_channel_ids.contains(sales_channel_id)
    }
}

/// The variants that exist, of those named. One that was deleted, or whose product was, is not there; one that is not
/// published is, with its status. One statement.
pub fn sellables_by_id(
    tx: &Tx<'_>,
    ids: &[VariantId],
) -> Result<BTreeMap<VariantId, Sellable>, CatalogError> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let found = queries::sellables::find(tx, ids)?;
    Ok(found.into_iter().map(|sellable| (sellable.variant_id.clone(), sellable)).collect())
}
