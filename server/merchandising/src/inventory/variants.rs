//! The items and the available quantities of variants.

use std::collections::BTreeSet;

use super::availability::Policy;
use super::queries::variants as queries;
use super::{Availability, InventoryError};
use crate::database::Tx;
use crate::ids::{ById, InventoryItemId, SalesChannelId, StockLocationId, VariantId};

/// Returns the available quantity of each variant in any of the channels: that of its scarcest item, over the channels'
/// locations. Variants that do not exist are omitted. Always two statements.
///
/// # Errors
/// [`InventoryError::Db`]; [`InventoryError::OutOfRange`] for stock beyond 64 bits.
pub fn availability(
    tx: &Tx<'_>,
    variants: &[VariantId],
    channels: &[SalesChannelId],
) -> Result<ById<Availability>, InventoryError> {
    let locations = queries::locations(tx, channels)?;
    let stocks = queries::stocks(tx, variants, &locations)?;
    let mut found = ById::default();
    for variant_id in variants {
        let Some(available) = stocks.available(variant_id) else { continue };
        let available =
            available.map_err(|error| InventoryError::of_variant(&error, variant_id))?;
        found.insert(variant_id, available);
    }
    Ok(found)
}

/// Checks that all lines together can be reserved in a channel. Lines that share an item are added up.
///
/// # Errors
/// [`InventoryError::InsufficientInventory`] for the first variant that is short of stock; [`InventoryError::NotFound`]
/// for one that does not exist.
pub fn check(
    tx: &Tx<'_>,
    lines: &[(VariantId, i64)],
    channel: &SalesChannelId,
) -> Result<(), InventoryError> {
    let locations = queries::locations(tx, std::slice::from_ref(channel))?;
    let mut stocks = queries::stocks(tx, lines.iter().map(|(variant, _)| variant), &locations)?;
    stocks.promise(lines, locations.first())?;
    Ok(())
}

/// Checks that the lines of the changed variants can be reserved in a channel, together with those that share an item with
/// them. Other lines are left out, because a shortage of theirs is no reason to refuse the change.
///
/// # Errors
/// As [`check`].
pub fn check_changed(
    tx: &Tx<'_>,
    lines: &[(VariantId, i64)],
    changed: &[VariantId],
    channel: &SalesChannelId,
) -> Result<(), InventoryError> {
    let locations = queries::locations(tx, std::slice::from_ref(channel))?;
    let mut stocks = queries::stocks(tx, lines.iter().map(|(variant, _)| variant), &locations)?;
    let items = |id: &VariantId| {
        let parts = stocks.variants.get(id).into_iter().flat_map(|variant| &variant.parts);
        parts.map(|part| &part.item_id)
    };
    // A variant that is sold without stock takes nothing from the others.
    let is_counted = |id: &&VariantId| {
        stocks.variants.get(*id).is_some_and(|variant| variant.policy == Policy::Counted)
    };
    let of_changed: BTreeSet<_> = changed.iter().filter(is_counted).flat_map(items).collect();
    let shares = |id: &VariantId| items(id).any(|item| of_changed.contains(item));
    let lines: Vec<_> =
        lines.iter().filter(|(id, _)| changed.contains(id) || shares(id)).cloned().collect();
    stocks.promise(&lines, locations.first())?;
    Ok(())
}

/// Returns those of the locations that cannot ship all lines on their own.
pub fn short_locations(
    tx: &Tx<'_>,
    lines: &[(VariantId, i64)],
    locations: &[StockLocationId],
) -> Result<BTreeSet<StockLocationId>, InventoryError> {
    let stocks = queries::stocks(tx, lines.iter().map(|(variant, _)| variant), locations)?;
    let mut short = BTreeSet::new();
    for location in locations {
        let mut here = stocks.clone();
        for levels in here.levels.values_mut() {
            levels.retain(|level| level.location == *location);
        }
        if here.promise(lines, Some(location)).is_err() {
            short.insert(location.clone());
        }
    }
    Ok(short)
}

/// Returns the item of each variant; of a variant with several items, the last one.
pub fn items_of(
    tx: &Tx<'_>,
    variant_ids: &[VariantId],
) -> Result<ById<InventoryItemId>, InventoryError> {
    let parts = queries::parts(tx, variant_ids)?;
    Ok(parts.into_iter().map(|(variant, item, _)| (variant, item)).collect())
}
