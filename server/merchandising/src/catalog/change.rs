//! Updates and deletes products.

use serde_json::json;

use super::create::{self, References, VariantParent};
use super::new::{Customs, MAX_LINKS, Measures, NewVariant};
use super::option_change::{self, OptionChange};
use super::queries::{categories, changes, inserts, stock, variants};
use super::variant_change::{self, VariantChange};
use super::view::Product;
use super::{CatalogError, ProductStatus};
use crate::database::{Table, Tx};
use crate::events;
use crate::http::Patch;
use crate::ids::{
    self, CategoryId, CollectionId, ProductId, ProductTypeId, SalesChannelId, ShippingProfileId,
    TagId, VariantId,
};
use crate::metadata::MetadataPatch;

/// The dimensions and weight to set; a field that is none stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeasuresChange {
    /// The weight.
    pub weight: Patch<i64>,
    /// The length.
    pub length: Patch<i64>,
    /// The height.
    pub(crate) height: Patch<i64>,
    /// The width.
    pub width: Patch<i64>,
}

impl MeasuresChange {
    /// Returns the values after the change.
    pub(super) fn apply(self, before: &Measures) -> Result<Measures, CatalogError> {
        let after = Measures {
            weight: self.weight.apply(before.weight),
            length: self.length.apply(before.length),
            height: self.height.apply(before.height),
            width: self.width.apply(before.width),
        };
        create::check_measures(&after)?;
        Ok(after)
    }
}

/// The customs data to set; a field that is none stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct CustomsChange {
    /// The Harmonized System code.
    pub(crate) hs_code: Patch<String>,
    pub(crate) origin_country: Patch<String>,
    /// The manufacturer's code.
    pub(crate) mid_code: Patch<String>,
    pub(crate) material: Patch<String>,
}

impl CustomsChange {
    /// Returns the values after the change.
    pub(super) fn apply(self, before: Customs) -> Customs {
        Customs {
            hs_code: self.hs_code.apply(before.hs_code),
            origin_country: self.origin_country.apply(before.origin_country),
            mid_code: self.mid_code.apply(before.mid_code),
            material: self.material.apply(before.material),
        }
    }
}

/// The fields of a product to set; a field that is none stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProductChange {
    pub title: Option<String>,
    /// The handle, which must be unique.
    pub handle: Option<String>,
    pub subtitle: Patch<String>,
    pub description: Patch<String>,
    /// The publication status.
    pub status: Option<ProductStatus>,
    pub thumbnail: Patch<String>,
    /// Whether it is a gift card.
    pub is_giftcard: Option<bool>,
    /// Whether promotions apply to it.
    pub discountable: Option<bool>,
    pub collection_id: Patch<CollectionId>,
    pub type_id: Patch<ProductTypeId>,
    pub shipping_profile_id: Patch<ShippingProfileId>,
    /// The identifier in an external system.
    pub external_id: Patch<String>,
    pub measures: MeasuresChange,
    pub customs: CustomsChange,
    /// Keys to merge.
    pub metadata: MetadataPatch,
    /// All options; missing ones are deleted.
    pub options: Option<Vec<OptionChange>>,
    /// All variants: an entry with an id is updated, one without is created; missing ones are deleted.
    pub variants: Option<Vec<(Option<VariantId>, VariantChange)>>,
    /// The URLs of all images.
    pub images: Option<Vec<String>>,
    /// All tags.
    pub tag_ids: Option<Vec<TagId>>,
    /// All categories.
    pub category_ids: Option<Vec<CategoryId>>,
    /// All sales channels.
    pub sales_channel_ids: Option<Vec<SalesChannelId>>,
}

/// Updates a product. Records `product.updated`.
pub(crate) fn update_product(
    tx: &Tx<'_>,
    id: &ProductId,
    mut change: ProductChange,
) -> Result<(), CatalogError> {
    let before = Product::require::<CatalogError>(tx, id)?;
    check_links(tx, &change)?;
    let options = change.options.take();
    let variants = change.variants.take();
    relink(tx, id, &mut change)?;
    let after = apply(tx, before, change)?;
    after.update(tx)?;
    set_variants_and_options(tx, &after, options, variants)?;
    Ok(events::record(tx, "product.updated", &json!({ "id": id }))?)
}

fn apply(tx: &Tx<'_>, before: Product, change: ProductChange) -> Result<Product, CatalogError> {
    let handle = match change.handle {
        Some(sent) if sent != before.handle => create::choose_handle(tx, Some(&sent), "")?,
        Some(_) | None => before.handle.clone(),
    };
    let Product { weight, length, height, width, .. } = before;
    let measures = change.measures.apply(&Measures { weight, length, height, width })?;
    let customs = change.customs.apply(Customs {
        hs_code: before.hs_code,
        origin_country: before.origin_country,
        mid_code: before.mid_code,
        material: before.material,
    });
    Ok(Product {
        handle,
        title: change.title.unwrap_or(before.title),
        subtitle: change.subtitle.apply(before.subtitle),
        description: change.description.apply(before.description),
        status: change.status.unwrap_or(before.status),
        thumbnail: change.thumbnail.apply(before.thumbnail),
        is_giftcard: change.is_giftcard.unwrap_or(before.is_giftcard),
        discountable: change.discountable.unwrap_or(before.discountable),
        collection_id: change.collection_id.apply(before.collection_id),
        type_id: change.type_id.apply(before.type_id),
        shipping_profile_id: change.shipping_profile_id.apply(before.shipping_profile_id),
        external_id: change.external_id.apply(before.external_id),
        metadata: change.metadata.merge(&before.metadata)?,
        weight: measures.weight,
        length: measures.length,
        height: measures.height,
        width: measures.width,
        hs_code: customs.hs_code,
        origin_country: customs.origin_country,
        mid_code: customs.mid_code,
        material: customs.material,
        ..before
    })
}

fn check_links(tx: &Tx<'_>, change: &ProductChange) -> Result<(), CatalogError> {
    let counts = [
        ("images", change.images.as_ref().map_or(0, Vec::len)),
        ("tags", change.tag_ids.as_ref().map_or(0, Vec::len)),
        ("categories", change.category_ids.as_ref().map_or(0, Vec::len)),
        ("sales channels", change.sales_channel_ids.as_ref().map_or(0, Vec::len)),
    ];
    if let Some((what, _)) = counts.into_iter().find(|(_, count)| *count > MAX_LINKS) {
        return Err(CatalogError::too_many(what, MAX_LINKS));
    }
    let mut references = References::default();
    references.add("collection", change.collection_id.value());
    references.add("type", change.type_id.value());
    references.add("shipping profile", change.shipping_profile_id.value());
    references.add("tag", change.tag_ids.iter().flatten());
    references.add("category", change.category_ids.iter().flatten());
    references.add("sales channel", change.sales_channel_ids.iter().flatten());
    references.check(tx)
}

fn relink(tx: &Tx<'_>, id: &ProductId, change: &mut ProductChange) -> Result<(), CatalogError> {
    if let Some(urls) = change.images.take() {
        changes::clear_images(tx, id)?;
        create::add_images(tx, id, &urls, 0)?;
    }
    if let Some(tag_ids) = change.tag_ids.take() {
        changes::clear_tags(tx, id)?;
        inserts::tags(tx, id, &ids::list(tag_ids.iter().map(TagId::as_str)))?;
    }
    if let Some(category_ids) = change.category_ids.take() {
        categories::clear_product(tx, id)?;
        inserts::categories(tx, id, &ids::list(category_ids.iter().map(CategoryId::as_str)))?;
    }
    if let Some(channel_ids) = change.sales_channel_ids.take() {
        changes::clear_channels(tx, id)?;
        inserts::channels(tx, id, &ids::list(channel_ids.iter().map(SalesChannelId::as_str)))?;
    }
    Ok(())
}

/// Deletes missing variants first, so that their options may be deleted too; then sets the options, then the other
/// variants.
fn set_variants_and_options(
    tx: &Tx<'_>,
    product: &Product,
    options: Option<Vec<OptionChange>>,
    sent: Option<Vec<(Option<VariantId>, VariantChange)>>,
) -> Result<(), CatalogError> {
    if let Some(sent) = &sent {
        let named: Vec<&VariantId> = sent.iter().filter_map(|(id, _)| id.as_ref()).collect();
        let gone: Vec<VariantId> = variants::of_products(tx, &ids::list([product.id.as_str()]))?
            .into_iter()
            .map(|variant| variant.id)
            .filter(|id| !named.contains(&id))
            .collect();
        if !gone.is_empty() {
            delete_variants(tx, &gone)?;
        }
    }
    if let Some(options) = options {
        option_change::set_options(tx, &product.id, &options)?;
    }
    let mut new: Vec<NewVariant> = Vec::new();
    for (id, change) in sent.unwrap_or_default() {
        match id {
            Some(id) => variant_change::apply_change(tx, product, &id, change)?,
            None => new.push(change.into_new()?),
        }
    }
    add_variants(tx, product, &new).map(|_ids| ())
}

/// Adds variants to an existing product.
pub(super) fn add_variants(
    tx: &Tx<'_>,
    product: &Product,
    new: &[NewVariant],
) -> Result<Vec<VariantId>, CatalogError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let own = option_change::OwnOptions::load(tx, &product.id)?;
    let existing = variants::of_products(tx, &ids::list([product.id.as_str()]))?;
    let mut combinations = own.combinations(tx, &existing, None)?;
    for variant in new {
        combinations.push(super::options::combine(&own.options, &variant.options)?);
    }
    super::options::check_distinct(&combinations)?;
    let place = VariantParent {
        product_id: &product.id,
        title: &product.title,
        is_giftcard: product.is_giftcard,
        first_rank: existing.len(),
    };
    create::create_variants(tx, place, &own.options, &own.values, new)
}

/// Soft-deletes variants and the inventory items that only they use.
pub(super) fn delete_variants(tx: &Tx<'_>, gone: &[VariantId]) -> Result<(), CatalogError> {
    let gone = ids::list(gone.iter().map(VariantId::as_str));
    changes::delete_variants(tx, &gone)?;
    Ok(stock::delete_items_of(tx, &gone)?)
}

/// Soft-deletes products with their variants. Records `product.deleted` for each.
pub(crate) fn delete_products(tx: &Tx<'_>, gone: &[ProductId]) -> Result<(), CatalogError> {
    let product_ids = ids::list(gone.iter().map(ProductId::as_str));
    let found = Product::find_all(tx, gone)?;
    if let Some(id) = gone.iter().find(|id| !found.iter().any(|product| product.id == **id)) {
        return Err(CatalogError::missing("Product", &id));
    }
    let variant_ids: Vec<VariantId> =
        variants::of_products(tx, &product_ids)?.into_iter().map(|variant| variant.id).collect();
    delete_variants(tx, &variant_ids)?;
    changes::delete_products(tx, &product_ids)?;
    for id in gone {
        events::record(tx, "product.deleted", &json!({ "id": id }))?;
    }
    Ok(())
}
