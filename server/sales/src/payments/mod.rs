//! Payments: payment collections of carts and orders, payment providers, captures and refunds.
//!
//! A cart has one collection whose amount follows its total, and a session is one attempt to pay it. An authorization
//! by the provider becomes a payment, which is captured and refunded in parts. [`PaymentGateway`] calls the providers,
//! never within a transaction; the functions here store the results in the caller's transaction.
//!
//! Invariants: every call of a provider carries a key that makes it idempotent; a payment is never captured above its
//! amount nor refunded above its captures; no card data is stored or returned. After captures and refunds of an order,
//! the caller settles the order in the same transaction.

pub(crate) mod balance_due;
mod cart;
mod error;
mod gateway;
mod import;
mod keyed_mutex;
pub mod manual;
pub mod methods;
pub mod parking;
pub mod payment;
pub mod provider;
mod queries;
mod refund_reason;
pub mod renewals;
pub mod report;
mod routes;
pub mod sandbox;
pub mod stripe;
mod transactions;
pub mod view;

pub use cart::{
    cart_changed, collect, collect_due, complete_free, end_sessions, newest, not_authorized,
    payable, replace_sessions, session, take_up,
};
pub use error::PaymentError;
pub use gateway::PaymentGateway;
pub use import::{ImportedPayment, import};
pub use keyed_mutex::KeyedMutexGuard;
pub use queries::collections::of_cart;
pub use queries::payments::of_order;
pub(crate) use queries::payments::{payment_of, transactions_of};
pub use queries::sessions::sessions_of;
pub use refund_reason::RefundReason;
pub use routes::router;
pub(crate) use transactions::refunded_to_credit;
pub use transactions::{
    NewRefund, authorized, cancel, cancel_open, capturable, capture, find, mark_as_paid,
    of_collection, refund, refundable,
};
pub use view::{PaymentView, collection_view};
