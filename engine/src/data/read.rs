//! Reads cells and values into columns: one reader for each type, exact and fast.

// The map is never iterated, so its order cannot affect results.
#[expect(clippy::disallowed_types, reason = "looked up, never iterated")]
use std::collections::HashMap;
use std::sync::Arc;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use rust_decimal::Decimal;

use super::column::{Column, NO_CODE, NULL, date, micros, sorted, truth};
use crate::calendar::{day_number, open_end};
use crate::schema::DataType;
use crate::types::Value;

/// Numbers with more digits after the point than this are stored as decimals.
const MAX_CELL_SCALE: u32 = 9;

/// Fills one column from text cells, with empty ones as null, or from values.
#[derive(Debug, Clone)]
pub(crate) enum ColumnReader {
    Number(NumberReader),
    Text(TextReader),
    Bool(Vec<Option<bool>>),
    Date(Vec<Option<Date>>),
    Instant(Vec<i64>),
}

impl ColumnReader {
    pub(crate) fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Number
            | DataType::Count(_)
            | DataType::Ratio
            | DataType::Percent
            | DataType::Money(_)
            | DataType::MoneyBy { .. }
            | DataType::Duration => Self::Number(NumberReader::default()),
            DataType::Text => Self::Text(TextReader::default()),
            DataType::Bool => Self::Bool(Vec::new()),
            DataType::Date => Self::Date(Vec::new()),
            DataType::DateTime => Self::Instant(Vec::new()),
        }
    }

    /// Reads a cell; the error names the expected kind of value.
    pub(super) fn push(&mut self, cell: &str) -> Result<(), &'static str> {
        match self {
            Self::Number(reader) => reader.push(cell),
            Self::Text(reader) => {
                reader.push(cell);
                Ok(())
            }
            Self::Bool(values) => {
                values.push(match cell {
                    "" => None,
                    "true" | "1" | "yes" | "TRUE" | "True" => Some(true),
                    "false" | "0" | "no" | "FALSE" | "False" => Some(false),
                    _ => return Err("true or false"),
                });
                Ok(())
            }
            Self::Date(values) => {
                let date = if cell.is_empty() {
                    None
                } else {
                    Some(day(cell).ok_or("a date such as 2026-01-31")?)
                };
                values.push(date);
                Ok(())
            }
            Self::Instant(values) => {
                let at = if cell.is_empty() {
                    NULL
                } else {
                    instant(cell).ok_or("a date and time such as 2026-01-31 14:05:00")?
                };
                values.push(at);
                Ok(())
            }
        }
    }

    /// Adds a value; one of another type becomes null.
    pub(crate) fn push_value(&mut self, value: &Value) {
        match self {
            Self::Number(reader) => reader.push_number(value.as_number()),
            Self::Text(reader) => {
                if let Value::Text(text) = value {
                    reader.push_text(text);
                } else {
                    reader.codes.push(NO_CODE);
                }
            }
            Self::Bool(values) => values.push(truth(value)),
            Self::Date(values) => values.push(date(value)),
            Self::Instant(values) => values.push(micros(value)),
        }
    }

    /// Returns whether a cell could be read.
    pub(super) fn reads(&self, cell: &str) -> bool {
        let mut other = match self {
            Self::Number(_) => Self::Number(NumberReader::default()),
            Self::Text(_) => Self::Text(TextReader::default()),
            Self::Bool(_) => Self::Bool(Vec::new()),
            Self::Date(_) => Self::Date(Vec::new()),
            Self::Instant(_) => Self::Instant(Vec::new()),
        };
        other.push(cell).is_ok()
    }

    /// Removes the last cell.
    pub(super) fn pop(&mut self) {
        match self {
            Self::Number(reader) => match &mut reader.exact {
                Some(values) => drop(values.pop()),
                None => drop(reader.values.pop()),
            },
            Self::Text(reader) => drop(reader.codes.pop()),
            Self::Bool(values) => drop(values.pop()),
            Self::Date(values) => drop(values.pop()),
            Self::Instant(values) => drop(values.pop()),
        }
    }

    pub(crate) fn finish(self) -> Column {
        match self {
            Self::Number(reader) => reader.finish(),
            Self::Text(reader) => sorted(reader.codes, reader.entries),
            Self::Bool(values) => Column::Bool(values),
            Self::Date(values) => Column::Date(values),
            Self::Instant(values) => Column::Instant(values),
        }
    }
}

impl Column {
    /// Creates the column of a type from values; a value of another type becomes null.
    pub(crate) fn of_values(data_type: &DataType, values: &[Value]) -> Self {
        let mut reader = ColumnReader::new(data_type);
        if matches!(reader, ColumnReader::Number(_)) {
            return numbers(values);
        }
        for value in values {
            reader.push_value(value);
        }
        reader.finish()
    }
}

fn numbers(values: &[Value]) -> Column {
    let numbers: Vec<Option<Decimal>> = values.iter().map(Value::as_number).collect();
    let shortest = numbers.iter().flatten().map(Decimal::normalize);
    let scale = shortest.map(|number| number.scale()).max().unwrap_or(0);
    let fit = |number: &Option<Decimal>| -> Option<i64> {
        let Some(number) = number.map(|number| number.normalize()) else { return Some(NULL) };
        let factor = 10_i128.checked_pow(scale.checked_sub(number.scale())?)?;
        let value = i64::try_from(number.mantissa().checked_mul(factor)?).ok()?;
        Some(value).filter(|value| *value != NULL)
    };
    let scaled: Option<Vec<i64>> =
        if scale > MAX_CELL_SCALE { None } else { numbers.iter().map(fit).collect() };
    match scaled {
        Some(values) => Column::Scaled { values, scale },
        None => Column::Exact(numbers),
    }
}

/// Numbers as integers of one scale for as long as they fit, then as decimals.
#[derive(Debug, Clone, Default)]
pub(crate) struct NumberReader {
    values: Vec<i64>,
    scale: u32,
    exact: Option<Vec<Option<Decimal>>>,
}

impl NumberReader {
    /// Returns a reader with an initial scale; numbers with more digits raise it.
    pub(crate) fn of_scale(scale: u32) -> Self {
        Self { scale, ..Self::default() }
    }

    fn push_number(&mut self, number: Option<Decimal>) {
        if self.exact.is_none() {
            let small = |number: Decimal| {
                let value = i64::try_from(number.mantissa()).ok().filter(|it| *it != NULL)?;
                self.fit(value, number.scale())
            };
            if let Some(value) = number.map_or(Some(NULL), small) {
                return self.values.push(value);
            }
        }
        self.widen().push(number);
    }

    fn push(&mut self, cell: &str) -> Result<(), &'static str> {
        if self.exact.is_none() {
            if cell.is_empty() {
                self.values.push(NULL);
                return Ok(());
            }
            if let Some((value, scale)) = small(cell)
                && let Some(value) = self.fit(value, scale)
            {
                self.values.push(value);
                return Ok(());
            }
        }
        let number = if cell.is_empty() {
            None
        } else {
            Some(crate::number::parse(cell).ok_or("a number")?)
        };
        self.widen().push(number);
        Ok(())
    }

    /// Returns the value at the column's scale, which is raised if necessary.
    fn fit(&mut self, value: i64, scale: u32) -> Option<i64> {
        if scale > self.scale {
            let factor = 10_i64.checked_pow(scale.checked_sub(self.scale)?)?;
            let raised: Option<Vec<i64>> = self
                .values
                .iter()
                .map(|old| if *old == NULL { Some(NULL) } else { old.checked_mul(factor) })
                .collect();
            self.values = raised?;
            self.scale = scale;
        }
        let factor = 10_i64.checked_pow(self.scale.checked_sub(scale)?)?;
        value.checked_mul(factor)
    }

    fn widen(&mut self) -> &mut Vec<Option<Decimal>> {
        let (values, scale) = (std::mem::take(&mut self.values), self.scale);
        self.exact.get_or_insert_with(|| {
            let wide = |value| Decimal::try_from_i128_with_scale(i128::from(value), scale).ok();
            values.into_iter().map(|value| if value == NULL { None } else { wide(value) }).collect()
        })
    }

    fn finish(self) -> Column {
        match self.exact {
            Some(values) => Column::Exact(values),
            None => Column::Scaled { values: self.values, scale: self.scale },
        }
    }
}

/// Parses a short plain number into an integer and its scale.
fn small(cell: &str) -> Option<(i64, u32)> {
    let (negative, digits) = match cell.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, cell.strip_prefix('+').unwrap_or(cell)),
    };
    let mut value: i64 = 0;
    let mut scale: Option<u32> = None;
    let mut seen = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                value = value.checked_mul(10)?.checked_add(i64::from(byte.checked_sub(b'0')?))?;
                scale = match scale {
                    Some(digits) if digits < MAX_CELL_SCALE => Some(digits.saturating_add(1)),
                    Some(_) => return None,
                    None => None,
                };
                seen = true;
            }
            b'.' if scale.is_none() => scale = Some(0),
            _ => return None,
        }
    }
    if !seen || digits.ends_with('.') {
        return None;
    }
    let value = if negative { value.checked_neg()? } else { value };
    Some((value, scale.unwrap_or(0)))
}

/// Dictionary-encoded texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextReader {
    codes: Vec<u32>,
    entries: Vec<Arc<str>>,
    #[expect(clippy::disallowed_types, reason = "looked up, never iterated")]
    known: HashMap<Arc<str>, u32>,
}

impl TextReader {
    fn push(&mut self, cell: &str) {
        if cell.is_empty() {
            return self.codes.push(NO_CODE);
        }
        self.push_text(cell);
    }

    fn push_text(&mut self, cell: &str) {
        // Rows of one order are adjacent, so the previous text is the likeliest.
        if let Some(last) = self.codes.last().copied()
            && let Ok(index) = usize::try_from(last)
            && self.entries.get(index).is_some_and(|text| **text == *cell)
        {
            return self.codes.push(last);
        }
        let code = if let Some(code) = self.known.get(cell) {
            *code
        } else {
            let code = u32::try_from(self.entries.len()).unwrap_or(NO_CODE);
            let text: Arc<str> = Arc::from(cell);
            self.entries.push(Arc::clone(&text));
            self.known.insert(text, code);
            code
        };
        self.codes.push(code);
    }
}

/// Parses a date, or the date of a date and time.
fn day(cell: &str) -> Option<Date> {
    let Some((day, rest)) = cell.split_at_checked(10) else { return cell.parse().ok() };
    let is_day = rest.is_empty() || rest.starts_with(['T', ' ']) && instant(cell).is_some();
    day.parse().ok().filter(|_| is_day)
}

/// Parses an instant into microseconds: `2026-01-31 14:05:00`, with `T` or a space, with or without
/// an offset or ` UTC`; without one it is UTC. The last days of 9999 stand for an open end.
fn instant(cell: &str) -> Option<i64> {
    if let Some(time) = cell.strip_suffix(" UTC") {
        return instant(&format!("{time}Z"));
    }
    let open_end = || open_end(cell).map(jiff::Timestamp::as_microsecond);
    if let Some(at) = plain_instant(cell.as_bytes()) {
        return open_end().or(Some(at));
    }
    if let Ok(timestamp) = cell.parse::<jiff::Timestamp>() {
        return Some(timestamp.as_microsecond());
    }
    if let Some(at) = open_end() {
        return Some(at);
    }
    let local: DateTime = cell.parse().ok()?;
    let zoned = TimeZone::UTC.to_timestamp(local).ok()?;
    Some(zoned.as_microsecond())
}

/// Parses `YYYY-MM-DD HH:MM:SS` in UTC, the common case.
fn plain_instant(cell: &[u8]) -> Option<i64> {
    let [
        y1,
        y2,
        y3,
        y4,
        b'-',
        m1,
        m2,
        b'-',
        d1,
        d2,
        b' ' | b'T',
        h1,
        h2,
        b':',
        n1,
        n2,
        b':',
        s1,
        s2,
    ] = cell
    else {
        return None;
    };
    let number = |digits: &[&u8]| {
        digits.iter().try_fold(0_i16, |sum, digit| {
            let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
            sum.checked_mul(10)?.checked_add(i16::from(digit))
        })
    };
    let short = |high, low| number(&[high, low]).and_then(|value| i8::try_from(value).ok());
    let date = Date::new(number(&[y1, y2, y3, y4])?, short(m1, m2)?, short(d1, d2)?).ok()?;
    let (hour, minute, second) = (short(h1, h2)?, short(n1, n2)?, short(s1, s2)?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = day_number(date)
        .checked_mul(86_400)?
        .checked_add(i64::from(hour).checked_mul(3_600)?)?
        .checked_add(i64::from(minute).checked_mul(60)?)?
        .checked_add(i64::from(second))?;
    seconds.checked_mul(1_000_000)
}
