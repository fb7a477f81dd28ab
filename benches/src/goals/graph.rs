//! Metrics that use each other, in graphs of a thousand and of ten thousand.

use std::time::Duration;

use quotient::graph::{GraphError, MetricGraph, UseKinds};

use super::line::beside;
use super::{Goal, Line, Session};
use crate::Failure;
use crate::measure::{Contestant, Effort, Times, measure};

/// Each layer's metrics use three of the layer below.
const LAYER: usize = 100;
const SMALL: usize = 1_000;
const LARGE: usize = 10_000;

/// An edit takes the time of what it affects: ten times the metrics, the same edit. What grows with
/// the graph is finding a key among the others.
const GROWTH: Goal = Goal::Within(2.0);

pub(super) fn lines(session: &Session) -> Result<Vec<Line>, Failure> {
    let (mut small, mut large) = (layered(SMALL)?, layered(LARGE)?);
    refuses_a_circle(&mut large)?;
    let mut lines = Vec::new();
    for (what, edit) in EDITS {
        edit(&mut large, false)?;
        let mut contestants = [
            editing("10,000 metrics", &mut large, *edit),
            editing("1,000 metrics", &mut small, *edit),
        ];
        let times = measure(&mut contestants, session.effort);
        lines.extend(beside(what, &times, &[("1,000 metrics", GROWTH)]));
    }
    let order = alone(session.effort, || large.order().len());
    lines.push(Line::time("order of all", &order, Goal::Under(Duration::from_millis(10))));
    let circle = alone(session.effort, || close_circle(&mut large));
    lines.push(Line::time("circle refused", &circle, Goal::Under(Duration::from_millis(1))));
    Ok(lines)
}

type Edit = fn(&mut MetricGraph, bool) -> Result<(), GraphError>;

/// What is done again and again, one way and the other; each leaves the graph as large as it was.
const EDITS: &[(&str, Edit)] = &[
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

fn editing<'g>(name: &'static str, graph: &'g mut MetricGraph, edit: Edit) -> Contestant<'g> {
    let mut other = false;
    Contestant::new(name, move || {
        other = !other;
        edit(graph, other).is_ok()
    })
}

fn alone<T>(effort: Effort, call: impl FnMut() -> T) -> Times {
    let mut contestant = [Contestant::new("10,000 metrics", call)];
    measure(&mut contestant, effort).swap_remove(0)
}

fn layered(count: usize) -> Result<MetricGraph, GraphError> {
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

/// The top of the graph is to be used at its bottom.
fn close_circle(graph: &mut MetricGraph) -> Result<(), GraphError> {
    graph.replace("m0", &[("m9999", UseKinds::VALUE)])
}

fn refuses_a_circle(graph: &mut MetricGraph) -> Result<(), Failure> {
    let Err(GraphError::Circle(path)) = close_circle(graph) else {
        return Err("a circle through the whole graph is not refused".into());
    };
    let ends = path.first().zip(path.last());
    if ends.is_none_or(|(first, last)| first != "m0" || last != "m0") || path.len() < 3 {
        return Err(format!("the circle is told as {path:?}").into());
    }
    Ok(())
}
