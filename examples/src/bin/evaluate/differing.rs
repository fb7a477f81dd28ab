//! `--diff`: the difference of two answers, cause by cause.

use quotient::explain::{Diff, DiffError, FormulaRequest, diff};
use serde_json::json;

use crate::arguments::Arguments;
use crate::baseline;
use crate::columns::{Side, columns};
use crate::console::one_line;
use crate::decompose::{json_value, people};
use crate::failure::Failure;
use crate::files;
use crate::labels::signed;
use crate::output::Format;
use crate::session::{Session, refused};
use crate::sources::{self, InputData};

/// The answer of a metric with that of the baseline.
pub(crate) fn differing(
    session: &Session,
    input: &InputData,
    arguments: &Arguments,
    name: &str,
) -> Result<String, Failure> {
    let metric = session.metric(name)?;
    let key = format!("[{}]", metric.key);
    // An older file reads the same rows in its own way.
    let older = arguments
        .baseline_file
        .as_ref()
        .map(|file| {
            let older = Session::open(files::load(file)?);
            older.demand_sound()?;
            older.metric(&metric.key)?;
            let rows = sources::read(&older, arguments)?;
            Ok::<_, Failure>((older, rows))
        })
        .transpose()?;
    let (first, rows) = older.as_ref().map_or((session, input), |(older, rows)| (older, rows));
    let to = session.request(arguments)?;
    let from = baseline::request(session, arguments, &to)?;
    let before = FormulaRequest {
        engine: &first.engine,
        formula: &key,
        inputs: rows.inputs(),
        request: &from,
    };
    let after = FormulaRequest {
        engine: &session.engine,
        formula: &key,
        inputs: input.inputs(),
        request: &to,
    };
    let found = diff(&before, &after).map_err(|error| match error {
        DiffError::Refused(findings) => refused(&findings),
        other @ DiffError::Unlike(..) => Failure::usage(&other.to_string(), None),
    })?;
    let title = one_line(metric.title.as_deref().unwrap_or(&metric.key));
    Ok(if arguments.output.format == Format::Json {
        let whole = json(&metric.key, &found);
        crate::json::pretty(&input.found.clone().beneath(whole))
    } else {
        table(&title, &found)
    })
}

fn table(title: &str, found: &Diff) -> String {
    let mut rows = vec![vec![
        title.to_owned(),
        String::new(),
        String::new(),
        people(&found.from.value, &found.from.formatted),
    ]];
    if let Some(restated) = &found.restated {
        rows.push(vec![
            "in the other currency".to_owned(),
            String::new(),
            String::new(),
            one_line(restated),
        ]);
    }
    for step in &found.steps {
        let last = step.causes.len().saturating_sub(1);
        for (index, (cause, was, is)) in step.causes.iter().enumerate() {
            let (amount, after) = if index == last {
                (signed(&step.amount, people(&step.amount, &step.formatted)), one_line(&step.after))
            } else {
                (String::new(), String::new())
            };
            let words = format!("{} → {}", one_line(was), one_line(is));
            rows.push(vec![format!("  {}", cause.name()), words, amount, after]);
        }
    }
    rows.push(vec![
        "change".to_owned(),
        String::new(),
        signed(&found.change, people(&found.change, &found.formatted)),
        String::new(),
    ]);
    columns(&rows, &[Side::Left, Side::Left, Side::Right, Side::Right])
}

fn json(key: &str, found: &Diff) -> serde_json::Value {
    let steps: Vec<_> = found
        .steps
        .iter()
        .map(|step| {
            let causes: Vec<_> = step
                .causes
                .iter()
                .map(|(cause, was, is)| json!({ "cause": cause.name(), "from": was, "to": is }))
                .collect();
            json!({ "causes": causes, "amount": json_value(&step.amount, &step.formatted), "after": step.after })
        })
        .collect();
    json!({
        "metric": key,
        "type": found.ty.to_string(),
        "from": json_value(&found.from.value, &found.from.formatted),
        "restated": found.restated,
        "to": json_value(&found.to.value, &found.to.formatted),
        "change": json_value(&found.change, &found.formatted),
        "steps": steps,
    })
}
