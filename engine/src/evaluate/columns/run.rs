//! Runs a plan over a batch, block by block, on as many threads as requested.

use rust_decimal::Decimal;

use super::Batch;
use super::chunk::{BLOCK_ROWS, Chunk, ChunkView, Form};
use super::column::Column;
use super::kernel_plan::{KernelPlan, KernelValue};
use super::lower::kernels;
use super::output::{Segment, column, segments, with_misfits};
use super::row_interpreter::RowInterpreter;
use super::step::OperandRef;
use crate::diagnostics::{Code, Diagnostic};
use crate::functions::Environment;
use crate::plan::Plan;
use crate::plan::program::Program;
use crate::plan::slot::Content;
use crate::source::Span;
use crate::types::{Reason, Value};

#[derive(Debug, Clone)]
pub(super) enum SlotColumn<'b> {
    Column(&'b Column),
    /// The same value in every row.
    All(Value),
}

/// A program with its slots filled and its kernels chosen.
pub(super) struct Prepared<'b> {
    pub(super) program: &'b Program,
    pub(super) slots: Vec<SlotColumn<'b>>,
    pub(super) kernels: KernelPlan,
    pub(super) env: Environment<'b>,
}

impl<'b> Prepared<'b> {
    pub(super) fn new(
        program: &'b Program,
        slots: Vec<SlotColumn<'b>>,
        env: Environment<'b>,
    ) -> Self {
        let columns: Vec<Option<&Column>> = slots
            .iter()
            .map(|slot| match slot {
                SlotColumn::Column(column) => Some(*column),
                SlotColumn::All(_) => None,
            })
            .collect();
        let kernels = kernels(program, &columns);
        Self { program, slots, kernels, env }
    }

    pub(super) fn slot_values(&self, row: usize) -> impl Iterator<Item = Value> {
        self.slots.iter().map(move |slot| match slot {
            SlotColumn::Column(column) => column.value(row),
            SlotColumn::All(value) => value.clone(),
        })
    }
}

/// The registers of one thread.
pub(super) struct Registers<'r> {
    prepared: &'r Prepared<'r>,
    chunks: Vec<Chunk>,
}

impl<'r> Registers<'r> {
    pub(super) fn new(prepared: &'r Prepared<'r>) -> Self {
        let mut chunks: Vec<Chunk> = Vec::with_capacity(prepared.kernels.steps.len());
        for step in &prepared.kernels.steps {
            let form = |at: OperandRef| form_of(prepared, &chunks, at);
            let chunk = step.chunk(form);
            chunks.push(chunk);
        }
        Self { prepared, chunks }
    }

    /// Computes a block from row `start`; returns `false` if a result did not fit.
    pub(super) fn run(&mut self, start: usize, rows: usize) -> bool {
        let prepared = self.prepared;
        let steps = prepared.kernels.steps.iter().zip(&prepared.kernels.needed).enumerate();
        for (index, (step, _)) in steps.filter(|(_, (_, needed))| **needed) {
            let (before, rest) = self.chunks.split_at_mut(index);
            let Some(out) = rest.first_mut() else { return false };
            let view = |at: OperandRef| view_of(prepared, before, at, start, rows);
            if step.run(out, view).is_none() {
                return false;
            }
        }
        true
    }

    /// The output of the last block.
    pub(super) fn view(
        &self,
        form: KernelValue,
        start: usize,
        rows: usize,
    ) -> Option<ChunkView<'_>> {
        view_of(self.prepared, &self.chunks, form.at, start, rows)
    }
}

fn form_of(prepared: &Prepared<'_>, chunks: &[Chunk], at: OperandRef) -> Option<Form> {
    match at {
        OperandRef::Constant(index) => prepared.kernels.constants.get(index).map(Chunk::form),
        OperandRef::Register(index) => chunks.get(index).map(Chunk::form),
        OperandRef::Slot(index) => match prepared.slots.get(index)? {
            SlotColumn::Column(column) => column.form(),
            SlotColumn::All(_) => None,
        },
    }
}

fn view_of<'v>(
    prepared: &'v Prepared<'_>,
    chunks: &'v [Chunk],
    at: OperandRef,
    start: usize,
    rows: usize,
) -> Option<ChunkView<'v>> {
    match at {
        OperandRef::Constant(index) => prepared.kernels.constants.get(index)?.view(rows),
        OperandRef::Register(index) => chunks.get(index)?.view(rows),
        OperandRef::Slot(index) => match prepared.slots.get(index)? {
            SlotColumn::Column(column) => column.block(start, rows),
            SlotColumn::All(_) => None,
        },
    }
}

/// The answers of a plan's formulas, one column each.
///
/// # Errors
/// One finding if a formula needs more than named values, such as rows or a period.
pub(crate) fn compute(
    plan: &Plan,
    batch: &Batch,
    env: Environment<'_>,
    threads: usize,
) -> Result<Vec<Column>, Diagnostic> {
    let slots = plan.program.slots.iter().map(|slot| match (&slot.content, slot.name()) {
        (Content::Input(_), Some(name)) => Ok(batch
            .column(name)
            .map_or(SlotColumn::All(Value::missing(Reason::MissingInput)), SlotColumn::Column)),
        (Content::Now, _) => Ok(SlotColumn::All(Value::DateTime(env.now))),
        (Content::Literal(literal), _) => {
            let period = env.calendar.resolve(*literal);
            Ok(SlotColumn::All(period.map_or(Value::missing(Reason::Domain), Value::period)))
        }
        (Content::Today, _) => Ok(SlotColumn::All(Value::Date(env.calendar.date_of(env.now)))),
        (_, name) => {
            let name = name.map_or_else(|| slot.to_string(), ToOwned::to_owned);
            let message = format!("`{name}` is more than a value of each row");
            Err(Diagnostic::new(Code::E706, Span::default(), message)
                .help("give it as a column by its name, or evaluate the formula over rows"))
        }
    });
    let slots: Vec<SlotColumn<'_>> = slots.collect::<Result<_, _>>()?;
    let prepared = Prepared::new(&plan.program, slots, env);
    let mut columns: Vec<Column> = prepared
        .kernels
        .results
        .iter()
        .zip(plan.types())
        .map(|(form, ty)| column(*form, ty, batch.rows()))
        .collect();
    let misfits = fill(&prepared, &mut columns, batch.rows(), threads);
    let finished = columns.into_iter().zip(misfits).map(|(column, misfits)| {
        if misfits.is_empty() { column } else { with_misfits(column, misfits) }
    });
    Ok(finished.collect())
}

/// Numbers that do not fit a column's integers, by row.
type Overflows = Vec<(usize, Decimal)>;

/// Fills the columns. Returns, for each column, the numbers that did not fit, by row.
fn fill(
    prepared: &Prepared<'_>,
    columns: &mut [Column],
    rows: usize,
    threads: usize,
) -> Vec<Overflows> {
    let share = rows.div_ceil(threads.max(1)).div_ceil(BLOCK_ROWS).saturating_mul(BLOCK_ROWS);
    let count = columns.len();
    let mut parts: Vec<Vec<Segment<'_>>> = Vec::new();
    for column in columns {
        for (part, segment) in segments(column, share).into_iter().enumerate() {
            match parts.get_mut(part) {
                Some(part) => part.push(segment),
                None => parts.push(vec![segment]),
            }
        }
    }
    let starts = (0..parts.len()).map(|part| part.saturating_mul(share));
    let mut parts = starts.zip(parts);
    let part = |(start, segments): (usize, Vec<Segment<'_>>)| {
        let end = start.saturating_add(share).min(rows);
        (start, run_part(prepared, segments, start, end))
    };
    let done: Vec<(usize, Vec<Overflows>)> = std::thread::scope(|scope| {
        let first = parts.next();
        let others: Vec<_> = parts.map(|one| scope.spawn(move || part(one))).collect();
        let mut done: Vec<_> = first.map(part).into_iter().collect();
        for other in others {
            // A thread that panicked has no result; nothing here panics.
            done.extend(other.join().ok());
        }
        done
    });
    let mut all: Vec<Overflows> = vec![Vec::new(); count];
    for (start, misfits) in done {
        for (all, own) in all.iter_mut().zip(misfits) {
            all.extend(own.into_iter().map(|(row, number)| (start.saturating_add(row), number)));
        }
    }
    all
}

/// Computes the rows of one thread.
fn run_part(
    prepared: &Prepared<'_>,
    mut segments: Vec<Segment<'_>>,
    first: usize,
    end: usize,
) -> Vec<Overflows> {
    let mut registers = Registers::new(prepared);
    let mut row_interpreter = RowInterpreter::new(prepared.program, prepared.env);
    let all_have_kernels = prepared.kernels.results.iter().all(Option::is_some);
    let mut start = first;
    while start < end {
        let rows = BLOCK_ROWS.min(end.saturating_sub(start));
        let offset = start.saturating_sub(first);
        let fits = registers.run(start, rows);
        if fits {
            for (segment, form) in segments.iter_mut().zip(&prepared.kernels.results) {
                if let Some(view) = form.and_then(|form| registers.view(form, start, rows)) {
                    segment.copy(offset, view);
                }
            }
        }
        if !fits || !all_have_kernels {
            for row in 0..rows {
                row_interpreter.row(prepared.slot_values(start.saturating_add(row)));
                let results = segments.iter_mut().zip(&prepared.kernels.results).enumerate();
                for (index, (segment, form)) in results {
                    if !fits || form.is_none() {
                        segment.set(offset.saturating_add(row), row_interpreter.result(index));
                    }
                }
            }
        }
        start = start.saturating_add(rows);
    }
    segments.into_iter().map(|segment| segment.misfits).collect()
}
