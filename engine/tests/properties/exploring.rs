//! How many random cases are tried: few by default, or as many values as requested.

use std::cell::Cell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::str::FromStr;
use std::time::Instant;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// The default number of values that the full form compares.
const EVALUATIONS: usize = 1_000_000;

/// The number of cases between two checks of the count.
const CHUNK: u32 = 100;

/// A number from the environment.
fn setting<T: FromStr>(name: &str) -> Option<T> {
    std::env::var_os(name)?.to_str()?.parse().ok()
}

/// Tries this many cases, or with `QUOTIENT_FULL_TESTS` until `QUOTIENT_EVALUATIONS` values, starting
/// with `QUOTIENT_SEED` if that is set. `check` returns the number of compared values, or the difference.
pub(crate) fn explore<S: Strategy>(
    name: &str,
    strategy: &S,
    short: u32,
    check: impl Fn(&S::Value) -> Result<usize, String>,
) {
    let seed =
        setting("QUOTIENT_SEED").unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let evaluations = std::env::var_os("QUOTIENT_FULL_TESTS")
        .map(|_| setting("QUOTIENT_EVALUATIONS").unwrap_or(EVALUATIONS));
    let config = ProptestConfig {
        cases: evaluations.map_or(short, |_| CHUNK),
        failure_persistence: None,
        max_local_rejects: u32::MAX,
        max_shrink_iters: 1_000,
        ..ProptestConfig::default()
    };
    let bytes: Vec<u8> = seed.to_le_bytes().into_iter().cycle().take(32).collect();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut seeds = TestRunner::new_with_rng(config.clone(), rng);
    let (compared, began) = (Cell::new(0_usize), Instant::now());
    loop {
        // A runner counts its cases over all its runs.
        let mut runner = TestRunner::new_with_rng(config.clone(), seeds.new_rng());
        let outcome = runner.run(strategy, |case| {
            let more = check(&case).map_err(TestCaseError::fail)?;
            compared.set(compared.get() + more);
            Ok(())
        });
        match outcome {
            Err(TestError::Fail(reason, _)) => panic!("{name}, QUOTIENT_SEED={seed}:\n{reason}"),
            Err(error) => panic!("{name}, QUOTIENT_SEED={seed}: {error}"),
            Ok(()) if evaluations.is_none_or(|wanted| compared.get() >= wanted) => break,
            Ok(()) => {}
        }
    }
    if evaluations.is_some() {
        told(name, seed, compared.get(), began);
    }
}

#[expect(clippy::print_stderr, reason = "whoever runs the full form wants to know what it did")]
fn told(name: &str, seed: u64, compared: usize, began: Instant) {
    let seconds = began.elapsed().as_secs();
    eprintln!("{name}: {compared} values compared in {seconds} s, QUOTIENT_SEED={seed}");
}
