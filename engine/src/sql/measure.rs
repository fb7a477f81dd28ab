//! Aggregates as columns of a statement, and answers from those columns. Databases filter, count
//! and add; every division happens in the engine.

use rust_decimal::Decimal;

use super::compile::{Compiler, FromClause, RowContext};
use super::query::SqlValue;
use super::read::{ColumnType, count, whole};
use super::term::{CompileFailure, Compiled, Number, NumberForm, Term};
use crate::check::{AggregateFunction, Atom};
use crate::number::{self, PowerSums, Spread};
use crate::types::{Reason, Value};

/// Bits in the lower half of a split sum.
const HALF_BITS: u32 = 32;

const TOO_LARGE: CompileFailure = CompileFailure::Stream("squares too large");

/// The columns of one aggregate.
#[derive(Debug, Clone)]
pub(super) struct AggregateColumns {
    pub(super) columns: Vec<String>,
    finish: Finish,
    /// Whether sums are split into two columns, of the upper and the lower bits.
    in_halves: bool,
}

#[derive(Debug, Clone, Copy)]
enum Finish {
    Count,
    /// The sum, the count, and the count of values with a fraction of a second.
    Sum(u32, NumberForm),
    Average(u32, NumberForm),
    Extreme(ColumnType),
    /// The count of rows, and the count of those for which the condition holds.
    Share,
    /// Sum, sum of squares, count.
    Spread(u32, Spread),
}

impl AggregateColumns {
    /// Compiles an aggregate over the rows that `case` keeps.
    pub(super) fn of(
        compiler: &mut Compiler<'_, '_>,
        from: &mut FromClause,
        (at, atom): (RowContext, &Atom),
        case: &[String],
        in_halves: bool,
    ) -> Compiled<Self> {
        let value = atom.value.map(|value| compiler.term(from, at, value)).transpose()?;
        let made = |columns: Vec<String>, finish| Ok(Self { columns, finish, in_halves });
        match (atom.function, value) {
            (AggregateFunction::Count, None | Some(Term::Truth(_))) => {
                made(vec![counted(case)], Finish::Count)
            }
            (AggregateFunction::Count, Some(value)) => {
                made(vec![format!("count({})", within(case, column(&value)?))], Finish::Count)
            }
            (AggregateFunction::CountDistinct, Some(value)) => {
                if matches!(&value, Term::Number(number) if number.is_wide) {
                    return Err(CompileFailure::Stream("different results of arithmetic"));
                }
                let text = within(case, column(&value)?);
                made(vec![format!("count(DISTINCT {text})")], Finish::Count)
            }
            (AggregateFunction::Sum, Some(Term::Number(number))) => {
                let columns = sums(compiler, &number, case, in_halves)?;
                made(columns, Finish::Sum(number.scale, number.form))
            }
            (AggregateFunction::Average, Some(Term::Number(number))) => {
                let columns = sums(compiler, &number, case, in_halves)?;
                made(columns, Finish::Average(number.scale, number.form))
            }
            (AggregateFunction::Minimum | AggregateFunction::Maximum, Some(value)) => {
                let shape = ColumnType::of(&value).filter(|shape| *shape != ColumnType::Bool);
                let shape = shape.ok_or(CompileFailure::Stream("extremes of conditions"))?;
                made(vec![extreme(compiler, atom.function, &value, case)?], Finish::Extreme(shape))
            }
            (AggregateFunction::ShareOf, None) => {
                made(share(compiler, from, at, atom, case)?, Finish::Share)
            }
            (function, Some(Term::Number(number))) if let Some(kind) = function.spread() => {
                let columns = squares(compiler, &number, case)?;
                made(columns, Finish::Spread(number.scale, kind))
            }
            _ => Err(CompileFailure::Stream("an aggregate of what is no plain column")),
        }
    }

    /// Returns the answer over no rows.
    pub(super) fn empty(&self) -> Value {
        match self.finish {
            Finish::Sum(scale, NumberForm::Scaled) => number::from_scaled(0, scale).into(),
            Finish::Count | Finish::Sum(..) => Value::Number(Decimal::ZERO),
            Finish::Average(..) | Finish::Extreme(_) | Finish::Share | Finish::Spread(..) => {
                Value::missing(Reason::NoRows)
            }
        }
    }

    /// Computes the answer from the cells of the columns.
    pub(super) fn answer(&self, cells: &[SqlValue]) -> Compiled<Value> {
        let cell = |index: usize| cells.get(index).unwrap_or(&SqlValue::Null);
        match self.finish {
            Finish::Count => Ok(Value::Number(Decimal::from(count(cell(0))?))),
            Finish::Extreme(shape) => match shape.value(cell(0))? {
                Value::Missing(_) => Ok(Value::missing(Reason::NoRows)),
                value => Ok(value),
            },
            Finish::Share => {
                let (rows, held) = (count(cell(0))?, count(cell(1))?);
                if rows == 0 {
                    return Ok(Value::missing(Reason::NoRows));
                }
                Ok(number::divide(Decimal::from(held), Decimal::from(rows)).into())
            }
            Finish::Spread(scale, kind) => {
                let squares = u128::try_from(whole(cell(1))?).map_err(|_negative| TOO_LARGE)?;
                let sums = PowerSums::new(count(cell(2))?, whole(cell(0))?, squares);
                Ok(sums.spread(scale, kind).ok_or(TOO_LARGE)?.into())
            }
            Finish::Sum(scale, form) => {
                let (sum, rows, scale) = self.sum(cells, scale, form)?;
                Ok(if rows == 0 { self.empty() } else { number::from_scaled(sum, scale).into() })
            }
            Finish::Average(scale, form) => {
                let (sum, rows, scale) = self.sum(cells, scale, form)?;
                if rows == 0 {
                    return Ok(Value::missing(Reason::NoRows));
                }
                let mean = match form {
                    NumberForm::Scaled => number::average(sum, scale, rows),
                    NumberForm::Decimals | NumberForm::Seconds => number::from_scaled(sum, scale)
                        .and_then(|sum| number::divide(sum, Decimal::from(rows))),
                };
                Ok(mean.into())
            }
        }
    }

    /// Returns the sum, the count and the scale.
    fn sum(&self, cells: &[SqlValue], scale: u32, form: NumberForm) -> Compiled<(i128, u64, u32)> {
        let (sum, rest) = match cells {
            [upper, lower, rest @ ..] if self.in_halves => {
                let upper = whole(upper)?.checked_shl(HALF_BITS).unwrap_or(0);
                (upper.saturating_add(whole(lower)?), rest)
            }
            [sum, rest @ ..] => (whole(sum)?, rest),
            [] => (0, cells),
        };
        let rows = count(rest.first().unwrap_or(&SqlValue::Null))?;
        if form != NumberForm::Seconds {
            return Ok((sum, rows, scale));
        }
        if count(rest.get(1).unwrap_or(&SqlValue::Null))? > 0 {
            return Err(CompileFailure::Stream("parts of a second"));
        }
        let second = 10_i128.checked_pow(scale).unwrap_or(1);
        Ok((sum.checked_div(second).unwrap_or(0), rows, 0))
    }
}

/// Returns SQL for the value if every condition holds, otherwise NULL.
fn within(case: &[String], value: &str) -> String {
    if case.is_empty() {
        return value.to_owned();
    }
    format!("CASE WHEN {} THEN {value} END", case.join(" AND "))
}

/// Returns SQL for the number of rows that meet every condition.
fn counted(case: &[String]) -> String {
    if case.is_empty() { "count(*)".to_owned() } else { format!("count({})", within(case, "1")) }
}

/// Returns the SQL of a value that an aggregate reads.
pub(super) fn column(term: &Term) -> Compiled<&str> {
    term.nullable().ok_or(CompileFailure::Stream("an aggregate of a constant"))
}

fn sums(
    compiler: &mut Compiler<'_, '_>,
    number: &Number,
    case: &[String],
    in_halves: bool,
) -> Compiled<Vec<String>> {
    if !number.beside.is_zero() {
        return Err(CompileFailure::Stream("instants finer than a microsecond"));
    }
    let dialect = compiler.statement.dialect();
    let words = dialect.words();
    let mut columns = if in_halves {
        if number.is_wide {
            return Err(CompileFailure::Stream("products too large for the database"));
        }
        let text = &number.text;
        [format!("{text} >> 32"), format!("{text} & 4294967295")]
            .map(|half| format!("coalesce(sum({}), 0)", within(case, &half)))
            .to_vec()
    } else {
        let sum = format!("coalesce(sum({}), 0)", within(case, &number.wide(dialect)));
        vec![words.narrow(&sum)]
    };
    columns.push(format!("count({})", within(case, &number.text)));
    if number.form == NumberForm::Seconds {
        let second = compiler.statement.integer(1_000_000);
        let mut parts = case.to_vec();
        parts.push(format!("{} % {second} <> 0", number.text));
        columns.push(counted(&parts));
    }
    Ok(columns)
}

fn squares(compiler: &Compiler<'_, '_>, number: &Number, case: &[String]) -> Compiled<Vec<String>> {
    if number.form != NumberForm::Scaled || number.is_wide {
        return Err(CompileFailure::Stream("the spread of results of arithmetic"));
    }
    let dialect = compiler.statement.dialect();
    let words = dialect.words();
    let wide = number.wide(dialect);
    let sum = |text: &str| words.narrow(&format!("coalesce(sum({}), 0)", within(case, text)));
    Ok(vec![
        sum(&wide),
        sum(&format!("{wide} * {wide}")),
        format!("count({})", within(case, &number.text)),
    ])
}

fn extreme(
    compiler: &Compiler<'_, '_>,
    function: AggregateFunction,
    value: &Term,
    case: &[String],
) -> Compiled<String> {
    let words = compiler.statement.dialect().words();
    let name = if function == AggregateFunction::Minimum { "min" } else { "max" };
    let text = column(value)?;
    Ok(match value {
        Term::Text(text) => format!("{name}({})", words.by_bytes(&within(case, text))),
        Term::Number(number) if number.is_wide => {
            words.narrow(&format!("{name}({})", within(case, text)))
        }
        _ => format!("{name}({})", within(case, text)),
    })
}

fn share(
    compiler: &mut Compiler<'_, '_>,
    from: &mut FromClause,
    at: RowContext,
    atom: &Atom,
    case: &[String],
) -> Compiled<Vec<String>> {
    let condition = atom.condition.ok_or(CompileFailure::Stream("a share of nothing"))?;
    let condition = compiler.truth(from, at, condition)?;
    let mut held = case.to_vec();
    held.push(condition);
    Ok(vec![counted(case), counted(&held)])
}
