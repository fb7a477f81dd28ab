//! Chooses the pieces and locations to reserve for a list of lines. Pure functions.

use super::InventoryError;
use super::availability::{self, Availability, Level, Policy, Requirement, StockError};
use crate::ids::{ById, InventoryItemId, StockLocationId, VariantId};
use crate::proportion::{add, multiply};

/// An item that a variant consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) item_id: InventoryItemId,
    /// Pieces of it in one piece of the variant.
    pub(super) required: i64,
}

/// The stock policy of a variant and its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VariantStock {
    pub(super) policy: Policy,
    pub(super) parts: Vec<Part>,
}

/// Variants and the levels of their items; variants may share items.
#[derive(Debug, Clone, Default)]
pub(super) struct Stocks {
    /// The requested variants that exist.
    pub(super) variants: ById<VariantStock>,
    pub(super) levels: ById<Vec<Level<StockLocationId>>>,
}

/// Pieces of an item at a location to reserve for the line at `index`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Promise {
    /// The index of the line.
    pub(super) index: usize,
    pub(super) item_id: InventoryItemId,
    /// The location of the pieces.
    pub(super) location_id: StockLocationId,
    /// The number of pieces.
    pub(super) quantity: i64,
    /// Pieces of the item in one piece of the line.
    pub(super) required: i64,
    /// Whether it may exceed the stock.
    pub(super) may_backorder: bool,
}

impl Stocks {
    /// Returns the available quantity of a variant; none if it does not exist.
    pub(super) fn available(
        &self,
        variant_id: &VariantId,
    ) -> Option<Result<Availability, StockError>> {
        let variant = self.variants.get(variant_id)?;
        Some(availability::available(variant.policy, &self.requirements(variant)))
    }

    /// Chooses the reservations of the lines and takes them from the levels, all or none. Lines without backorder go
    /// first. Backordered items without a level are reserved at `fallback`.
    pub(super) fn promise(
        &mut self,
        lines: &[(VariantId, i64)],
        fallback: Option<&StockLocationId>,
    ) -> Result<Vec<Promise>, InventoryError> {
        let mut promises = Vec::new();
        for may_backorder in [false, true] {
            for (index, (variant_id, quantity)) in lines.iter().enumerate() {
                let variant = self.variants.get(variant_id).cloned();
                let variant =
                    variant.ok_or_else(|| InventoryError::not_found("Variant", variant_id))?;
                let refused = |error| InventoryError::of_variant(&error, variant_id);
                if (variant.policy == Policy::Backorder) != may_backorder {
                    continue;
                }
                let requirements = self.requirements(&variant);
                availability::check(variant.policy, &requirements, *quantity).map_err(refused)?;
                if variant.policy == Policy::Uncounted {
                    continue;
                }
                for Part { item_id, required } in variant.parts {
                    let pieces = multiply(*quantity, required)?;
                    if let (true, Some(location)) =
                        (self.levels.group(&item_id).is_empty(), fallback)
                    {
                        let location = location.clone();
                        self.levels.push(&item_id, Level { location, stocked: 0, reserved: 0 });
                    }
                    let levels = self.levels.group(&item_id);
                    let allotments =
                        availability::allot(pieces, levels, may_backorder).map_err(refused)?;
                    for availability::Allotment { location, quantity } in allotments {
                        self.reserve(&item_id, &location, quantity)?;
                        let item_id = item_id.clone();
                        let location_id = location;
                        promises.push(Promise {
                            index,
                            item_id,
                            location_id,
                            quantity,
                            required,
                            may_backorder,
                        });
                    }
                }
            }
        }
        Ok(promises)
    }

    fn requirements(&self, variant: &VariantStock) -> Vec<Requirement<StockLocationId>> {
        let requirement = |part: &Part| Requirement {
            required: part.required,
            levels: self.levels.group(&part.item_id).to_vec(),
        };
        variant.parts.iter().map(requirement).collect()
    }

    fn reserve(
        &mut self,
        item_id: &InventoryItemId,
        location: &StockLocationId,
        quantity: i64,
    ) -> Result<(), InventoryError> {
        let mut levels = self.levels.get_mut(item_id).into_iter().flatten();
        if let Some(level) = levels.find(|level| level.location == *location) {
            level.reserved = add(level.reserved, quantity)?;
        }
        Ok(())
    }
}
