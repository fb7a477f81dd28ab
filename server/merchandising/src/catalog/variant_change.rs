//! Creates, updates and deletes variants of existing products.

use serde_json::json;

use super::CatalogError;
use super::create::{self, VariantParent, add_combinations};
use super::new::{Measures, NewVariant};
use super::option_change::OwnOptions;
use super::options;
use super::queries::{changes, stock as stock_queries, variants};
use super::stock::{self, CreatedVariant};
use super::variant_requests::{VariantRequest, by_title};
use super::view::{Product, Variant};
use crate::database::{Table, Tx};
use crate::events;
use crate::http::AssignTo;
use crate::ids::{self, ProductId, VariantId};
use crate::pricing;
use crate::pricing::routes::requests::into_new;

/// Adds variants to a product. Records `product.updated`.
pub(super) fn create_variants(
    tx: &Tx<'_>,
    product_id: &ProductId,
    new: &[NewVariant],
) -> Result<Vec<VariantId>, CatalogError> {
    let product = Product::require::<CatalogError>(tx, product_id)?;
    let ids = add(tx, &product, new)?;
    note(tx, product_id)?;
    Ok(ids)
}

/// Updates variants of a product. Records `product.updated`.
pub(super) fn update_variants(
    tx: &Tx<'_>,
    product_id: &ProductId,
    requests: Vec<(VariantId, VariantRequest)>,
) -> Result<(), CatalogError> {
    let product = Product::require::<CatalogError>(tx, product_id)?;
    apply(tx, &product, requests)?;
    note(tx, product_id)
}

/// Soft-deletes variants of a product. Records `product.updated`.
pub(super) fn delete_variants(
    tx: &Tx<'_>,
    product_id: &ProductId,
    removed: &[VariantId],
) -> Result<(), CatalogError> {
    let product = Product::require::<CatalogError>(tx, product_id)?;
    let existing = of_product(tx, &product)?;
    if let Some(id) = removed.iter().find(|id| !existing.iter().any(|variant| variant.id == **id)) {
        return Err(missing(id));
    }
    remove(tx, removed)?;
    note(tx, product_id)
}

/// Adds variants to an existing product.
pub(super) fn add(
    tx: &Tx<'_>,
    product: &Product,
    new: &[NewVariant],
) -> Result<Vec<VariantId>, CatalogError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let own = OwnOptions::load(tx, &product.id)?;
    let existing = of_product(tx, product)?;
    let existing_ids: Vec<_> = existing.iter().map(|variant| &variant.id).collect();
    let mut combinations = own.combinations(tx, &existing_ids)?;
    for variant in new {
        combinations.push(options::combine(&own.options, &variant.options)?);
    }
    options::check_distinct(&combinations)?;
    let last = existing.iter().map(|variant| variant.variant_rank).max();
    let place = VariantParent {
        product_id: &product.id,
        title: &product.title,
        is_giftcard: product.is_giftcard,
        variant_count: existing.len(),
        // Not their number: after deletions, others may have higher ranks.
        first_rank: last.map_or(0, |rank| rank.saturating_add(1)),
    };
    create::create_variants(tx, place, &own.options, &own.values, new)
}

/// Soft-deletes variants and the inventory items that only they use.
pub(super) fn remove(tx: &Tx<'_>, removed: &[VariantId]) -> Result<(), CatalogError> {
    let removed = ids::list(removed);
    changes::soft_delete(tx, "product_variant", &removed)?;
    Ok(stock_queries::delete_items_of(tx, &removed)?)
}

/// Updates variants of an existing product, which may exchange their option values.
pub(super) fn apply(
    tx: &Tx<'_>,
    product: &Product,
    requests: Vec<(VariantId, VariantRequest)>,
) -> Result<(), CatalogError> {
    if requests.is_empty() {
        return Ok(());
    }
    let existing = of_product(tx, product)?;
    let mut changed: Vec<(&Variant, VariantRequest)> = Vec::with_capacity(requests.len());
    for (id, request) in requests {
        let before =
            existing.iter().find(|variant| variant.id == id).ok_or_else(|| missing(&id))?;
        if changed.iter().any(|(other, _)| other.id == id) {
            return Err(CatalogError::Invalid(format!("the variant `{id}` is named twice")));
        }
        if request.inventory_items.is_some() {
            let rule = "`inventory_items` can only be set when a variant is created";
            return Err(CatalogError::Invalid(rule.to_owned()));
        }
        changed.push((before, request));
    }
    recombine(tx, product, &existing, &mut changed)?;
    changed.into_iter().try_for_each(|(before, request)| update(tx, product, before, request))
}

fn update(
    tx: &Tx<'_>,
    product: &Product,
    before: &Variant,
    mut request: VariantRequest,
) -> Result<(), CatalogError> {
    let id = &before.id;
    if let Some(prices) = request.prices.take() {
        pricing::replace_prices(tx, &before.price_set_id, &into_new(prices)?)?;
    }
    let mut after = before.clone();
    assign(request, &mut after)?;
    let codes = create::codes([&after.sku, &after.barcode, &after.ean, &after.upc]);
    create::check_codes(tx, &codes.collect::<Vec<_>>(), Some(id))?;
    after.update(tx)?;
    if (&after.sku, &after.title) != (&before.sku, &before.title) {
        let skus = [before.sku.as_deref(), after.sku.as_deref()];
        stock_queries::rename_item(tx, id, skus, [&before.title, &after.title])?;
    }
    if after.manage_inventory && !before.manage_inventory && !changes::has_items(tx, id)? {
        let variant = NewVariant { sku: after.sku, ..NewVariant::default() };
        let created = CreatedVariant { id, title: after.title, variant: &variant };
        stock::add_inventory_items(tx, &[created], &product.title, product.is_giftcard)?;
    }
    Ok(())
}

fn assign(request: VariantRequest, variant: &mut Variant) -> Result<(), CatalogError> {
    request.variant_rank.map(i64::from).assign_to(&mut variant.variant_rank);
    crate::assign!(request => variant:
        title, sku, barcode, ean, upc, allow_backorder, manage_inventory, thumbnail, weight, length,
        height, width, hs_code, origin_country, mid_code, material
    );
    let Variant { weight, length, height, width, .. } = *variant;
    create::check_measures(&Measures { weight, length, height, width })?;
    Ok(variant.metadata.merge(request.metadata.apply(None))?)
}

/// Sets the option values of variants, which no other variant may have.
fn recombine(
    tx: &Tx<'_>,
    product: &Product,
    existing: &[Variant],
    changed: &mut [(&Variant, VariantRequest)],
) -> Result<(), CatalogError> {
    let mut chosen = Vec::new();
    for (variant, request) in changed {
        if let Some(options) = request.options.take() {
            chosen.push((&variant.id, by_title(options)));
        }
    }
    if chosen.is_empty() {
        return Ok(());
    }
    let own = OwnOptions::load(tx, &product.id)?;
    let ids = existing.iter().map(|variant| &variant.id);
    let others: Vec<_> = ids.filter(|id| !chosen.iter().any(|(other, _)| other == id)).collect();
    let mut combinations = own.combinations(tx, &others)?;
    for (_, options) in &chosen {
        combinations.push(options::combine(&own.options, options)?);
    }
    options::check_distinct(&combinations)?;
    let changed_ids = chosen.iter().map(|(id, _)| *id);
    changes::clear_values(tx, &ids::list(changed_ids.clone()))?;
    let new = changed_ids.zip(combinations.iter().skip(others.len()));
    add_combinations(tx, &own.options, &own.values, new)
}

fn of_product(tx: &Tx<'_>, product: &Product) -> Result<Vec<Variant>, CatalogError> {
    Ok(variants::of_products(tx, &ids::list([&product.id]))?)
}

fn note(tx: &Tx<'_>, product_id: &ProductId) -> Result<(), CatalogError> {
    changes::touch(tx, product_id)?;
    Ok(events::record(tx, "product.updated", &json!({ "id": product_id }))?)
}

fn missing(id: &VariantId) -> CatalogError {
    CatalogError::missing("Product variant", &id)
}
