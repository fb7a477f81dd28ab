//! Output columns, cut into one segment for each thread.

use rust_decimal::Decimal;

use super::chunk::{ChunkView, PRESENT, ViewData, code_of};
use super::column::{Column, Values};
use super::kernel_plan::{KernelValue, ValueForm};
use crate::types::{Reason, Type, Value};

/// An output column without answers yet.
pub(super) fn column(form: Option<KernelValue>, ty: &Type, rows: usize) -> Column {
    let values = match (form.map(|form| form.kind), ty) {
        (Some(ValueForm::Ints { scale, .. }), _) => Values::Ints { values: vec![0; rows], scale },
        (Some(ValueForm::Decimals), _) | (None, Type::Quantity(_)) => {
            Values::Decimals(vec![Decimal::ZERO; rows])
        }
        (Some(ValueForm::Truths), _) | (None, Type::Bool) => Values::Truths(vec![false; rows]),
        (Some(ValueForm::Null(_)) | None, _) => {
            Values::Any(vec![Value::missing(Reason::MissingInput); rows])
        }
    };
    let codes = if matches!(values, Values::Any(_)) { Vec::new() } else { vec![PRESENT; rows] };
    Column { values, codes }
}

/// A segment of a column, filled by one thread.
pub(super) struct Segment<'c> {
    cells: Cells<'c>,
    codes: &'c mut [u8],
    /// Numbers that do not fit the column's integers, by row within the segment.
    pub(super) misfits: Vec<(usize, Decimal)>,
}

enum Cells<'c> {
    Ints(&'c mut [i64], u32),
    Decimals(&'c mut [Decimal]),
    Truths(&'c mut [bool]),
    Any(&'c mut [Value]),
}

/// Cuts a column into segments of `rows` rows; the last one may be shorter.
pub(super) fn segments(column: &mut Column, rows: usize) -> Vec<Segment<'_>> {
    let rows = rows.max(1);
    let cells: Vec<Cells<'_>> = match &mut column.values {
        Values::Ints { values, scale } => {
            values.chunks_mut(rows).map(|values| Cells::Ints(values, *scale)).collect()
        }
        Values::Decimals(values) => values.chunks_mut(rows).map(Cells::Decimals).collect(),
        Values::Truths(values) => values.chunks_mut(rows).map(Cells::Truths).collect(),
        Values::Any(values) => values.chunks_mut(rows).map(Cells::Any).collect(),
    };
    let none = std::iter::repeat_with(<&mut [u8]>::default);
    let codes = column.codes.chunks_mut(rows).chain(none);
    let whole = |(cells, codes)| Segment { cells, codes, misfits: Vec::new() };
    cells.into_iter().zip(codes).map(whole).collect()
}

impl Segment<'_> {
    /// Copies a block computed by kernels; `start` is its first row.
    pub(super) fn copy(&mut self, start: usize, view: ChunkView<'_>) {
        match (&mut self.cells, view.data) {
            (Cells::Ints(cells, _), ViewData::Ints(values)) => fill(cells, start, values),
            (Cells::Decimals(cells), ViewData::Decimals(values)) => fill(cells, start, values),
            (Cells::Truths(cells), ViewData::Truths(values)) => fill(cells, start, values),
            _ => {}
        }
        if let Some(codes) = view.codes {
            fill(self.codes, start, codes);
        }
    }

    pub(super) fn set(&mut self, row: usize, value: Value) {
        if let Cells::Any(cells) = &mut self.cells {
            if let Some(cell) = cells.get_mut(row) {
                *cell = value;
            }
            return;
        }
        let code = match (value, &mut self.cells) {
            (Value::Number(number), Cells::Ints(cells, scale)) => {
                match (int(number, *scale), cells.get_mut(row)) {
                    (Some(int), Some(cell)) => *cell = int,
                    _ => self.misfits.push((row, number)),
                }
                PRESENT
            }
            (Value::Number(number), Cells::Decimals(cells)) => put(cells, row, number),
            (Value::Bool(truth), Cells::Truths(cells)) => put(cells, row, truth),
            (Value::Missing(missing), _) => code_of(missing.reason),
            _ => code_of(Reason::Domain),
        };
        if let Some(cell) = self.codes.get_mut(row) {
            *cell = code;
        }
    }
}

fn put<T>(cells: &mut [T], row: usize, value: T) -> u8 {
    if let Some(cell) = cells.get_mut(row) {
        *cell = value;
    }
    PRESENT
}

fn fill<T: Copy>(cells: &mut [T], start: usize, values: &[T]) {
    let end = start.saturating_add(values.len());
    if let Some(cells) = cells.get_mut(start..end) {
        cells.copy_from_slice(values);
    }
}

/// The number as an integer at this scale, if it is exact.
fn int(number: Decimal, scale: u32) -> Option<i64> {
    let number = if number.scale() > scale { number.normalize() } else { number };
    let digits = scale.checked_sub(number.scale())?;
    let factor = 10_i128.checked_pow(digits)?;
    i64::try_from(number.mantissa().checked_mul(factor)?).ok()
}

/// Converts the column to decimals and inserts the numbers that did not fit.
pub(super) fn with_misfits(column: Column, misfits: Vec<(usize, Decimal)>) -> Column {
    let Values::Ints { values, scale } = column.values else { return column };
    let mut decimals: Vec<Decimal> =
        values.into_iter().map(|value| Decimal::new(value, scale)).collect();
    for (row, number) in misfits {
        if let Some(cell) = decimals.get_mut(row) {
            *cell = number;
        }
    }
    Column { values: Values::Decimals(decimals), codes: column.codes }
}
