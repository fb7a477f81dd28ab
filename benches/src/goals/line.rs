//! A line of the table: what was to be reached, and what was.

use std::time::Duration;

use crate::measure::{Spread, Times};

/// What is to be reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// The peer takes at least this many times as long.
    Faster(f64),
    /// It takes at most this many times what the peer takes.
    Within(f64),
    /// One takes less than this, whatever others take.
    Under(Duration),
    /// Shown for comparison.
    Shown,
}

/// One measurement beside one peer, or by itself.
#[derive(Debug, Clone)]
pub struct Line {
    /// What was done.
    pub what: String,
    /// Beside whom.
    pub against: String,
    /// What is to be reached.
    pub goal: Goal,
    /// What was reached, unless the peer is not on this machine.
    pub measured: Option<Measured>,
}

/// A ratio or a time, with the times behind it in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// What the goal is compared with.
    pub reached: Spread,
    /// The engine's own median.
    pub ours: f64,
    /// The peer's.
    pub theirs: Option<f64>,
}

impl Line {
    /// A ratio of two contestants who took turns.
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

    /// A time by itself.
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

    /// A peer that is not there.
    pub fn absent(what: &str, against: &str, goal: Goal) -> Self {
        Self { what: what.to_owned(), against: against.to_owned(), goal, measured: None }
    }

    /// Whether the goal was reached, where there is one and something was measured.
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

/// The lines of one measurement: the first contestant is the engine, and `goals` says what it is to
/// reach beside the others by their names. Those without a goal are shown.
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
