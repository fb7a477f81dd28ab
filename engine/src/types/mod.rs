//! What values are: types with units, the values themselves, and null with its reason.
//!
//! A [`Type`] is what the checker infers, a [`Value`] what the evaluator computes. A value does not
//! carry its unit: after the check it cannot be the wrong one. Start at [`Unit`].

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
