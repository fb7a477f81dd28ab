//! The store's metrics over a year of 25,900 and of a million orders: dashboards and questions through the API, the
//! size of their rollups, and the cost of rollups for an order.

use std::path::Path;

use benches::Failure;
use benches::store::{Effort, Subject, run};

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asks = |word: &str| arguments.iter().any(|argument| argument == word);
    let effort = if asks("--test") { Effort::ONCE } else { Effort::FULL };
    let named = Subject::NAMED.iter().filter(|(name, _)| asks(name)).map(|(_, subject)| *subject);
    let named: Vec<Subject> = named.collect();
    let all = Subject::NAMED.map(|(_, subject)| subject);
    let subjects: &[Subject] = if named.is_empty() { &all } else { &named };
    if asks("--write") && !named.is_empty() {
        return Err("the tables are written from all subjects together".into());
    }
    run(Path::new(env!("CARGO_TARGET_TMPDIR")), effort, (subjects, asks("--write")))
}
