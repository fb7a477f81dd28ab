//! The unit table: the unit of each operation, and which units agree.

use crate::types::{Flavour, Unit};

/// The reason why two units do not agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflict {
    /// Two currencies.
    Currencies,
    /// Money and something else.
    MoneyWithOther,
    /// Money and a number without a currency.
    MoneyWithLiteral,
    /// A duration and a number without a unit.
    DurationWithLiteral,
    /// A count and a ratio.
    CountWithRatio,
    /// Anything else.
    Other,
}

/// Returns the common unit of two sides, for `+`, `-`, comparisons and branches. Zero fits any
/// unit; `zero` tells which sides are zero.
pub(super) fn shared(left: &Unit, right: &Unit, zero: (bool, bool)) -> Result<Unit, Conflict> {
    let literal = |unit: &Unit| unit.is_dimensionless() && unit.flavour == Flavour::Literal;
    if zero.0 && literal(left) {
        return Ok(right.clone());
    }
    if zero.1 && literal(right) {
        return Ok(left.clone());
    }
    if (left.money, left.time) != (right.money, right.time) {
        let any_literal = literal(left) || literal(right);
        let money = left.is_money() || right.is_money();
        let duration = left.is_duration() || right.is_duration();
        return Err(match (money, duration, any_literal) {
            (true, _, true) => Conflict::MoneyWithLiteral,
            (true, _, false) => Conflict::MoneyWithOther,
            (false, true, true) => Conflict::DurationWithLiteral,
            (false, _, _) => Conflict::Other,
        });
    }
    if left.money != 0 && left.currency != right.currency {
        return Err(Conflict::Currencies);
    }
    if !left.is_dimensionless() {
        return Ok(left.clone());
    }
    flavours(&left.flavour, &right.flavour).map(|flavour| Unit { flavour, ..left.clone() })
}

/// Returns the common flavour of two dimensionless sides; a plain number takes the other side's.
fn flavours(left: &Flavour, right: &Flavour) -> Result<Flavour, Conflict> {
    let is_plain = |flavour: &Flavour| matches!(flavour, Flavour::Literal | Flavour::Number);
    if *left == Flavour::Literal || is_plain(left) && *right != Flavour::Literal {
        return Ok(right.clone());
    }
    if is_plain(right) {
        return Ok(left.clone());
    }
    match (left, right) {
        (Flavour::Count(one), Flavour::Count(two)) if one == two => Ok(left.clone()),
        (Flavour::Count(_), Flavour::Count(_)) => Ok(Flavour::Count(None)),
        (Flavour::Count(_), _) | (_, Flavour::Count(_)) => Err(Conflict::CountWithRatio),
        (Flavour::Percent, Flavour::Percent) => Ok(Flavour::Percent),
        _ => Ok(Flavour::Ratio),
    }
}

/// Returns the unit of a product, or of a quotient if `divide` is set.
///
/// `None` if the powers have no meaning, such as money times money.
pub(super) fn product(left: &Unit, right: &Unit, divide: bool) -> Option<Unit> {
    let turn = |power: i8| if divide { power.checked_neg() } else { Some(power) };
    let money = left.money.checked_add(turn(right.money)?)?;
    let time = left.time.checked_add(turn(right.time)?)?;
    if !(-1..=1).contains(&money) || !(-2..=2).contains(&time) {
        return None;
    }
    let currency = if left.money == 0 { right.currency } else { left.currency };
    let flavour = if money != 0 || time != 0 {
        Flavour::Number
    } else if left.is_dimensionless() && right.is_dimensionless() {
        if divide {
            quotient(&left.flavour, &right.flavour)
        } else {
            scaled(&left.flavour, &right.flavour)
        }
    } else {
        Flavour::Ratio
    };
    Some(Unit { money, currency, time, flavour })
}

/// A count per count of the same entity is a share, per another entity a ratio.
fn quotient(left: &Flavour, right: &Flavour) -> Flavour {
    match (left, right) {
        (Flavour::Literal, Flavour::Literal) => Flavour::Literal,
        (Flavour::Count(Some(one)), Flavour::Count(Some(two))) if one == two => Flavour::Percent,
        (_, Flavour::Literal)
        | (Flavour::Count(_), Flavour::Number | Flavour::Ratio | Flavour::Percent) => left.clone(),
        (Flavour::Percent, Flavour::Number) => Flavour::Percent,
        _ => Flavour::Ratio,
    }
}

/// A number or a ratio scales the other factor.
fn scaled(left: &Flavour, right: &Flavour) -> Flavour {
    match (left, right) {
        (Flavour::Literal, Flavour::Percent) | (Flavour::Percent, Flavour::Literal) => {
            Flavour::Percent
        }
        (Flavour::Literal, other) | (other, Flavour::Literal) => other.clone(),
        (Flavour::Count(_), Flavour::Count(_)) => Flavour::Number,
        (count @ Flavour::Count(_), _) | (_, count @ Flavour::Count(_)) => count.clone(),
        (Flavour::Number, other) | (other, Flavour::Number) => other.clone(),
        (Flavour::Ratio | Flavour::Percent, Flavour::Ratio | Flavour::Percent) => Flavour::Ratio,
    }
}
