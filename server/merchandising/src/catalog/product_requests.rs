//! Request bodies of products.

use super::option_change::OptionChange;
use super::variant_requests::VariantRequest;
use super::{CatalogError, NewOption, NewProduct, ProductStatus};
use crate::http::{Patch, PictureUrl, Text, request};
use crate::ids::{
    CategoryId, CollectionId, ImageId, OptionId, ProductId, ProductTypeId, SalesChannelId,
    ShippingProfileId, TagId,
};
use crate::metadata::MetadataPatch;

/// An option of a product.
#[request]
#[schema(example = json!({ "title": "Size", "values": ["S", "M"] }))]
pub(super) struct OptionRequest {
    /// The option to change; absent for a new one.
    pub(super) id: Option<OptionId>,
    pub(super) title: Option<Text>,
    pub(super) values: Option<Vec<Text>>,
}

impl OptionRequest {
    pub(super) fn into_change(self) -> OptionChange {
        let values = self.values.map(|values| values.into_iter().map(String::from).collect());
        OptionChange { id: self.id, title: self.title.map(String::from), values }
    }

    fn into_new(self) -> Result<NewOption, CatalogError> {
        let title = self.title.map(String::from).unwrap_or_default();
        if title.is_empty() {
            return Err(CatalogError::unknown_option(&title));
        }
        let values = self.values.unwrap_or_default().into_iter().map(String::from).collect();
        Ok(NewOption { title, values })
    }
}

/// An image of a product.
#[request]
#[schema(example = json!({ "url": "https://example.com/shirt.png" }))]
pub(super) struct ImageRequest {
    /// Ignored: a request always has all images.
    #[serde(rename = "id")]
    _id: Option<ImageId>,
    pub(super) url: PictureUrl,
}

/// A category, by its id.
#[request]
pub(super) struct CategoryLinkRequest {
    pub(super) id: CategoryId,
}

/// A tag, by its id.
#[request]
pub(super) struct TagLinkRequest {
    pub(super) id: TagId,
}

/// A sales channel, by its id.
#[request]
pub(super) struct ChannelLinkRequest {
    pub(super) id: SalesChannelId,
}

/// A new product.
#[request]
#[schema(example = json!({
    "title": "Green Shirt", "status": "published", "options": [{ "title": "Size", "values": ["S", "M"] }],
    "variants": [{ "sku": "SHIRT-S", "options": { "Size": "S" }, "prices": [{ "currency_code": "usd", "amount": 12.99 }] }]
}))]
pub(super) struct CreateProductRequest {
    title: Text,
    /// The unique name in URLs; defaults to one derived from the title.
    handle: Option<Text<200>>,
    subtitle: Option<Text>,
    description: Option<Text<20000>>,
    /// The publication status; defaults to `draft`.
    #[serde(default)]
    status: ProductStatus,
    /// The URL of its picture; defaults to the first image.
    thumbnail: Option<PictureUrl>,
    /// Whether it is a gift card.
    #[serde(default)]
    is_giftcard: bool,
    /// Whether promotions apply to it; defaults to true.
    discountable: Option<bool>,
    collection_id: Option<CollectionId>,
    type_id: Option<ProductTypeId>,
    /// Defaults to the default shipping profile.
    shipping_profile_id: Option<ShippingProfileId>,
    /// The identifier in an external system.
    external_id: Option<Text>,
    /// Weight in the store's unit.
    weight: Option<i64>,
    /// Length in the store's unit.
    length: Option<i64>,
    /// Height in the store's unit.
    height: Option<i64>,
    /// Width in the store's unit.
    width: Option<i64>,
    /// The Harmonized System code.
    hs_code: Option<Text>,
    origin_country: Option<Text>,
    /// The manufacturer's code.
    mid_code: Option<Text>,
    material: Option<Text>,
    metadata: Option<MetadataPatch>,
    /// The options in which its variants differ.
    #[serde(default)]
    options: Vec<OptionRequest>,
    /// The variants, each a different combination of the options.
    #[serde(default)]
    variants: Vec<VariantRequest>,
    #[serde(default)]
    images: Vec<ImageRequest>,
    #[serde(default)]
    tags: Vec<TagLinkRequest>,
    #[serde(default)]
    categories: Vec<CategoryLinkRequest>,
    #[serde(default)]
    sales_channels: Vec<ChannelLinkRequest>,
}

impl CreateProductRequest {
    pub(super) fn into_new(self) -> Result<NewProduct, CatalogError> {
        let mut new = NewProduct::titled(self.title);
        crate::assign!(self => new:
            handle, subtitle, description, thumbnail, discountable, collection_id, type_id,
            shipping_profile_id, external_id
        );
        let NewProduct { measures, customs, .. } = &mut new;
        crate::assign!(self => measures: weight, length, height, width);
        crate::assign!(self => customs: hs_code, origin_country, mid_code, material);
        new.status = self.status;
        new.is_giftcard = self.is_giftcard;
        for variant in self.variants {
            new.variants.push(variant.into_new()?);
        }
        new.metadata = self.metadata.unwrap_or_default().create()?;
        for option in self.options {
            new.options.push(option.into_new()?);
        }
        new.images = self.images.into_iter().map(|image| image.url.into()).collect();
        new.thumbnail = new.thumbnail.or_else(|| new.images.first().cloned());
        new.tag_ids = self.tags.into_iter().map(|tag| tag.id).collect();
        new.category_ids = self.categories.into_iter().map(|category| category.id).collect();
        new.sales_channel_ids = self.sales_channels.into_iter().map(|channel| channel.id).collect();
        Ok(new)
    }
}

/// The fields of a product to change. A list replaces the existing one.
#[request]
#[schema(example = json!({ "title": "Green Shirt", "status": "published" }))]
pub(super) struct UpdateProductRequest {
    /// The product, in a batch.
    pub(super) id: Option<ProductId>,
    pub(super) title: Option<Text>,
    /// The unique name in URLs.
    pub(super) handle: Option<Text<200>>,
    pub(super) subtitle: Patch<Text>,
    pub(super) description: Patch<Text<20000>>,
    pub(super) status: Option<ProductStatus>,
    /// The URL of its picture.
    pub(super) thumbnail: Patch<PictureUrl>,
    /// Whether it is a gift card.
    pub(super) is_giftcard: Option<bool>,
    /// Whether promotions apply to it.
    pub(super) discountable: Option<bool>,
    pub(super) collection_id: Patch<CollectionId>,
    pub(super) type_id: Patch<ProductTypeId>,
    pub(super) shipping_profile_id: Patch<ShippingProfileId>,
    /// The identifier in an external system.
    pub(super) external_id: Patch<Text>,
    /// Weight in the store's unit.
    pub(super) weight: Patch<i64>,
    /// Length in the store's unit.
    pub(super) length: Patch<i64>,
    /// Height in the store's unit.
    pub(super) height: Patch<i64>,
    /// Width in the store's unit.
    pub(super) width: Patch<i64>,
    /// The Harmonized System code.
    pub(super) hs_code: Patch<Text>,
    pub(super) origin_country: Patch<Text>,
    /// The manufacturer's code.
    pub(super) mid_code: Patch<Text>,
    pub(super) material: Patch<Text>,
    /// Keys to merge; null removes a key.
    pub(super) metadata: Patch<MetadataPatch>,
    /// All options; a missing one is deleted, unless a variant has a value of it.
    pub(super) options: Option<Vec<OptionRequest>>,
    /// All variants: an entry with an id is updated, one without is created; missing ones are deleted.
    pub(super) variants: Option<Vec<VariantRequest>>,
    pub(super) images: Option<Vec<ImageRequest>>,
    pub(super) tags: Option<Vec<TagLinkRequest>>,
    pub(super) categories: Option<Vec<CategoryLinkRequest>>,
    pub(super) sales_channels: Option<Vec<ChannelLinkRequest>>,
}

impl UpdateProductRequest {
    /// Checks the amounts of the variants' prices.
    pub(super) fn check_prices(&self) -> Result<(), CatalogError> {
        self.variants.iter().flatten().try_for_each(VariantRequest::check_prices)
    }
}
