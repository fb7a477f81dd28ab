//! What the benchmarks share: workloads of one value each, and the fixture stores.
//!
//! Only the engine's public face is used here, so that a benchmark measures what a program gets.
//! What cannot be read or does not check stops a benchmark before it measures anything.

pub mod batch;
pub mod goals;
pub mod kept;
pub mod layers;
pub mod measure;
mod native;
pub mod peers;
pub mod rows;
pub mod server;
pub mod store;
pub mod stores;
pub mod workloads;
pub mod year;

use std::time::Duration;

use criterion::Criterion;
use quotient::diagnostics::Diagnostic;

/// Why a benchmark cannot start.
pub type Failure = Box<dyn std::error::Error>;

/// Few samples and short ones, so that all benchmarks together take less than two minutes.
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args()
}

/// Stops at the first error among findings; warnings do not matter.
fn all_sound(name: &str, findings: &[&Diagnostic]) -> Result<(), Failure> {
    match findings.iter().find(|finding| finding.is_error()) {
        Some(finding) => Err(format!("{name}: {}: {}", finding.code, finding.message).into()),
        None => Ok(()),
    }
}
