//! The pictures of reports: lines over periods, and bars in the rows of a table.

use jiff::civil::Date;
use serde_json::Value;

use super::all::Lines;
use crate::decimal;
use crate::figures::{self, Answer, Chart, Period};
use crate::records::Table;
use crate::store;
use crate::visit::Visit;

/// Draws amounts in rows that are periods of a given length, the second amount behind the first; each row gets the name of
/// its `period`.
pub(super) fn chart(
    visit: &Visit,
    (lines, by): (&Lines, &'static str),
    answer: &Value,
    rows: &mut [Value],
) -> Chart {
    let periods = periods(visit, lines.start, answer, rows);
    let code = answer.pointer("/range/currency_code").and_then(Value::as_str).unwrap_or_default();
    let series = |pointer: &str| {
        let values = rows.iter().map(|row| row.pointer(pointer).cloned().unwrap_or_default());
        let amounts = Answer::of_amounts(&visit.store, code, values.zip(periods.iter().cloned()));
        Answer { kind: "currency".to_owned(), unit: Some(code.to_uppercase()), ..amounts }
    };
    let (name, pointer) = lines.front;
    let front = series(pointer);
    let behind = lines.behind.map(|(name, pointer)| (name, series(pointer)));
    let behind = behind.as_ref().map(|(name, answer)| (*name, answer));
    let chart = Chart::of((name, &front), behind, (&visit.store, by));
    for (row, name) in rows.iter_mut().zip(&chart.names) {
        super::add(row, "period", name.as_str().into());
    }
    chart
}

/// Returns the periods of rows: each lasts until the next begins, and the last one until the end of
/// the range.
fn periods(visit: &Visit, start: &str, answer: &Value, rows: &[Value]) -> Vec<Period> {
    let text = |own: &Value, pointer: &str| own.pointer(pointer)?.as_str().map(str::to_owned);
    let begin = |row: &Value| {
        let at = text(row, start)?;
        // Stock values have days instead of instants.
        let day = at.parse::<Date>().ok();
        day.and_then(|day| store::instant(&visit.store.time_zone, day)).or(Some(at))
    };
    let starts: Vec<Option<String>> = rows.iter().map(begin).collect();
    let ends = starts.iter().skip(1).cloned().chain([text(answer, "/range/end")]);
    let period = |(start, end)| Period { start, end, is_partial: false };
    starts.iter().cloned().zip(ends).map(period).collect()
}

/// Draws a bar in each row of a table, in proportion to a number in the row.
pub(super) fn draw_bars(table: &mut Table, pointer: &str, rows: &[Value]) {
    let numbers: Vec<_> = rows.iter().map(|row| decimal::read(row.pointer(pointer)?)).collect();
    let bars = figures::bars(&numbers);
    for (cell, bar) in table.rows.iter_mut().filter_map(|row| row.first_mut()).zip(bars) {
        cell.bar = Some(bar);
    }
}
