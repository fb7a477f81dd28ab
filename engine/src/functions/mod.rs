//! The functions of the language, one file each, with signature, documentation, runnable examples
//! and code.
//!
//! A function is a row of data ([`FunctionSpec`]) read by the checker, the evaluator, the manual
//! and `docs/FUNCTIONS.md`. To add one, write its file and add it to [`ALL`].

mod aggregates;
mod arguments;
mod conditions;
mod groups;
mod lists;
mod numbers;
mod spec;
pub mod spreadsheet;
mod texts;
mod time;
mod units;
mod windows;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub(crate) use arguments::MAX_TEXT_BYTES;
pub(crate) use numbers::{GREATEST, LEAST};

pub use spec::{
    AggregateFunction, Behaviour, BucketForm, DefaultValue, Environment, Example, Family,
    FunctionSpec, Misfit, Nulls, Parameter, ParameterKind, Presence, Scalar, Special, WindowForm,
};

/// Every function, by family and name.
pub const ALL: &[&FunctionSpec] = &[
    &aggregates::AVG,
    &aggregates::COUNT,
    &aggregates::COUNT_DISTINCT,
    &aggregates::FIRST,
    &aggregates::LAST,
    &aggregates::MAX,
    &aggregates::MEDIAN,
    &aggregates::MIN,
    &aggregates::MODE,
    &aggregates::PERCENTILE,
    &aggregates::SHARE_OF,
    &aggregates::STDDEV,
    &aggregates::STDDEV_POP,
    &aggregates::SUM,
    &aggregates::VARIANCE,
    &aggregates::VARIANCE_POP,
    &aggregates::WEIGHTED_AVG,
    &windows::CHANGE,
    &windows::CLOSING,
    &windows::DURING,
    &windows::GROWTH,
    &windows::LAST_MONTH,
    &windows::LAST_WEEK,
    &windows::LAST_YEAR,
    &windows::LIFETIME,
    &windows::MOVING_AVG,
    &windows::MTD,
    &windows::OPENING,
    &windows::OVERALL,
    &windows::PREVIOUS,
    &windows::PREVIOUS_BUCKET,
    &windows::QTD,
    &windows::RUNNING,
    &windows::RUNNING_SHARE,
    &windows::SHIFT,
    &windows::TO_DATE,
    &windows::TRAILING,
    &windows::WTD,
    &windows::YTD,
    &groups::RANK,
    &groups::SHARE,
    &groups::TOTAL,
    &numbers::ABS,
    &numbers::CEIL,
    &numbers::CLAMP,
    &numbers::CONVERT,
    &numbers::DIFFERENCE_HIGH,
    &numbers::DIFFERENCE_LOW,
    &numbers::DIV,
    &numbers::EXP,
    &numbers::FLOOR,
    &numbers::LN,
    &numbers::LOG,
    &numbers::MOD,
    &numbers::POWER,
    &numbers::ROUND,
    &numbers::SIGN,
    &numbers::SQRT,
    &numbers::TRUNC,
    &numbers::WILSON_HIGH,
    &numbers::WILSON_LOW,
    &conditions::COALESCE,
    &conditions::IF,
    &conditions::IS_ERROR,
    &conditions::IS_NULL,
    &conditions::NULLIF,
    &conditions::SAFE_DIV,
    &time::ADD,
    &time::DATE,
    &time::DATETIME,
    &time::DAY,
    &time::DAYS,
    &time::DAYS_BETWEEN,
    &time::DAYS_IN,
    &time::END_OF,
    &time::HOUR,
    &time::HOURS,
    &time::LENGTH,
    &time::MONTH,
    &time::NOW,
    &time::QUARTER,
    &time::SECONDS,
    &time::START_OF,
    &time::TODAY,
    &time::WEEK,
    &time::WEEKDAY,
    &time::YEAR,
    &texts::CONCAT,
    &texts::CONTAINS,
    &texts::ENDS_WITH,
    &texts::LEFT,
    &texts::LOWER,
    &texts::MID,
    &texts::NUMBER,
    &texts::REPLACE,
    &texts::RIGHT,
    &texts::STARTS_WITH,
    &texts::TEXT,
    &texts::TRIM,
    &texts::UPPER,
    &lists::LEN,
    &lists::LIST,
];

/// Returns the function with this name or alias, case-insensitively.
pub fn find(name: &str) -> Option<&'static FunctionSpec> {
    ALL.iter().copied().find(|spec| spec.is_named(name))
}
