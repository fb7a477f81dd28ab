//! Flows as merchants write them: drafts that are checked, published as versions, and rolled back.
//!
//! Invariants: a published version never changes, and a shopper stays with the version in which the session began;
//! every path of a published version ends; all its conditions are valid. Start at [`write::publish`].

pub(crate) mod check;
pub(crate) mod draft;
mod error;
mod findings;
pub(crate) mod flow;
pub(crate) mod links;
pub(crate) mod queries;
mod requests;
mod routes;
mod write;

pub(crate) use error::FlowError;
pub(crate) use routes::router;
pub use write::RELEASE;
pub(crate) use write::release_now;
