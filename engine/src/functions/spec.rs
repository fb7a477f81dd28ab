//! The specification of a function, as data for the checker, the evaluator and the manual.

use jiff::Timestamp;

use crate::calendar::{Calendar, TimeUnit};
use crate::number::Spread;
use crate::types::{Type, Value};

/// A function of the language.
#[derive(Debug)]
pub struct FunctionSpec {
    /// The name in lower case.
    pub name: &'static str,
    /// Alternative names.
    pub aliases: &'static [&'static str],
    /// The chapter of the manual.
    pub family: Family,
    /// The signature in the manual: `round(x, digits = 0, mode: half_up)`.
    pub signature: &'static str,
    /// The result in one sentence.
    pub summary: &'static str,
    /// Nulls, edge cases, and the standard or product it follows.
    pub details: &'static str,
    /// Its parameters in order.
    pub parameters: &'static [Parameter],
    /// Formulas with their results, run as tests.
    pub examples: &'static [Example],
    /// Whether results are exact; roots and logarithms are not.
    pub exact: bool,
    /// The implementation.
    pub behaviour: Behaviour,
}

impl FunctionSpec {
    /// Returns whether this is the name or an alias, case-insensitively.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        let is_equal = |own: &str| own.eq_ignore_ascii_case(name);
        is_equal(self.name) || self.aliases.iter().any(|alias| is_equal(alias))
    }
}

/// A chapter of the function manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Aggregates of many rows to one value.
    Aggregates,
    /// The same formula in another period.
    Windows,
    /// Comparisons across groups.
    Groups,
    /// Arithmetic and rounding.
    Numbers,
    /// Branches and null handling.
    Conditions,
    /// Dates, instants and durations.
    Time,
    /// Text.
    Texts,
    /// Several values from a context record.
    Lists,
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name, for named arguments and messages.
    pub name: &'static str,
    /// The accepted arguments.
    pub kind: ParameterKind,
    /// Whether the argument is required.
    pub presence: Presence,
}

impl Parameter {
    /// A required parameter.
    pub const fn required(name: &'static str, kind: ParameterKind) -> Self {
        Self { name, kind, presence: Presence::Required }
    }

    /// A parameter with a default.
    pub const fn optional(name: &'static str, kind: ParameterKind, value: DefaultValue) -> Self {
        Self { name, kind, presence: Presence::Optional(value) }
    }

    /// A last parameter that takes one or more arguments.
    pub const fn repeated(name: &'static str, kind: ParameterKind) -> Self {
        Self { name, kind, presence: Presence::Repeated }
    }
}

/// Whether an argument is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It must be given.
    Required,
    /// Optional; the checker passes the default.
    Optional(DefaultValue),
    /// The last parameter, which takes one or more arguments.
    Repeated,
}

/// The default of an optional argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// A whole number.
    Number(i64),
    /// A whole number of hundredths.
    Percent(i64),
    /// A word, passed as text.
    Word(&'static str),
    /// True or false.
    Bool(bool),
    /// No value: the function behaves differently without it.
    Nothing,
}

/// The kind of argument that a parameter accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A value of any type.
    Any,
    /// A number with any unit.
    Quantity,
    /// A number without money or time.
    Number,
    /// Text.
    Text,
    /// A condition.
    Bool,
    /// A day or an instant.
    Date,
    /// A duration.
    Duration,
    /// A period.
    Period,
    /// A list.
    List,
    /// A calendar step such as `30 days`.
    Span,
    /// A unit of time as a bare word, passed as text: `month`.
    Unit,
    /// One of these bare words, passed as text.
    Word(&'static [&'static str]),
    /// A currency's three letters as a bare word, passed as text.
    Currency,
    /// A shared dimension or field; only for functions across groups.
    Dimension,
    /// The same, or `period`: the buckets of the request.
    DimensionOrPeriod,
}

/// A formula with its expected result, run as a test.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The formula.
    pub formula: &'static str,
    /// The formatted result, or `null (reason)`.
    pub result: &'static str,
}

/// The kind of a function, with its implementation.
#[derive(Debug, Clone, Copy)]
pub enum Behaviour {
    /// A scalar function, the same at every level.
    Scalar(Scalar),
    /// An aggregate of rows.
    Aggregate(AggregateFunction),
    /// `weighted_avg(x, w)`: an aggregate of two values of each row.
    WeightedAverage,
    /// The first argument, evaluated in another period.
    Window(WindowForm),
    /// Computed from the values of the first argument in the buckets of the request.
    Buckets(BucketForm),
    /// Rewritten by the checker into other operations.
    Special(Special),
}

impl Behaviour {
    /// A scalar function whose result is null if an argument is.
    pub(crate) const fn scalar(
        result: fn(&[Type]) -> Result<Type, Misfit>,
        call: fn(&[Value], &Environment<'_>) -> Value,
    ) -> Self {
        Self::Scalar(Scalar { result, call, nulls: Nulls::Propagate })
    }

    /// A scalar function whose result is a plain number, or null if an argument is.
    pub(crate) const fn number(call: fn(&[Value], &Environment<'_>) -> Value) -> Self {
        Self::scalar(|_| Ok(Type::NUMBER), call)
    }

    /// Returns whether it aggregates rows, so that it takes `where`, `per` and `dated by`.
    pub const fn is_aggregate(self) -> bool {
        matches!(self, Self::Aggregate(_) | Self::WeightedAverage)
    }
}

/// An aggregate function.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum AggregateFunction {
    /// The sum; 0 over no rows.
    Sum,
    /// The number of rows, or of non-null values.
    Count,
    /// The number of distinct values.
    CountDistinct,
    /// The mean.
    Average,
    /// The interpolated value at a fraction of the sorted values; the median is at one half.
    Percentile,
    /// The sample standard deviation.
    StandardDeviation,
    /// The smallest value.
    Minimum,
    /// The largest value.
    Maximum,
    /// The first by the source's date, ties by key.
    First,
    /// The last by the source's date, ties by key.
    Last,
    /// The share of rows for which the condition holds.
    ShareOf,
    /// The sample variance.
    Variance,
    /// The variance of a whole population.
    PopulationVariance,
    /// The standard deviation of a whole population.
    PopulationDeviation,
    /// The most frequent value; the smallest of several.
    Mode,
}

impl AggregateFunction {
    /// Returns the measure of spread, if it is one.
    pub(crate) const fn spread(self) -> Option<Spread> {
        match self {
            Self::Variance => Some(Spread { of_sample: true, is_root: false }),
            Self::StandardDeviation => Some(Spread { of_sample: true, is_root: true }),
            Self::PopulationVariance => Some(Spread { of_sample: false, is_root: false }),
            Self::PopulationDeviation => Some(Spread { of_sample: false, is_root: true }),
            Self::Sum
            | Self::Count
            | Self::CountDistinct
            | Self::Average
            | Self::Percentile
            | Self::Minimum
            | Self::Maximum
            | Self::First
            | Self::Last
            | Self::ShareOf
            | Self::Mode => None,
        }
    }

    /// Returns whether its values contain no root.
    pub(crate) const fn is_exact(self) -> bool {
        !matches!(self.spread(), Some(Spread { is_root: true, .. }))
    }
}

/// A scalar function.
#[derive(Debug, Clone, Copy)]
pub struct Scalar {
    /// Returns the result type; the arguments already fit their parameters' kinds.
    pub result: fn(&[Type]) -> Result<Type, Misfit>,
    /// Computes the result. Called with a null argument only if `nulls` says so.
    pub call: fn(&[Value], &Environment<'_>) -> Value,
    /// The treatment of null arguments.
    pub nulls: Nulls,
}

/// The treatment of null arguments by a scalar function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// The result is the null argument.
    Propagate,
    /// The function is called with the null.
    Passed,
}

/// The environment of a scalar function.
#[derive(Debug, Clone, Copy)]
pub struct Environment<'a> {
    /// The zone and calendar of the store.
    pub calendar: &'a Calendar,
    /// The present, fixed for the whole request.
    pub now: Timestamp,
}

/// An argument of the wrong type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// The argument's index, from 0.
    pub argument: usize,
    /// The error message: lower case, no full stop.
    pub message: String,
}

/// The window functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowForm {
    /// `previous(x, n, clip: true)`
    Previous,
    /// `last_week(x)`, `last_month(x)`, `last_year(x)`
    Last(TimeUnit),
    /// `shift(x, span)`
    Shift,
    /// `trailing(x, span, exclude: current)`
    Trailing,
    /// `to_date(x, unit)`
    ToDate,
    /// `wtd(x)`, `mtd(x)`, `qtd(x)`, `ytd(x)`
    ToDateOf(TimeUnit),
    /// `during(x, @2026-Q1)`
    During,
    /// `lifetime(x)`
    Lifetime,
    /// `running(x)`
    Running,
    /// `overall(x)`
    Overall,
    /// `opening(x)`
    Opening,
    /// `closing(x)`
    Closing,
    /// `growth(x, cmp)`
    Growth,
    /// `change(x, cmp)`
    Change,
}

/// The functions over the buckets of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BucketForm {
    /// `previous_bucket(x, n)`
    Previous,
    /// `moving_avg(x, n)`
    MovingAverage,
    /// `running_share(x)`
    RunningShare,
}

/// Functions that the checker rewrites into other operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// `if(c, a, b)`
    If,
    /// `coalesce(a, b, …)`
    Coalesce,
    /// `nullif(a, b)`
    NullIf,
    /// `safe_div(a, b, else)`
    SafeDivide,
    /// `is_null(x)`
    IsNull,
    /// `is_error(x)`
    IsError,
    /// `concat(a, b, …)`
    Concat,
    /// `add(d, span)`
    Add,
    /// `now()`
    Now,
    /// `today()`
    Today,
    /// `total(x, keep: dim)`
    Total,
    /// `share(x)`
    Share,
    /// `rank(x, by: dim)`
    Rank,
    /// `convert(x, to: EUR)`
    Convert,
}
