//! Memberships that an order grants, which are what the checkout's success page shows of `metadata.membership`, and the
//! tiers that customers are in because of their orders.
//!
//! Invariants: the state is decided by the order's payment, not by its metadata; credentials are shown only once the
//! order is paid, and on no other route of the store. A tier is computed when it is shown, so that it is never out of
//! date. Start at [`status::of`] and [`tier::of_customer`].

mod condition;
mod queries;
mod routes;
mod status;
mod tier;

pub(crate) use routes::router;
