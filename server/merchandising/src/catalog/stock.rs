//! The inventory items of variants.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::CatalogError;
use super::new::{Customs, Measures, NewVariant};
use super::queries::{changes, stock};
use crate::database::{Tx, first_missing};
use crate::ids::{self, InventoryItemId, VariantId};

#[derive(Debug)]
pub(super) struct CreatedVariant<'a> {
    pub(super) id: &'a VariantId,
    pub(super) title: String,
    /// The variant as requested.
    pub(super) variant: &'a NewVariant,
}

/// Links the inventory items that variants name, and creates one for each variant with managed stock that names none.
/// At most four statements.
pub(super) fn add_inventory_items(
    tx: &Tx<'_>,
    created: &[CreatedVariant<'_>],
    product_title: &str,
    is_giftcard: bool,
) -> Result<(), CatalogError> {
    let (mut items, mut links) = (Vec::new(), Vec::new());
    let (mut skus, mut named) = (Vec::new(), BTreeSet::new());
    for CreatedVariant { id, title, variant } in created {
        for (item_id, required) in &variant.inventory_items {
            if *required < 1 {
                return Err(CatalogError::negative("required_quantity"));
            }
            if !named.insert(item_id)
                && variant.inventory_items.iter().filter(|(other, _)| other == item_id).count() > 1
            {
                return Err(CatalogError::taken("Inventory item", "id", item_id.as_str()));
            }
            links.push(json!([id, item_id, required]));
        }
        if variant.manage_inventory && variant.inventory_items.is_empty() {
            let item_id = InventoryItemId::new();
            skus.extend(variant.sku.as_deref());
            items.push(row(&item_id, title, variant, product_title, is_giftcard));
            links.push(json!([id, item_id, 1]));
        }
    }
    if !named.is_empty()
        && let Some(id) = first_missing::<String>(tx, "inventory_item", named)?
    {
        return Err(CatalogError::unknown_reference("inventory item", &id));
    }
    if !skus.is_empty()
        && let Some(sku) = stock::taken_sku(tx, &ids::list(skus))?
    {
        return Err(CatalogError::taken("Inventory item", "sku", &sku));
    }
    changes::insert(tx, "inventory_item", &Value::Array(items))?;
    if !links.is_empty() {
        stock::link_items(tx, &Value::Array(links).to_string())?;
    }
    Ok(())
}

fn row(
    id: &InventoryItemId,
    title: &str,
    variant: &NewVariant,
    product_title: &str,
    is_giftcard: bool,
) -> Value {
    let Measures { weight, length, height, width } = variant.measures;
    let Customs { hs_code, origin_country, mid_code, material } = &variant.customs;
    json!({
        "id": id, "sku": variant.sku, "title": title, "description": product_title,
        "thumbnail": variant.thumbnail, "requires_shipping": !is_giftcard,
        "weight": weight, "length": length, "height": height, "width": width,
        "hs_code": hs_code, "origin_country": origin_country, "mid_code": mid_code, "material": material,
    })
}
