//! The HTTP API from outside: processor time of the server per call, with 1, 8 and 64 connections, over
//! the demo store; its memory, startup time and binary size.

use std::path::Path;

use benches::Failure;
use benches::server::{Effort, run};

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asks = |word: &str| arguments.iter().any(|argument| argument == word);
    let effort = if asks("--test") { Effort::ONCE } else { Effort::FULL };
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), effort, asks("--write"))
}
