//! Calendar periods: buckets, windows, fiscal and retail years, time zones.
//!
//! Everything is half-open: a period holds its start and not its end. No clock: an instant comes
//! from the caller. Start at [`Calendar`].

mod literal;
mod period;
mod span;

pub use literal::PeriodLiteral;
pub use period::Period;
pub use span::{Span, TimeUnit};

/// Zone and calendar of a store.
#[derive(Debug, Clone, Default)]
pub struct Calendar {}
