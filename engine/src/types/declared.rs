//! Declared types of metrics.

use serde::{Deserialize, Serialize};

use super::{Flavour, Type, Unit};

/// The declared type of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeclaredType {
    /// Any number.
    Number,
    /// A count.
    Integer,
    /// An amount of money.
    Currency,
    /// A number displayed in percent.
    Percentage,
    /// A number displayed as a plain ratio.
    Ratio,
    /// A length of time.
    Duration,
    /// A condition.
    Boolean,
    /// Text.
    String,
    /// A day or an instant.
    Date,
}

impl DeclaredType {
    /// Every type, in the order of messages.
    pub const ALL: [Self; 9] = [
        Self::Number,
        Self::Integer,
        Self::Currency,
        Self::Percentage,
        Self::Ratio,
        Self::Duration,
        Self::Boolean,
        Self::String,
        Self::Date,
    ];

    /// Returns the name in formula files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Currency => "currency",
            Self::Percentage => "percentage",
            Self::Ratio => "ratio",
            Self::Duration => "duration",
            Self::Boolean => "boolean",
            Self::String => "string",
            Self::Date => "date",
        }
    }

    /// Returns the type with this name, case-insensitively.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|declared| declared.name().eq_ignore_ascii_case(name))
    }

    /// Returns whether a formula of type `ty` matches the declaration.
    ///
    /// Any number without a unit matches percentage and ratio.
    pub fn fits(self, ty: &Type) -> bool {
        let unit = ty.unit();
        match self {
            Self::Number => unit.is_some(),
            Self::Percentage | Self::Ratio => unit.is_some_and(Unit::is_dimensionless),
            Self::Integer => unit.is_some_and(|unit| {
                let whole =
                    matches!(unit.flavour, Flavour::Count(_) | Flavour::Number | Flavour::Literal);
                unit.is_dimensionless() && whole
            }),
            Self::Currency => unit.is_some_and(Unit::is_money),
            Self::Duration => unit.is_some_and(Unit::is_duration),
            Self::Boolean => *ty == Type::Bool,
            Self::String => *ty == Type::Text,
            Self::Date => matches!(ty, Type::Date | Type::DateTime),
        }
    }

    /// Returns the type with the flavour of the declaration. What a count counts stays.
    pub(crate) fn shown(self, ty: Type) -> Type {
        let Some(unit) = ty.unit().filter(|unit| unit.is_dimensionless()) else { return ty };
        let flavour = match self {
            Self::Percentage => Flavour::Percent,
            Self::Ratio => Flavour::Ratio,
            Self::Number => Flavour::Number,
            Self::Integer if matches!(unit.flavour, Flavour::Count(_)) => return ty,
            Self::Integer => Flavour::Count(None),
            Self::Currency | Self::Duration | Self::Boolean | Self::String | Self::Date => {
                return ty;
            }
        };
        Type::Quantity(Unit { flavour, ..unit.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_declared_as_an_integer_keeps_its_entity() {
        let orders = Type::Quantity(Unit::count("orders"));
        let number = Type::Quantity(Unit::NUMBER);

        assert_eq!(DeclaredType::Integer.shown(orders.clone()), orders);
        assert_eq!(DeclaredType::Integer.shown(number.clone()).to_string(), "count");
        assert_eq!(DeclaredType::Number.shown(orders), number);
    }
}
