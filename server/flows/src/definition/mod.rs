//! Flows as merchants write them: drafts, which are checked, published as versions and rolled back.
//!
//! Invariants: a published version never changes, and a shopper stays in the version that they began with; every way of
//! a published version ends; all its conditions check. Start at [`write::publish`].

pub(crate) mod check;
pub(crate) mod draft;
mod error;
mod findings;
pub(crate) mod flow;
pub(crate) mod links;
pub(crate) mod queries;
mod routes;
mod write;

pub(crate) use error::FlowError;
pub(crate) use routes::router;
pub use write::RELEASE;
