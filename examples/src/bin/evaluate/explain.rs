//! `--explain`: a metric with its formula and the values of what it uses.

use crate::arguments::Arguments;
use crate::console::one_line;
use crate::failure::Failure;
use crate::session::Session;
use crate::sources::Given;

/// Limit: metrics shown below the one asked for.
const MOST_LINES: usize = 200;

/// The metric, what it says about itself, and the tree of metrics it uses with their values.
pub(crate) fn explain(
    session: &Session,
    given: &Given,
    arguments: &Arguments,
    name: &str,
) -> Result<String, Failure> {
    let metric = session.metric(name)?;
    let mut out = String::new();
    let title = metric.title.as_deref().unwrap_or(&metric.key);
    out.push_str(&format!("{} ({})\n", one_line(title), one_line(&metric.key)));
    if let Some(description) = &metric.description {
        for line in description.lines() {
            out.push_str(&format!("{}\n", one_line(line)));
        }
    }
    out.push_str(&format!("type: {}\n\n", metric.ty));
    let mut lines = 0_usize;
    let mut pending = vec![(0_usize, metric.key.clone())];
    while let Some((depth, key)) = pending.pop() {
        let Some(metric) = session.engine().metric(&key) else { continue };
        lines = lines.saturating_add(1);
        if lines > MOST_LINES {
            out.push_str("…\n");
            break;
        }
        let value = session.value(given, arguments, metric)?;
        let indent = "  ".repeat(depth);
        let formula: Vec<&str> = metric.text.split_whitespace().collect();
        let formula = one_line(&formula.join(" "));
        out.push_str(&format!("{indent}{} = {}\n", one_line(&metric.key), value.for_people()));
        out.push_str(&format!("{indent}  = {formula}\n"));
        let below = metric.formula.uses.iter().rev();
        pending.extend(below.map(|key| (depth.saturating_add(1), key.clone())));
    }
    Ok(out)
}
