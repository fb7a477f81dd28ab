//! A connection with the settings that all connections share.

use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::{Error, Options, functions};

/// Limit: cached prepared statements per connection.
const STATEMENT_CACHE_LEN: usize = 512;

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
    connection.pragma_update(None, "case_sensitive_like", false)?;
    functions::add(&connection)?;
    Ok(connection)
}
