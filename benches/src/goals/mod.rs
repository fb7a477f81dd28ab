//! The goals, each with the peers it is measured beside: what `cargo bench` ends with.
//!
//! A file for each subject says what is measured and what is to be reached; `line`
//! judges, `report` prints, `machine` says where it was. Start at [`run`].

mod cache;
mod columns;
mod compile;
mod evaluate;
mod graph;
mod line;
pub(crate) mod machine;
pub(crate) mod report;
mod states;

use std::path::{Path, PathBuf};

use crate::Failure;
use crate::measure::Effort;

pub use line::{Goal, Line, Measured};

/// What the arguments of the benchmark ask for.
#[derive(Debug, Clone, Default)]
struct Asked {
    /// One call each and no times: what `cargo bench -- --test` wants.
    testing: bool,
    /// Put the table into `benches/README.md`.
    writing: bool,
    /// Only lines whose name holds this.
    filter: Option<String>,
}

/// What every subject needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// How long to measure.
    pub(crate) effort: Effort,
    /// Whether answers matter and times do not.
    pub(crate) testing: bool,
    /// The folder that Cargo builds into, where the Python peers are installed.
    pub(crate) target: PathBuf,
}

/// Measures every goal beside its peers and prints the table.
///
/// The arguments are those of a criterion benchmark as far as they make sense here: `--test`, and
/// a word to filter by. `--write` puts the table into `benches/README.md`. The Python peers are
/// looked for below `target`.
pub fn run(arguments: impl Iterator<Item = String>, target: &Path) -> Result<(), Failure> {
    let asked = asked(arguments);
    let effort = if asked.testing { Effort::ONCE } else { Effort::FULL };
    let session = Session { effort, testing: asked.testing, target: target.to_owned() };
    let wanted = |name: &str| asked.filter.as_ref().is_none_or(|word| name.contains(word.as_str()));
    let (mut lines, mut failures) = (Vec::new(), Vec::new());
    for (name, subject) in SUBJECTS.iter().filter(|(name, _)| wanted(name)) {
        match subject(&session) {
            Ok(found) => lines.extend(found),
            Err(failure) => failures.push(format!("{name}: {failure}")),
        }
    }
    if asked.testing {
        report::tested(&lines);
    } else {
        let machine = machine::describe(&session.target)?;
        report::print(&lines, &machine);
        if asked.writing && failures.is_empty() {
            report::write(&lines, &machine)?;
        }
    }
    // A wrong answer is no measurement: the others are shown, and the run fails.
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

type Subject = fn(&Session) -> Result<Vec<Line>, Failure>;

/// In the order of the table.
const SUBJECTS: &[(&str, Subject)] = &[
    ("compile", compile::lines),
    ("evaluate", evaluate::lines),
    ("columns", columns::lines),
    ("graph", graph::lines),
    ("cache", cache::lines),
    ("states", states::lines),
];

fn asked(arguments: impl Iterator<Item = String>) -> Asked {
    let mut asked = Asked::default();
    for argument in arguments {
        match argument.as_str() {
            "--test" => asked.testing = true,
            "--write" => asked.writing = true,
            word if !word.starts_with('-') => asked.filter = Some(word.to_owned()),
            _ => {}
        }
    }
    asked
}
