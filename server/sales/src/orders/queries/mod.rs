//! The SQL of orders.

pub(super) mod access;
pub(super) mod addition;
pub(super) mod admin;
pub(super) mod admin_fulfillments;
pub(super) mod admin_history;
pub(super) mod convert;
pub(super) mod destination;
pub(super) mod insert;
pub(super) mod load;
pub(super) mod lookup;
pub(super) mod mail;
pub(super) mod progress;
pub(super) mod refunds;
