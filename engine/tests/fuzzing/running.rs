//! Bytes as a random seed: of a store, formulas over it, and requests.

use std::cell::OnceCell;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use crate::model::agreement::{Case, cases, compared};

thread_local! {
    /// The generator of cases, which takes longer to build than a case.
    static CASES: OnceCell<BoxedStrategy<Case>> = const { OnceCell::new() };
}

/// All bytes in 32.
fn seed(bytes: &[u8]) -> [u8; 32] {
    let mut seed = [0_u8; 32];
    for chunk in bytes.chunks(32) {
        for (own, byte) in seed.iter_mut().zip(chunk) {
            *own = own.rotate_left(3) ^ *byte;
        }
    }
    seed
}

/// Any formula over any rows has the value of the model.
pub(super) fn check_and_run(bytes: &[u8]) {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed(bytes));
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let made = CASES.with(|made| made.get_or_init(|| cases(2, 2, 1)).new_tree(&mut runner));
    let case = made.unwrap_or_else(|reason| panic!("no case: {reason}")).current();
    let (engine, data) = case.engine();
    for query in &case.requests {
        if let Err(differs) = compared(&case, (&engine, &data), query) {
            panic!("{differs}\n{}", case.store);
        }
    }
}
