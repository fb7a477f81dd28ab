//! Billing a cycle, in three steps, as a cart is completed:
//! 1. **Claim**, one write: the cycle and an attempt are written; the order is computed at today's taxes and shipping
//!    prices and written as a draft; its stock is reserved and credit is taken.
//! 2. **Ask**, outside any transaction: the saved method is charged, with the attempt's id as the key.
//! 3. **Settle**, one write: the draft becomes the order and the cycle is paid, or everything is
//!    released.
//!
//! Whoever initiates it (the schedule, a customer, an admin or a restart) uses these steps. A claimed cycle is never
//! claimed again: an unanswered attempt is repeated with the same key. Money that a processor reports after a refusal
//! pays for the cycle, if it is open, or is refunded.

mod act;
mod bill;
mod claim;
mod dunning;
mod late;
mod saved_methods;
mod settle;
mod steps;
mod swap;

pub(super) use act::{LOCK_WAIT_LIMIT, ask};
pub use act::{RENEW, RENEW_EVERY_MS, act, act_on_due, recover};
pub(super) use bill::{Totals, compute, items_without_tax, next};
pub(super) use claim::{BillingRequest, Claimed, PendingCharge, claim_open};
pub use late::{Late, paid_late, session_of_attempt};
pub use saved_methods::{SAVED_METHODS, method_ended, method_updated};
pub(super) use steps::skip_missed;
pub(super) use swap::{claim_swap, prorate, record_proration, swap};
