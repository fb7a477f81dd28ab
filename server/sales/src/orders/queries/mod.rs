//! The SQL of orders.

pub(super) mod addition;
pub(super) mod admin;
pub(super) mod admin_history;
pub(super) mod insert;
pub(super) mod load;
pub(super) mod lookup;
pub(super) mod progress;
pub(super) mod refunds;
