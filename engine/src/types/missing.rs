//! Null, with its reason and origin.

use crate::source::Span;

/// The reason for a null.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Reason {
    /// The context record lacks a required value.
    MissingInput,
    /// The row's field is empty.
    NullValue,
    /// An average, extreme or position over no rows.
    NoRows,
    /// The period is outside the source's coverage.
    NoCoverage,
    /// The period has not begun.
    NotYet,
    /// The request has no such bucket before this one.
    NoBucket,
    /// A division by zero, or a growth from zero.
    DivisionByZero,
    /// A growth from a negative base.
    NotComparable,
    /// No branch of an `if` or `case` matched.
    NoBranch,
    /// The result exceeds 28 digits.
    Overflow,
    /// No exchange rate for a row.
    NoRate,
    /// Amounts of several currencies, which the store refuses to add.
    MixedCurrency,
    /// Outside a function's domain: the logarithm of zero, a date that does not exist.
    Domain,
    /// An explicit null: the literal `null`, or `nullif`.
    Written,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 14] = [
        Self::MissingInput,
        Self::NullValue,
        Self::NoRows,
        Self::NoCoverage,
        Self::NotYet,
        Self::NoBucket,
        Self::DivisionByZero,
        Self::NotComparable,
        Self::NoBranch,
        Self::Overflow,
        Self::NoRate,
        Self::MixedCurrency,
        Self::Domain,
        Self::Written,
    ];

    /// Returns the stable name: `division_by_zero`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MissingInput => "missing_input",
            Self::NullValue => "null_value",
            Self::NoRows => "no_rows",
            Self::NoCoverage => "no_coverage",
            Self::NotYet => "not_yet",
            Self::NoBucket => "no_bucket",
            Self::DivisionByZero => "division_by_zero",
            Self::NotComparable => "not_comparable",
            Self::NoBranch => "no_branch",
            Self::Overflow => "overflow",
            Self::NoRate => "no_rate",
            Self::MixedCurrency => "mixed_currency",
            Self::Domain => "domain",
            Self::Written => "null",
        }
    }

    /// Returns whether data is absent, as opposed to an impossible operation, for which `is_error`
    /// holds.
    pub const fn is_missing_data(self) -> bool {
        matches!(
            self,
            Self::MissingInput
                | Self::NullValue
                | Self::NoRows
                | Self::NoCoverage
                | Self::NotYet
                | Self::NoBucket
                | Self::Written
        )
    }
}

/// A null with its reason and origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// The reason.
    pub reason: Reason,
    /// The expression in which the null began, if known.
    pub origin: Option<Origin>,
}

/// The origin of a null: a place in the formula itself, or in that of a metric it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The metric, as an index in the engine; `None` for the requested formula.
    pub metric: Option<u32>,
    /// The place in that formula's text.
    pub span: Span,
}

impl Missing {
    /// Creates a null of unknown origin.
    pub const fn new(reason: Reason) -> Self {
        Self { reason, origin: None }
    }
}
