//! The SQL of prices, unit costs, price lists and preferences.

pub(super) mod costs;
pub(super) mod prices;
