//! Partners, each with a token for reading their own statement.

mod partner;
mod routes;

pub use partner::{Partner, PartnerStatus};
pub(crate) use routes::router;
