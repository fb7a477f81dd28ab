//! `--explain`: the tree of an answer, every part with its value and its period.

use std::fmt::Write;

use quotient::calendar::{Calendar, Period};
use quotient::explain::Explanation;
use quotient::types::Reason;
use quotient::{Formula, Metric};

use crate::arguments::Arguments;
use crate::console::one_line;
use crate::failure::Failure;
use crate::labels::period_label;
use crate::session::Session;
use crate::sources::Given;

/// Columns of a label before its value stands on its own.
const LABEL_WIDTH: usize = 76;

/// What the metric says about itself, then its formula opened down to the rows.
pub(crate) fn explain(
    session: &Session,
    given: &Given,
    arguments: &Arguments,
    name: &str,
) -> Result<String, Failure> {
    let metric = session.metric(name)?;
    let formula = session.formula_of(metric)?;
    let mut out = about(metric, &formula);
    let (explanation, calendar) = session.explanation(given, arguments, &formula)?;
    let whole = explanation.period;
    if let Some(label) = whole.and_then(|period| period_label(period, period, &calendar)) {
        line(&mut out, format_args!("{label}"));
    }
    out.push('\n');
    let mut pending = vec![(0_usize, &explanation)];
    let mut lines = Vec::new();
    while let Some((depth, part)) = pending.pop() {
        lines.push(part_line(depth, part, whole, &calendar));
        pending.extend(part.children.iter().rev().map(|child| (depth.saturating_add(1), child)));
    }
    let width = lines.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let width = width.min(LABEL_WIDTH);
    for (label, value) in lines {
        line(&mut out, format_args!("{label:width$}  {value}"));
    }
    Ok(out)
}

fn part_line(
    depth: usize,
    part: &Explanation,
    whole: Option<Period>,
    calendar: &Calendar,
) -> (String, String) {
    let mut label = format!("{}{}", "  ".repeat(depth), one_line(&part.label));
    if let Some(formula) = &part.formula {
        write!(label, " = {}", one_line(formula)).ok();
    }
    let mut value = match part.null_reason {
        Some(reason) => format!("– ({})", words(reason)),
        None => one_line(&part.formatted),
    };
    let other = part.period.filter(|period| Some(*period) != whole);
    if let Some(period) = other.and_then(|period| period_label(period, period, calendar)) {
        write!(value, "   {period}").ok();
    }
    if part.repeated {
        value.push_str("   (as above)");
    }
    (label, value)
}

fn words(reason: Reason) -> String {
    reason.name().replace('_', " ")
}

fn about(metric: &Metric, formula: &Formula) -> String {
    let mut out = String::new();
    line(&mut out, format_args!("{}", one_line(metric.title.as_deref().unwrap_or(&metric.key))));
    for words in metric.description.iter().flat_map(|description| description.lines()) {
        line(&mut out, format_args!("{}", one_line(words)));
    }
    line(&mut out, format_args!("type {}", formula.ty()));
    if !formula.sources().is_empty() {
        line(&mut out, format_args!("reads {}", one_line(&formula.sources().join(", "))));
    }
    out
}

/// Adds a line; writing to a string cannot fail.
fn line(out: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(out, "{words}").ok();
}
