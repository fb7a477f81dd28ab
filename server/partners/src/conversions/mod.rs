//! Conversions: orders that partners brought, and what they earn.
//!
//! [`follow()`] is called for every event of an order, and for every report from a storefront. It attributes the order
//! once, and then recomputes what it earns. Without changes it writes nothing.
//!
//! Invariants: an order has at most one conversion, with the click and the terms at the time of recording; amounts and
//! clicks come from rows of the store, never from a request; the entries of a conversion add up to its commission; each
//! decision has a reason, an actor and an audit entry.

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
