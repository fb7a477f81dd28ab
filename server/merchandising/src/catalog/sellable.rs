//! The data of a variant and its product that a line of a cart or an order needs.

use super::{CatalogError, ProductStatus, queries, require_visible};
use crate::database::{FromRow, Tx};
use crate::ids::{
    ById, CategoryId, CollectionId, PriceSetId, ProductId, ProductTypeId, SalesChannelId,
    ShippingProfileId, TagId, VariantId,
};
use crate::metadata::Metadata;

/// The current state of a variant with its product; lines copy it.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
#[expect(clippy::struct_excessive_bools, reason = "each is a stored flag")]
pub struct Sellable {
    pub variant_id: VariantId,
    pub variant_title: String,
    /// The stock keeping unit.
    pub sku: Option<String>,
    pub barcode: Option<String>,
    pub price_set_id: PriceSetId,
    /// Whether its stock is managed.
    pub manage_inventory: bool,
    /// Whether it can be sold when it is out of stock.
    pub allow_backorder: bool,
    /// The picture of the variant, otherwise of the product.
    pub thumbnail: Option<String>,
    pub product_thumbnail: Option<String>,
    pub product_id: ProductId,
    pub product_title: String,
    pub product_subtitle: Option<String>,
    pub product_description: Option<String>,
    /// The name in URLs.
    pub product_handle: String,
    pub status: ProductStatus,
    /// Whether it is a gift card.
    pub is_giftcard: bool,
    /// Whether promotions apply to it.
    pub discountable: bool,
    pub type_id: Option<ProductTypeId>,
    /// The name of its type.
    pub type_value: Option<String>,
    pub collection_id: Option<CollectionId>,
    pub collection_title: Option<String>,
    pub shipping_profile_id: Option<ShippingProfileId>,
    /// Whether it needs shipping: it is not a gift card, and it has a shipping profile or an inventory item that needs
    /// shipping.
    pub requires_shipping: bool,
    #[column(json)]
    pub category_ids: Vec<CategoryId>,
    #[column(json)]
    pub tag_ids: Vec<TagId>,
    #[column(json)]
    pub sales_channel_ids: Vec<SalesChannelId>,
}

impl Sellable {
    /// Returns whether it can be bought in a channel.
    pub fn is_sold_in(&self, sales_channel_id: &SalesChannelId) -> bool {
        self.status == ProductStatus::Published && self.sales_channel_ids.contains(sales_channel_id)
    }
}

/// Returns the variants that exist, by one statement. Deleted variants and variants of deleted products are omitted;
/// unpublished ones are included, with their status.
pub fn sellables_by_id(tx: &Tx<'_>, ids: &[VariantId]) -> Result<ById<Sellable>, CatalogError> {
    if ids.is_empty() {
        return Ok(ById::default());
    }
    let found = queries::sellables::find(tx, ids)?;
    Ok(found.into_iter().map(|sellable| (sellable.variant_id.clone(), sellable)).collect())
}

pub fn sellable(tx: &Tx<'_>, id: &VariantId) -> Result<Option<Sellable>, CatalogError> {
    Ok(queries::sellables::find(tx, std::slice::from_ref(id))?.pop())
}

/// Returns the metadata of a product that is sold in one of the channels.
pub fn metadata_of(
    tx: &Tx<'_>,
    product_id: &ProductId,
    channels: &[SalesChannelId],
) -> Result<Metadata, CatalogError> {
    require_visible(tx, product_id, channels)?;
    Ok(queries::products::metadata(tx, product_id)?)
}

/// Returns the variants of a product that is sold in one of the channels, with two statements.
pub fn sellables_of(
    tx: &Tx<'_>,
    product_id: &ProductId,
    channels: &[SalesChannelId],
) -> Result<Vec<Sellable>, CatalogError> {
    require_visible(tx, product_id, channels)?;
    Ok(queries::sellables::of_product(tx, product_id)?)
}
