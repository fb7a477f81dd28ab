//! Every goal with its peers, in turns and in one run, and the table of ratios at the end.

use std::path::Path;
use std::thread::Builder;

use benches::{Failure, goals};

/// The stack size. Some peers walk a sum of a thousand terms by recursion, which without optimisation
/// needs more than the default.
const STACK_BYTES: usize = 256 << 20;

fn main() -> Result<(), Failure> {
    // Cargo's folder for files of its targets is one level below its build folder.
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let target = scratch.parent().unwrap_or(scratch);
    let run =
        move || goals::run(std::env::args().skip(1), target).map_err(|failure| failure.to_string());
    let outcome = Builder::new().stack_size(STACK_BYTES).spawn(run)?.join();
    Ok(outcome.map_err(|_panic| "a contestant panicked")??)
}
