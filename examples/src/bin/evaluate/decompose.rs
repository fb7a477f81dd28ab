//! `--decompose`: what each input contributes to a change.

use quotient::explain::{ChangeKind, DecomposeError, Decomposition, Method, Scope};
use quotient::format::exact;
use quotient::number;
use quotient::types::Value;
use quotient::{Formula, Metric, Request};
use serde_json::json;

use crate::arguments::Arguments;
use crate::baseline;
use crate::columns::{Side, columns};
use crate::console::one_line;
use crate::failure::Failure;
use crate::labels::{period_label, signed};
use crate::output::Format;
use crate::session::{Session, refused};
use crate::sources::InputData;

/// The change of a metric and its parts.
pub(crate) fn decompose(
    session: &Session,
    input: &InputData,
    arguments: &Arguments,
    name: &str,
) -> Result<String, Failure> {
    let metric = session.metric(name)?;
    let (formula, found) = session.formula_of(metric)?;
    let found = input.found_with(found.beside(arguments.output.format));
    let to = session.request(arguments)?;
    let from = baseline::request(session, arguments, &to)?;
    let split = split(session, input, arguments, (&formula, &from, &to))?;
    if arguments.output.format != Format::Json {
        return table(session, arguments, metric, &split);
    }
    let exactly = |request| {
        let answers = session.engine.evaluate(&[&formula], input.inputs(), request);
        let answers = answers.map_err(|findings| refused(&findings))?;
        let answer = answers.first().map(|answer| answer.value.clone());
        Ok(answer.filter(|value| !value.is_missing()))
    };
    let whole = json(metric, &split, (exactly(&from)?, exactly(&to)?));
    Ok(crate::json::pretty(&found.beneath(whole)))
}

fn split(
    session: &Session,
    input: &InputData,
    arguments: &Arguments,
    (formula, from, to): (&Formula, &Request, &Request),
) -> Result<Decomposition, Failure> {
    let inputs = input.inputs();
    let (before, after) = (Scope { inputs, request: from }, Scope { inputs, request: to });
    let levels = arguments.depth;
    session.engine.decompose(formula, (&before, &after), levels).map_err(|error| {
        if let DecomposeError::Refused(findings) = &error {
            return refused(findings);
        }
        Failure::usage(&error.to_string(), None)
    })
}

fn table(
    session: &Session,
    arguments: &Arguments,
    metric: &Metric,
    split: &Decomposition,
) -> Result<String, Failure> {
    let calendar = session.calendar(arguments)?;
    let title = one_line(metric.title.as_deref().unwrap_or(&metric.key));
    let mut out = format!("{title} = {}\n", one_line(&metric.formula));
    let mut rows = Vec::new();
    for (word, side) in [("from", &split.from), ("to", &split.to)] {
        let label = side.period.and_then(|period| period_label(period, period, &calendar));
        let label = label.unwrap_or_default();
        rows.push(vec![word.to_owned(), people(&side.value, &side.formatted), label]);
    }
    rows.push(vec![
        "change".to_owned(),
        signed(&split.change, people(&split.change, &split.change_formatted)),
        String::new(),
    ]);
    out.push_str(&columns(&rows, &[Side::Left, Side::Right, Side::Left]));
    out.push('\n');
    let mut rows: Vec<Vec<String>> =
        vec![["Input", "From", "To", "Adds", "Of the change"].map(str::to_owned).to_vec()];
    let mut parts: Vec<_> = split.contributions.iter().collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.amount.as_number().map(|n| n.abs())));
    for part in parts {
        rows.push(vec![
            format!("{}{}", one_line(&part.label), state(part.presence)),
            people(&part.from.value, &part.from.formatted),
            people(&part.to.value, &part.to.formatted),
            signed(&part.amount, people(&part.amount, &part.formatted)),
            crate::labels::percent(&part.share, &calendar).unwrap_or_default(),
        ]);
    }
    let sides = [Side::Left, Side::Right, Side::Right, Side::Right, Side::Right];
    out.push_str(&columns(&rows, &sides));
    out.push_str(match split.method {
        Method::EveryOrder => "",
        Method::SomeOrders => {
            "\nMore than ten inputs changed: some orders of change were averaged.\n"
        }
        Method::None(_) => "\nThe change cannot be split: a value on the way is null.\n",
    });
    Ok(out)
}

fn state(presence: ChangeKind) -> &'static str {
    match presence {
        ChangeKind::Unchanged => " (unchanged)",
        ChangeKind::Changed => "",
        ChangeKind::Appeared => " (new)",
        ChangeKind::Vanished => " (gone)",
    }
}

/// For people, nulls too: `– (no rows)`.
pub(crate) fn people(value: &Value, formatted: &str) -> String {
    match value.as_missing() {
        Some(missing) => format!("– ({})", missing.reason.name().replace('_', " ")),
        None => one_line(formatted),
    }
}

/// The amounts are rounded for display so that they add up; `unrounded` has the exact values.
fn json(
    metric: &Metric,
    split: &Decomposition,
    (from, to): (Option<Value>, Option<Value>),
) -> serde_json::Value {
    let change = || {
        let (from, to) = (from.as_ref()?.as_number()?, to.as_ref()?.as_number()?);
        number::subtract(to, from).ok().map(Value::Number)
    };
    let parts: Vec<_> = split
        .contributions
        .iter()
        .map(|part| {
            json!({
                "input": part.label,
                "formula": part.formula,
                "type": part.ty.to_string(),
                "from": json_value(&part.from.value, &part.from.formatted),
                "to": json_value(&part.to.value, &part.to.formatted),
                "amount": json_value(&part.amount, &part.formatted),
                "share": part.share.as_number().map(|_| exact(&part.share)),
            })
        })
        .collect();
    json!({
        "metric": metric.key,
        "type": split.ty.to_string(),
        "from": json_value(&split.from.value, &split.from.formatted),
        "to": json_value(&split.to.value, &split.to.formatted),
        "change": json_value(&split.change, &split.change_formatted),
        "unrounded": {
            "from": from.as_ref().map(exact),
            "to": to.as_ref().map(exact),
            "change": change().as_ref().map(exact),
        },
        "method": match split.method {
            Method::EveryOrder => "every_order",
            Method::SomeOrders => "some_orders",
            Method::None(_) => "none",
        },
        "contributions": parts,
    })
}

/// A value as exact text, with its formatted form.
pub(crate) fn json_value(value: &Value, formatted: &str) -> serde_json::Value {
    match value.as_missing() {
        Some(missing) => json!({ "value": null, "null_reason": missing.reason.name() }),
        None => json!({ "value": exact(value), "formatted": formatted }),
    }
}
