//! Promotions: which ones apply to a cart, how much each discounts which line, and how often each may be used.
//!
//! Invariants: no promotion exceeds the remaining amount of its target, and a split amount adds up exactly; orders
//! exceed no limit and no budget, because uses are counted in the order's own transaction. Others call
//! [`applicable()`], [`check_codes`], [`of_cart`], [`redeem`] and [`give_back`].

pub mod allocation;
mod applicable;
mod error;
pub mod promotion;
mod queries;
mod routes;
pub mod rules;
#[cfg(test)]
pub(crate) mod tests;
mod usage;
mod write;

pub use applicable::{Applicable, applicable, check_codes, of_cart};
pub use error::PromotionError;
pub use routes::router;
pub use usage::{give_back, redeem};
pub use write::{put, put_campaign};
