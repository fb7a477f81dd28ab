//! Updates and deletes products.

use serde_json::json;

use super::create::{self, References};
use super::new::{Measures, NewVariant};
use super::option_change;
use super::product_requests::{OptionRequest, UpdateProductRequest};
use super::queries::{changes, stock, variants};
use super::variant_change;
use super::variant_requests::VariantRequest;
use super::view::Product;
use super::{CatalogError, handle, queries};
use crate::database::{Table, Tx};
use crate::events;
use crate::ids::{self, ProductId, VariantId};

/// Updates a product. Records `product.updated`.
pub(super) fn update_product(
    tx: &Tx<'_>,
    id: &ProductId,
    mut request: UpdateProductRequest,
) -> Result<(), CatalogError> {
    let mut product = Product::require::<CatalogError>(tx, id)?;
    check_links(tx, &request)?;
    let options = request.options.take();
    let variants = request.variants.take();
    relink(tx, id, &mut request)?;
    let title = product.title.clone();
    assign(tx, request, &mut product)?;
    product.update(tx)?;
    if product.title != title {
        stock::describe_items(tx, id, [&title, &product.title])?;
    }
    set_variants_and_options(tx, &product, options, variants)?;
    Ok(events::record(tx, "product.updated", &json!({ "id": id }))?)
}

fn assign(
    tx: &Tx<'_>,
    request: UpdateProductRequest,
    product: &mut Product,
) -> Result<(), CatalogError> {
    if let Some(sent) = request.handle.filter(|sent| sent.as_str() != product.handle) {
        product.handle = handle::choose(tx, &handle::PRODUCT, Some(sent.as_str()), "", None)?;
    }
    crate::assign!(request => product:
        title, subtitle, description, status, thumbnail, is_giftcard, discountable, collection_id,
        type_id, shipping_profile_id, external_id, weight, length, height, width, hs_code,
        origin_country, mid_code, material
    );
    let Product { weight, length, height, width, .. } = *product;
    create::check_measures(&Measures { weight, length, height, width })?;
    Ok(product.metadata.merge(request.metadata.apply(None))?)
}

fn check_links(tx: &Tx<'_>, request: &UpdateProductRequest) -> Result<(), CatalogError> {
    let UpdateProductRequest { images, tags, categories, sales_channels, .. } = request;
    let groupings = [
        tags.iter().flatten().count(),
        categories.iter().flatten().count(),
        sales_channels.iter().flatten().count(),
    ];
    create::check_counts(images.iter().flatten().count(), groupings)?;
    let mut references = References::default();
    references.add("collection", request.collection_id.value());
    references.add("type", request.type_id.value());
    references.add("shipping profile", request.shipping_profile_id.value());
    references.add("tag", tags.iter().flatten().map(|tag| &tag.id));
    references.add("category", categories.iter().flatten().map(|category| &category.id));
    references.add("sales channel", sales_channels.iter().flatten().map(|channel| &channel.id));
    references.check(tx)
}

fn relink(
    tx: &Tx<'_>,
    id: &ProductId,
    request: &mut UpdateProductRequest,
) -> Result<(), CatalogError> {
    if let Some(images) = request.images.take() {
        let urls: Vec<String> = images.into_iter().map(|image| image.url.into()).collect();
        changes::clear_images(tx, id)?;
        create::add_images(tx, id, &urls)?;
    }
    if let Some(tags) = request.tags.take() {
        queries::TAGS.replace(tx, id, tags.iter().map(|tag| &tag.id))?;
    }
    if let Some(found) = request.categories.take() {
        queries::CATEGORIES.replace(tx, id, found.iter().map(|category| &category.id))?;
    }
    if let Some(channels) = request.sales_channels.take() {
        queries::CHANNELS.replace(tx, id, channels.iter().map(|channel| &channel.id))?;
    }
    Ok(())
}

/// Deletes missing variants first, so that their options may be deleted too; then sets the options, then the other
/// variants.
fn set_variants_and_options(
    tx: &Tx<'_>,
    product: &Product,
    options: Option<Vec<OptionRequest>>,
    sent: Option<Vec<VariantRequest>>,
) -> Result<(), CatalogError> {
    if let Some(sent) = &sent {
        let named: Vec<&VariantId> =
            sent.iter().filter_map(|variant| variant.id.as_ref()).collect();
        let removed: Vec<VariantId> = variants::of_products(tx, &ids::list([&product.id]))?
            .into_iter()
            .map(|variant| variant.id)
            .filter(|id| !named.contains(&id))
            .collect();
        if !removed.is_empty() {
            variant_change::remove(tx, &removed)?;
        }
    }
    if let Some(options) = options {
        let options: Vec<_> = options.into_iter().map(OptionRequest::into_change).collect();
        option_change::set_options(tx, &product.id, &options)?;
    }
    let mut changed = Vec::new();
    let mut new: Vec<NewVariant> = Vec::new();
    for request in sent.unwrap_or_default() {
        match request.id.clone() {
            Some(id) => changed.push((id, request)),
            None => new.push(request.into_new()?),
        }
    }
    variant_change::apply(tx, product, changed)?;
    variant_change::add(tx, product, &new).map(|_ids| ())
}

/// Soft-deletes products with their variants. Records `product.deleted` for each.
pub(super) fn delete_products(tx: &Tx<'_>, removed: &[ProductId]) -> Result<(), CatalogError> {
    let product_ids = ids::list(removed);
    let found = Product::find_all(tx, removed)?;
    if let Some(id) = removed.iter().find(|id| !found.iter().any(|product| product.id == **id)) {
        return Err(CatalogError::missing("Product", &id));
    }
    let variant_ids: Vec<VariantId> =
        variants::of_products(tx, &product_ids)?.into_iter().map(|variant| variant.id).collect();
    variant_change::remove(tx, &variant_ids)?;
    changes::soft_delete(tx, "product", &product_ids)?;
    for id in removed {
        events::record(tx, "product.deleted", &json!({ "id": id }))?;
    }
    Ok(())
}
