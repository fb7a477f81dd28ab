//! Creates, updates and deletes variants of existing products.

use std::collections::BTreeMap;

use serde_json::json;

use super::CatalogError;
use super::change::{self, CustomsChange, MeasuresChange};
use super::create::{self, add_combinations};
use super::new::{Customs, Measures, NewVariant};
use super::option_change::OwnOptions;
use super::options;
use super::queries::{changes, variants};
use super::stock::{self, Made};
use super::view::{Product, Variant};
use crate::database::{Table, Tx};
use crate::events;
use crate::http::Patch;
use crate::ids::{self, InventoryItemId, ProductId, VariantId};
use crate::metadata::MetadataPatch;
use crate::pricing::{self, NewPrice};

/// The fields of a variant to set; a field that is none stays, or gets its default in a new variant.
#[derive(Debug, Clone, Default)]
pub(crate) struct VariantChange {
    pub title: Option<String>,
    /// The stock keeping unit.
    pub sku: Patch<String>,
    pub barcode: Patch<String>,
    pub ean: Patch<String>,
    pub upc: Patch<String>,
    /// Whether it can be sold when it is out of stock.
    pub allow_backorder: Option<bool>,
    /// Whether its stock is managed.
    pub manage_inventory: Option<bool>,
    /// The position among the product's variants.
    pub rank: Option<i64>,
    pub thumbnail: Patch<String>,
    pub measures: MeasuresChange,
    pub customs: CustomsChange,
    /// Keys to merge.
    pub metadata: MetadataPatch,
    /// Its value of each option, by the option's title.
    pub options: Option<BTreeMap<String, String>>,
    /// All prices outside of price lists.
    pub prices: Option<Vec<NewPrice>>,
    /// The inventory items that it consists of; only for a new variant.
    pub inventory_items: Option<Vec<(InventoryItemId, i64)>>,
}

impl VariantChange {
    /// Converts the change to a new variant.
    pub(crate) fn into_new(self) -> Result<NewVariant, CatalogError> {
        let defaults = NewVariant::default();
        Ok(NewVariant {
            id: None,
            title: self.title,
            sku: self.sku.apply(None),
            barcode: self.barcode.apply(None),
            ean: self.ean.apply(None),
            upc: self.upc.apply(None),
            allow_backorder: self.allow_backorder.unwrap_or(defaults.allow_backorder),
            manage_inventory: self.manage_inventory.unwrap_or(defaults.manage_inventory),
            rank: self.rank,
            thumbnail: self.thumbnail.apply(None),
            measures: self.measures.apply(&Measures::default())?,
            customs: self.customs.apply(Customs::default()),
            metadata: self.metadata.create()?,
            options: self.options.unwrap_or_default(),
            prices: self.prices.unwrap_or_default(),
            inventory_items: self.inventory_items.unwrap_or_default(),
        })
    }
}

/// Adds variants to a product. Records `product.updated`.
pub(crate) fn create_variants(
    tx: &Tx<'_>,
    product_id: &ProductId,
    new: &[NewVariant],
) -> Result<Vec<VariantId>, CatalogError> {
    let product = Product::require::<CatalogError>(tx, product_id)?;
    let ids = change::add_variants(tx, &product, new)?;
    note(tx, product_id)?;
    Ok(ids)
}

/// Updates a variant of a product. Records `product.updated`.
pub(crate) fn update_variant(
    tx: &Tx<'_>,
    product_id: &ProductId,
    id: &VariantId,
    change: VariantChange,
) -> Result<(), CatalogError> {
    let product = Product::require::<CatalogError>(tx, product_id)?;
    apply_change(tx, &product, id, change)?;
    note(tx, product_id)
}

/// Soft-deletes variants of a product. Records `product.updated`.
pub(crate) fn delete_variants(
    tx: &Tx<'_>,
    product_id: &ProductId,
    gone: &[VariantId],
) -> Result<(), CatalogError> {
    let product = Product::require::<CatalogError>(tx, product_id)?;
    let existing = of_product(tx, &product)?;
    if let Some(id) = gone.iter().find(|id| !existing.iter().any(|variant| variant.id == **id)) {
        return Err(missing(id));
    }
    change::delete_variants(tx, gone)?;
    note(tx, product_id)
}

/// Updates a variant of an existing product.
pub(super) fn apply_change(
    tx: &Tx<'_>,
    product: &Product,
    id: &VariantId,
    mut sent: VariantChange,
) -> Result<(), CatalogError> {
    let existing = of_product(tx, product)?;
    let before = existing.iter().find(|variant| variant.id == *id).ok_or_else(|| missing(id))?;
    if sent.inventory_items.is_some() {
        let what = "inventory_items of a variant that is there";
        return Err(CatalogError::unknown_option(what));
    }
    if let Some(chosen) = sent.options.take() {
        recombine(tx, product, &existing, id, &chosen)?;
    }
    if let Some(prices) = sent.prices.take() {
        pricing::replace_prices(tx, &before.price_set_id, &prices)?;
    }
    let after = changed(before.clone(), sent)?;
    let codes = [
        ("sku", &after.sku),
        ("barcode", &after.barcode),
        ("ean", &after.ean),
        ("upc", &after.upc),
    ];
    let codes = codes.iter().filter_map(|(field, code)| Some((*field, code.as_deref()?)));
    create::check_codes(tx, &codes.collect::<Vec<_>>(), Some(id))?;
    after.update(tx)?;
    if after.manage_inventory && !before.manage_inventory && !changes::has_items(tx, id)? {
        let variant = NewVariant { sku: after.sku, ..NewVariant::default() };
        let made = Made { id, title: after.title, variant: &variant };
        stock::supply(tx, &[made], &product.title, product.is_giftcard)?;
    }
    Ok(())
}

fn changed(before: Variant, sent: VariantChange) -> Result<Variant, CatalogError> {
    let Variant { weight, length, height, width, .. } = before;
    let measures = sent.measures.apply(&Measures { weight, length, height, width })?;
    let customs = sent.customs.apply(Customs {
        hs_code: before.hs_code,
        origin_country: before.origin_country,
        mid_code: before.mid_code,
        material: before.material,
    });
    Ok(Variant {
        title: sent.title.unwrap_or(before.title),
        sku: sent.sku.apply(before.sku),
        barcode: sent.barcode.apply(before.barcode),
        ean: sent.ean.apply(before.ean),
        upc: sent.upc.apply(before.upc),
        allow_backorder: sent.allow_backorder.unwrap_or(before.allow_backorder),
        manage_inventory: sent.manage_inventory.unwrap_or(before.manage_inventory),
        variant_rank: sent.rank.unwrap_or(before.variant_rank),
        thumbnail: sent.thumbnail.apply(before.thumbnail),
        metadata: sent.metadata.merge(&before.metadata)?,
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

/// Sets the option values of a variant, which no other variant may have.
fn recombine(
    tx: &Tx<'_>,
    product: &Product,
    existing: &[Variant],
    id: &VariantId,
    chosen: &BTreeMap<String, String>,
) -> Result<(), CatalogError> {
    let own = OwnOptions::load(tx, &product.id)?;
    let combination = options::combine(&own.options, chosen)?;
    let mut combinations = own.combinations(tx, existing, Some(id))?;
    combinations.push(combination.clone());
    options::check_distinct(&combinations)?;
    changes::clear_values(tx, id)?;
    add_combinations(tx, &own.options, &own.values, std::iter::once((id, &combination)))
}

fn of_product(tx: &Tx<'_>, product: &Product) -> Result<Vec<Variant>, CatalogError> {
    Ok(variants::of_products(tx, &ids::list([product.id.as_str()]))?)
}

fn note(tx: &Tx<'_>, product_id: &ProductId) -> Result<(), CatalogError> {
    changes::touch(tx, product_id)?;
    Ok(events::record(tx, "product.updated", &json!({ "id": product_id }))?)
}

fn missing(id: &VariantId) -> CatalogError {
    CatalogError::missing("Product variant", &id)
}
