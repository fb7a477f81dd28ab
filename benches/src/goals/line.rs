//! A line of the table: a goal and a measurement.

use std::time::Duration;

use crate::measure::{Spread, Times};

/// A goal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// The peer takes at least this many times as long as the engine.
    Faster(f64),
    /// The engine takes at most this many times as long as the peer.
    Within(f64),
    /// The engine takes less than this.
    Under(Duration),
    /// None; the line is for comparison.
    Shown,
}

/// A measurement, compared with one peer or on its own.
#[derive(Debug, Clone)]
pub struct Line {
    /// The work that was measured.
    pub what: String,
    /// The peer.
    pub against: String,
    /// A goal.
    pub goal: Goal,
    /// The measurement; `None` if the peer is not on this machine.
    pub measured: Option<Measured>,
}

/// A ratio or a time, with its times in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// The value that the goal applies to.
    pub reached: Spread,
    /// The median of the engine.
    pub ours: f64,
    /// The median of the peer.
    pub theirs: Option<f64>,
}

impl Line {
    /// Creates a line with the ratio of two contestants.
    pub fn ratio(what: &str, (ours, theirs): (&Times, &Times), goal: Goal) -> Self {
        let reached = match goal {
            Goal::Within(_) => Spread::ratio(ours, theirs),
            Goal::Faster(_) | Goal::Shown | Goal::Under(_) => Spread::ratio(theirs, ours),
        };
        let measured = Measured { reached, ours: ours.median(), theirs: Some(theirs.median()) };
        Self {
            what: what.to_owned(),
            against: theirs.name.to_owned(),
            goal,
            measured: Some(measured),
        }
    }

    /// Creates a line with a time.
    pub fn time(what: &str, times: &Times, goal: Goal) -> Self {
        let measured =
            Measured { reached: Spread::time(times), ours: times.median(), theirs: None };
        Self {
            what: what.to_owned(),
            against: times.name.to_owned(),
            goal,
            measured: Some(measured),
        }
    }

    /// Creates a line for a peer that is not installed.
    pub fn absent(what: &str, against: &str, goal: Goal) -> Self {
        Self { what: what.to_owned(), against: against.to_owned(), goal, measured: None }
    }

    /// Returns whether the goal was reached; `None` without a goal or a measurement.
    pub fn is_met(&self) -> Option<bool> {
        let reached = self.measured?.reached.median;
        match self.goal {
            Goal::Faster(times) => Some(reached >= times),
            Goal::Within(times) => Some(reached <= times),
            Goal::Under(time) => Some(reached < nanoseconds(time)),
            Goal::Shown => None,
        }
    }
}

/// Returns the lines of one measurement. The first contestant is the engine; `goals` has its goals by
/// the names of the others. A peer without a goal gets a line for comparison.
pub(crate) fn beside(what: &str, times: &[Times], goals: &[(&str, Goal)]) -> Vec<Line> {
    let Some((ours, others)) = times.split_first() else { return Vec::new() };
    let goal_of = |name| goals.iter().find(|(peer, _)| *peer == name).map(|(_, goal)| *goal);
    let line = |theirs: &Times| {
        Line::ratio(what, (ours, theirs), goal_of(theirs.name).unwrap_or(Goal::Shown))
    };
    others.iter().map(line).collect()
}

#[expect(clippy::float_arithmetic, reason = "a time is a measurement, not money")]
fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}
