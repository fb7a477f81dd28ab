//! Loads the selected relations of a page of products, by one statement per relation.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::price::{self, Taxed};
use super::variant::{OptionHead, Price};
use super::{Collection, Image, Product, ProductOption, ProductType, Variant, VariantOption};
use crate::catalog::CatalogError;
use crate::catalog::queries::{relations, variants};
use crate::catalog::shopper::ShopperContext;
use crate::database::{Table, Tx, Word as _};
use crate::http::Selection;
use crate::ids::{self, ById, PriceSetId, ProductId, ProductTypeId, SalesChannelId, VariantId};
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
            .filter_map(|product| Some((&product.id, product.type_id.as_ref()?)))
            .collect();
        let fields = VariantFields { selection, prefix: "variants.", types: &types };
        attach_to_variants(tx, &mut found, &options, viewer, fields)?;
        if wants("variants.images") {
            attach_images(&mut found, &images);
        }
        let found = ById::grouped_by(found, |variant| &variant.product_id);
        assign(products, found, |product| &mut product.variants);
    }
    if wants("images") {
        assign(products, ById::grouped(images), |product| &mut product.images);
    }
    attach_links(tx, products, selection, viewer, &product_ids)?;
    attach_groups(tx, products, selection)?;
    if wants("options") {
        let options = ById::grouped_by(options, |option| &option.product_id);
        assign(products, options, |product| &mut product.options);
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
        let found = ById::grouped(relations::tags(tx, product_ids)?);
        assign(products, found, |product| &mut product.tags);
    }
    if selection.wants("categories") {
        let found = ById::grouped(relations::categories(tx, product_ids, viewer)?);
        assign(products, found, |product| &mut product.categories);
    }
    if selection.wants("sales_channels") {
        let found = ById::grouped(relations::channels(tx, product_ids)?);
        assign(products, found, |product| &mut product.sales_channels);
    }
    if selection.wants("rating") {
        let mut ratings: ById<_> = relations::ratings(tx, product_ids)?.into_iter().collect();
        for product in products {
            product.rating = Some(ratings.take(&product.id));
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

fn assign<T>(
    products: &mut [Product],
    mut found: ById<Vec<T>>,
    place: impl Fn(&mut Product) -> &mut Vec<T>,
) {
    for product in products {
        *place(product) = found.take(&product.id);
    }
}

fn attach_images(found: &mut [Variant], images: &[(ProductId, Image)]) {
    let by_product = ById::grouped(images.iter().map(|(product_id, image)| (product_id, image)));
    for variant in found {
        let own = by_product.group(&variant.product_id);
        variant.images = own.iter().copied().cloned().collect();
    }
}

/// The selected fields of variants: those below a prefix.
#[derive(Debug, Clone, Copy)]
pub struct VariantFields<'a> {
    pub selection: &'a Selection,
    /// The prefix of the variants' fields.
    pub prefix: &'static str,
    /// The types of the products, which taxes depend on.
    pub types: &'a ById<&'a ProductTypeId>,
}

impl VariantFields<'_> {
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
    fields: VariantFields<'_>,
) -> Result<(), CatalogError> {
    if found.is_empty() {
        return Ok(());
    }
    let variant_ids: Vec<VariantId> = found.iter().map(|variant| variant.id.clone()).collect();
    if fields.wants("options") {
        attach_values(tx, found, options, &variant_ids)?;
    }
    if fields.wants("inventory_quantity") {
        attach_stock(tx, found, viewer, &variant_ids)?;
    }
    match viewer {
        Viewer::Shopper { place, .. } => {
            if let Some(place) = place
                && fields.wants("calculated_price")
            {
                attach_calculated(tx, found, place, fields.types)?;
            }
        }
        Viewer::Admin => attach_admin_fields(tx, found, fields, &variant_ids)?,
    }
    Ok(())
}

fn attach_values(
    tx: &Tx<'_>,
    found: &mut [Variant],
    options: &[ProductOption],
    variant_ids: &[VariantId],
) -> Result<(), CatalogError> {
    let mut values = ById::default();
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
            values.insert(&value.id, (value, Arc::clone(&head)));
        }
    }
    let mut chosen = ById::default();
    for (variant_id, value_id) in variants::values(tx, &ids::list(variant_ids))? {
        let Some((value, option)) = values.get(value_id) else { continue };
        let view = VariantOption {
            id: value.id.clone(),
            value: Arc::clone(&value.value),
            rank: value.rank,
            metadata: value.metadata.clone(),
            option_id: value.option_id.clone(),
            option: Arc::clone(option),
            created_at: value.created_at,
            updated_at: value.updated_at,
            deleted_at: None,
        };
        chosen.push(variant_id, view);
    }
    for variant in found {
        variant.options = chosen.take(&variant.id);
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
fn attach_admin_fields(
    tx: &Tx<'_>,
    found: &mut [Variant],
    fields: VariantFields<'_>,
    variant_ids: &[VariantId],
) -> Result<(), CatalogError> {
    if fields.wants("prices") {
        let sets: Vec<&PriceSetId> = found.iter().map(|variant| &variant.price_set_id).collect();
        let prices = pricing::prices_of(tx, &sets)?;
        let mut prices = ById::grouped_by(prices, |price| &price.price_set_id);
        for variant in &mut *found {
            let own = prices.take(&variant.price_set_id);
            variant.prices = own.into_iter().map(|price| view(price, &variant.id)).collect();
        }
    }
    if fields.wants("unit_cost") {
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
    types: &ById<&ProductTypeId>,
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
        variant.calculated_price = Some(match taxed {
            Some(taxed) => price::with_taxes(price, taxed),
            None => price.into(),
        });
    }
    Ok(())
}

/// Returns the tax rates of each variant in millionths; none if the country is unknown.
fn rates_of(
    tx: &Tx<'_>,
    found: &[Variant],
    place: &ShopperContext,
    types: &ById<&ProductTypeId>,
) -> Result<Vec<Vec<i64>>, CatalogError> {
    let Some(country) = place.country.as_deref() else {
        return Ok(Vec::new());
    };
    let things: Vec<TaxedThing<'_>> = found
        .iter()
        .map(|variant| TaxedThing::Item {
            product_id: Some(variant.product_id.as_str()),
            product_type_id: types.get(&variant.product_id).map(|id| id.as_str()),
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
