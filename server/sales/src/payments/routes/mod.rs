//! The routes of payments.

pub(super) mod admin;
mod admin_payments;
mod admin_refund_reasons;

pub use admin_payments::{AdminPayments, PaymentResponse, answer};
