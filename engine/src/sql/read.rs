//! Conversion of result cells to values, with the scale that the evaluator gives them.

use super::binding::{Binding, InstantUnit, Storage};
use super::query::{SqlValue, StoreError};
use super::term::{CompileFailure, Compiled, NumberForm, Term};
use crate::calendar::date_of_number;
use crate::data::{Column, ColumnReader, NumberReader, Table};
use crate::number;
use crate::schema::{DataType, FieldId, Schema, SourceId, same_name};
use crate::types::{Reason, Value};

/// The type of a result column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    Number { scale: u32, form: NumberForm },
    Text,
    Bool,
    Instant(InstantUnit),
    Day,
}

impl ColumnType {
    /// Returns the type of a term that has a column.
    pub(super) const fn of(term: &Term) -> Option<Self> {
        Some(match term {
            Term::Number(number) => Self::Number { scale: number.scale, form: number.form },
            Term::Text(_) => Self::Text,
            Term::Bool(_) => Self::Bool,
            Term::Instant(_, unit) => Self::Instant(*unit),
            Term::Day(_) => Self::Day,
            Term::Truth(_) | Term::Constant(_) => return None,
        })
    }

    /// Returns the type of a stored column.
    const fn stored(storage: Storage) -> Self {
        match storage {
            Storage::Scaled(scale) => Self::Number { scale, form: NumberForm::Scaled },
            Storage::Instant(unit) => Self::Instant(unit),
            Storage::Day => Self::Day,
            Storage::Text => Self::Text,
            Storage::Bool => Self::Bool,
        }
    }

    /// Converts a cell to a value; NULL has no reason of its own.
    pub(super) fn value(self, cell: &SqlValue) -> Compiled<Value> {
        let none = Value::missing(Reason::NullValue);
        if *cell == SqlValue::Null {
            return Ok(none);
        }
        Ok(match self {
            Self::Number { scale, form } => {
                let number = number::from_scaled(whole(cell)?, scale);
                let seconds = form == NumberForm::Seconds;
                number.map(|found| if seconds { found.normalize() } else { found }).into()
            }
            Self::Text => match cell {
                SqlValue::Text(text) => Value::text(text.as_str()),
                _ => return Err(misread("a text")),
            },
            Self::Bool => match cell {
                SqlValue::Bool(truth) => Value::Bool(*truth),
                other => Value::Bool(whole(other)? != 0),
            },
            Self::Instant(unit) => {
                let micros = whole(cell)?.saturating_mul(i128::from(unit.microseconds()));
                let micros = i64::try_from(micros).unwrap_or(i64::MAX);
                crate::data::instant(micros)
            }
            Self::Day => {
                let day = i64::try_from(whole(cell)?).ok().and_then(date_of_number);
                day.map_or(Value::missing(Reason::Domain), Value::Date)
            }
        })
    }

    /// Returns the reader of a column of this type.
    fn reader(self) -> ColumnReader {
        match self {
            Self::Number { scale, .. } => ColumnReader::Number(NumberReader::of_scale(scale)),
            Self::Text => ColumnReader::new(&DataType::Text),
            Self::Bool => ColumnReader::new(&DataType::Bool),
            Self::Instant(_) => ColumnReader::new(&DataType::DateTime),
            Self::Day => ColumnReader::new(&DataType::Date),
        }
    }
}

/// Rows of a source with the requested fields; the others have no column.
pub(super) struct Rows {
    fields: Vec<(FieldId, ColumnType, ColumnReader)>,
    count: usize,
}

impl Rows {
    pub(super) fn new(fields: impl IntoIterator<Item = (FieldId, ColumnType)>) -> Self {
        let fields = fields.into_iter().map(|(field, shape)| (field, shape, shape.reader()));
        Self { fields: fields.collect(), count: 0 }
    }

    pub(super) fn push(&mut self, row: &[SqlValue]) -> Compiled<()> {
        for (cell, (_, shape, reader)) in row.iter().zip(&mut self.fields) {
            reader.push_value(&shape.value(cell)?);
        }
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    pub(super) fn table(self, schema: &Schema, source: SourceId) -> Table {
        let declared = schema.source_at(source);
        let mut columns: Vec<Option<Column>> =
            declared.map_or_else(Vec::new, |source| source.fields.iter().map(|_| None).collect());
        for (field, _, reader) in self.fields {
            if let Some(slot) = columns.get_mut(field.0) {
                *slot = Some(reader.finish());
            }
        }
        Table { source: Some(source), columns, rows: self.count }
    }
}

impl Binding {
    /// Converts rows of a source, read by the program, to a table for folding into rollups. Cells
    /// are in the order of `fields` and stored as in this binding. Other fields are null.
    ///
    /// # Errors
    /// An unknown source or field, or a cell of another type.
    pub fn rows(
        &self,
        schema: &Schema,
        (source, fields): (&str, &[&str]),
        rows: &[Vec<SqlValue>],
    ) -> Result<Table, StoreError> {
        let unknown = |name: &str| StoreError::Failed(format!("there is no `{name}`"));
        let id = schema.source(source).ok_or_else(|| unknown(source))?;
        let declared = schema.source_at(id).map_or(&[][..], |source| &source.fields);
        let mut shaped = Vec::with_capacity(fields.len());
        for name in fields {
            let found = declared.iter().position(|field| same_name(&field.name, name));
            let field = FieldId(found.ok_or_else(|| unknown(name))?);
            let column = self.column(id, field).ok_or_else(|| unknown(name))?;
            shaped.push((field, ColumnType::stored(column.storage)));
        }
        let mut read = Rows::new(shaped);
        rows.iter().try_for_each(|row| read.push(row)).map_err(|halt| match halt {
            CompileFailure::Fail(finding) => StoreError::Failed(finding.message),
            CompileFailure::Stream(reason) => StoreError::Failed(reason.to_owned()),
        })?;
        Ok(read.table(schema, id))
    }
}

/// Reads an integer.
pub(super) fn whole(cell: &SqlValue) -> Compiled<i128> {
    match cell {
        SqlValue::Integer(value) => Ok(i128::from(*value)),
        SqlValue::Text(text) => text.trim().parse().map_err(|_not_whole| misread("a whole number")),
        SqlValue::Bool(truth) => Ok(i128::from(*truth)),
        SqlValue::Null => Ok(0),
    }
}

/// Reads a count.
pub(super) fn count(cell: &SqlValue) -> Compiled<u64> {
    u64::try_from(whole(cell)?).map_err(|_negative| misread("a count"))
}

pub(super) fn misread(what: &str) -> CompileFailure {
    CompileFailure::fail(&format!("the database gave something else than {what}"))
}
