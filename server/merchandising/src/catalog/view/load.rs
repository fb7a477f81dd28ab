//! Loads the selected relations of a page of products, by one statement per relation.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::price::{PriceView, Taxed};
use super::variant::{OptionHead, Price};
use super::{Collection, Image, Product, ProductOption, ProductType, Variant, VariantOption};
use crate::catalog::CatalogError;
use crate::catalog::queries::relations::{self, Visibility};
use crate::catalog::queries::variants;
use crate::catalog::shopper::ShopperContext;
use crate::database::{Table, Tx, Word as _, grouped};
use crate::http::Selection;
use crate::ids::{
    self, OptionValueId, PriceSetId, ProductId, ProductTypeId, SalesChannelId, VariantId,
};
use crate::inventory::{self, Availability};
use crate::pricing::{self, CalculatedPrice, Comparison, PriceRow};
use crate::taxes::{self, TaxPlace, TaxedThing, amounts};

/// The reader of products.
#[derive(Debug, Clone)]
pub(crate) enum Viewer {
    /// A shopper in these channels; the context is set if prices are selected.
    Shopper {
        /// The channels of the key.
        channels: Vec<SalesChannelId>,
        /// The price context.
        place: Option<ShopperContext>,
    },
    Admin,
}

/// Loads the selected relations of products.
pub(crate) fn attach(
    tx: &Tx<'_>,
    products: &mut [Product],
    selection: &Selection,
    viewer: &Viewer,
) -> Result<(), CatalogError> {
    if products.is_empty() {
        return Ok(());
    }
    let product_ids = ids::list(products.iter().map(|product| product.id.as_str()));
    let wants = |path: &str| selection.wants(path);
    let options = if wants("options") || wants("variants.options") {
        relations::options(tx, &product_ids)?
    } else {
        Vec::new()
    };
    let images = if wants("images") || wants("variants.images") {
        relations::images(tx, &product_ids)?
    } else {
        Vec::new()
    };
    if wants("variants") {
        let mut found = variants::of_products(tx, &product_ids)?;
        let types = products
            .iter()
            .filter_map(|product| Some((product.id.clone(), product.type_id.clone()?)))
            .collect();
        let below = Below { selection, prefix: "variants.", types: &types };
        attach_to_variants(tx, &mut found, &options, viewer, below)?;
        if wants("variants.images") {
            attach_images(&mut found, &images);
        }
        spread(products, found.into_iter().map(|one| (one.product_id.clone(), one)), |product| {
            &mut product.variants
        });
    }
    if wants("images") {
        spread(products, images, |product| &mut product.images);
    }
    attach_links(tx, products, selection, viewer, &product_ids)?;
    attach_groups(tx, products, selection)?;
    if wants("options") {
        spread(products, options.into_iter().map(|one| (one.product_id.clone(), one)), |product| {
            &mut product.options
        });
    }
    Ok(())
}

fn attach_links(
    tx: &Tx<'_>,
    products: &mut [Product],
    selection: &Selection,
    viewer: &Viewer,
    product_ids: &str,
) -> Result<(), CatalogError> {
    if selection.wants("tags") {
        spread(products, relations::tags(tx, product_ids)?, |product| &mut product.tags);
    }
    if selection.wants("categories") {
        let visibility = match viewer {
            Viewer::Admin => Visibility::All,
            Viewer::Shopper { .. } => Visibility::ToShoppers,
        };
        let found = relations::categories(tx, product_ids, visibility)?;
        spread(products, found, |product| &mut product.categories);
    }
    if selection.wants("sales_channels") {
        let found = relations::channels(tx, product_ids)?;
        spread(products, found, |product| &mut product.sales_channels);
    }
    if selection.wants("rating") {
        let mut ratings: BTreeMap<_, _> =
            relations::ratings(tx, product_ids)?.into_iter().collect();
        for product in products {
            product.rating = Some(ratings.remove(&product.id).unwrap_or_default());
        }
    }
    Ok(())
}

fn attach_groups(
    tx: &Tx<'_>,
    products: &mut [Product],
    selection: &Selection,
) -> Result<(), CatalogError> {
    if selection.wants("type") {
        let types =
            ProductType::find_all(tx, products.iter().filter_map(|one| one.type_id.as_ref()))?;
        for product in &mut *products {
            let own = types.iter().find(|one| Some(&one.id) == product.type_id.as_ref());
            product.product_type = own.cloned();
        }
    }
    if selection.wants("collection") {
        let ids = products.iter().filter_map(|product| product.collection_id.as_ref());
        let collections = Collection::find_all(tx, ids)?;
        for product in products {
            let own =
                collections.iter().find(|one| Some(&one.id) == product.collection_id.as_ref());
            product.collection = own.cloned();
        }
    }
    Ok(())
}

/// Assigns each row to its product.
fn spread<T>(
    products: &mut [Product],
    found: impl IntoIterator<Item = (ProductId, T)>,
    place: impl Fn(&mut Product) -> &mut Vec<T>,
) {
    let mut by_id = grouped(found);
    for product in products {
        if let Some(all) = by_id.remove(&product.id) {
            *place(product) = all;
        }
    }
}

fn attach_images(found: &mut [Variant], images: &[(ProductId, Image)]) {
    let by_product = grouped(images.iter().cloned());
    for variant in found {
        variant.images = by_product.get(&variant.product_id).cloned().unwrap_or_default();
    }
}

/// The selected fields of variants: those below a prefix.
#[derive(Debug, Clone, Copy)]
pub struct Below<'a> {
    pub selection: &'a Selection,
    /// The prefix of the variants' fields.
    pub prefix: &'static str,
    /// The types of the products, which taxes depend on.
    pub types: &'a BTreeMap<ProductId, ProductTypeId>,
}

impl Below<'_> {
    fn wants(&self, name: &str) -> bool {
        self.selection.wants(&format!("{}{name}", self.prefix))
    }
}

/// Loads the selected relations of variants. `options` are those of their products.
pub(crate) fn attach_to_variants(
    tx: &Tx<'_>,
    found: &mut [Variant],
    options: &[ProductOption],
    viewer: &Viewer,
    below: Below<'_>,
) -> Result<(), CatalogError> {
    if found.is_empty() {
        return Ok(());
    }
    let variant_ids: Vec<VariantId> = found.iter().map(|variant| variant.id.clone()).collect();
    if below.wants("options") {
        attach_values(tx, found, options, &variant_ids)?;
    }
    if below.wants("inventory_quantity") {
        attach_stock(tx, found, viewer, &variant_ids)?;
    }
    match viewer {
        Viewer::Shopper { place, .. } => {
            if let Some(place) = place
                && below.wants("calculated_price")
            {
                attach_calculated(tx, found, place, below.types)?;
            }
        }
        Viewer::Admin => attach_inside(tx, found, below, &variant_ids)?,
    }
    Ok(())
}

fn attach_values(
    tx: &Tx<'_>,
    found: &mut [Variant],
    options: &[ProductOption],
    variant_ids: &[VariantId],
) -> Result<(), CatalogError> {
    let mut values: BTreeMap<&OptionValueId, VariantOption> = BTreeMap::new();
    for option in options {
        let head = Arc::new(OptionHead {
            id: option.id.clone(),
            title: Arc::clone(&option.title),
            is_exclusive: option.is_exclusive,
            metadata: option.metadata.clone(),
            created_at: option.created_at,
            updated_at: option.updated_at,
            deleted_at: None,
        });
        for value in &option.values {
            let view = VariantOption {
                id: value.id.clone(),
                value: Arc::clone(&value.value),
                rank: value.rank,
                metadata: value.metadata.clone(),
                option_id: value.option_id.clone(),
                option: Arc::clone(&head),
                created_at: value.created_at,
                updated_at: value.updated_at,
                deleted_at: None,
            };
            values.insert(&value.id, view);
        }
    }
    let ids = ids::list(variant_ids);
    let mut chosen: BTreeMap<VariantId, Vec<VariantOption>> = BTreeMap::new();
    for (variant_id, value_id) in variants::values(tx, &ids)? {
        if let Some(value) = values.get(&value_id) {
            chosen.entry(variant_id).or_default().push(value.clone());
        }
    }
    for variant in found {
        variant.options = chosen.remove(&variant.id).unwrap_or_default();
    }
    Ok(())
}

fn attach_stock(
    tx: &Tx<'_>,
    found: &mut [Variant],
    viewer: &Viewer,
    variant_ids: &[VariantId],
) -> Result<(), CatalogError> {
    let stock = match viewer {
        Viewer::Shopper { channels, .. } => inventory::availability(tx, variant_ids, channels)?,
        Viewer::Admin => {
            let channels = crate::catalog::queries::checks::channels(tx)?;
            inventory::availability(tx, variant_ids, &channels)?
        }
    };
    for variant in found {
        variant.inventory_quantity = match stock.get(&variant.id) {
            Some(Availability::Pieces(pieces)) => Some(*pieces),
            Some(Availability::Unlimited) | None => None,
        };
    }
    Ok(())
}

/// Loads the fields for admins only: prices and costs.
fn attach_inside(
    tx: &Tx<'_>,
    found: &mut [Variant],
    below: Below<'_>,
    variant_ids: &[VariantId],
) -> Result<(), CatalogError> {
    if below.wants("prices") {
        let sets: Vec<&PriceSetId> = found.iter().map(|variant| &variant.price_set_id).collect();
        let mut prices: BTreeMap<PriceSetId, Vec<PriceRow>> = BTreeMap::new();
        for price in pricing::prices_of(tx, &sets)? {
            prices.entry(price.price_set_id.clone()).or_default().push(price);
        }
        for variant in &mut *found {
            let own = prices.remove(&variant.price_set_id).unwrap_or_default();
            variant.prices = own.into_iter().map(|price| view(price, &variant.id)).collect();
        }
    }
    if below.wants("unit_cost") {
        let (currency, costs) = pricing::default_costs(tx, variant_ids)?;
        for variant in found {
            let cost = costs.get(&variant.id).copied();
            variant.unit_cost = currency.zip(cost).map(|(currency, minor)| currency.amount(minor));
        }
    }
    Ok(())
}

/// Converts a stored price to its admin view.
pub fn view(price: PriceRow, variant_id: &VariantId) -> Price {
    let mut rules: BTreeMap<String, serde_json::Value> = BTreeMap::new();
    for condition in price.conditions {
        if condition.comparison == Comparison::Equal {
            rules.insert(condition.attribute, condition.value.into());
            continue;
        }
        let word = condition.comparison.as_str();
        let rule = serde_json::json!({ "operator": word, "value": condition.value });
        let all = rules.entry(condition.attribute).or_insert_with(|| serde_json::json!([]));
        if let Some(all) = all.as_array_mut() {
            all.push(rule);
        }
    }
    Price {
        id: price.id,
        amount: price.currency.amount(price.amount_minor),
        currency_code: price.currency,
        min_quantity: price.min_quantity,
        max_quantity: price.max_quantity,
        title: price.title,
        variant_id: variant_id.clone(),
        price_set_id: price.price_set_id,
        price_list_id: price.price_list_id,
        created_at: price.created_at,
        updated_at: price.updated_at,
        rules,
    }
}

fn attach_calculated(
    tx: &Tx<'_>,
    found: &mut [Variant],
    place: &ShopperContext,
    types: &BTreeMap<ProductId, ProductTypeId>,
) -> Result<(), CatalogError> {
    let quantities: Vec<_> =
        found.iter().map(|variant| (variant.price_set_id.clone(), 1)).collect();
    let prices = pricing::calculate(tx, &place.context, &quantities)?;
    let rates = rates_of(tx, found, place, types)?;
    let mut rates = rates.into_iter();
    for (variant, price) in found.iter_mut().zip(prices) {
        let rates = rates.next();
        let Some(price) = price else { continue };
        let taxed = rates.map(|rates| taxed(&price, &rates)).transpose()?;
        variant.calculated_price = Some(PriceView::new(price, taxed));
    }
    Ok(())
}

/// Returns the tax rates of each variant in millionths; none if the country is unknown.
fn rates_of(
    tx: &Tx<'_>,
    found: &[Variant],
    place: &ShopperContext,
    types: &BTreeMap<ProductId, ProductTypeId>,
) -> Result<Vec<Vec<i64>>, CatalogError> {
    let Some(country) = place.country.as_deref() else {
        return Ok(Vec::new());
    };
    let things: Vec<TaxedThing<'_>> = found
        .iter()
        .map(|variant| TaxedThing::Item {
            product_id: Some(variant.product_id.as_str()),
            product_type_id: types.get(&variant.product_id).map(ProductTypeId::as_str),
        })
        .collect();
    let lines =
        taxes::lines(tx, TaxPlace { country, province: place.province.as_deref() }, &things)?;
    Ok(lines.iter().map(|rates| rates.iter().map(|rate| rate.rate_ppm).collect()).collect())
}

fn taxed(price: &CalculatedPrice, rates: &[i64]) -> Result<Taxed, CatalogError> {
    let both = |chosen: &pricing::ChosenPrice| {
        if chosen.is_tax_inclusive {
            amounts::from_gross(chosen.amount_minor, rates)
        } else {
            amounts::from_net(chosen.amount_minor, rates)
        }
    };
    Ok(Taxed { calculated: both(&price.calculated)?, original: both(&price.original)? })
}
