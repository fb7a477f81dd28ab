//! Lineage: the metrics that a metric uses, and those that use it.

use crate::database::Word as _;
use crate::http::ToSchema;
use std::collections::BTreeSet;

use quotient::Formula;
use quotient::graph::UseKinds;
use quotient::registry::RegisteredMetric;
use serde::Serialize;

use super::metric::Metric;
use super::number;
use crate::RegistrySnapshot;

/// A metric or placeholder that another metric uses.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "met_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "aov", "name": "Average order value", "state": "active", "uses": [],
    "repeated": false, "children": []
}))]
pub(crate) struct DependencyView {
    /// The metric's id; none for a placeholder.
    id: Option<String>,
    /// The name in formulas.
    key: String,
    name: String,
    /// The lifecycle state; none for a placeholder.
    state: Option<&'static str>,
    /// How the parent uses it: `value`, `window`, `condition`. Empty at the root.
    uses: Vec<&'static str>,
    /// Whether it occurs earlier in the tree; its children are listed there.
    repeated: bool,
    /// The metrics and placeholders that it uses.
    #[schema(no_recursion)]
    children: Vec<Self>,
}

/// A metric that uses another.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "met_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "key": "aov", "name": "Average order value", "state": "active", "depth": 1,
    "uses": ["value"]
}))]
pub(crate) struct DependentView {
    /// The metric's id.
    id: String,
    /// The name in formulas.
    key: String,
    name: String,
    /// The lifecycle state.
    state: &'static str,
    /// The depth: 1 if its own formula names the metric, 2 if one of its metrics does, and so on.
    depth: usize,
    /// How it uses its input: `value`, `window`, `condition`.
    uses: Vec<&'static str>,
}

fn words(kinds: UseKinds) -> Vec<&'static str> {
    [(kinds.value, "value"), (kinds.window, "window"), (kinds.condition, "condition")]
        .into_iter()
        .filter_map(|(is_so, word)| is_so.then_some(word))
        .collect()
}

/// Returns whether a viewer may see a metric: private ones are visible to their owner only.
pub(crate) fn is_visible(metric: &Metric, viewer: &str) -> bool {
    !metric.is_private() || metric.owner_id.as_deref() == Some(viewer)
}

/// Returns the keys of the metrics that a metric's formula names, even for a removed metric.
pub(crate) fn named(snapshot: &RegistrySnapshot, metric: &Metric) -> Vec<String> {
    let registry = snapshot.registry();
    if let Ok(uses) = registry.graph().uses(&metric.key) {
        return uses.into_iter().map(|used| used.key.to_owned()).collect();
    }
    let version = registry.by_id(number(metric.seq)).and_then(RegisteredMetric::version);
    let references = version.map(|version| version.references.iter()).unwrap_or_default();
    let keys: BTreeSet<&str> = references
        .filter_map(|reference| registry.by_id(reference.metric))
        .map(|used| used.definition.key.as_str())
        .collect();
    keys.into_iter().map(str::to_owned).collect()
}

/// Returns the tree of metrics and placeholders that a metric uses, with the metric itself as root.
pub(crate) fn tree(snapshot: &RegistrySnapshot, metric: &Metric) -> DependencyView {
    let branches = snapshot.registry().graph().tree(&metric.key).unwrap_or_default();
    // Nodes whose children are not complete yet, each below the previous one.
    let mut open: Vec<(usize, DependencyView)> = Vec::new();
    for branch in branches {
        while open.last().is_some_and(|(depth, _)| *depth >= branch.depth) {
            close(&mut open);
        }
        let view = match snapshot.stored(branch.key) {
            Some(found) => DependencyView {
                uses: if branch.depth == 0 { Vec::new() } else { words(branch.kinds) },
                repeated: branch.repeated,
                ..view(snapshot, found, !branch.repeated)
            },
            None => continue,
        };
        open.push((branch.depth, view));
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map_or_else(|| view(snapshot, metric, true), |(_, top)| top)
}

fn close(open: &mut Vec<(usize, DependencyView)>) {
    if let Some((_, done)) = open.pop()
        && let Some((_, above)) = open.last_mut()
    {
        above.children.push(done);
    }
}

/// Creates the view of a metric with the placeholders of its formula, without its metrics.
fn view(snapshot: &RegistrySnapshot, metric: &Metric, is_expanded: bool) -> DependencyView {
    let leaf = |key: &str| DependencyView {
        id: None,
        key: key.to_owned(),
        name: key.to_owned(),
        state: None,
        uses: vec!["value"],
        repeated: false,
        children: Vec::new(),
    };
    let inputs = if is_expanded { placeholders(snapshot, metric) } else { BTreeSet::new() };
    DependencyView {
        id: Some(metric.id.to_string()),
        key: metric.key.clone(),
        name: metric.name.clone(),
        state: Some(metric.state.as_str()),
        uses: Vec::new(),
        repeated: false,
        children: inputs.iter().map(|key| leaf(key)).collect(),
    }
}

/// Returns the inputs that a formula names directly, without those of its metrics.
pub(crate) fn named_inputs(formula: &Formula) -> impl Iterator<Item = &String> {
    let is_named = |input: &str| {
        let mut words =
            formula.text().split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        words.any(|word| word.eq_ignore_ascii_case(input))
    };
    formula.inputs().iter().filter(move |input| is_named(input))
}

/// Returns the placeholders that a formula names directly.
fn placeholders(snapshot: &RegistrySnapshot, metric: &Metric) -> BTreeSet<String> {
    let Ok(formula) = snapshot.engine().compiled(&metric.formula) else { return BTreeSet::new() };
    named_inputs(&formula)
        .filter(|key| {
            snapshot.schema().placeholder(key).is_some() || snapshot.schema().input(key).is_some()
        })
        .cloned()
        .collect()
}

/// Returns the metrics that use a metric, directly or not, and that the viewer sees, the nearest first.
pub(crate) fn dependents(
    snapshot: &RegistrySnapshot,
    metric: &Metric,
    viewer: &str,
) -> Vec<DependentView> {
    let reached = snapshot.registry().graph().dependents(&metric.key).unwrap_or_default();
    reached
        .into_iter()
        .filter_map(|reached| {
            let metric =
                snapshot.metric(reached.key).filter(|metric| is_visible(metric, viewer))?;
            Some(DependentView {
                id: metric.id.to_string(),
                key: metric.key.clone(),
                name: metric.name.clone(),
                state: metric.state.as_str(),
                depth: reached.depth,
                uses: words(reached.kinds),
            })
        })
        .collect()
}
