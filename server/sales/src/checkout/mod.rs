//! Checkout: turns a cart into an order, exactly once.
//!
//! A completion has three steps, each of which leaves the store consistent:
//! 1. **Claim**, one write: the cart is checked and claimed; stock is reserved, promotions are counted, credit is
//!    debited, and the order is written as a draft. From now on the cart cannot change.
//! 2. **Ask**, outside any transaction: requests the payment from the provider, with the session's id as the key.
//! 3. **Settle**, one write: the payment is stored and the draft becomes the order, or everything is released.
//!
//! A cart with a total of zero is claimed and settled in one write. After a crash, or if the provider did not answer,
//! the claim stays; the next request for the cart, or [`keep_recovering`], asks again with the same key and settles.
//!
//! A cart is refreshed before it is claimed; if its total is no longer the one that the shopper agreed to, it is
//! returned instead of sold. Orders of administrators are computed as carts too, in [`drafts`], and paid afterwards.
//!
//! Invariants: a cart becomes at most one order and is paid at most once, under any number of requests; stock,
//! promotions, credit and payment change together or not at all. Start at [`complete::complete`].

mod claim;
mod complete;
mod confirm;
mod drafts;
mod end_sessions;
mod error;
pub mod finish;
mod pay;
mod queries;
mod recover;
mod routes;
mod settle;
mod update_amount;

#[cfg(test)]
pub(crate) mod tests;

pub use complete::Completion;
pub use error::CheckoutError;
pub use finish::{COMPLETE_PAID, complete_later, complete_paid};
pub use recover::keep_recovering;
#[cfg(test)]
pub(crate) use recover::recover;
pub use routes::router;
