//! Taxes: the rates that apply to an item at a place, and the amounts of tax.
//!
//! Invariants: a rate is an integer of millionths (7.25 % is 72 500); every tax amount is rounded to the currency's
//! minor unit per tax line; tax taken out of a gross price leaves that price unchanged. A tax region is a country or a
//! province, each at most once. Start at [`lines`].

pub mod amounts;
mod error;
mod queries;
pub mod rates;
mod regions;
mod routes;
mod rows;

#[cfg(test)]
mod tests;

pub use error::TaxError;
pub use rates::{TaxPlace, TaxRate, Taxed as TaxedThing};
pub(crate) use regions::SYSTEM_PROVIDER;
pub use regions::{LINE_PROVIDER, NewTaxRate, NewTaxRegion, create_rate, create_region, lines};
pub use routes::router;
