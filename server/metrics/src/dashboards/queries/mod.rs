//! Queries of dashboards.

pub(super) mod channels;
pub(crate) mod unfulfilled;
