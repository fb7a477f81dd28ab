//! Answers as a page prints them: one line, or a table if periods or groups were requested.

use jiff::civil::Date;
use quotient::calendar::{Period, TimeUnit};
use quotient::format::{FormatRules, exact, value};
use quotient::types::{Type, Unit, Value};
use quotient::{Answer, Answers, Engine};

use super::request::{PageRequest, local};

/// Everything that a page shows for the answers to one formula.
pub(crate) fn printed(
    engine: &Engine,
    text: &str,
    query: &PageRequest,
    answers: &Answers,
) -> String {
    let Some(first) = answers.first() else {
        return "no groups".to_owned();
    };
    let is_single = query.request.by.is_none() && answers.group_by.is_empty();
    let mut lines = if is_single {
        single(engine, text, query, first)
    } else {
        let mut lines = vec![format!("type: {}", first.ty)];
        lines.extend(table(engine, query, answers));
        lines
    };
    if !answers.missing_inputs.is_empty() {
        lines.push(format!("missing: {}", answers.missing_inputs.join(", ")));
    }
    lines.join("\n")
}

fn single(engine: &Engine, text: &str, query: &PageRequest, answer: &Answer) -> Vec<String> {
    let mut lines = vec![format!("type: {} · value: {}", answer.ty, answer.formatted)];
    if query.in_full {
        lines.push(format!("in full: {}", exact(&answer.value)));
    }
    if !answer.exact {
        lines.push("exact: no".to_owned());
    }
    if let Some(at) = &answer.null_at {
        lines.push(match at.metric.as_deref().and_then(|key| engine.metric(key)) {
            Some(metric) => {
                format!("null from: {} in {}", at.span.slice(&metric.formula), metric.key)
            }
            None => format!("null from: {}", at.span.slice(text)),
        });
    }
    if let Some(before) = &answer.previous_formatted {
        lines.push(format!("before: {before} · change: {}", change(answer, engine)));
    }
    lines.extend(answer.period.filter(|period| period.is_partial()).map(|period| {
        let [start, end, seen] =
            [period.start, period.end, period.as_of].map(|at| local(at, engine, &query.request));
        let last = end.date().yesterday().unwrap_or(end.date());
        format!("period: {} to {last}, so far until {}", start.date(), seen.strftime("%F %R"))
    }));
    lines
}

fn change(answer: &Answer, engine: &Engine) -> String {
    let zone = engine.schema().store.calendar.zone();
    let percent = Type::Quantity(Unit::PERCENT);
    let none = Value::Bool(false);
    let growth = answer.change.as_ref().unwrap_or(&none);
    value(growth, &percent, &FormatRules::default(), zone)
}

fn table(engine: &Engine, query: &PageRequest, answers: &Answers) -> Vec<String> {
    let by = query.request.by;
    let mut header: Vec<String> = by.iter().map(|unit| unit.name().to_owned()).collect();
    header.extend(answers.group_by.iter().cloned());
    header.push("value".to_owned());
    if query.request.compare.is_some() {
        header.extend(["before".to_owned(), "change".to_owned()]);
    }
    let mut rows = vec![header];
    for (index, bucket) in answers.buckets.iter().enumerate() {
        for (group, names) in answers.groups.iter().enumerate() {
            let Some(answer) = answers.get(0, index, group) else { continue };
            let mut row: Vec<String> =
                by.iter().map(|unit| label(*bucket, *unit, engine, query)).collect();
            row.extend(names.iter().map(group_name));
            row.push(answer.formatted.clone());
            if let Some(before) = &answer.previous_formatted {
                row.extend([before.clone(), change(answer, engine)]);
            }
            rows.push(row);
        }
    }
    aligned(&rows)
}

fn group_name(name: &Value) -> String {
    if name.is_missing() { "(none)".to_owned() } else { exact(name) }
}

/// A bucket by its first day, or by its month.
fn label(bucket: Period, unit: TimeUnit, engine: &Engine, query: &PageRequest) -> String {
    let start = local(bucket.start, engine, &query.request);
    let day: Date = start.date();
    match unit {
        TimeUnit::Month if day.day() == 1 => day.strftime("%Y-%m").to_string(),
        TimeUnit::Second | TimeUnit::Minute | TimeUnit::Hour => start.strftime("%F %R").to_string(),
        TimeUnit::Day
        | TimeUnit::Week
        | TimeUnit::Month
        | TimeUnit::Quarter
        | TimeUnit::Year
        | TimeUnit::Period => day.to_string(),
    }
}

/// Columns side by side, each as wide as its widest cell.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
