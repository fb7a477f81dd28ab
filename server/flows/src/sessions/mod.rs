//! Sessions: a shopper's way through a published version of a flow.
//!
//! A press of a button has three steps, like the completion of a cart: the press is claimed with everything that it
//! needs; the order's saved payment method is charged, outside any transaction, with the press's id as idempotency key;
//! and the press is settled, so that the order gains its line or everything is released. A press that costs nothing is
//! claimed and settled in one write.
//!
//! Invariants: a button is pressed at most once in a session, and every repetition gets the first answer; no line is added
//! without payment or twice; a session stays with the version in which it began. Start at [`act::press`].

mod act;
mod answers;
mod begin;
mod button;
pub(crate) mod error;
pub(crate) mod facts;
pub(crate) mod path;
mod press;
mod queries;
mod receipt;
mod release;
mod routes;
pub(crate) mod session;
mod settle;
mod steps;

pub use act::{RECOVER, RECOVER_EVERY_MS, forget, recover, recover_all};
pub use release::{HOLD, release};
pub(crate) use routes::router;
