//! `--explain`: the tree of an answer, each part with its value and its period.

use std::fmt::Write;

use quotient::calendar::{Calendar, Period};
use quotient::explain::Explanation;
use quotient::format::{self, FormatRules};
use quotient::types::{Type, Unit, Value};
use quotient::{Formula, Metric};
use serde_json::json;

use crate::arguments::Arguments;
use crate::console::one_line;
use crate::decompose::{json_value, people};
use crate::failure::Failure;
use crate::labels::period_label;
use crate::output::Format;
use crate::session::{Session, refused};
use crate::sources::InputData;

/// Limit of the width of labels: values are aligned up to here.
const LABEL_WIDTH: usize = 76;
/// Limit of the width of values: remarks are aligned up to here.
const VALUE_WIDTH: usize = 24;
/// In front of the last part of a part.
const LAST: &str = "└─ ";

/// The description of the metric, then its formula expanded down to the rows.
pub(crate) fn explain(
    session: &Session,
    input: &InputData,
    arguments: &Arguments,
    name: &str,
) -> Result<String, Failure> {
    let metric = session.metric(name)?;
    let (formula, found) = session.formula_of(metric)?;
    let found = input.found_with(found.beside(arguments.output.format));
    let request = session.request(arguments)?;
    let explanation = session.engine.explain(&formula, input.inputs(), &request);
    let explanation = explanation.map_err(|findings| refused(&findings))?;
    if arguments.output.format == Format::Json {
        return Ok(crate::json::pretty(&found.beneath(json(&explanation))));
    }
    let calendar = session.calendar(arguments)?;
    let mut out = about(metric, &formula);
    let whole = explanation.period;
    if let Some(label) = whole.and_then(|period| period_label(period, period, &calendar)) {
        writeln!(out, "{label}").ok();
    }
    out.push('\n');
    let mut lines = Vec::new();
    let mut pending = vec![(String::new(), "", &explanation)];
    while let Some((stem, branch, part)) = pending.pop() {
        lines.push(part_line(&format!("{stem}{branch}"), part, whole, &calendar));
        // Below a last branch there is no stem.
        let stem = match branch {
            "" => stem,
            LAST => format!("{stem}   "),
            _ => format!("{stem}│  "),
        };
        let last = part.children.len().saturating_sub(1);
        for (index, child) in part.children.iter().enumerate().rev() {
            let branch = if index == last { LAST } else { "├─ " };
            pending.push((stem.clone(), branch, child));
        }
    }
    let width = |column: fn(&Line) -> &String| {
        lines.iter().map(|line| column(line).chars().count()).max().unwrap_or(0)
    };
    let (label_width, value_width) =
        (width(|line| &line.label).min(LABEL_WIDTH), width(|line| &line.value).min(VALUE_WIDTH));
    for Line { label, value, remark } in &lines {
        let text = format!("{label:label_width$}  {value:>value_width$}  {remark}");
        writeln!(out, "{}", text.trim_end()).ok();
    }
    Ok(out)
}

/// One part of the tree.
struct Line {
    label: String,
    value: String,
    /// Rows, another period, or that it was opened above.
    remark: String,
}

fn part_line(stem: &str, part: &Explanation, whole: Option<Period>, calendar: &Calendar) -> Line {
    let mut label = format!("{stem}{}", one_line(&part.label));
    if let Some(formula) = &part.formula {
        write!(label, " = {}", one_line(formula)).ok();
    }
    let value = people(&part.value, &part.formatted);
    let mut remarks = Vec::new();
    if part.repeated {
        remarks.push("as above".to_owned());
    } else if let Some(rows) = &part.rows {
        remarks.push(format!("{} of {}", counted(rows.count), rows.source));
    }
    let other = part.period.filter(|period| Some(*period) != whole);
    remarks.extend(other.and_then(|period| period_label(period, period, calendar)));
    Line { label, value, remark: remarks.join(", ") }
}

/// How many rows: `1 row`, `2,040 rows`.
fn counted(rows: u64) -> String {
    let ty = Type::Quantity(Unit::count("rows"));
    let zone = jiff::tz::TimeZone::UTC;
    let count = format::value(&Value::Number(rows.into()), &ty, &FormatRules::default(), &zone);
    if rows == 1 { format!("{count} row") } else { format!("{count} rows") }
}

fn json(part: &Explanation) -> serde_json::Value {
    json!({
        "part": part.label,
        "formula": part.formula,
        "definition": part.definition,
        "type": part.ty.to_string(),
        "answer": json_value(&part.value, &part.formatted),
        "period": part.period.map(|period| json!({
            "start": period.start.to_string(),
            "end": period.end.to_string(),
            "as_of": period.as_of.to_string(),
        })),
        "rows": part.rows.as_ref().map(|rows| json!({ "source": rows.source, "count": rows.count })),
        "repeated": part.repeated,
        "parts": part.children.iter().map(json).collect::<Vec<_>>(),
    })
}

fn about(metric: &Metric, formula: &Formula) -> String {
    let mut out = String::new();
    writeln!(out, "{}", one_line(metric.title.as_deref().unwrap_or(&metric.key))).ok();
    for words in metric.description.iter().flat_map(|description| description.lines()) {
        writeln!(out, "{}", one_line(words)).ok();
    }
    writeln!(out, "type {}", formula.ty()).ok();
    if !formula.sources().is_empty() {
        writeln!(out, "reads {}", one_line(&formula.sources().join(", "))).ok();
    }
    out
}
