//! The store's metrics over a year of 25,900 and of a million orders: dashboards and questions through the API, what
//! the states behind them take, and what an order pays for them.

use std::path::Path;

use benches::Failure;
use benches::store::{Effort, run};

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asks = |word: &str| arguments.iter().any(|argument| argument == word);
    let effort = if asks("--test") { Effort::ONCE } else { Effort::FULL };
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), effort, asks("--write"))
}
