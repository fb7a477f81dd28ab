//! A PostgreSQL cluster in a temporary folder, on a socket in that folder.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use postgres::types::{ToSql, Type};
use postgres::{Client, NoTls};
use quotient::sql::{BoundValue, EachRow, Query, SqlValue, Store, StoreError};

use crate::sql::tables::Ddl;

pub(crate) const DDL: Ddl =
    Ddl { integer: "bigint", text: "text", boolean: "boolean", engine: "", has_booleans: true };

/// The folder of the newest binaries.
fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<PathBuf> = versions
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists() && bin.join("pg_ctl").exists())
        .collect();
    found.sort();
    found.pop()
}

/// A running cluster, stopped and removed when dropped.
pub(crate) struct PostgreSql {
    binaries: PathBuf,
    folder: PathBuf,
    client: RefCell<Option<Client>>,
}

impl std::fmt::Debug for PostgreSql {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PostgreSql").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl PostgreSql {
    /// A new cluster; `None` where the binaries are missing or do not run.
    pub(crate) fn start() -> Option<Self> {
        let binaries = binaries()?;
        let folder =
            std::env::temp_dir().join(format!("quotient-postgresql-{}", std::process::id()));
        std::fs::create_dir_all(&folder).ok()?;
        let cluster = Self { binaries, folder, client: RefCell::new(None) };
        if is_root() && !quiet(Command::new("chown").arg("postgres").arg(&cluster.folder)) {
            return None;
        }
        let data = cluster.folder.join("data");
        let made = cluster.command(
            "initdb",
            &["-D", &text(&data), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"],
        );
        let options = format!("-k {} -c listen_addresses= -c fsync=off", text(&cluster.folder));
        let log = text(&cluster.folder.join("log"));
        let started = made
            && cluster.command(
                "pg_ctl",
                &["-D", &text(&data), "-w", "-l", &log, "-o", &options, "start"],
            );
        if !started {
            return None;
        }
        let address = format!("host={} user=postgres dbname=postgres", text(&cluster.folder));
        let client = Client::connect(&address, NoTls).ok()?;
        *cluster.client.borrow_mut() = Some(client);
        Some(cluster)
    }

    /// Empties the database and fills it again.
    pub(crate) fn run(&self, script: &[String]) {
        let mut client = self.client.borrow_mut();
        let client = client.as_mut().expect("a connection");
        client
            .batch_execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            .expect("no tables");
        for statement in script {
            client.batch_execute(statement).unwrap_or_else(|error| panic!("{error}: {statement}"));
        }
    }

    /// Runs a binary; if root, as another user, since the server refuses to run as root.
    fn command(&self, name: &str, arguments: &[&str]) -> bool {
        let binary = self.binaries.join(name);
        if !is_root() {
            return quiet(Command::new(binary).args(arguments));
        }
        quiet(
            Command::new("setpriv")
                .args(["--reuid=postgres", "--regid=postgres", "--clear-groups"])
                .arg(binary)
                .args(arguments)
                .current_dir(&self.folder),
        )
    }
}

impl Drop for PostgreSql {
    fn drop(&mut self) {
        drop(self.client.borrow_mut().take());
        let data = text(&self.folder.join("data"));
        self.command("pg_ctl", &["-D", &data, "-m", "immediate", "-w", "stop"]);
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn is_root() -> bool {
    let user = Command::new("id").arg("-u").output();
    user.is_ok_and(|user| user.stdout.trim_ascii() == b"0")
}

fn quiet(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn failed(error: &postgres::Error) -> StoreError {
    let text =
        error.as_db_error().map_or_else(|| error.to_string(), |error| error.message().to_owned());
    if text.contains("out of range") { StoreError::OutOfRange } else { StoreError::Failed(text) }
}

impl Store for PostgreSql {
    fn query(&self, query: &Query, each: &mut EachRow<'_>) -> Result<(), StoreError> {
        let mut client = self.client.borrow_mut();
        let client = client.as_mut().expect("a connection");
        let values: Vec<&(dyn ToSql + Sync)> = query
            .values
            .iter()
            .map(|value| -> &(dyn ToSql + Sync) {
                match value {
                    BoundValue::Integer(value) => value,
                    BoundValue::Text(text) => text,
                }
            })
            .collect();
        let rows = client.query(&query.text, &values).map_err(|error| failed(&error))?;
        let cell = |row: &postgres::Row, index: usize, kind: &Type| {
            let found = match *kind {
                Type::INT8 => {
                    row.try_get::<_, Option<i64>>(index).map(|cell| cell.map(SqlValue::Integer))
                }
                Type::INT4 => row
                    .try_get::<_, Option<i32>>(index)
                    .map(|cell| cell.map(|it| SqlValue::Integer(it.into()))),
                Type::BOOL => {
                    row.try_get::<_, Option<bool>>(index).map(|cell| cell.map(SqlValue::Bool))
                }
                _ => row.try_get::<_, Option<String>>(index).map(|cell| cell.map(SqlValue::Text)),
            };
            found.map(|cell| cell.unwrap_or(SqlValue::Null)).map_err(|error| failed(&error))
        };
        rows.iter().try_for_each(|row| {
            let columns = row.columns().iter().enumerate();
            let cells = columns.map(|(index, column)| cell(row, index, column.type_()));
            each(&cells.collect::<Result<Vec<_>, _>>()?)
        })
    }
}
