//! Compilation: text to a checked formula.

use super::line::beside;
use super::{Goal, Line, Session};
use crate::Failure;
use crate::measure::{Contestant, measure};
use crate::peers::{cel, exmex, fasteval, rhai, zen};
use crate::workloads::{self, Workload};

/// The goals. `rhai` and the others check no types and no units, and resolve no names.
const GOALS: &[(&str, Goal)] = &[(cel::NAME, Goal::Faster(4.0)), (rhai::NAME, Goal::Within(1.5))];

/// The largest growth of the time per character, for a text a hundred times as long.
const GROWTH: f64 = 1.2;

pub(super) fn lines(session: &Session) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    for workload in workloads::single_values()? {
        lines.extend(beside_peers(session, &workload)?);
    }
    lines.extend(growing(session)?);
    lines.extend(met_again(session)?);
    Ok(lines)
}

fn beside_peers(session: &Session, workload: &Workload) -> Result<Vec<Line>, Failure> {
    let ready = workload.ready()?;
    let text = &workload.texts.quotient;
    let mut contestants = vec![
        Contestant::new("quotient", || ready.engine.compile(text).is_ok()),
        cel::compiling(workload)?,
        rhai::compiling(workload)?,
        zen::compiling(workload)?,
        fasteval::compiling(workload)?,
        exmex::compiling(workload)?,
        Contestant::new("quotient, with its plan", || {
            ready.engine.compile(text).is_ok_and(|formula| ready.engine.plan(&[&formula]).is_ok())
        }),
    ];
    let times = measure(&mut contestants, session.effort);
    Ok(beside(&format!("compile {}", workload.name), &times, GOALS))
}

/// Measures a text that was compiled before, compared with the fastest compiler of W3.
fn met_again(session: &Session) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    for workload in workloads::single_values()? {
        let (ready, text) = (workload.ready()?, &workload.texts.quotient);
        let mut contestants = [
            Contestant::new("quotient", || ready.engine.compiled(text).is_ok()),
            zen::compiling(&workload)?,
        ];
        let times = measure(&mut contestants, session.effort);
        let goal = if workload.name == "W3" { Goal::Faster(5.0) } else { Goal::Shown };
        lines.extend(beside(&format!("{} again", workload.name), &times, &[(zen::NAME, goal)]));
    }
    Ok(lines)
}

/// Measures sums of ten, a hundred and a thousand products, in time per character.
fn growing(session: &Session) -> Result<Vec<Line>, Failure> {
    let ready: Result<Vec<_>, Failure> = workloads::sums()
        .into_iter()
        .map(|(terms, workload)| Ok((terms, workload.ready()?, workload.texts.quotient)))
        .collect();
    let ready = ready?;
    let mut contestants = Vec::new();
    for (terms, ready, text) in &ready {
        let name = if *terms == 10 { "the same at 1×" } else { "quotient" };
        let length = u32::try_from(text.len())?;
        contestants.push(Contestant::new(name, || ready.engine.compile(text).is_ok()).of(length));
    }
    let times = measure(&mut contestants, session.effort);
    let [short, rest @ ..] = times.as_slice() else { return Ok(Vec::new()) };
    let line = |(times, growth): (_, &str)| {
        Line::ratio(
            &format!("compile W4, {growth} the length, a character"),
            (times, short),
            Goal::Within(GROWTH),
        )
    };
    Ok(rest.iter().zip(["10×", "100×"]).map(line).collect())
}
