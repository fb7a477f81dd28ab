//! Alerts: conditions over metrics, evaluated every minute, that notify when they come true and when they end.
//!
//! Invariants: a condition is a formula that checks and is true or false; null never fires; each firing and each end is
//! an event, a row of the history and one delivery a channel, in one transaction; a channel's secret is shown to
//! nobody.
//!
//! [`watch`] has alerts evaluated by [`evaluation`] when they are due; a change of state becomes a [`notification`],
//! which [`delivery`] takes to each channel. Start at [`edit`] and [`watch`].

pub(crate) mod alert;
pub(crate) mod channel;
pub mod delivery;
pub(crate) mod edit;
mod error;
mod evaluation;
mod mail;
mod notification;
mod queries;
mod routes;
pub mod watch;

#[cfg(test)]
mod tests;

pub use error::AlertError;
pub use evaluation::Backtest;
pub(crate) use routes::router;
