//! The paths of webhooks that come in, as the layers tell them apart.
//!
//! The warehouse is exempt from every refusal, because its sender gives up on a hook that fails: no limit, no shedding,
//! no time-out, and a body that is too large is cut instead of refused.

/// The path of the warehouse.
const WAREHOUSE: &str = "/webhooks/warehouse-integration";

/// Limit: bytes of a body of the warehouse that are kept.
pub(super) const MAX_WAREHOUSE_BYTES: usize = 16 * 1024 * 1024;

/// The receivers with a bucket each.
const LIMITED: [&str; 5] = [
    "fulfillment-partner",
    "email-provider",
    "sms-provider",
    "shipping-platform",
    "card-processor-tolerant",
];

/// A mark on a request whose body was cut, or broke off.
#[derive(Debug, Clone, Copy)]
pub struct CutBody;

pub(super) fn is_warehouse(path: &str) -> bool {
    path == WAREHOUSE
}

/// Returns the receiver that a path under `/webhooks` names, if it has a bucket of its own.
pub(super) fn limited_receiver(path: &str) -> Option<&'static str> {
    let rest = path.strip_prefix("/webhooks/")?;
    let first = rest.split('/').next()?;
    LIMITED.into_iter().find(|receiver| *receiver == first)
}
