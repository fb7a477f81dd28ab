//! Polars and DuckDB, in a Python process that runs a query on request.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;

use crate::Failure;
use crate::measure::Contestant;

/// The interpreter below the target folder; `README.md` tells how to install it.
const PYTHON: &str = "peers/bin/python";
/// The script with formulas over the rows of `src/rows.rs`; its argument is the number of rows.
pub const COLUMNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/columns_peers.py");
/// The script with queries over the rows of a store; its arguments are the file and the end of its
/// year.
pub const STORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/store_peers.py");

/// Polars on floats. The names are those of the script.
pub const POLARS_FLOAT: &str = "polars f64";
/// Polars on decimals, which round ties to even.
pub const POLARS_DECIMAL: &str = "polars Decimal";
/// DuckDB on decimals, which it divides as floats.
pub const DUCKDB: &str = "duckdb DECIMAL";
/// All peers.
pub const ALL: [&str; 3] = [POLARS_FLOAT, POLARS_DECIMAL, DUCKDB];

/// Returns versions such as "polars 2.1.0"; empty if the peers are not on this machine.
pub fn versions(target: &Path) -> Vec<String> {
    let python = Python::start(target, COLUMNS, &["1"]).ok().flatten();
    python.map(|python| python.versions).unwrap_or_default()
}

/// The running script.
#[derive(Debug)]
pub struct Python {
    process: Rc<RefCell<Process>>,
    versions: Vec<String>,
    answers: BTreeMap<String, String>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Python {
    /// Starts a script; `None` if its packages are not installed.
    pub fn start(target: &Path, script: &str, arguments: &[&str]) -> Result<Option<Self>, Failure> {
        let python = target.join(PYTHON);
        if !python.exists() {
            return Ok(None);
        }
        let mut command = Command::new(python);
        command.arg(script).args(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("a program without input")?;
        let output = child.stdout.take().ok_or("a program without output")?;
        let mut process = Process { child, input, output: BufReader::new(output).lines() };
        let Some(hello) = process.line()? else { return Ok(None) };
        let versions = hello.get("versions").and_then(Value::as_array);
        let versions = versions.into_iter().flatten().filter_map(Value::as_str);
        let answers = hello.get("answers").and_then(Value::as_object).into_iter().flatten();
        let answers =
            answers.filter_map(|(key, text)| Some((key.clone(), text.as_str()?.to_owned())));
        Ok(Some(Self {
            versions: versions.map(str::to_owned).collect(),
            answers: answers.collect(),
            process: Rc::new(RefCell::new(process)),
        }))
    }

    /// Creates the contestant of a peer and a query of the script.
    pub fn contestant(&self, peer: &'static str, query: &str) -> Contestant<'static> {
        let (process, line) = (Rc::clone(&self.process), format!("{peer} {query}"));
        Contestant::reporting(peer, move |calls| {
            let mut process = process.borrow_mut();
            let time = |_| process.run(&line).unwrap_or(Duration::MAX);
            (0..calls).map(time).fold(Duration::ZERO, Duration::saturating_add)
        })
    }

    /// Runs a query by a peer and returns its time.
    ///
    /// # Errors
    /// If the process has ended.
    pub fn time(&self, peer: &str, query: &str) -> Result<Duration, Failure> {
        let time = self.process.borrow_mut().run(&format!("{peer} {query}"));
        time.ok_or_else(|| format!("{peer} has ended").into())
    }

    /// Returns the answer of a peer to a query, as text.
    pub fn answer(&self, peer: &str, query: &str) -> Result<&str, Failure> {
        let answer = self.answers.get(&format!("{peer} {query}"));
        answer.map(String::as_str).ok_or_else(|| format!("{peer} did not answer {query}").into())
    }
}

impl Process {
    /// Returns the next line; `None` if the process has ended, as it does without its packages.
    fn line(&mut self) -> Result<Option<Value>, Failure> {
        let Some(line) = self.output.next() else { return Ok(None) };
        Ok(Some(serde_json::from_str(&line?)?))
    }

    fn run(&mut self, line: &str) -> Option<Duration> {
        writeln!(self.input, "{line}").ok()?;
        let nanoseconds = self.line().ok()??.as_u64()?;
        Some(Duration::from_nanos(nanoseconds))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process ends with its input; this only makes sure of it.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
