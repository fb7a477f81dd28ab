//! Types and units, inferred by the checker and used by the formatter.

use std::sync::Arc;

use super::Currency;

/// The type of an expression.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Type {
    /// A number with a unit.
    Quantity(Unit),
    /// Text.
    Text,
    /// True or false.
    Bool,
    /// A calendar day.
    Date,
    /// An instant.
    DateTime,
    /// A stretch of time with a start and an end.
    Period,
    /// A calendar step such as `2 months`.
    Span,
    /// Several values of one type.
    List(Arc<Type>),
    /// The literal `null`, which fits any type.
    Null,
}

/// `money^m · time^t`, with a flavour for dimensionless numbers, which chooses their format.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Unit {
    /// The power of money: 1 for an amount, -1 for a count per amount.
    pub money: i8,
    /// The currency; meaningful if `money` is not 0.
    pub currency: CurrencyOf,
    /// The power of time: 1 for a duration, -1 for a rate.
    pub time: i8,
    /// The flavour of a dimensionless number; meaningful if both powers are 0.
    pub flavour: Flavour,
}

/// The currency of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum CurrencyOf {
    /// One currency.
    Fixed(Currency),
    /// A currency for each row.
    Mixed,
}

/// The flavour of a dimensionless number.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Flavour {
    /// A literal number; takes the flavour of the other side.
    Literal,
    /// A plain number.
    Number,
    /// A count of the named entity; `None` for a sum of counts of different entities.
    Count(Option<Arc<str>>),
    /// One quantity per another.
    Ratio,
    /// A share of one.
    Percent,
}

impl Unit {
    const fn dimensionless(flavour: Flavour) -> Self {
        Self { money: 0, currency: CurrencyOf::Mixed, time: 0, flavour }
    }

    /// A literal number.
    pub const LITERAL: Self = Self::dimensionless(Flavour::Literal);
    /// A plain number.
    pub const NUMBER: Self = Self::dimensionless(Flavour::Number);
    /// A ratio.
    pub const RATIO: Self = Self::dimensionless(Flavour::Ratio);
    /// A percentage.
    pub const PERCENT: Self = Self::dimensionless(Flavour::Percent);
    /// A length of time, in seconds.
    pub const DURATION: Self =
        Self { money: 0, currency: CurrencyOf::Mixed, time: 1, flavour: Flavour::Number };

    /// A count of an entity.
    pub fn count(entity: &str) -> Self {
        Self::dimensionless(Flavour::Count(Some(Arc::from(entity))))
    }

    /// An amount of money.
    pub const fn money(currency: CurrencyOf) -> Self {
        Self { money: 1, currency, time: 0, flavour: Flavour::Number }
    }

    /// Returns whether both powers are 0.
    pub const fn is_dimensionless(&self) -> bool {
        self.money == 0 && self.time == 0
    }

    /// Returns whether it is exactly an amount of money.
    pub const fn is_money(&self) -> bool {
        self.money == 1 && self.time == 0
    }

    /// Returns whether it is exactly a duration.
    pub const fn is_duration(&self) -> bool {
        self.money == 0 && self.time == 1
    }

    /// Returns whether both are the same but for the flavour.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        (self.money, self.time) == (other.money, other.time)
            && (self.money == 0 || self.currency == other.currency)
    }

    /// The powers in words: what is multiplied, then `per` what divides it.
    fn powers(&self, money: i8, time: i8) -> String {
        let amount = format!("money({})", self.currency);
        let length = if time < 0 { "time" } else { "duration" };
        let powers = [(amount.as_str(), money), (length, time)];
        let raised = |(name, power): &(&str, i8)| match power.unsigned_abs() {
            1 => (*name).to_owned(),
            above => format!("{name}^{above}"),
        };
        let multiplied = powers.iter().filter(|(_, power)| *power > 0).map(raised);
        let multiplied = multiplied.collect::<Vec<_>>().join(" · ");
        let dividing = powers.iter().filter(|(_, power)| *power < 0).map(raised);
        let dividing = dividing.map(|unit| format!("per {unit}"));
        let words = std::iter::once(multiplied).filter(|words| !words.is_empty()).chain(dividing);
        words.collect::<Vec<_>>().join(" ")
    }
}

impl Type {
    /// A literal number.
    pub const LITERAL: Self = Self::Quantity(Unit::LITERAL);
    /// A plain number.
    pub const NUMBER: Self = Self::Quantity(Unit::NUMBER);
    /// A length of time.
    pub const DURATION: Self = Self::Quantity(Unit::DURATION);

    /// Returns the unit of a quantity.
    pub const fn unit(&self) -> Option<&Unit> {
        if let Self::Quantity(unit) = self { Some(unit) } else { None }
    }

    /// Returns whether values are amounts in the currencies of their rows.
    pub(crate) fn is_in_currencies_of_rows(&self) -> bool {
        if let Self::List(item) = self {
            return item.is_in_currencies_of_rows();
        }
        self.unit().is_some_and(|unit| unit.money != 0 && unit.currency == CurrencyOf::Mixed)
    }
}

impl std::fmt::Display for CurrencyOf {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fixed(currency) => formatter.write_str(currency.code()),
            Self::Mixed => formatter.write_str("mixed"),
        }
    }
}

/// The notation of the manual: `money(USD)`, `count(orders)`, `duration`, `money(USD) per time`,
/// `duration per money(USD)`, `duration^2`.
impl std::fmt::Display for Unit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.money, self.time) {
            (0, 0) => match &self.flavour {
                Flavour::Literal | Flavour::Number => formatter.write_str("number"),
                Flavour::Count(Some(entity)) => write!(formatter, "count({entity})"),
                Flavour::Count(None) => formatter.write_str("count"),
                Flavour::Ratio => formatter.write_str("ratio"),
                Flavour::Percent => formatter.write_str("percent"),
            },
            (money, time) => formatter.write_str(&self.powers(money, time)),
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Quantity(unit) => unit.fmt(formatter),
            Self::Text => formatter.write_str("text"),
            Self::Bool => formatter.write_str("bool"),
            Self::Date => formatter.write_str("date"),
            Self::DateTime => formatter.write_str("datetime"),
            Self::Period => formatter.write_str("period"),
            Self::Span => formatter.write_str("span"),
            Self::List(item) => write!(formatter, "list({item})"),
            Self::Null => formatter.write_str("null"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_named_by_its_factors_and_its_divisor() {
        let usd = CurrencyOf::Fixed(Currency::USD);
        for (money, time, name) in [
            (1, 0, "money(USD)"),
            (0, 1, "duration"),
            (1, -1, "money(USD) per time"),
            (0, -1, "per time"),
            (-1, 0, "per money(USD)"),
            (-1, 1, "duration per money(USD)"),
            (0, 2, "duration^2"),
            (1, 1, "money(USD) · duration"),
            (-1, -2, "per money(USD) per time^2"),
        ] {
            let unit = Unit { money, time, ..Unit::money(usd) };
            assert_eq!(unit.to_string(), name);
        }
        assert_eq!(Unit { time: 2, ..Unit::DURATION }.to_string(), "duration^2");
    }
}
