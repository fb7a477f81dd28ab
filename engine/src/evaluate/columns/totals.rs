//! Aggregates over a batch, each in one pass and without an intermediate column.

use super::chunk::{BLOCK_ROWS, ChunkView, PRESENT, ViewData};
use super::kernel_plan::ValueForm;
use super::linear::linear_sum;
use super::row_interpreter::RowInterpreter;
use super::run::{Prepared, Registers, SlotColumn};
use super::{Batch, kernels};
use crate::check::AggregateFunction;
use crate::diagnostics::{Code, Diagnostic};
use crate::evaluate::scan::{Sample, finish};
use crate::functions::Environment;
use crate::number;
use crate::plan::Plan;
use crate::plan::operators::is_true;
use crate::plan::rows::PlannedAtom;
use crate::plan::slot::{Content, SlotKind};
use crate::source::Span;
use crate::types::{Reason, Value};

/// The value of each formula of a plan over all rows of a batch. The batch's columns are the fields that the
/// aggregates name.
///
/// # Errors
/// One finding if a formula needs more than aggregates over the batch: windows, filters around metrics,
/// several sources, or the present.
pub(crate) fn totals(
    plan: &Plan,
    batch: &Batch,
    env: Environment<'_>,
) -> Result<Vec<Value>, Diagnostic> {
    let mut source: Option<&str> = None;
    let mut slots = Vec::with_capacity(plan.program.slots.len());
    for slot in &plan.program.slots {
        slots.push(match &slot.content {
            // The evaluator distinguishes rows in different currencies.
            Content::Atom(atom)
                if slot.place.steps.is_empty() && !slot.ty.is_in_currencies_of_rows() =>
            {
                let name = &*atom.rows.name;
                if source.is_some_and(|source| source != name) {
                    return Err(refused(&format!("rows of `{name}`")));
                }
                source = Some(name);
                aggregate(atom, batch, env)?
            }
            Content::Now => Value::DateTime(env.now),
            Content::Today => Value::Date(env.calendar.date_of(env.now)),
            _ => return Err(refused(&slot.to_string())),
        });
    }
    let mut row_interpreter = RowInterpreter::new(&plan.program, env);
    row_interpreter.row(slots.into_iter());
    Ok((0..plan.program.results.len()).map(|index| row_interpreter.result(index)).collect())
}

fn refused(what: &str) -> Diagnostic {
    let message = format!("`{what}` is no total of the batch");
    Diagnostic::new(Code::E706, Span::default(), message)
        .help("a batch has the rows of one source, without dates or groups")
}

/// One aggregate over the rows of the batch.
fn aggregate(atom: &PlannedAtom, batch: &Batch, env: Environment<'_>) -> Result<Value, Diagnostic> {
    if atom.fraction.is_some() {
        return Err(refused("percentile"));
    }
    let program = &atom.rows.program;
    let slots = program.slots.iter().map(|slot| match (slot.kind(), slot.name()) {
        (SlotKind::Column, Some(name)) => {
            let own = name.strip_prefix(&*atom.rows.name).and_then(|rest| rest.strip_prefix('.'));
            let column = batch.column(name).or_else(|| batch.column(own?));
            column.map(SlotColumn::Column).ok_or_else(|| refused(name))
        }
        _ => Err(refused(&slot.to_string())),
    });
    let prepared = Prepared::new(program, slots.collect::<Result<_, _>>()?, env);
    let total = accumulate(atom, &prepared, batch.rows());
    Ok(match total {
        Some(Accumulator { sum, count, scale }) => match atom.function {
            AggregateFunction::Count => Value::Number(count.into()),
            AggregateFunction::Average => number::average(sum, scale, count).into(),
            _ => number::from_scaled(sum, scale).into(),
        },
        None => slowly(atom, &prepared, batch.rows()),
    })
}

/// The accumulator of sums, counts and means.
#[derive(Debug, Clone, Copy, Default)]
struct Accumulator {
    sum: i128,
    count: u64,
    scale: u32,
}

/// Aggregates in integers; `None` if they do not suffice.
fn accumulate(atom: &PlannedAtom, prepared: &Prepared<'_>, rows: usize) -> Option<Accumulator> {
    if !matches!(
        atom.function,
        AggregateFunction::Sum | AggregateFunction::Count | AggregateFunction::Average
    ) {
        return None;
    }
    let form = |result: usize| prepared.kernels.results.get(result).copied().flatten();
    let value = match atom.value {
        Some(value) => Some(form(value)?),
        None => None,
    };
    let scale = match value.map(|form| form.kind) {
        Some(ValueForm::Ints { scale, own: true }) => scale,
        Some(_) => return None,
        None => 0,
    };
    let conditions: Vec<_> = atom.condition.into_iter().chain(atom.population).collect();
    let conditions: Vec<_> = conditions.into_iter().map(form).collect::<Option<_>>()?;
    if let Some(value) = value.filter(|_| conditions.is_empty())
        && let Some(sum) = linear_sum(prepared, value.at, rows)
    {
        return Some(Accumulator { sum, count: u64::try_from(rows).ok()?, scale });
    }
    let mut registers = Registers::new(prepared);
    let mut accumulator = Accumulator { scale, ..Accumulator::default() };
    let mut kept = vec![true; BLOCK_ROWS];
    let mut start = 0_usize;
    while start < rows {
        let count = BLOCK_ROWS.min(rows.saturating_sub(start));
        if !registers.run(start, count) {
            return None;
        }
        let value = match value {
            Some(form) => Some(registers.view(form, start, count)?),
            None => None,
        };
        if conditions.is_empty() {
            accumulator.add_all(value, count);
        } else {
            kept.fill(true);
            for form in &conditions {
                let ViewData::Truths(truths) = registers.view(*form, start, count)?.data else {
                    return None;
                };
                kept.iter_mut().zip(truths).for_each(|(kept, truth)| *kept &= *truth);
            }
            accumulator.add_kept(value, kept.get(..count)?);
        }
        start = start.saturating_add(count);
    }
    Some(accumulator)
}

impl Accumulator {
    fn add_all(&mut self, value: Option<ChunkView<'_>>, rows: usize) {
        match value {
            Some(ChunkView { data: ViewData::Ints(values), codes: None }) => {
                self.sum = self.sum.saturating_add(kernels::sum(values));
                self.count = self.count.saturating_add(u64::try_from(rows).unwrap_or(0));
            }
            Some(ChunkView { codes: Some(codes), .. }) => {
                let kept: Vec<bool> = codes.iter().map(|code| *code == PRESENT).collect();
                self.add_kept(value, &kept);
            }
            Some(_) | None => {
                self.count = self.count.saturating_add(u64::try_from(rows).unwrap_or(0));
            }
        }
    }

    fn add_kept(&mut self, value: Option<ChunkView<'_>>, kept: &[bool]) {
        let codes = value.and_then(|value| value.codes).unwrap_or_default();
        let absent = |row: usize| codes.get(row).is_some_and(|code| *code != PRESENT);
        let mut count = 0_u64;
        let mut total = 0_i128;
        let ints = match value.map(|value| value.data) {
            Some(ViewData::Ints(values)) => values,
            Some(_) | None => &[],
        };
        for (row, kept) in kept.iter().enumerate() {
            if *kept && !absent(row) {
                count = count.saturating_add(1);
                let value = ints.get(row).copied().unwrap_or(0);
                total = total.saturating_add(i128::from(value));
            }
        }
        self.sum = self.sum.saturating_add(total);
        self.count = self.count.saturating_add(count);
    }
}

/// Aggregates value by value, as for rows in memory.
fn slowly(atom: &PlannedAtom, prepared: &Prepared<'_>, rows: usize) -> Value {
    let mut row_interpreter = RowInterpreter::new(prepared.program, prepared.env);
    let mut sample = Sample::default();
    let counted = atom.function == AggregateFunction::ShareOf && atom.value.is_none();
    let condition = atom.condition.filter(|_| !counted);
    for row in 0..rows {
        row_interpreter.row(prepared.slot_values(row));
        let holds = |result: usize| is_true(&row_interpreter.result(result));
        if !condition.into_iter().chain(atom.population).all(holds) {
            continue;
        }
        match (atom.value, atom.condition) {
            (Some(value), _) => sample.push(&row_interpreter.result(value)),
            (None, Some(condition)) if counted => {
                sample.push(&Value::Bool(is_true(&row_interpreter.result(condition))));
            }
            (None, _) => sample.push(&Value::Bool(true)),
        }
    }
    if matches!(atom.function, AggregateFunction::First | AggregateFunction::Last) {
        // Without dates there is no first row.
        return Value::missing(Reason::Domain);
    }
    finish(atom.function, &sample, None)
}
