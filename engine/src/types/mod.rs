//! Types with units, values, and null with its reason.
//!
//! The checker infers a [`Type`], the evaluator computes a [`Value`]. A value does not carry its
//! unit: after the check it cannot be wrong. Start at [`Unit`].

mod basis;
mod currency;
mod declared;
mod missing;
mod unit;
mod value;

pub use basis::{Bases, Basis};
pub use currency::Currency;
pub use declared::DeclaredType;
pub use missing::{Missing, Origin, Reason};
pub use unit::{CurrencyOf, Flavour, Type, Unit};
pub use value::Value;
