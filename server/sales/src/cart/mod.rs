//! Carts: what a shopper is about to buy, and what it costs.
//!
//! Invariants: a cart's totals are the exact sums of its lines and shipping methods, to the minor unit; a cart that
//! became an order stays as it is; the cart of an account is open to that account only, and any other to who knows its
//! id. Start at [`contents`]; others call [`load()`], [`load_for`] and [`load_to_change`].

mod changes;
pub mod contents;
mod discounts;
mod error;
mod import;
pub mod lines;
mod load;
mod pricing;
pub mod queries;
mod refresh;
mod routes;
mod sending;
mod taxing;
pub mod totals;
mod view;

#[cfg(test)]
mod tests;

pub use changes::quote::{NewQuote, QuotedItem, QuotedMethod, quote};
pub use error::CartError;
pub use import::{ImportedCart, ImportedLine, import};
pub use load::{load, load_for, load_to_change};
pub use refresh::renewed;
pub(crate) use routes::{AddressInput, AddressRequest};
pub use view::{ChargeTotalsView, TotalsView, view};

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Carts and how they are sent, for the store.
pub fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
