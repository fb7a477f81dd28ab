//! Where and through what the store sells: regions, their countries and currency, sales channels, and the store itself.
//!
//! Invariants: a country belongs to one region at most; a region has one currency; what the store sells by
//! (its default region and channel) is never deleted. Countries and currencies are those of ISO and never change.
//! Start at [`create`], [`find`] and [`store`].

mod channels;
mod countries;
mod country_table;
mod currencies;
mod currency_names;
mod error;
mod queries;
mod region;
mod settings;

pub(crate) use channels::{NewChannel, SalesChannel, create_channel, find_channel};
pub(crate) use countries::Country;
pub(crate) use country_table::COUNTRIES;
pub(crate) use currencies::CurrencyView;
pub(crate) use error::RegionError;
pub(crate) use region::{
    CountryView, NewRegion, Region, countries_of, create, default_region, find, payment_providers,
};
pub(crate) use settings::{
    Store, StoreChange, change_store, default_channel, default_currency, ensure_store, store,
};
