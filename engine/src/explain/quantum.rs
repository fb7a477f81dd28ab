//! The quantum, which is the last digit shown in a comparison of answers, and values as multiples
//! of it.

use rust_decimal::Decimal;

use crate::format::FormatRules;
use crate::number::{self, Rounding};
use crate::types::{CurrencyOf, Flavour, Reason, Type, Value};

/// Digits kept behind the grain while contributions are computed.
const GUARD: u32 = 9;
/// Limit: magnitudes that can be weighted by 10! orders in 128 bits, in units of the guard digits.
const MAX_UNITS: i128 = 10_000_000_000_000_000_000_000_000_000_000;

/// The quantum of an answer, such as a cent or a hundredth of a percent.
#[derive(Debug, Clone)]
pub(super) struct Quantum {
    /// Digits after the point of the exact value.
    scale: u32,
    rules: FormatRules,
}

impl Quantum {
    /// Returns the quantum of a type: its display digits, and two more for percentages and ratios.
    pub(super) fn of(ty: &Type, rules: &FormatRules) -> Self {
        /// A hundredth of a percent, for shares and the ratios they are computed from.
        const FINE: u32 = 4;
        /// A percentage is shown multiplied by a hundred.
        const HUNDREDFOLD: u32 = 2;
        /// Rates are stored per second.
        const PER_SECOND: u32 = 12;
        const PLAIN: u32 = 6;
        let unit = ty.unit();
        let is_percent =
            unit.is_some_and(|unit| unit.is_dimensionless() && unit.flavour == Flavour::Percent);
        let own = match unit {
            Some(unit) if unit.time < 0 => PER_SECOND,
            Some(unit) if unit.is_duration() => 0,
            Some(unit) if unit.is_money() => match unit.currency {
                CurrencyOf::Fixed(currency) => currency.digits(),
                CurrencyOf::Mixed => 2,
            },
            Some(unit) => match &unit.flavour {
                Flavour::Count(_) => 0,
                Flavour::Ratio | Flavour::Percent => FINE,
                Flavour::Literal | Flavour::Number => PLAIN,
            },
            None => PLAIN,
        };
        let extra = if is_percent { HUNDREDFOLD } else { 0 };
        let said = rules.decimals.map(|decimals| decimals.saturating_add(extra));
        let scale = own.max(said.unwrap_or(0)).min(Decimal::MAX_SCALE);
        let decimals = match unit {
            Some(unit) if unit.is_duration() || unit.time < 0 => None,
            Some(unit)
                if unit.is_dimensionless()
                    && matches!(unit.flavour, Flavour::Number | Flavour::Literal) =>
            {
                rules.decimals
            }
            Some(_) | None => Some(scale.saturating_sub(extra)),
        };
        let rules = FormatRules { decimals, compact: false, pattern: None, ..rules.clone() };
        Self { scale, rules }
    }

    /// Returns the format rules for values of this quantum.
    pub(super) fn rules(&self) -> &FormatRules {
        &self.rules
    }

    /// Returns one quantum in the units of [`Self::units`].
    pub(super) const fn unit() -> i128 {
        10_i128.pow(GUARD)
    }

    /// Returns a value as an integer with the guard digits; `None` for a null and on overflow.
    pub(super) fn units(&self, value: &Value) -> Option<i128> {
        let scale = self.scale.saturating_add(GUARD);
        let rounded =
            number::round(value.as_number()?, i64::from(scale), Rounding::HalfEven).ok()?;
        let power = 10_i128.checked_pow(scale.checked_sub(rounded.scale())?)?;
        let units = rounded.mantissa().checked_mul(power)?;
        (units.unsigned_abs() <= MAX_UNITS.unsigned_abs()).then_some(units)
    }

    /// Converts units to quanta, rounded half away from zero like every displayed value.
    pub(super) fn grains(units: i128) -> i128 {
        let half = Self::unit().checked_div(2).unwrap_or(0).saturating_mul(units.signum());
        units.saturating_add(half).checked_div(Self::unit()).unwrap_or(0)
    }

    /// Returns the second value less the first, each rounded to the quantum; null, with its reason,
    /// if either is null.
    pub(super) fn between(&self, first: &Value, second: &Value) -> Value {
        let grains = |value: &Value| self.units(value).map(Self::grains);
        match (grains(first), grains(second)) {
            (Some(first), Some(second)) => self.number(second.saturating_sub(first)),
            (first_grains, _) => {
                let null = if first_grains.is_none() { first } else { second };
                let reason = null.as_missing().map_or(Reason::Overflow, |null| null.reason);
                Value::missing(reason)
            }
        }
    }

    /// Converts quanta to a number.
    pub(super) fn number(&self, grains: i128) -> Value {
        let number = Decimal::try_from_i128_with_scale(grains, self.scale);
        number.map_or(Value::missing(Reason::Overflow), Value::Number)
    }
}
