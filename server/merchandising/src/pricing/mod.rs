//! Pricing: the prices of variants and shipping options, and the unit costs of variants.
//!
//! Invariants: the same candidates and the same context give the same price, in any order; a price belongs to a price
//! set, and a price set to one variant or one shipping option; the history of unit costs is never changed except by a
//! cost with the same start. Others call [`calculate()`], [`replace_prices`], [`unit_costs`] and [`set_unit_cost`];
//! [`price`] and [`cost`] define the types.

mod calculate;
pub(crate) mod choice;
pub mod cost;
mod error;
pub mod list;
pub mod preference;
pub mod price;
mod queries;
mod replace;
pub mod routes;
mod view;

#[cfg(test)]
mod tests;

pub use calculate::calculate;
pub use cost::{UnitCost, default_costs, set_unit_cost, unit_costs};
pub use error::PricingError;
pub use price::{CalculatedPrice, ChosenPrice, Comparison, NewPrice, PriceCondition, PriceContext};
pub use queries::prices::PriceRow;
pub(crate) use replace::{replace_prices, replace_prices_of};
pub use routes::router;
pub use view::{PriceSource, PriceView};

use crate::database::Tx;
use crate::ids::{self, PriceSetId};

/// Returns the prices of sets outside of price lists, set by set, by one statement.
pub(crate) fn prices_of(
    tx: &Tx<'_>,
    price_set_ids: &[&PriceSetId],
) -> Result<Vec<PriceRow>, PricingError> {
    let ids = ids::list(price_set_ids);
    Ok(queries::prices::stored_of_sets(tx, &ids)?)
}
