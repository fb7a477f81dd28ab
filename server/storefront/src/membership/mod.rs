//! Memberships granted by orders, which the checkout's success page shows from `metadata.membership`, and the tiers
//! that customers reach through their orders.
//!
//! Invariants: the state depends on the order's payment, not on its metadata; credentials are shown only once the
//! order is paid, and on no other store route. A tier is computed whenever it is shown, so it is never out of date.
//! Start at [`status::of`] and [`tier::of_customer`].

mod condition;
mod queries;
mod routes;
mod status;
mod tier;

pub(crate) use routes::router;
