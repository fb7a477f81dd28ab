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
}

impl std::fmt::Display for CurrencyOf {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fixed(currency) => formatter.write_str(currency.code()),
            Self::Mixed => formatter.write_str("mixed"),
        }
    }
}

/// The notation of the manual: `money(USD)`, `count(orders)`, `duration`, `money(USD) per time`.
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
            (0, 1) => formatter.write_str("duration"),
            (0, -1) => formatter.write_str("per time"),
            (1, 0) => write!(formatter, "money({})", self.currency),
            (1, -1) => write!(formatter, "money({}) per time", self.currency),
            (0, time) => write!(formatter, "time^{time}"),
            (money, time) => write!(formatter, "money({})^{money} time^{time}", self.currency),
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
