//! The shared parts of the benchmarks: workloads of one value each, and the fixture stores.
//!
//! Only public items of the engine are used, so that a benchmark measures what a program gets. An
//! unreadable file or an invalid formula stops a benchmark before it measures anything.

pub mod atoms;
pub mod batch;
pub mod goals;
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

/// The error of a benchmark.
pub type Failure = Box<dyn std::error::Error>;

/// Configures few and short samples, so that all benchmarks together take less than two minutes.
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args()
}

/// Returns the first error among findings; warnings are ignored.
fn all_sound(name: &str, findings: &[&Diagnostic]) -> Result<(), Failure> {
    match findings.iter().find(|finding| finding.is_error()) {
        Some(finding) => Err(format!("{name}: {}: {}", finding.code, finding.message).into()),
        None => Ok(()),
    }
}
