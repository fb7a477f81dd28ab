//! The paths of incoming webhooks, for the layers that treat them differently.
//!
//! The warehouse is exempt from every rejection, because its sender abandons a hook that fails: no limit, no shedding,
//! no time-out, and a body that is too large is truncated instead of rejected.

const WAREHOUSE: &str = "/webhooks/warehouse-integration";

/// Limit: stored bytes of a body from the warehouse.
pub(super) const MAX_WAREHOUSE_BYTES: usize = 16 * 1024 * 1024;

/// The receivers with their own buckets.
const LIMITED: [&str; 5] = [
    "fulfillment-partner",
    "email-provider",
    "sms-provider",
    "shipping-platform",
    "card-processor-tolerant",
];

/// A mark on a request whose body was truncated.
#[derive(Debug, Clone, Copy)]
pub struct CutBody;

pub(super) fn is_warehouse(path: &str) -> bool {
    path == WAREHOUSE
}

/// Returns the receiver in a path under `/webhooks`, if it has its own bucket.
pub(super) fn limited_receiver(path: &str) -> Option<&'static str> {
    let rest = path.strip_prefix("/webhooks/")?;
    let first = rest.split('/').next()?;
    LIMITED.into_iter().find(|receiver| *receiver == first)
}
