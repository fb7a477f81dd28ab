//! Creates products and variants, by a fixed number of statements.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Value, json};

use super::new::{MAX_LINKS, MAX_VARIANTS, Measures, NewOption, NewProduct, NewVariant};
use super::options::{self, Combination};
use super::queries::{changes, checks};
use super::stock::{self, CreatedVariant};
use super::{CatalogError, handle, queries};
use crate::database::Tx;
use crate::events;
use crate::ids::{ImageId, OptionId, OptionValueId, PriceSetId, ProductId, VariantId};
use crate::pricing;

/// Creates a product with its options, variants, prices, images and links. A variant with managed stock and no
/// inventory items gets one with its SKU and no levels. Records `product.created`.
///
/// # Errors
/// A handle or code that is taken, a reference that does not exist, variants that are no combination of the options or
/// not distinct, invalid prices, or an exceeded limit.
pub fn create_product(tx: &Tx<'_>, new: &NewProduct) -> Result<ProductId, CatalogError> {
    check_measures(&new.measures)?;
    options::check(&new.options)?;
    check_links(tx, new)?;
    let handle = handle::choose(tx, &handle::PRODUCT, new.handle.as_deref(), &new.title, None)?;
    let id = new.id.clone().unwrap_or_else(ProductId::new);
    changes::insert_product(tx, &id, &handle, new)?;
    let values = create_options(tx, &id, &new.options, 0)?;
    add_images(tx, &id, &new.images)?;
    link(tx, &id, new)?;
    let place = VariantParent {
        product_id: &id,
        title: &new.title,
        is_giftcard: new.is_giftcard,
        variant_count: 0,
        first_rank: 0,
    };
    create_variants(tx, place, &new.options, &values, &new.variants)?;
    events::record(tx, "product.created", &json!({ "id": id }))?;
    Ok(id)
}

/// The ids of option values, by the titles of option and value.
pub(super) type ValueIds = BTreeMap<(String, String), OptionValueId>;

/// The product to create variants for.
#[derive(Debug, Clone, Copy)]
pub(super) struct VariantParent<'a> {
    pub(super) product_id: &'a ProductId,
    pub(super) title: &'a str,
    /// Whether it is a gift card, which is not shipped.
    pub(super) is_giftcard: bool,
    /// How many variants it has.
    pub(super) variant_count: usize,
    /// The rank of the first new variant.
    pub(super) first_rank: i64,
}

/// Adds variants to a product with the given options and values.
pub(super) fn create_variants(
    tx: &Tx<'_>,
    place: VariantParent<'_>,
    options: &[NewOption],
    values: &ValueIds,
    new: &[NewVariant],
) -> Result<Vec<VariantId>, CatalogError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    if place.variant_count.saturating_add(new.len()) > MAX_VARIANTS {
        return Err(CatalogError::too_many("variants", MAX_VARIANTS));
    }
    let all = new.iter().flat_map(|one| codes([&one.sku, &one.barcode, &one.ean, &one.upc]));
    let all: Vec<_> = all.collect();
    check_codes(tx, &all, None)?;
    let mut combinations = Vec::with_capacity(new.len());
    for variant in new {
        check_measures(&variant.measures)?;
        combinations.push(options::combine(options, &variant.options)?);
    }
    options::check_distinct(&combinations)?;
    let created_ids: Vec<(VariantId, PriceSetId)> = new
        .iter()
        .map(|variant| (variant.id.clone().unwrap_or_else(VariantId::new), PriceSetId::new()))
        .collect();
    let created: Vec<CreatedVariant<'_>> = created_ids
        .iter()
        .zip(new.iter().zip(&combinations))
        .map(|((id, _), (variant, combination))| CreatedVariant {
            id,
            title: title(variant, combination, place.title),
            variant,
        })
        .collect();
    let rows = created.iter().zip(&created_ids).zip(place.first_rank..);
    let rows = rows.map(|((created, (_, set)), rank)| row(place.product_id, created, set, rank));
    changes::insert(tx, "product_variant", &rows.collect())?;
    add_combinations(tx, options, values, created_ids.iter().map(|(id, _)| id).zip(&combinations))?;
    let sets: Vec<_> = created_ids
        .iter()
        .zip(new)
        .map(|((_, set), variant)| (set, variant.prices.as_slice()))
        .collect();
    pricing::replace_prices_of(tx, &sets)?;
    stock::add_inventory_items(tx, &created, place.title, place.is_giftcard)?;
    Ok(created_ids.into_iter().map(|(id, _)| id).collect())
}

fn row(
    product_id: &ProductId,
    created: &CreatedVariant<'_>,
    price_set_id: &PriceSetId,
    rank: i64,
) -> Value {
    let CreatedVariant { id, title, variant } = created;
    let NewVariant { measures, customs, .. } = variant;
    json!({
        "id": id, "product_id": product_id, "title": title, "price_set_id": price_set_id,
        "variant_rank": variant.rank.map_or_else(|| json!(rank), Value::from),
        "sku": variant.sku, "barcode": variant.barcode, "ean": variant.ean, "upc": variant.upc,
        "allow_backorder": variant.allow_backorder, "manage_inventory": variant.manage_inventory,
        "thumbnail": variant.thumbnail, "metadata": variant.metadata.text(),
        "weight": measures.weight, "length": measures.length,
        "height": measures.height, "width": measures.width,
        "hs_code": customs.hs_code, "origin_country": customs.origin_country,
        "mid_code": customs.mid_code, "material": customs.material,
    })
}

fn title(variant: &NewVariant, combination: &Combination, product_title: &str) -> String {
    match &variant.title {
        Some(title) => title.clone(),
        None if combination.is_empty() => product_title.to_owned(),
        None => combination.join(" / "),
    }
}

/// Adds the option values of each variant.
pub(super) fn add_combinations<'a>(
    tx: &Tx<'_>,
    options: &[NewOption],
    values: &ValueIds,
    variants: impl Iterator<Item = (&'a VariantId, &'a Combination)>,
) -> Result<(), CatalogError> {
    let mut pairs = Vec::new();
    for (id, combination) in variants {
        for (option, value) in options.iter().zip(combination) {
            let value_id = values.get(&(option.title.clone(), value.clone()));
            pairs.push(json!([id, value_id]));
        }
    }
    if !pairs.is_empty() {
        changes::insert_variant_options(tx, &Value::Array(pairs).to_string())?;
    }
    Ok(())
}

/// Adds options with their values to a product, starting at `rank`.
pub(super) fn create_options(
    tx: &Tx<'_>,
    product_id: &ProductId,
    options: &[NewOption],
    rank: usize,
) -> Result<ValueIds, CatalogError> {
    let mut option_rows = Vec::new();
    let mut value_rows = Vec::new();
    let mut ids = ValueIds::new();
    for (NewOption { title, values }, rank) in options.iter().zip(rank..) {
        let option_id = OptionId::new();
        option_rows.push(json!({
            "id": option_id, "product_id": product_id, "title": title, "rank": rank,
        }));
        for (value, rank) in values.iter().zip(0_usize..) {
            let value_id = OptionValueId::new();
            value_rows.push(value_row(&value_id, &option_id, value, rank));
            ids.insert((title.clone(), value.clone()), value_id);
        }
    }
    changes::insert(tx, "product_option", &Value::Array(option_rows))?;
    changes::insert(tx, "product_option_value", &Value::Array(value_rows))?;
    Ok(ids)
}

/// Returns a row of an option's value.
pub(super) fn value_row(
    id: &OptionValueId,
    option_id: &OptionId,
    value: &str,
    rank: impl Serialize,
) -> Value {
    json!({ "id": id, "option_id": option_id, "value": value, "rank": rank })
}

/// Adds images to a product that has none.
pub(super) fn add_images(
    tx: &Tx<'_>,
    product_id: &ProductId,
    urls: &[String],
) -> Result<(), CatalogError> {
    let rows = urls.iter().zip(0_usize..).map(|(url, rank)| {
        json!({ "id": ImageId::new(), "product_id": product_id, "url": url, "rank": rank })
    });
    Ok(changes::insert(tx, "product_image", &rows.collect())?)
}

fn link(tx: &Tx<'_>, id: &ProductId, new: &NewProduct) -> Result<(), CatalogError> {
    queries::TAGS.add(tx, &[id], &new.tag_ids)?;
    queries::CATEGORIES.add(tx, &[id], &new.category_ids)?;
    Ok(queries::CHANNELS.add(tx, &[id], &new.sales_channel_ids)?)
}

fn check_links(tx: &Tx<'_>, new: &NewProduct) -> Result<(), CatalogError> {
    let NewProduct { images, tag_ids, category_ids, sales_channel_ids, .. } = new;
    let groupings = [tag_ids.len(), category_ids.len(), sales_channel_ids.len()];
    check_counts(images.len(), groupings)?;
    let mut references = References::default();
    references.add("collection", new.collection_id.as_ref());
    references.add("type", new.type_id.as_ref());
    references.add("shipping profile", new.shipping_profile_id.as_ref());
    references.add("tag", &new.tag_ids);
    references.add("category", &new.category_ids);
    references.add("sales channel", &new.sales_channel_ids);
    references.check(tx)
}

/// Checks the numbers of images, and of tags, categories and sales channels of a product.
pub(super) fn check_counts(images: usize, groupings: [usize; 3]) -> Result<(), CatalogError> {
    let [tags, categories, channels] = groupings;
    let counts = [
        ("images", images),
        ("tags", tags),
        ("categories", categories),
        ("sales channels", channels),
    ];
    match counts.into_iter().find(|(_, count)| *count > MAX_LINKS) {
        Some((what, _)) => Err(CatalogError::too_many(what, MAX_LINKS)),
        None => Ok(()),
    }
}

/// The ids that a request refers to, checked together.
#[derive(Debug, Default)]
pub(super) struct References(Vec<Value>);

impl References {
    /// Adds ids of a kind: `collection`, `type`, `shipping profile`, `tag`, `category`, `sales channel`, `product`.
    pub(super) fn add<'a, T: Serialize + 'a>(
        &mut self,
        kind: &'static str,
        ids: impl IntoIterator<Item = &'a T>,
    ) {
        self.0.extend(ids.into_iter().map(|id| json!([kind, id])));
    }

    /// Checks that these exist.
    pub(super) fn require<'a, T: Serialize + 'a>(
        tx: &Tx<'_>,
        kind: &'static str,
        ids: impl IntoIterator<Item = &'a T>,
    ) -> Result<(), CatalogError> {
        let mut references = Self::default();
        references.add(kind, ids);
        references.check(tx)
    }

    /// Checks that all of them exist, by at most one statement.
    pub(super) fn check(self, tx: &Tx<'_>) -> Result<(), CatalogError> {
        if self.0.is_empty() {
            return Ok(());
        }
        match checks::missing_reference(tx, &Value::Array(self.0).to_string())? {
            Some((what, id)) => Err(CatalogError::unknown_reference(&what, &id)),
            None => Ok(()),
        }
    }
}

/// Returns the codes of a variant that must be unique: its SKU, barcode, EAN and UPC.
pub(super) fn codes(codes: [&Option<String>; 4]) -> impl Iterator<Item = (&'static str, &str)> {
    let codes = ["sku", "barcode", "ean", "upc"].into_iter().zip(codes);
    codes.filter_map(|(field, code)| Some((field, code.as_deref()?)))
}

/// Checks that no code occurs twice, here or in another variant than `except`.
pub(super) fn check_codes(
    tx: &Tx<'_>,
    codes: &[(&'static str, &str)],
    except: Option<&VariantId>,
) -> Result<(), CatalogError> {
    let mut seen = BTreeSet::new();
    for (field, code) in codes {
        if !seen.insert((*field, *code)) {
            return Err(CatalogError::taken("Product variant", field, code));
        }
    }
    if seen.is_empty() {
        return Ok(());
    }
    let rows: Value = seen.into_iter().map(|(field, code)| json!([field, code])).collect();
    match checks::taken_code(tx, &rows.to_string(), except)? {
        Some((field, code)) => Err(CatalogError::taken("Product variant", &field, &code)),
        None => Ok(()),
    }
}

/// Checks that no measure is negative.
pub(super) fn check_measures(measures: &Measures) -> Result<(), CatalogError> {
    let Measures { weight, length, height, width } = measures;
    let fields = [("weight", weight), ("length", length), ("height", height), ("width", width)];
    match fields.into_iter().find(|(_, size)| size.is_some_and(|size| size < 0)) {
        Some((field, _)) => Err(CatalogError::negative(field)),
        None => Ok(()),
    }
}
