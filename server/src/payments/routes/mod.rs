//! The routes of payments.

pub(super) mod admin;
mod admin_collections;
mod admin_payments;
mod admin_refund_reasons;
