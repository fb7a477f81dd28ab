//! How many pieces of a variant can be sold, and where a quantity is taken from.
//!
//! A variant needs one or more inventory items, each in some number of pieces; it is available as
//! often as its scarcest item allows, over all locations.

use thiserror::Error;

use crate::proportion::{OutOfRange, add, subtract, sum};

/// Why stock cannot be promised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StockError {
    /// Fewer pieces than asked for.
    #[error("`{requested}` pieces were asked for and `{available}` are available")]
    Insufficient {
        /// Pieces asked for.
        requested: i64,
        /// Pieces that can be had.
        available: i64,
    },
    /// A quantity or a requirement that is not positive, or nowhere to take the pieces from.
    #[error("`{quantity}` pieces cannot be reserved")]
    Impossible { quantity: i64 },
    /// A number does not fit.
    #[error("a quantity is out of range")]
    OutOfRange(#[from] OutOfRange),
}

/// What a location holds of an item, in pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level<L> {
    pub location: L,
    /// On the shelf.
    pub stocked: i64,
    /// Of these, promised to orders.
    pub reserved: i64,
}

/// An item a variant is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement<L> {
    /// Pieces of it in one variant, at least one.
    pub required: i64,
    /// Where it lies.
    pub levels: Vec<Level<L>>,
}

/// How a variant treats its stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Nobody counts it (`manage_inventory` is false).
    Uncounted,
    /// Only what is there can be sold.
    Counted,
    /// It is counted, and sold though there is none.
    Backorder,
}

impl Policy {
    /// The policy of a variant's two switches; what is not managed has no backorders either.
    pub fn of(manage_inventory: bool, allow_backorder: bool) -> Self {
        match (manage_inventory, allow_backorder) {
            (false, _) => Self::Uncounted,
            (true, false) => Self::Counted,
            (true, true) => Self::Backorder,
        }
    }
}

/// How often a variant is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// Nobody counts it.
    Unlimited,
    /// In whole variants, never negative.
    Pieces(i64),
}

/// Pieces to reserve at a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Allotment<L> {
    pub location: L,
    /// How many, at least one.
    pub quantity: i64,
}

/// How often the variant can be made from `items`. A counted variant without items is never there.
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

/// Whether `quantity` of the variant can be promised.
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

/// Takes `quantity` pieces of one item from `levels`, in their order of preference.
///
/// The first location that has all of them gives all; else the fullest give first, so that an order
/// is sent from few places. What is missing is an error, or with `may_backorder` is booked at the
/// first location.
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

/// What a location can still promise; an oversold location has nothing and owes others nothing.
fn free<L>(level: &Level<L>) -> Result<i64, OutOfRange> {
    Ok(subtract(level.stocked, level.reserved)?.max(0))
}

#[cfg(test)]
#[expect(clippy::arithmetic_side_effects, reason = "overflow fails a test")]
mod tests;
