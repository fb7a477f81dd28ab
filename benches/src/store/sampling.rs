//! Samples of processor and wall-clock times, taken in rounds: one of each contestant after the other, so that other load
//! slows all of them.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

use std::time::{Duration, Instant};

use crate::Failure;
use crate::measure::Times;

/// The times of one sample.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sample {
    calls: u32,
    cpu: Duration,
    wall: Duration,
}

impl Sample {
    /// Creates a sample of this many calls.
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
        let mut sample = Self::default();
        loop {
            before()?;
            let called = Instant::now();
            call()?;
            sample.wall = sample.wall.saturating_add(called.elapsed());
            sample.calls = sample.calls.saturating_add(1);
            sample.cpu = cpu()?.saturating_sub(used);
            if sample.cpu >= least || start.elapsed() >= least.saturating_mul(10) {
                return Ok(sample);
            }
        }
    }

    fn nanoseconds(self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e9 / f64::from(self.calls.max(1))
    }
}

/// A contestant whose calls are measured in samples.
pub(super) struct Sampler<'a> {
    name: &'static str,
    sample: Box<dyn FnMut() -> Result<Sample, Failure> + 'a>,
}

impl std::fmt::Debug for Sampler<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Sampler").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Sampler<'a> {
    /// Creates a sampler with a name.
    pub(super) fn new(
        name: &'static str,
        sample: impl FnMut() -> Result<Sample, Failure> + 'a,
    ) -> Self {
        Self { name, sample: Box::new(sample) }
    }
}

/// The times of a contestant per call.
#[derive(Debug, Clone)]
pub(super) struct SampledTimes {
    /// Processor times.
    pub(super) cpu: Times,
    /// Wall-clock times.
    pub(super) wall: Times,
}

/// Takes a sample of each in every round. The times are in the order of the samplers.
///
/// # Errors
/// The error of a sampler.
pub(super) fn take_samples(
    samplers: &mut [Sampler<'_>],
    rounds: u32,
) -> Result<Vec<SampledTimes>, Failure> {
    let mut all: Vec<(Vec<f64>, Vec<f64>)> = samplers.iter().map(|_| Default::default()).collect();
    for _ in 0..rounds {
        for (sampler, (cpu, wall)) in samplers.iter_mut().zip(&mut all) {
            let sample = (sampler.sample)()?;
            cpu.push(sample.nanoseconds(sample.cpu));
            wall.push(sample.nanoseconds(sample.wall));
        }
    }
    let times = samplers.iter().zip(all).map(|(sampler, (cpu, wall))| SampledTimes {
        cpu: Times::new(sampler.name, cpu),
        wall: Times::new(sampler.name, wall),
    });
    Ok(times.collect())
}
