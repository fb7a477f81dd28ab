//! Carts: the items that a shopper is about to buy, and their totals.
//!
//! Invariants: a cart's totals are the exact sums of its lines and shipping methods, to the minor unit; a cart that became an
//! order never changes; an account's cart is accessible only to that account, and any other cart to everyone who knows its id,
//! until a day after it became an order. Start at [`contents`]; others call [`load()`], [`load_for`] and [`load_to_change`].

mod bundling;
mod changes;
pub mod contents;
mod discounts;
mod error;
mod import;
pub mod lines;
mod load;
pub mod offers;
mod pricing;
pub mod queries;
mod refresh;
mod routes;
mod shipping;
mod taxing;
pub mod totals;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use changes::address::{AddressInput, AddressRequest};
pub use changes::offers::{OfferPlace, add_offer, price_offer};
pub(crate) use changes::quote::{CreateDraftOrderRequest, quote};
pub(crate) use changes::renewal::address_for;
pub use changes::renewal::{
    NewRenewal, PriceRequest, RenewedItem, TodaysPrice, charge, price_today, renewal,
};
pub use error::CartError;
pub use import::{ImportedCart, ImportedLine, import};
pub use load::{empty_untouched, load, load_for, load_to_change};
pub use refresh::renewed;
pub use routes::router;
pub use view::{ChargeTotalsView, TotalsView, view};
