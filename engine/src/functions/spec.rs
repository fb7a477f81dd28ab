//! What a function is: data that the checker, the evaluator and the manual read.

use jiff::Timestamp;

use crate::calendar::{Calendar, TimeUnit};
use crate::types::{Type, Value};

/// A function of the language.
#[derive(Debug)]
pub struct FunctionSpec {
    /// The name, lower case.
    pub name: &'static str,
    /// Other spellings that mean the same.
    pub aliases: &'static [&'static str],
    /// Where the manual lists it.
    pub family: Family,
    /// How it is called, as the manual prints it: `round(x, digits = 0, mode: half_up)`.
    pub signature: &'static str,
    /// One sentence: what it gives.
    pub summary: &'static str,
    /// Nulls, edges, and whose rule it follows.
    pub details: &'static str,
    /// Its parameters in order.
    pub parameters: &'static [Parameter],
    /// Formulas with the result they have; run as tests.
    pub examples: &'static [Example],
    /// Whether its results are exact; roots and logarithms are not.
    pub exact: bool,
    /// What it does.
    pub behaviour: Behaviour,
}

/// A chapter of the function manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Many rows to one value.
    Aggregates,
    /// The same formula over another period.
    Windows,
    /// Among groups.
    Groups,
    /// Arithmetic and rounding.
    Numbers,
    /// Choice and null.
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
    /// Its name, for named arguments and messages.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParameterKind,
    /// Whether it must be given.
    pub presence: Presence,
}

impl Parameter {
    /// A parameter that must be given.
    pub const fn required(name: &'static str, kind: ParameterKind) -> Self {
        Self { name, kind, presence: Presence::Required }
    }

    /// A parameter with a default.
    pub const fn optional(name: &'static str, kind: ParameterKind, value: DefaultValue) -> Self {
        Self { name, kind, presence: Presence::Optional(value) }
    }

    /// A last parameter that may be given any number of times, at least once.
    pub const fn repeated(name: &'static str, kind: ParameterKind) -> Self {
        Self { name, kind, presence: Presence::Repeated }
    }
}

/// Whether an argument must be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It must be given.
    Required,
    /// It may be left out; the checker then passes the default.
    Optional(DefaultValue),
    /// The last parameter, given at least once.
    Repeated,
}

/// What an argument that was left out is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// A whole number.
    Number(i64),
    /// A word, passed as text.
    Word(&'static str),
    /// True or false.
    Bool(bool),
    /// Nothing: the function does something else without it.
    Nothing,
}

/// What a parameter takes.
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
    /// A shared dimension or field; only functions among groups have it.
    Dimension,
}

/// A formula with its result, run as a test.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The formula.
    pub formula: &'static str,
    /// The formatted result, or `null (reason)`.
    pub result: &'static str,
}

/// What a function does.
#[derive(Debug, Clone, Copy)]
pub enum Behaviour {
    /// Values to a value, the same at every level.
    Scalar(Scalar),
    /// Rows to a value.
    Aggregate(AggregateFunction),
    /// The first argument in another period.
    Window(WindowForm),
    /// Something the checker takes apart.
    Special(Special),
}

/// What makes one value of many.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum AggregateFunction {
    /// The sum; 0 over no rows.
    Sum,
    /// How many rows, or how many that are not null.
    Count,
    /// How many different values.
    CountDistinct,
    /// The mean.
    Average,
    /// The value at a fraction of the sorted values, interpolated; the median is at a half.
    Percentile,
    /// The sample standard deviation.
    StandardDeviation,
    /// The smallest.
    Minimum,
    /// The largest.
    Maximum,
    /// The first by the source's date, ties by key.
    First,
    /// The last by the source's date, ties by key.
    Last,
    /// The share of rows for which the condition holds.
    ShareOf,
}

/// A function from values to a value.
#[derive(Debug, Clone, Copy)]
pub struct Scalar {
    /// The type of the result; arguments already fit their parameters' kinds.
    pub result: fn(&[Type]) -> Result<Type, Misfit>,
    /// The result. Never called with a null argument unless `nulls` says so.
    pub call: fn(&[Value], &Environment<'_>) -> Value,
    /// What a null argument does.
    pub nulls: Nulls,
}

/// What a null argument does to a scalar function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// The result is that null.
    Propagate,
    /// The function is called with it.
    Passed,
}

/// What a scalar function may know besides its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Environment<'a> {
    /// Zone and calendar of the store.
    pub calendar: &'a Calendar,
    /// The present, fixed for the whole request.
    pub now: Timestamp,
}

/// An argument of the wrong type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// Which argument, from 0.
    pub argument: usize,
    /// What is wrong with it: lower case, no full stop.
    pub message: String,
}

/// The windows, by how they are called.
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
    /// `opening(x)`
    Opening,
    /// `closing(x)`
    Closing,
    /// `growth(x, cmp)`
    Growth,
    /// `change(x, cmp)`
    Change,
}

/// Functions that the checker takes apart into other operations.
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
