//! Sessions: a shopper's way through a published version of a flow.
//!
//! A press of a button has three steps, as a completion of a cart: it is claimed, with everything that it needs; the
//! kept method of the order is charged, outside of any transaction, with the press's id as the key; and it is settled,
//! so that the order gains its line or everything is given back. What costs nothing is claimed and settled in one write.
//!
//! Invariants: a button is pressed at most once in a session, and every repetition gets the first answer; no line is added
//! without its payment and none twice; a session stays in the version that it began with. Start at [`act::press`].

mod act;
mod answers;
mod begin;
mod button;
pub(crate) mod error;
pub(crate) mod facts;
mod press;
mod queries;
mod receipt;
mod release;
mod routes;
pub(crate) mod session;
mod settle;
mod steps;
pub(crate) mod walk;

pub use act::{RECOVER, RECOVER_EVERY_MS, forget, recover, recover_all};
pub use release::{HOLD, release};
pub(crate) use routes::router;
