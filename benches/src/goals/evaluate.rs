//! A compiled formula over values.

use super::line::beside;
use super::{Goal, Line, Session};
use crate::Failure;
use crate::measure::{Contestant, measure};
use crate::peers::{self, Evaluating, cel, exmex, fasteval, rhai, zen};
use crate::workloads::{self, Workload};

/// The goals of each workload; exmex and fasteval, which compute with floats, have none.
///
/// In a profile of all four together, four fifths of the engine's samples are in the interpreter loop,
/// including 64-bit arithmetic, and an eighth in the digits of quotients.
const GOALS: &[(&str, &[(&str, Goal)])] = &[
    (
        "W1",
        &[
            (zen::NAME, Goal::Faster(3.0)),
            (cel::NAME, Goal::Faster(3.0)),
            (rhai::NAME, Goal::Faster(7.0)),
            ("native rust_decimal", Goal::Within(1.0)),
        ],
    ),
    (
        "W2",
        &[
            (zen::NAME, Goal::Faster(7.0)),
            (cel::NAME, Goal::Faster(15.0)),
            ("native rust_decimal", Goal::Faster(2.5)),
        ],
    ),
    (
        "W3",
        &[
            (zen::NAME, Goal::Faster(2.5)),
            (cel::NAME, Goal::Faster(5.0)),
            (rhai::NAME, Goal::Faster(6.0)),
        ],
    ),
    (
        "W4",
        &[
            (zen::NAME, Goal::Faster(6.0)),
            (cel::NAME, Goal::Faster(15.0)),
            ("native rust_decimal", Goal::Within(1.5)),
        ],
    ),
];

pub(super) fn lines(session: &Session) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    for workload in workloads::all()? {
        let goals = GOALS.iter().find(|(name, _)| *name == workload.name);
        lines.extend(beside_peers(session, &workload, goals.map_or(&[], |(_, goals)| goals))?);
    }
    Ok(lines)
}

fn beside_peers(
    session: &Session,
    workload: &Workload,
    goals: &[(&str, Goal)],
) -> Result<Vec<Line>, Failure> {
    let ready = workload.ready()?;
    let expected = ready.answer(workload)?;
    let plan = ready.engine.plan(&[&ready.formula]).map_err(|found| format!("{found:?}"))?;
    let mut runner = ready.runner(&plan, workload)?;
    runner.run();
    if runner.number(0) != Some(expected) {
        return Err(format!("{}: the program gives {:?}", workload.name, runner.number(0)).into());
    }
    let mut contestants = vec![Contestant::new("quotient", move || {
        runner.run();
        runner.number(0)
    })];
    let others = [
        zen::evaluating(workload)?,
        cel::evaluating(workload)?,
        rhai::evaluating(workload)?,
        peers::native_decimal(workload),
        fasteval::evaluating(workload)?,
        exmex::evaluating(workload)?,
        peers::native_float(workload)?,
    ];
    for Evaluating { contestant, answer } in others {
        answer.check(expected, &format!("{}: {contestant:?}", workload.name))?;
        contestants.push(contestant);
    }
    let times = measure(&mut contestants, session.effort);
    Ok(beside(&format!("evaluate {}", workload.name), &times, goals))
}
