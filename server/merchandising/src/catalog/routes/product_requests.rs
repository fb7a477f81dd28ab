//! Request bodies of products.

use serde::Deserialize;
use utoipa::ToSchema;

use super::variant_requests::{VariantRequest, text};
use crate::catalog::change::{CustomsChange, MeasuresChange, ProductChange};
use crate::catalog::new::{Customs, Measures};
use crate::catalog::option_change::{self, OptionChange};
use crate::catalog::{CatalogError, NewOption, NewProduct, ProductStatus};
use crate::database::Tx;
use crate::http::{Patch, Text};
use crate::ids::{
    CategoryId, CollectionId, ImageId, OptionId, ProductId, ProductTypeId, SalesChannelId,
    ShippingProfileId, TagId,
};
use crate::metadata::MetadataPatch;

/// An option of a product.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "title": "Size", "values": ["S", "M"] }))]
pub(in crate::catalog) struct OptionRequest {
    /// The option to change; absent for a new one.
    pub(super) id: Option<OptionId>,
    /// The name of the option.
    pub(super) title: Option<Text>,
    /// The values in their order.
    pub(super) values: Option<Vec<Text>>,
}

impl OptionRequest {
    /// Adds the option to a product.
    pub(super) fn create(self, tx: &Tx<'_>, id: &ProductId) -> Result<(), CatalogError> {
        option_change::add_option(tx, id, self.into_change())
    }

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
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "url": "https://example.com/shirt.png" }))]
pub(in crate::catalog) struct ImageRequest {
    /// Ignored: a request always has all images.
    #[serde(rename = "id")]
    _id: Option<ImageId>,
    url: Text<2000>,
}

/// A category, by its id.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::catalog) struct CategoryLinkRequest {
    /// The category.
    id: CategoryId,
}

/// A tag, by its id.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::catalog) struct TagLinkRequest {
    /// The tag.
    id: TagId,
}

/// A sales channel, by its id.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::catalog) struct ChannelLinkRequest {
    /// The sales channel.
    id: SalesChannelId,
}

/// A new product.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "title": "Green Shirt", "status": "published", "options": [{ "title": "Size", "values": ["S", "M"] }],
    "variants": [{ "sku": "SHIRT-S", "options": { "Size": "S" }, "prices": [{ "currency_code": "usd", "amount": 12.99 }] }]
}))]
pub(in crate::catalog) struct CreateProductRequest {
    title: Text,
    /// The unique name in URLs; defaults to one derived from the title.
    handle: Option<Text<200>>,
    subtitle: Option<Text>,
    description: Option<Text<20000>>,
    /// The publication status; defaults to `draft`.
    #[serde(default)]
    status: ProductStatus,
    /// The URL of its picture; defaults to the first image.
    thumbnail: Option<Text<2000>>,
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
    /// The images in their order.
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
    /// Converts the request to a new product.
    pub(super) fn into_new(self) -> Result<NewProduct, CatalogError> {
        let images: Vec<String> = self.images.into_iter().map(|image| image.url.into()).collect();
        let mut variants = Vec::with_capacity(self.variants.len());
        for variant in self.variants {
            let (_id, change) = variant.into_change()?;
            variants.push(change.into_new()?);
        }
        Ok(NewProduct {
            handle: self.handle.map(String::from),
            subtitle: self.subtitle.map(String::from),
            description: self.description.map(String::from),
            status: self.status,
            thumbnail: self.thumbnail.map(String::from).or_else(|| images.first().cloned()),
            is_giftcard: self.is_giftcard,
            discountable: self.discountable.unwrap_or(true),
            collection_id: self.collection_id,
            type_id: self.type_id,
            shipping_profile_id: self.shipping_profile_id,
            external_id: self.external_id.map(String::from),
            measures: Measures {
                weight: self.weight,
                length: self.length,
                height: self.height,
                width: self.width,
            },
            customs: Customs {
                hs_code: self.hs_code.map(String::from),
                origin_country: self.origin_country.map(String::from),
                mid_code: self.mid_code.map(String::from),
                material: self.material.map(String::from),
            },
            metadata: self.metadata.unwrap_or_default().create()?,
            options: self
                .options
                .into_iter()
                .map(OptionRequest::into_new)
                .collect::<Result<_, _>>()?,
            variants,
            images,
            tag_ids: self.tags.into_iter().map(|tag| tag.id).collect(),
            category_ids: self.categories.into_iter().map(|category| category.id).collect(),
            sales_channel_ids: self.sales_channels.into_iter().map(|channel| channel.id).collect(),
            ..NewProduct::titled(self.title)
        })
    }
}

/// The fields of a product to change. A list replaces the existing one.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "title": "Green Shirt", "status": "published" }))]
pub(in crate::catalog) struct UpdateProductRequest {
    /// The product, in a batch.
    id: Option<ProductId>,
    title: Option<Text>,
    /// The unique name in URLs.
    handle: Option<Text<200>>,
    #[serde(default)]
    subtitle: Patch<Text>,
    #[serde(default)]
    description: Patch<Text<20000>>,
    /// The publication status.
    status: Option<ProductStatus>,
    /// The URL of its picture.
    #[serde(default)]
    thumbnail: Patch<Text<2000>>,
    /// Whether it is a gift card.
    is_giftcard: Option<bool>,
    /// Whether promotions apply to it.
    discountable: Option<bool>,
    #[serde(default)]
    collection_id: Patch<CollectionId>,
    #[serde(default)]
    type_id: Patch<ProductTypeId>,
    #[serde(default)]
    shipping_profile_id: Patch<ShippingProfileId>,
    /// The identifier in an external system.
    #[serde(default)]
    external_id: Patch<Text>,
    /// Weight in the store's unit.
    #[serde(default)]
    weight: Patch<i64>,
    /// Length in the store's unit.
    #[serde(default)]
    length: Patch<i64>,
    /// Height in the store's unit.
    #[serde(default)]
    height: Patch<i64>,
    /// Width in the store's unit.
    #[serde(default)]
    width: Patch<i64>,
    /// The Harmonized System code.
    #[serde(default)]
    hs_code: Patch<Text>,
    #[serde(default)]
    origin_country: Patch<Text>,
    /// The manufacturer's code.
    #[serde(default)]
    mid_code: Patch<Text>,
    #[serde(default)]
    material: Patch<Text>,
    /// Keys to merge; null removes a key.
    #[serde(default)]
    metadata: Patch<MetadataPatch>,
    /// All options; a missing one is deleted, unless a variant has a value of it.
    options: Option<Vec<OptionRequest>>,
    /// All variants: an entry with an id is updated, one without is created; missing ones are deleted.
    variants: Option<Vec<VariantRequest>>,
    /// The images in their order.
    images: Option<Vec<ImageRequest>>,
    tags: Option<Vec<TagLinkRequest>>,
    categories: Option<Vec<CategoryLinkRequest>>,
    sales_channels: Option<Vec<ChannelLinkRequest>>,
}

impl UpdateProductRequest {
    /// Converts the request to a change, and the product's id if given.
    pub(super) fn into_change(self) -> Result<(Option<ProductId>, ProductChange), CatalogError> {
        let variants = all(self.variants, VariantRequest::into_change);
        let change = ProductChange {
            title: self.title.map(String::from),
            handle: self.handle.map(String::from),
            subtitle: text(self.subtitle),
            description: text(self.description),
            status: self.status,
            thumbnail: text(self.thumbnail),
            is_giftcard: self.is_giftcard,
            discountable: self.discountable,
            collection_id: self.collection_id,
            type_id: self.type_id,
            shipping_profile_id: self.shipping_profile_id,
            external_id: text(self.external_id),
            measures: MeasuresChange {
                weight: self.weight,
                length: self.length,
                height: self.height,
                width: self.width,
            },
            customs: CustomsChange {
                hs_code: text(self.hs_code),
                origin_country: text(self.origin_country),
                mid_code: text(self.mid_code),
                material: text(self.material),
            },
            metadata: self.metadata.sent().flatten().unwrap_or_default(),
            options: all(self.options, OptionRequest::into_change),
            variants: variants.map(|all| all.into_iter().collect::<Result<_, _>>()).transpose()?,
            images: all(self.images, |image| image.url.into()),
            tag_ids: all(self.tags, |tag| tag.id),
            category_ids: all(self.categories, |category| category.id),
            sales_channel_ids: all(self.sales_channels, |channel| channel.id),
        };
        Ok((self.id, change))
    }
}

fn all<T, U>(sent: Option<Vec<T>>, read: impl Fn(T) -> U) -> Option<Vec<U>> {
    sent.map(|all| all.into_iter().map(read).collect())
}
