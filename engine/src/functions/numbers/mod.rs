//! Arithmetic and rounding.

mod abs;
mod ceil;
mod clamp;
mod convert;
mod div;
mod exp;
mod extremes;
mod floor;
mod interval;
mod ln;
mod log;
mod modulo;
mod power;
mod round;
mod sign;
mod sqrt;
mod trunc;

pub(crate) use abs::ABS;
pub(crate) use ceil::CEIL;
pub(crate) use clamp::CLAMP;
pub(crate) use convert::CONVERT;
pub(crate) use div::DIV;
pub(crate) use exp::EXP;
pub(crate) use extremes::{GREATEST, LEAST};
pub(crate) use floor::FLOOR;
pub(crate) use interval::{DIFFERENCE_HIGH, DIFFERENCE_LOW, WILSON_HIGH, WILSON_LOW};
pub(crate) use ln::LN;
pub(crate) use log::LOG;
pub(crate) use modulo::MOD;
pub(crate) use power::POWER;
pub(crate) use round::ROUND;
pub(crate) use sign::SIGN;
pub(crate) use sqrt::SQRT;
pub(crate) use trunc::TRUNC;
