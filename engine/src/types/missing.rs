//! Null, which always knows why it is null and where that began.

use crate::source::Span;

/// Why there is no value.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Reason {
    /// The context record does not give a needed value.
    MissingInput,
    /// The row's field is empty.
    NullValue,
    /// An average, extreme or position over no rows.
    NoRows,
    /// The period lies outside what the source covers.
    NoCoverage,
    /// A division by zero, or a growth from zero.
    DivisionByZero,
    /// A growth from a negative base.
    NotComparable,
    /// No branch of an `if` or `case` applied.
    NoBranch,
    /// The result does not fit 28 digits.
    Overflow,
    /// No exchange rate for a row.
    NoRate,
    /// Several currencies where the store's policy refuses to add them.
    MixedCurrency,
    /// Outside a function's domain: the logarithm of zero, a date that does not exist.
    Domain,
    /// Written so: the literal `null`, or `nullif`.
    Written,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 12] = [
        Self::MissingInput,
        Self::NullValue,
        Self::NoRows,
        Self::NoCoverage,
        Self::DivisionByZero,
        Self::NotComparable,
        Self::NoBranch,
        Self::Overflow,
        Self::NoRate,
        Self::MixedCurrency,
        Self::Domain,
        Self::Written,
    ];

    /// The stable name: `division_by_zero`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MissingInput => "missing_input",
            Self::NullValue => "null_value",
            Self::NoRows => "no_rows",
            Self::NoCoverage => "no_coverage",
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

    /// Whether data is absent, rather than an operation impossible; `is_error` is the opposite.
    pub const fn is_missing_data(self) -> bool {
        matches!(
            self,
            Self::MissingInput | Self::NullValue | Self::NoRows | Self::NoCoverage | Self::Written
        )
    }
}

/// A null: why, and where it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// Why there is no value.
    pub reason: Reason,
    /// The expression that first had none, where it is known.
    pub origin: Option<Origin>,
}

/// Where a null began: a place in the formula itself, or in that of a metric it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The metric by its index in the engine; none for the formula that was asked for.
    pub metric: Option<u32>,
    /// The place in that formula's text.
    pub span: Span,
}

impl Missing {
    /// A null whose place is not known yet.
    pub const fn new(reason: Reason) -> Self {
        Self { reason, origin: None }
    }
}
