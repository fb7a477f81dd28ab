//! The routes of price lists, price preferences and unit costs.

pub(crate) mod requests;
