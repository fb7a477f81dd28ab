//! Turns: the processor and wall-clock times of each player, in rounds.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

use std::time::{Duration, Instant};

use crate::Failure;
use crate::measure::Times;

/// The times of one turn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turn {
    calls: u32,
    cpu: Duration,
    wall: Duration,
}

impl Turn {
    /// Creates a turn of this many calls.
    pub(super) const fn new(calls: u32, cpu: Duration, wall: Duration) -> Self {
        Self { calls, cpu, wall }
    }

    /// Repeats a call until `least` processor time was used, or ten times as long has passed by the wall clock. `cpu`
    /// returns the processor time used so far; `before` runs before each call and is not part of the wall-clock time.
    pub(super) fn of(
        least: Duration,
        cpu: impl Fn() -> Result<Duration, Failure>,
        mut before: impl FnMut() -> Result<(), Failure>,
        mut call: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let (start, used) = (Instant::now(), cpu()?);
        let mut turn = Self::default();
        loop {
            before()?;
            let called = Instant::now();
            call()?;
            turn.wall = turn.wall.saturating_add(called.elapsed());
            turn.calls = turn.calls.saturating_add(1);
            turn.cpu = cpu()?.saturating_sub(used);
            if turn.cpu >= least || start.elapsed() >= least.saturating_mul(10) {
                return Ok(turn);
            }
        }
    }

    fn nanoseconds(self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e9 / f64::from(self.calls.max(1))
    }
}

/// A contestant that takes turns.
pub(super) struct Player<'a> {
    name: &'static str,
    turn: Box<dyn FnMut() -> Result<Turn, Failure> + 'a>,
}

impl std::fmt::Debug for Player<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Player").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Player<'a> {
    /// Creates a player with a name.
    pub(super) fn new(
        name: &'static str,
        turn: impl FnMut() -> Result<Turn, Failure> + 'a,
    ) -> Self {
        Self { name, turn: Box::new(turn) }
    }
}

/// The times of a player per call.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    /// Processor times.
    pub(super) cpu: Times,
    /// Wall-clock times.
    pub(super) wall: Times,
}

/// Lets the players take turns. The times are in their order.
///
/// # Errors
/// The error of a player.
pub(super) fn take_turns(players: &mut [Player<'_>], rounds: u32) -> Result<Vec<Taken>, Failure> {
    let mut all: Vec<(Vec<f64>, Vec<f64>)> = players.iter().map(|_| Default::default()).collect();
    for _ in 0..rounds {
        for (player, (cpu, wall)) in players.iter_mut().zip(&mut all) {
            let turn = (player.turn)()?;
            cpu.push(turn.nanoseconds(turn.cpu));
            wall.push(turn.nanoseconds(turn.wall));
        }
    }
    let taken = players.iter().zip(all).map(|(player, (cpu, wall))| Taken {
        cpu: Times::new(player.name, cpu),
        wall: Times::new(player.name, wall),
    });
    Ok(taken.collect())
}
