//! Checkout: how a cart becomes an order, once.
//!
//! A completion has three steps, and each leaves the store sound:
//! 1. **Claim**, one write: the cart is checked and claimed; stock is reserved, promotions are counted, credit is
//!    debited, and the order is written as a draft. From now on the cart cannot change.
//! 2. **Ask**, outside of any transaction: the provider is asked for the money, with the session's id as the key.
//! 3. **Settle**, one write: the payment is kept and the draft becomes the order, or everything is given back.
//!
//! A cart that costs nothing is claimed and settled in one write. After a crash, or when the provider gave no answer,
//! the claim stays; the next call for the cart, or [`keep_recovering`], asks again with the same key and settles.
//!
//! Before a cart is claimed it is worked out once more; one that costs another amount than the shopper agreed to is shown
//! and not sold. Orders that administrators make are worked out as carts too, in [`drafts`], and paid afterwards.
//!
//! Invariants: a cart gives at most one order and is paid at most once, under any number of calls; stock, promotions,
//! credit and payment move together or not at all. Start at [`complete()`].

mod claim;
mod complete;
mod convert;
mod drafts;
mod error;
mod pay;
mod queries;
mod recover;
mod routes;
mod settle;

#[cfg(test)]
pub(crate) mod tests;

pub use complete::{Completion, complete};
pub use error::CheckoutError;
pub use recover::keep_recovering;
#[cfg(test)]
pub(crate) use recover::recover;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Paying for a cart and completing it.
pub fn router() -> OpenApiRouter<AppState> {
    routes::router()
}
