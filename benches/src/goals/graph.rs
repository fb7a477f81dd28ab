//! Metrics that use each other, in graphs of a thousand and of ten thousand.

use std::time::Duration;

use quotient::graph::MetricGraph;

use super::line::beside;
use super::{Goal, Line, Session};
use crate::Failure;
use crate::layers::{EDITS, Edit, close_cycle, layered, rejects_a_cycle};
use crate::measure::{Contestant, Effort, Times, measure};

const SMALL: usize = 1_000;
const LARGE: usize = 10_000;

/// The goal of an edit in a graph with ten times the metrics: its time depends on what it affects. Only
/// the look-up of a key grows with the graph.
const GROWTH: Goal = Goal::Within(2.0);

pub(super) fn lines(session: &Session) -> Result<Vec<Line>, Failure> {
    let (mut small, mut large) = (layered(SMALL)?, layered(LARGE)?);
    rejects_a_cycle(&mut large)?;
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
    let cycle = alone(session.effort, || close_cycle(&mut large));
    lines.push(Line::time("cycle rejected", &cycle, Goal::Under(Duration::from_millis(1))));
    Ok(lines)
}

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
