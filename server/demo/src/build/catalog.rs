//! The catalog: groupings, products with prices and costs, and a promotion to try.

use super::{CreatedProduct, Currencies, Places};
use crate::DemoError;
use crate::catalog::categories::{NewCategory, create_category};
use crate::catalog::groupings::{NewCollection, create_collection, create_named};
use crate::catalog::view::Tag;
use crate::catalog::{self, NewOption, NewProduct, NewVariant, ProductStatus};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::goods::{CATEGORIES, COLLECTIONS, Good, Goods, PARASOL, TAGS};
use crate::ids::{CategoryId, CollectionId, ProductId, ShippingProfileId, TagId, VariantId};
use crate::inventory;
use crate::metadata::MetadataPatch;
use crate::pricing::{self, NewPrice, UnitCost};
use crate::seed::Seed;

/// The ids of categories, collections and tags, in the order of their lists.
#[derive(Debug)]
pub(super) struct Groupings {
    categories: Vec<CategoryId>,
    collections: Vec<CollectionId>,
    tags: Vec<TagId>,
}

/// Creates categories, collections and tags.
pub(super) fn groupings(tx: &Tx<'_>) -> Result<Groupings, DemoError> {
    let mut groupings =
        Groupings { categories: Vec::new(), collections: Vec::new(), tags: Vec::new() };
    for rule in CATEGORIES {
        let new = NewCategory {
            name: rule.name.to_owned(),
            description: rule.description.to_owned(),
            is_active: true,
            ..NewCategory::default()
        };
        groupings.categories.push(create_category(tx, new)?);
    }
    for rule in COLLECTIONS {
        let new = NewCollection { title: rule.name.to_owned(), ..NewCollection::default() };
        groupings.collections.push(create_collection(tx, new)?);
    }
    for tag in TAGS {
        let tag = create_named::<Tag>(tx, (*tag).to_owned(), MetadataPatch::default())?;
        groupings.tags.push(tag);
    }
    Ok(groupings)
}

/// The inputs of products.
pub(super) struct ProductContext<'a> {
    pub(super) places: &'a Places,
    pub(super) profile: &'a ShippingProfileId,
    pub(super) currencies: Currencies,
    /// When the cost of every product rose.
    pub(super) rise: Timestamp,
}

/// Creates the products, in the order of the goods. The first product is the newest, so that lists start with the
/// best-selling ones.
pub(super) fn products(
    tx: &Tx<'_>,
    goods: &Goods,
    groupings: &Groupings,
    context: &ProductContext<'_>,
) -> Result<Vec<CreatedProduct>, DemoError> {
    let at_ms = tx.now().as_millis();
    let mut created = Vec::with_capacity(goods.all.len());
    let mut parasol: Option<(&Good, ProductId)> = None;
    let mut colours = Vec::new();
    for (good, place) in goods.all.iter().zip(0_u64..) {
        let mut seed = Seed::of("product", place);
        let product_id = ProductId::seeded(at_ms, seed.id());
        let variant = (good, VariantId::seeded(at_ms, seed.id()));
        let variant_id = variant.1.clone();
        let product_id = if good.design.is_some() {
            colours.push(variant);
            parasol.get_or_insert((good, product_id)).1.clone()
        } else {
            catalog::create_product(
                tx,
                &product(good, &product_id, &[variant], groupings, context),
            )?;
            product_id
        };
        created.push(((product_id, variant_id), good));
    }
    if let Some((good, product_id)) = parasol {
        let parasol = product(good, &product_id, &colours, groupings, context);
        catalog::create_product(tx, &parasol)?;
    }
    for ((_, variant_id), good) in &created {
        for (valid_from, amount_minor) in
            [(tx.now(), good.first_cost_minor), (context.rise, good.cost_minor)]
        {
            let (variant_id, currency) = (variant_id.clone(), context.currencies.gbp);
            let cost =
                UnitCost { variant_id, currency, amount_minor, valid_from, created_by: None };
            pricing::set_unit_cost(tx, &cost)?;
        }
    }
    let variant_ids: Vec<VariantId> =
        created.iter().map(|((_, variant), _)| variant.clone()).collect();
    let items = inventory::items_of(tx, &variant_ids)?;
    let collection =
        |place: Option<usize>| place.and_then(|place| COLLECTIONS.get(place)).map(|rule| rule.name);
    let created = created.into_iter().filter_map(|((product_id, variant_id), good)| {
        let item_id = items.get(&variant_id)?.clone();
        Some(CreatedProduct {
            product_id,
            variant_id,
            item_id,
            collection: collection(good.collection),
        })
    });
    Ok(created.collect())
}

/// Returns a product with its variants; one of them gives it its title and its groupings.
fn product(
    good: &Good,
    product_id: &ProductId,
    variants: &[(&Good, VariantId)],
    groupings: &Groupings,
    context: &ProductContext<'_>,
) -> NewProduct {
    let at = |ids: &[CategoryId], places: &[usize]| {
        places.iter().filter_map(|place| ids.get(*place).cloned()).collect()
    };
    let values: Vec<String> =
        variants.iter().filter_map(|(good, _)| good.design.map(str::to_owned)).collect();
    let option = NewOption { title: PARASOL.option.to_owned(), values };
    NewProduct {
        id: Some(product_id.clone()),
        handle: Some(good.handle.clone()),
        status: ProductStatus::Published,
        collection_id: good.collection.and_then(|place| groupings.collections.get(place).cloned()),
        shipping_profile_id: Some(context.profile.clone()),
        options: if option.values.is_empty() { Vec::new() } else { vec![option] },
        variants: variants.iter().map(|(good, id)| variant(good, id, context)).collect(),
        category_ids: at(&groupings.categories, &good.categories),
        tag_ids: good.tags.iter().filter_map(|place| groupings.tags.get(*place).cloned()).collect(),
        sales_channel_ids: vec![context.places.web_shop.clone(), context.places.wholesale.clone()],
        ..NewProduct::titled(good.title.as_str())
    }
}

fn variant(good: &Good, id: &VariantId, context: &ProductContext<'_>) -> NewVariant {
    let Currencies { gbp, eur, usd } = context.currencies;
    let prices = [(gbp, good.price_minor), (eur, good.eur_minor), (usd, good.usd_minor)];
    let value = good.design.map(|value| (PARASOL.option.to_owned(), value.to_owned()));
    NewVariant {
        id: Some(id.clone()),
        title: Some(good.variant_title().to_owned()),
        prices: prices.map(|(currency, minor)| NewPrice::plain(currency, minor)).to_vec(),
        options: value.into_iter().collect(),
        ..NewVariant::with_sku(good.sku.as_str())
    }
}
