//! Display of quantities by unit.

use rust_decimal::Decimal;

use super::FormatRules;
use super::digits::{DigitLimits, NumberText, decimals_for_small, digits};
use super::duration::duration;
use crate::number;
use crate::types::{CurrencyOf, Flavour, Unit};

const SECONDS_PER_DAY: i64 = 86_400;
/// Digits after the point if the unit does not define them.
const PLAIN_DECIMALS: u32 = 6;

/// Digits, with the texts before and after them.
struct QuantityParts {
    shown: NumberText,
    before: String,
    after: String,
}

/// Formats a quantity by its unit and the rules; the caller handles patterns.
pub(super) fn quantity(value: Decimal, unit: &Unit, rules: &FormatRules) -> String {
    let QuantityParts { shown, before, after } = parts(value, unit, rules);
    let before = rules.prefix.as_deref().unwrap_or(&before);
    let suffix = rules.suffix.as_deref().unwrap_or_default();
    shown.between(before, &format!("{after}{suffix}"))
}

fn parts(value: Decimal, unit: &Unit, rules: &FormatRules) -> QuantityParts {
    match (unit.money, unit.time) {
        (0, 0) => dimensionless(value, &unit.flavour, rules),
        (0, 1) => QuantityParts {
            shown: duration(value, rules.decimals),
            before: String::new(),
            after: String::new(),
        },
        (1, 0) => money(value, unit.currency, rules, ""),
        (1, -1) => per_day(value, |value, after| money(value, unit.currency, rules, after)),
        (0, -1) => per_day(value, |value, after| plain(value, rules, after)),
        (-1, 0) => plain(value, rules, &format!(" per {}", unit.currency)),
        (money, time) => {
            let power = |name: &str, power: i8| match power {
                0 => String::new(),
                1 => format!(" {name}"),
                _ => format!(" {name}^{power}"),
            };
            let currency = unit.currency.to_string();
            plain(value, rules, &format!("{}{}", power(&currency, money), power("s", time)))
        }
    }
}

fn dimensionless(value: Decimal, flavour: &Flavour, rules: &FormatRules) -> QuantityParts {
    match flavour {
        Flavour::Literal | Flavour::Number => plain(value, rules, ""),
        Flavour::Count(_) => with_decimals(value, rules, DigitLimits::fixed(0), ""),
        Flavour::Ratio => with_decimals(value, rules, DigitLimits::fixed(2), ""),
        Flavour::Percent => {
            let places = rules.decimals.map_or(DigitLimits::fixed(1), DigitLimits::fixed);
            let shown = match number::multiply(value, Decimal::ONE_HUNDRED) {
                Ok(hundredfold) => digits(hundredfold, places),
                Err(_too_large) => return plain(value, rules, ""),
            };
            QuantityParts { shown, before: String::new(), after: "%".to_owned() }
        }
    }
}

/// Formats integers without decimals, other numbers with their digits, and very small ones with
/// their first three.
fn plain(value: Decimal, rules: &FormatRules, after: &str) -> QuantityParts {
    let places = DigitLimits::up_to(0, decimals_for_small(value, PLAIN_DECIMALS));
    with_decimals(value, rules, places, after)
}

fn money(value: Decimal, currency: CurrencyOf, rules: &FormatRules, after: &str) -> QuantityParts {
    let (before, places) = match currency {
        CurrencyOf::Fixed(currency) => {
            let sign = currency.symbol().map_or(format!("{} ", currency.code()), str::to_owned);
            (sign, DigitLimits::fixed(currency.digits()))
        }
        CurrencyOf::Mixed => (String::new(), DigitLimits::fixed(2)),
    };
    QuantityParts { before, ..with_decimals(value, rules, places, after) }
}

/// Formats a rate, which is stored per second and displayed per day.
fn per_day(value: Decimal, show: impl Fn(Decimal, &str) -> QuantityParts) -> QuantityParts {
    match number::multiply(value, Decimal::from(SECONDS_PER_DAY)) {
        Ok(daily) => show(daily, " per day"),
        Err(_too_large) => show(value, " per second"),
    }
}

fn with_decimals(
    value: Decimal,
    rules: &FormatRules,
    places: DigitLimits,
    after: &str,
) -> QuantityParts {
    let places = rules.decimals.map_or(places, DigitLimits::fixed);
    let (shown, letter) = if rules.compact {
        compact(value, rules.decimals, places)
    } else {
        (digits(value, places), "")
    };
    QuantityParts { shown, before: String::new(), after: format!("{letter}{after}") }
}

/// Formats `1.2M`: thousands, millions and so on, from a thousand up.
fn compact(
    value: Decimal,
    decimals: Option<u32>,
    below_thousand: DigitLimits,
) -> (NumberText, &'static str) {
    const LETTERS: [(&str, i64); 4] =
        [("T", 1_000_000_000_000), ("B", 1_000_000_000), ("M", 1_000_000), ("K", 1_000)];
    let places = decimals.map_or(DigitLimits::up_to(0, 1), DigitLimits::fixed);
    for (index, (letter, unit)) in LETTERS.into_iter().enumerate() {
        if value.abs() < Decimal::from(unit) {
            continue;
        }
        let shown = digits(scaled(value, unit), places);
        // 999,960 rounds up to 1000K, which is 1M.
        let larger = index.checked_sub(1).and_then(|larger| LETTERS.get(larger));
        return match larger {
            Some((letter, unit)) if shown.digits.starts_with("1,000") => {
                (digits(scaled(value, *unit), places), letter)
            }
            _ => (shown, letter),
        };
    }
    (digits(value, below_thousand), "")
}

fn scaled(value: Decimal, unit: i64) -> Decimal {
    number::divide(value, Decimal::from(unit)).unwrap_or(value)
}
