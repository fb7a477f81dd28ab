//! The goals, each with the peers it is compared with: the end of `cargo bench`.
//!
//! A file for each subject defines its measurements and goals; `line` compares, `report` prints,
//! `machine` describes the machine. Start at [`run`].

mod cache;
mod columns;
mod compile;
mod evaluate;
mod graph;
mod line;
pub(crate) mod machine;
pub(crate) mod report;
mod rollups;

use std::path::{Path, PathBuf};

use crate::Failure;
use crate::measure::Effort;

pub use line::{Goal, Line, Measured};

/// The parsed arguments of the benchmark.
#[derive(Debug, Clone, Default)]
struct Options {
    /// One call each and no times, for `cargo bench -- --test`.
    testing: bool,
    /// Whether to write the table into `benches/README.md`.
    writing: bool,
    /// Only lines whose name contains this.
    filter: Option<String>,
}

/// The settings of all subjects.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// How long to measure.
    pub(crate) effort: Effort,
    /// Whether only answers matter, not times.
    pub(crate) testing: bool,
    /// The folder that Cargo builds into, where the Python peers are installed.
    pub(crate) target: PathBuf,
}

/// Measures every goal with its peers and prints the table.
///
/// The arguments are those of a criterion benchmark as far as they apply: `--test`, and a word to
/// filter by. `--write` puts the table into `benches/README.md`. The Python peers are looked for
/// below `target`.
pub fn run(arguments: impl Iterator<Item = String>, target: &Path) -> Result<(), Failure> {
    let options = options(arguments);
    let effort = if options.testing { Effort::ONCE } else { Effort::FULL };
    let session = Session { effort, testing: options.testing, target: target.to_owned() };
    let wanted =
        |name: &str| options.filter.as_ref().is_none_or(|word| name.contains(word.as_str()));
    let (mut lines, mut failures) = (Vec::new(), Vec::new());
    for (name, subject) in SUBJECTS.iter().filter(|(name, _)| wanted(name)) {
        match subject(&session) {
            Ok(found) => lines.extend(found),
            Err(failure) => failures.push(format!("{name}: {failure}")),
        }
    }
    if options.testing {
        report::tested(&lines);
    } else {
        let machine = machine::describe(&session.target)?;
        report::print(&lines, &machine);
        if options.writing && failures.is_empty() {
            report::write(&lines, &machine)?;
        }
    }
    // A wrong answer is not a measurement: the others are printed, and the run fails.
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

type Subject = fn(&Session) -> Result<Vec<Line>, Failure>;

/// The subjects in the order of the table.
const SUBJECTS: &[(&str, Subject)] = &[
    ("compile", compile::lines),
    ("evaluate", evaluate::lines),
    ("columns", columns::lines),
    ("graph", graph::lines),
    ("cache", cache::lines),
    ("rollups", rollups::lines),
];

fn options(arguments: impl Iterator<Item = String>) -> Options {
    let mut options = Options::default();
    for argument in arguments {
        match argument.as_str() {
            "--test" => options.testing = true,
            "--write" => options.writing = true,
            word if !word.starts_with('-') => options.filter = Some(word.to_owned()),
            _ => {}
        }
    }
    options
}
