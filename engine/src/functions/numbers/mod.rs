//! Arithmetic and rounding.

pub(super) mod abs;
pub(super) mod ceil;
pub(super) mod clamp;
pub(super) mod convert;
pub(super) mod div;
pub(super) mod exp;
pub(super) mod extremes;
pub(super) mod floor;
pub(super) mod interval;
pub(super) mod ln;
pub(super) mod log;
pub(super) mod modulo;
pub(super) mod power;
pub(super) mod round;
pub(super) mod sign;
pub(super) mod sqrt;
pub(super) mod trunc;
