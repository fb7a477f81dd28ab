//! `--explain`: a metric with its formula and the values of what it uses.

use std::fmt::Write;

use quotient::Metric;

use crate::arguments::Arguments;
use crate::console::one_line;
use crate::failure::Failure;
use crate::session::Session;
use crate::sources::Given;

/// Limit: metrics shown, the one asked for included.
const MOST_METRICS: usize = 200;

/// The metric, what it says about itself, and the tree of metrics it uses with their values.
pub(crate) fn explain(
    session: &Session,
    given: &Given,
    arguments: &Arguments,
    name: &str,
) -> Result<String, Failure> {
    let metric = session.metric(name)?;
    let mut out = about(session, metric)?;
    let mut shown = 0_usize;
    let mut pending = vec![(0_usize, metric)];
    while let Some((depth, metric)) = pending.pop() {
        shown = shown.saturating_add(1);
        if shown > MOST_METRICS {
            out.push_str("…\n");
            break;
        }
        let value = session.value(given, arguments, metric)?;
        let formula: Vec<&str> = metric.formula.split_whitespace().collect();
        let formula = one_line(&formula.join(" "));
        let (key, indent) = (one_line(&metric.key), "  ".repeat(depth));
        line(&mut out, format_args!("{indent}{key}: {}", value.for_people()));
        line(&mut out, format_args!("{indent}  = {formula}"));
        if let Some(place) = &value.null_at {
            line(&mut out, format_args!("{indent}  no value since {}", one_line(place)));
        }
        let parsed = session.engine.compile(&metric.formula);
        let used = parsed.map(|formula| formula.metrics().to_vec()).unwrap_or_default();
        let below = used.iter().rev().filter_map(|key| session.engine.metric(key));
        pending.extend(below.map(|metric| (depth.saturating_add(1), metric)));
    }
    Ok(out)
}

fn about(session: &Session, metric: &Metric) -> Result<String, Failure> {
    let formula = session.formula_of(metric)?;
    let mut out = String::new();
    line(&mut out, format_args!("{}", one_line(metric.title.as_deref().unwrap_or(&metric.key))));
    for words in metric.description.iter().flat_map(|description| description.lines()) {
        line(&mut out, format_args!("{}", one_line(words)));
    }
    line(&mut out, format_args!("type {}", formula.ty()));
    if !formula.sources().is_empty() {
        line(&mut out, format_args!("reads {}", one_line(&formula.sources().join(", "))));
    }
    out.push('\n');
    Ok(out)
}

/// Adds a line; writing to a string cannot fail.
fn line(out: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(out, "{words}").ok();
}
