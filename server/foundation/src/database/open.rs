//! Opens connections, sets their pragmas, and checks the file after a failure.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::statements::Statements;
use super::{Error, Options, checkpoint, functions};

/// Limit: the write-ahead log is truncated to this size after a checkpoint, in bytes.
const JOURNAL_MAX_BYTES: i64 = 64 * 1_024 * 1_024;

/// Deleted or replaced content is overwritten in pages that are written anyway.
pub(super) const SECURE_DELETE: &str = "fast";

/// Limit: cached prepared statements per connection.
const STATEMENT_CACHE_LEN: usize = 512;

/// Opens a connection with the settings that all connections share.
pub(super) fn connect(options: &Options, flags: OpenFlags) -> Result<Connection, Error> {
    #[expect(clippy::disallowed_methods, reason = "the only place that opens the database")]
    let connection =
        Connection::open_with_flags(&options.path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(Duration::from_millis(options.busy_timeout_ms))?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_LEN);
    // Otherwise a statement whose plan might depend on bound values is prepared again for each run.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    functions::add(&connection)?;
    Ok(connection)
}

/// Opens the write connection. With `synchronous=FULL`, acknowledged writes survive a power loss.
pub(super) fn writing(options: &Options) -> Result<Connection, Error> {
    private_file(&options.path)?;
    let mut connection =
        connect(options, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    let cache_kib = i64::from(options.writer_cache_kib);
    connection.pragma_update(None, "cache_size", cache_kib.saturating_neg())?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "secure_delete", SECURE_DELETE)?;
    connection.pragma_update(None, "journal_size_limit", JOURNAL_MAX_BYTES)?;
    checkpoint::follow(&mut connection, options)?;
    Ok(connection)
}

/// Opens a read-only connection. Its page cache has SQLite's default size: a pragma would read the whole schema, which
/// the first statement does anyway, and which a spare connection never needs.
pub(super) fn reading(
    options: &Options,
    recorder: Option<&Statements>,
) -> Result<Connection, Error> {
    let mut connection = connect(options, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "query_only", true)?;
    // Not for the writer: its statement journal would be a list in memory whose end SQLite searches after every
    // statement, so that writing twice the rows took four times as long.
    connection.pragma_update(None, "temp_store", "memory")?;
    recorder.map_or(Ok(()), |statements| statements.follow(&mut connection))?;
    Ok(connection)
}

/// Creates the file readable by its owner only, on systems with file owners.
#[cfg(unix)]
pub(super) fn private_file(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::OpenOptionsExt as _;

    let created = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    match created {
        Ok(_file) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(Error::File { path: path.to_path_buf(), cause: error }),
    }
}

/// Rejects a file that every user of the machine can read or write.
#[cfg(unix)]
pub(super) fn check_private(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;

    /// The permission bits of users other than the owner and its group.
    const OTHERS: u32 = 0o007;

    match std::fs::metadata(path) {
        Ok(file) if file.permissions().mode() & OTHERS != 0 => {
            Err(Error::Exposed(path.to_path_buf()))
        }
        // A missing file is created private.
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(not(unix))]
pub(super) fn check_private(_path: &Path) -> Result<(), Error> {
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn private_file(_path: &Path) -> Result<(), Error> {
    Ok(())
}

/// Checks the file after a failure: whether it is consistent, and whether the acknowledged writes can be checkpointed
/// and synced.
pub(super) fn check(connection: &Connection) -> Result<(), Error> {
    let finding: String = connection.query_row("pragma quick_check(1)", [], |row| row.get(0))?;
    if finding != "ok" {
        return Err(Error::Damaged(finding));
    }
    connection.query_row("pragma wal_checkpoint(passive)", [], |_counts| Ok(()))?;
    Ok(())
}

/// Checkpoints all writes into the file. While a reader uses an older state, newer writes stay in the log beside it.
pub(super) fn settle(connection: &Connection) -> Result<(), Error> {
    connection.query_row("pragma wal_checkpoint(truncate)", [], |_counts| Ok(()))?;
    Ok(())
}

/// Rejects a missing file instead of creating it.
pub(super) fn check_present(path: &Path) -> Result<(), Error> {
    let found = std::fs::metadata(path);
    found.map(drop).map_err(|cause| Error::File { path: path.to_path_buf(), cause })
}

/// Copies a database into a new file. An incomplete copy has another name, and a failed one is removed: it would
/// occupy the rest of a full disk.
pub(super) fn copy(connection: &Connection, target: &Path) -> Result<(), Error> {
    if target.exists() {
        return Err(Error::Exists(target.to_path_buf()));
    }
    let part = beside(target, ".part");
    // The leftover of an interrupted copy.
    remove(&part);
    let copied = copy_pages(connection, &part).and_then(|()| {
        let renamed = std::fs::rename(&part, target);
        renamed.map_err(|cause| Error::File { path: target.to_path_buf(), cause })
    });
    if copied.is_err() {
        remove(&part);
    }
    copied
}

fn copy_pages(connection: &Connection, part: &Path) -> Result<(), Error> {
    private_file(part)?;
    #[expect(
        clippy::disallowed_methods,
        reason = "the target of a backup is not a served database"
    )]
    let mut copy = Connection::open_with_flags(part, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let backup = rusqlite::backup::Backup::new(connection, &mut copy)?;
    Ok(backup.run_to_completion(i32::MAX, Duration::ZERO, None)?)
}

/// Removes a copy with its journal, if there is one.
fn remove(part: &Path) {
    for file in [part.to_path_buf(), beside(part, "-journal")] {
        drop(std::fs::remove_file(file));
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
