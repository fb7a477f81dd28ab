//! ClickHouse and DataFusion in a Python process that is fed statements.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use quotient::sql::{BoundValue, EachRow, Query, SqlValue, Store, StoreError};
use serde_json::{Value as Json, json};

use crate::sql::tables::Ddl;

pub(crate) const CLICKHOUSE: Ddl = Ddl {
    integer: "Nullable(Int64)",
    text: "Nullable(String)",
    boolean: "Nullable(Bool)",
    engine: " ENGINE = Memory",
    has_booleans: true,
};

pub(crate) const DATAFUSION: Ddl =
    Ddl { integer: "BIGINT", text: "VARCHAR", boolean: "BOOLEAN", engine: "", has_booleans: true };

/// The interpreter that `.ci/run` installs below the target folder.
fn interpreter() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?;
    Some(target.join("engines/bin/python")).filter(|path| path.exists())
}

/// A process that runs statements.
#[derive(Debug)]
pub(crate) struct Python {
    child: Child,
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Python {
    /// The database of a module; `None` where it is not installed.
    pub(crate) fn start(module: &str) -> Option<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("sql/serve.py");
        let mut child = Command::new(interpreter()?)
            .arg(script)
            .arg(module)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let stdin = child.stdin.take()?;
        let stdout = BufReader::new(child.stdout.take()?);
        let started = Self { child, pipes: RefCell::new((stdin, stdout)) };
        started.receive().ok().map(|_| started)
    }

    pub(crate) fn run(&self, script: &[String]) {
        self.ask(&json!({ "script": script })).expect("tables");
    }

    fn ask(&self, asked: &Json) -> Result<Vec<Vec<SqlValue>>, StoreError> {
        let sent = writeln!(self.pipes.borrow_mut().0, "{asked}");
        sent.map_err(|error| StoreError::Failed(error.to_string()))?;
        self.receive()
    }

    fn receive(&self) -> Result<Vec<Vec<SqlValue>>, StoreError> {
        let mut line = String::new();
        let read = self.pipes.borrow_mut().1.read_line(&mut line);
        let failed = || StoreError::Failed(format!("no answer: {line}"));
        let answer: Json =
            read.ok().and_then(|_| serde_json::from_str(&line).ok()).ok_or_else(failed)?;
        if let Some(error) = answer.get("error").and_then(Json::as_str) {
            return Err(if error.to_lowercase().contains("overflow") {
                StoreError::OutOfRange
            } else {
                StoreError::Failed(error.to_owned())
            });
        }
        let rows = answer.get("rows").and_then(Json::as_array).ok_or_else(failed)?;
        rows.iter()
            .map(|row| row.as_array().ok_or_else(failed)?.iter().map(cell).collect())
            .collect()
    }
}

fn cell(json: &Json) -> Result<SqlValue, StoreError> {
    Ok(match json {
        Json::Null => SqlValue::Null,
        Json::Bool(truth) => SqlValue::Bool(*truth),
        Json::Number(number) => SqlValue::Integer(number.as_i64().ok_or(StoreError::OutOfRange)?),
        Json::String(text) => SqlValue::Text(text.clone()),
        Json::Array(_) | Json::Object(_) => return Err(StoreError::OutOfRange),
    })
}

impl Store for Python {
    fn query(&self, query: &Query, each: &mut EachRow<'_>) -> Result<(), StoreError> {
        let values: Vec<Json> = query
            .values
            .iter()
            .map(|value| match value {
                BoundValue::Integer(value) => json!(value),
                BoundValue::Text(text) => json!(text),
            })
            .collect();
        let rows = self.ask(&json!({ "text": query.text, "values": values }))?;
        rows.iter().try_for_each(|row| each(row))
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
