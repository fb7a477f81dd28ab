//! Copies the write-ahead log into the file on its own thread, so that no write waits for it.

use std::fmt::Display;
use std::thread::{self, JoinHandle};

use rusqlite::hooks::Wal;
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, MAIN_DB, OpenFlags};

use super::open::connect;
use super::{Error, Options};

/// The number of pages in the log that triggers a copy.
const LOG_PAGES: i32 = 4_000;

/// Copies the log of the write connection whenever it is long enough.
pub(super) fn follow(connection: &mut Connection, options: &Options) -> Result<(), Error> {
    let options = options.clone();
    let mut copying: Option<JoinHandle<()>> = None;
    connection.wal_hook(Some(move |log: &mut Wal, pages| {
        if pages < LOG_PAGES {
            return Ok(());
        }
        copying = match copying.take() {
            Some(thread) if thread.is_finished() => {
                // The few pages written in the meantime; then the next write can restart the log.
                note(log.checkpoint());
                None
            }
            Some(thread) => Some(thread),
            None => {
                let options = options.clone();
                let thread = thread::Builder::new().name("database-checkpoint".to_owned());
                // Without a thread, the next write tries again.
                thread.spawn(move || note(copy(&options))).ok()
            }
        };
        Ok(())
    }))?;
    Ok(())
}

fn copy(options: &Options) -> Result<(), Error> {
    let connection = connect(options, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::PASSIVE)?;
    Ok(())
}

/// A failed copy loses nothing: the log keeps its pages.
fn note(outcome: Result<(), impl Display>) {
    if let Err(error) = outcome {
        tracing::warn!(%error, "the write-ahead log could not be copied");
    }
}
