//! Conversions: orders that a partner has brought, and what they earn.
//!
//! [`follow()`] is called for every event of an order, and for what storefronts report. It attributes the order once, and
//! afterwards recomputes what it earns; it changes nothing if nothing has changed.
//!
//! Invariants: an order has at most one conversion, with the click and the terms of the time when it was recorded; amounts
//! and clicks come from rows of the store, never from a request; the entries of a conversion add up to its commission;
//! each decision has a reason, an actor and an entry in the trail.

mod attribute;
mod attribution;
mod conversion;
mod decide;
mod follow;
mod fraud;
mod ledger;
pub(crate) mod queries;
mod reports;
mod routes;
mod view;

pub use conversion::{Conversion, ConversionStatus};
pub(crate) use decide::record_entry;
pub use decide::{APPROVE_EVERY_MS, approve_due};
pub use follow::{SUBSCRIBER, follow};
pub use ledger::{Entry, EntryKind};
pub use reports::Reports;
pub(crate) use routes::router;
