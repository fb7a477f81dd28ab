//! Alerts: conditions over metrics, evaluated every minute, that notify when they become true and when that
//! ends.
//!
//! Invariants: a condition is a valid formula with a boolean value; null never fires; firing and resolving each write
//! an event, a history row and one delivery per channel in one transaction; a channel's secret is never returned.
//!
//! [`watch`] has due alerts evaluated by [`evaluation`]; a state change becomes a [`notification`], which [`delivery`]
//! sends to each channel and records. Start at [`edit`] and [`watch`].

pub(crate) mod alert;
pub(crate) mod channel;
pub mod delivery;
pub(crate) mod edit;
mod error;
mod evaluation;
mod notification;
mod queries;
mod routes;
mod three_valued;
pub mod watch;

#[cfg(test)]
mod tests;

pub use error::AlertError;
pub use evaluation::Backtest;
pub(crate) use routes::router;
