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
pub(crate) use numbers::extremes::{GREATEST, LEAST};

pub use spec::{
    AggregateFunction, Behaviour, BucketForm, DefaultValue, Environment, Example, Family,
    FunctionSpec, Misfit, Nulls, Parameter, ParameterKind, Presence, Scalar, Special, WindowForm,
};

/// Every function, by family and name.
pub const ALL: &[&FunctionSpec] = &[
    &aggregates::avg::AVG,
    &aggregates::count::COUNT,
    &aggregates::count_distinct::COUNT_DISTINCT,
    &aggregates::first::FIRST,
    &aggregates::last::LAST,
    &aggregates::max::MAX,
    &aggregates::median::MEDIAN,
    &aggregates::min::MIN,
    &aggregates::mode::MODE,
    &aggregates::percentile::PERCENTILE,
    &aggregates::share_of::SHARE_OF,
    &aggregates::stddev::STDDEV,
    &aggregates::stddev_pop::STDDEV_POP,
    &aggregates::sum::SUM,
    &aggregates::variance::VARIANCE,
    &aggregates::variance_pop::VARIANCE_POP,
    &aggregates::weighted_avg::WEIGHTED_AVG,
    &windows::change::CHANGE,
    &windows::closing::CLOSING,
    &windows::during::DURING,
    &windows::growth::GROWTH,
    &windows::last_month::LAST_MONTH,
    &windows::last_week::LAST_WEEK,
    &windows::last_year::LAST_YEAR,
    &windows::lifetime::LIFETIME,
    &windows::moving_avg::MOVING_AVG,
    &windows::mtd::MTD,
    &windows::opening::OPENING,
    &windows::overall::OVERALL,
    &windows::previous::PREVIOUS,
    &windows::previous_bucket::PREVIOUS_BUCKET,
    &windows::qtd::QTD,
    &windows::running::RUNNING,
    &windows::running_share::RUNNING_SHARE,
    &windows::shift::SHIFT,
    &windows::to_date::TO_DATE,
    &windows::trailing::TRAILING,
    &windows::wtd::WTD,
    &windows::ytd::YTD,
    &groups::rank::RANK,
    &groups::share::SHARE,
    &groups::total::TOTAL,
    &numbers::abs::ABS,
    &numbers::ceil::CEIL,
    &numbers::clamp::CLAMP,
    &numbers::convert::CONVERT,
    &numbers::interval::DIFFERENCE_HIGH,
    &numbers::interval::DIFFERENCE_LOW,
    &numbers::div::DIV,
    &numbers::exp::EXP,
    &numbers::floor::FLOOR,
    &numbers::ln::LN,
    &numbers::log::LOG,
    &numbers::modulo::MOD,
    &numbers::power::POWER,
    &numbers::round::ROUND,
    &numbers::sign::SIGN,
    &numbers::sqrt::SQRT,
    &numbers::trunc::TRUNC,
    &numbers::interval::WILSON_HIGH,
    &numbers::interval::WILSON_LOW,
    &conditions::coalesce::COALESCE,
    &conditions::if_then::IF,
    &conditions::is_error::IS_ERROR,
    &conditions::is_null::IS_NULL,
    &conditions::nullif::NULLIF,
    &conditions::safe_div::SAFE_DIV,
    &time::add::ADD,
    &time::date::DATE,
    &time::datetime::DATETIME,
    &time::day::DAY,
    &time::days::DAYS,
    &time::days_between::DAYS_BETWEEN,
    &time::days_in::DAYS_IN,
    &time::end_of::END_OF,
    &time::hour::HOUR,
    &time::hours::HOURS,
    &time::length::LENGTH,
    &time::month::MONTH,
    &time::now::NOW,
    &time::quarter::QUARTER,
    &time::seconds::SECONDS,
    &time::start_of::START_OF,
    &time::today::TODAY,
    &time::week::WEEK,
    &time::weekday::WEEKDAY,
    &time::year::YEAR,
    &texts::concat::CONCAT,
    &texts::contains::CONTAINS,
    &texts::ends_with::ENDS_WITH,
    &texts::left::LEFT,
    &texts::lower::LOWER,
    &texts::mid::MID,
    &texts::number::NUMBER,
    &texts::replace::REPLACE,
    &texts::right::RIGHT,
    &texts::starts_with::STARTS_WITH,
    &texts::text::TEXT,
    &texts::trim::TRIM,
    &texts::upper::UPPER,
    &lists::len::LEN,
    &lists::list::LIST,
];

/// Returns the function with this name or alias, case-insensitively.
pub fn find(name: &str) -> Option<&'static FunctionSpec> {
    ALL.iter().copied().find(|spec| spec.is_named(name))
}
