//! An erasure requested by a customer.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::Record;
use crate::http::{Resource, ToSchema};
use crate::ids::CustomerId;

/// How long an erasure can be revoked, in milliseconds.
const GRACE_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// An erasure requested by a customer.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "customer_erasure e", title = "Erasure")]
#[resource(name = "erasure", id = CustomerId)]
#[schema(as = CustomerErasure)]
pub(super) struct ErasureRequest {
    #[column(key)]
    pub(super) customer_id: CustomerId,
    /// Whether a balance of store credit may be lost.
    pub(super) confirm_forfeit: bool,
    #[column(once)]
    pub(super) requested_at: Timestamp,
    /// When the customer is erased; until then it can be revoked.
    pub(super) due_at: Timestamp,
}

impl ErasureRequest {
    pub(super) fn new(customer_id: CustomerId, confirm_forfeit: bool, now: Timestamp) -> Self {
        Self { customer_id, confirm_forfeit, requested_at: now, due_at: now.plus_ms(GRACE_MS) }
    }
}
