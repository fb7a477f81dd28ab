//! Answers of the engine as the rows of a report.

use quotient::calendar::{Calendar, Period};
use quotient::engine::{Breakdown, NullAt};
use quotient::format;
use quotient::types::{Type, Unit, Value};
use quotient::{Answer, Answers, Request};

use crate::labels::{bucket_label, known_period, label, period_label, unit_label, wall_clock};
use crate::report::{Cell, FormattedValue, Heading, Origin, Report, Row};
use crate::session::{Column, Session};

impl Session {
    /// The answers to the request, as rows.
    pub(crate) fn report(
        &self,
        columns: Vec<Column>,
        breakdown: &Breakdown,
        request: &Request,
    ) -> Report {
        let answers = &breakdown.answers;
        let store = &self.engine.schema().store.calendar;
        let zone = request.timezone.as_deref().and_then(|zone| store.clone().in_zone(zone).ok());
        let calendar = zone.unwrap_or_else(|| store.clone());
        let mut rows = Vec::new();
        for (group_index, (group, kind)) in answers.groups.iter().zip(&breakdown.kinds).enumerate()
        {
            for (bucket_index, bucket) in answers.buckets.iter().enumerate() {
                let cell = |(index, column): (usize, &Column)| {
                    let answer = answers.get(index, bucket_index, group_index);
                    answer.map(|answer| self.cell(column, answer, &calendar)).unwrap_or_default()
                };
                rows.push(Row {
                    kind: *kind,
                    group: group.iter().map(|value| label(value, &calendar)).collect(),
                    bucket: request.by.map(|unit| bucket_label(&calendar, unit, *bucket)),
                    cells: columns.iter().enumerate().map(cell).collect(),
                });
            }
        }
        let whole = whole_period(answers, columns.len());
        let heading = |(index, column): (usize, Column)| {
            // Converted to another currency, or by its declared type, an answer does not have the
            // formula's type.
            let ty = answers.of(index).first().map_or_else(|| column.formula.ty(), |own| &own.ty);
            Heading { ty: ty.to_string(), unit: unit_label(ty), ..column.heading }
        };
        Report {
            period: whole.and_then(|(first, last)| period_label(first, last, &calendar)),
            whole: whole.and_then(|(first, last)| {
                known_period(Period { start: first.start, ..last }, &calendar)
            }),
            timezone: calendar.zone_name().to_owned(),
            metrics: columns.into_iter().enumerate().map(heading).collect(),
            group_names: answers.group_by.clone(),
            has_buckets: request.by.is_some(),
            is_compared: request.compare.is_some(),
            is_incomplete: false,
            inputs_used: answers.inputs_used.clone(),
            missing_inputs: answers.missing_inputs.clone(),
            diagnostics: Vec::new(),
            rows,
        }
    }

    fn cell(&self, column: &Column, answer: &Answer, calendar: &Calendar) -> Cell {
        let percent = Type::Quantity(Unit::PERCENT);
        let previous = answer.previous.as_ref();
        // Only numbers change by so much.
        let change = answer.change.as_ref().filter(|_| answer.ty.unit().is_some());
        let partial = answer.period.filter(|period| period.is_partial());
        Cell {
            value: formatted_value(&answer.value, answer.formatted.clone()),
            currency: answer.currency.clone(),
            as_of: partial.map(|period| wall_clock(period.as_of, calendar)),
            period: answer.period.and_then(|period| known_period(period, calendar)),
            is_inexact: !answer.exact,
            null_at: answer.null_at.as_ref().and_then(|at| self.origin(column, at)),
            previous: previous.map(|value| {
                formatted_value(value, answer.previous_formatted.clone().unwrap_or_default())
            }),
            change: change.map(|value| {
                let rules = format::FormatRules::default();
                formatted_value(value, format::value(value, &percent, &rules, calendar.zone()))
            }),
        }
    }

    /// The part of a formula in which a null arose.
    fn origin(&self, column: &Column, at: &NullAt) -> Option<Origin> {
        let metric = at.metric.as_deref();
        let text = match metric {
            Some(key) => &self.engine.metric(key)?.formula,
            None => column.formula.text(),
        };
        let words: Vec<&str> = at.span.slice(text).split_whitespace().collect();
        Some(Origin {
            metric: metric.map(str::to_owned),
            start: at.span.start,
            end: at.span.end,
            text: words.join(" "),
        })
    }
}

/// The first and the last period, and until when the last is completely known.
fn whole_period(answers: &Answers, formulas: usize) -> Option<(Period, Period)> {
    let (first, last) = answers.buckets.first().zip(answers.buckets.last())?;
    let bucket = answers.buckets.len().checked_sub(1)?;
    let ends = (0..formulas).filter_map(|formula| answers.get(formula, bucket, 0)?.period);
    let as_of = ends.map(|period| period.as_of).min().unwrap_or(last.as_of);
    Some((*first, last.seen_at(as_of)))
}

fn formatted_value(value: &Value, formatted: String) -> FormattedValue {
    let missing = value.as_missing();
    FormattedValue {
        formatted,
        exact: missing.map_or_else(|| format::exact(value), |_| String::new()),
        value: Some(value.clone()),
        number: value.as_number(),
        null_reason: missing.map(|missing| missing.reason.name().to_owned()),
    }
}
