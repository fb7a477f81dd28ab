//! The available quantity of a variant, and the allotment of a quantity to locations.
//!
//! A variant consists of one or more inventory items, with a number of pieces of each; its availability is that of its
//! scarcest item, over all locations.

use thiserror::Error;

use crate::proportion::{OutOfRange, add, subtract, sum};

/// Why stock cannot be reserved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StockError {
    /// Fewer pieces are available than requested.
    #[error("`{requested}` pieces were asked for and `{available}` are available")]
    Insufficient { requested: i64, available: i64 },
    /// A quantity or a requirement that is not positive, or no location to reserve at.
    #[error("`{quantity}` pieces cannot be reserved")]
    Impossible { quantity: i64 },
    /// A number overflows.
    #[error("a quantity is out of range")]
    OutOfRange(#[from] OutOfRange),
}

/// The stock of an item at a location, in pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level<L> {
    pub location: L,
    /// Pieces in stock.
    pub stocked: i64,
    /// Pieces of these that are reserved.
    pub reserved: i64,
}

/// An item that a variant consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement<L> {
    /// Pieces of it in one piece of the variant, at least one.
    pub required: i64,
    /// Its levels at locations.
    pub levels: Vec<Level<L>>,
}

/// The stock policy of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Stock is not managed (`manage_inventory` is false).
    Uncounted,
    /// Only available stock can be sold.
    Counted,
    /// Stock is managed, but the variant can be sold when it is out of stock.
    Backorder,
}

impl Policy {
    /// Returns the policy of a variant's two flags; a variant without managed stock has no backorders either.
    pub fn of(manage_inventory: bool, allow_backorder: bool) -> Self {
        match (manage_inventory, allow_backorder) {
            (false, _) => Self::Uncounted,
            (true, false) => Self::Counted,
            (true, true) => Self::Backorder,
        }
    }
}

/// The available quantity of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// Stock is not managed.
    Unlimited,
    /// Whole pieces of the variant, never negative.
    Pieces(i64),
}

/// Pieces to reserve at a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Allotment<L> {
    pub location: L,
    /// At least one.
    pub quantity: i64,
}

/// Returns the quantity of the variant that `items` make up. A variant with managed stock and no items is never
/// available.
pub fn available<L>(policy: Policy, items: &[Requirement<L>]) -> Result<Availability, StockError> {
    if policy == Policy::Uncounted {
        return Ok(Availability::Unlimited);
    }
    let mut least = None;
    for item in items {
        let free = sum(item.levels.iter().map(free).collect::<Result<Vec<_>, _>>()?)?;
        let times = free.checked_div(item.required).filter(|_| item.required > 0);
        let times = times.ok_or(StockError::Impossible { quantity: item.required })?;
        least = Some(least.map_or(times, |so_far: i64| so_far.min(times)));
    }
    Ok(Availability::Pieces(least.unwrap_or(0)))
}

/// Checks that `quantity` of the variant can be reserved.
pub fn check<L>(policy: Policy, items: &[Requirement<L>], quantity: i64) -> Result<(), StockError> {
    if quantity < 1 {
        return Err(StockError::Impossible { quantity });
    }
    match (policy, available(policy, items)?) {
        (Policy::Counted, Availability::Pieces(available)) if available < quantity => {
            Err(StockError::Insufficient { requested: quantity, available })
        }
        (Policy::Counted | Policy::Uncounted | Policy::Backorder, _) => Ok(()),
    }
}

/// Allots `quantity` pieces of one item to `levels`, in their order of preference.
///
/// The first location with the whole quantity gets all; otherwise the locations with the most stock go first, so that
/// an order ships from few locations. A shortage is an error or, with `may_backorder`, is allotted to the first
/// location.
pub(crate) fn allot<L: Clone>(
    quantity: i64,
    levels: &[Level<L>],
    may_backorder: bool,
) -> Result<Vec<Allotment<L>>, StockError> {
    if levels.is_empty() || quantity < 1 {
        return Err(StockError::Impossible { quantity });
    }
    let mut places = Vec::with_capacity(levels.len());
    for (rank, level) in levels.iter().enumerate() {
        places.push((free(level)?, rank, level));
    }
    if let Some((_, _, level)) = places.iter().find(|(free, _, _)| *free >= quantity) {
        return Ok(vec![Allotment { location: level.location.clone(), quantity }]);
    }
    let available = sum(places.iter().map(|(free, _, _)| *free))?;
    if available < quantity && !may_backorder {
        return Err(StockError::Insufficient { requested: quantity, available });
    }
    places.sort_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(&right.1)));
    let mut taken = vec![0_i64; levels.len()];
    let mut missing = quantity;
    for (free, rank, _) in places {
        let part = free.min(missing);
        missing = subtract(missing, part)?;
        if let Some(slot) = taken.get_mut(rank) {
            *slot = part;
        }
    }
    if let Some(slot) = taken.first_mut() {
        *slot = add(*slot, missing)?;
    }
    let allotments = levels.iter().zip(taken).filter(|(_, quantity)| *quantity > 0);
    Ok(allotments
        .map(|(level, quantity)| Allotment { location: level.location.clone(), quantity })
        .collect())
}

/// Returns the free pieces of a location; an oversold location has none and does not reduce others.
fn free<L>(level: &Level<L>) -> Result<i64, OutOfRange> {
    Ok(subtract(level.stocked, level.reserved)?.max(0))
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
mod tests;
