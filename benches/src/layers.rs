//! Metrics that use each other, layer above layer, and edits of them.

use quotient::graph::{GraphError, MetricGraph, UseKinds};

use crate::Failure;

/// The number of metrics of a layer, each of which uses three of the layer below.
const LAYER: usize = 100;

/// An edit, forwards or backwards.
pub type Edit = fn(&mut MetricGraph, bool) -> Result<(), GraphError>;

/// The edits, repeated forwards and backwards; each leaves the size of the graph unchanged.
pub const EDITS: &[(&str, Edit)] = &[
    ("insert and remove", |graph, _| {
        graph.insert("fresh", &[("m900", UseKinds::VALUE), ("m450", UseKinds::VALUE)])?;
        graph.remove("fresh")
    }),
    ("replace, in order", |graph, other| {
        let used = if other { "m310" } else { "m320" };
        graph.replace("m450", &[("m350", UseKinds::VALUE), (used, UseKinds::VALUE)])
    }),
    ("replace, reordering", |graph, other| {
        let (user, used) = if other { ("m450", "m451") } else { ("m451", "m450") };
        graph.replace(used, &[("m350", UseKinds::VALUE)])?;
        graph.replace(user, &[("m350", UseKinds::VALUE), (used, UseKinds::VALUE)])
    }),
];

/// Creates a graph of `count` metrics, with numbers as keys.
pub fn layered(count: usize) -> Result<MetricGraph, GraphError> {
    let mut graph = MetricGraph::new();
    for index in 0..count {
        let below = [0, 1, 37].into_iter().filter_map(|beside| {
            index.checked_sub(LAYER)?.checked_sub(beside).map(|used| format!("m{used}"))
        });
        let below: Vec<String> = below.collect();
        let uses: Vec<_> = below.iter().map(|used| (used.as_str(), UseKinds::VALUE)).collect();
        graph.insert(&format!("m{index}"), &uses)?;
    }
    Ok(graph)
}

/// Tries to use the top of the graph at its bottom.
pub fn close_cycle(graph: &mut MetricGraph) -> Result<(), GraphError> {
    graph.replace("m0", &[("m9999", UseKinds::VALUE)])
}

/// Checks that a cycle is refused, with its path.
pub fn rejects_a_cycle(graph: &mut MetricGraph) -> Result<(), Failure> {
    let Err(GraphError::Cycle(path)) = close_cycle(graph) else {
        return Err("a cycle through the whole graph is not rejected".into());
    };
    let ends = path.first().zip(path.last());
    if ends.is_none_or(|(first, last)| first != "m0" || last != "m0") || path.len() < 3 {
        return Err(format!("the cycle is reported as {path:?}").into());
    }
    Ok(())
}
