//! Every goal beside its peers, in turns and in one run, and the table of ratios at the end.

use std::path::Path;

use benches::Failure;

fn main() -> Result<(), Failure> {
    // Cargo tells where its targets may keep files: one folder below what it builds into.
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    benches::goals::run(std::env::args().skip(1), scratch.parent().unwrap_or(scratch))
}
