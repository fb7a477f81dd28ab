//! Regions with their countries and currency, sales channels, and the store itself.
//!
//! Invariants: a country belongs to at most one region; a region has one currency; the store's default region and
//! channel are never deleted. Countries and currencies are those of ISO and compiled in. Start at [`create`], [`find`]
//! and [`store`].

mod channels;
mod countries;
mod country_table;
mod currencies;
mod currency_names;
mod error;
mod locale;
mod queries;
mod region;
mod routes;
mod settings;

#[cfg(test)]
mod tests;

pub use channels::{NewChannel, SalesChannel, create_channel, delete_channel, find_channel};
pub use countries::Country;
pub(crate) use countries::bare_province;
pub use country_table::COUNTRIES;
pub(crate) use currencies::CurrencyView;
pub use error::RegionError;
pub use locale::Locale;
pub use region::{
    CountryView, NewRegion, Region, countries_of, create, default_region, delete, find,
    payment_providers,
};
pub use routes::router;
pub use settings::{
    Store, StoreChange, accepts, change_store, currency_or_default, default_channel,
    default_currency, ensure_store, store, time_zone,
};
