//! Times of responses.

#![expect(clippy::float_arithmetic, reason = "times are measurements, not money")]

use std::time::Duration;

pub(super) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Returns the 99th percentile.
pub(super) fn p99(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let place = sorted.len().saturating_mul(99) / 100;
    sorted.get(place).or(sorted.last()).copied().unwrap_or_default()
}
