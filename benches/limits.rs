//! The server at its limits: ten thousand open connections, and five times its capacity.

use std::path::Path;

use benches::Failure;
use benches::server::limits::{Extent, run};

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asks = |word: &str| arguments.iter().any(|argument| argument == word);
    let extent = if asks("--test") { Extent::SMALL } else { Extent::FULL };
    let asks_all = !asks("connections") && !asks("overload");
    run(
        Path::new(env!("CARGO_TARGET_TMPDIR")),
        extent,
        (asks_all || asks("connections"), asks_all || asks("overload")),
    )
}
