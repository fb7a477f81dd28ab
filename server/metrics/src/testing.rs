//! Test databases with rollups.

use crate::clock::{Clock, Timestamp};
use crate::database::{Db, Options, temporary};
use crate::rollups::maintenance::ROLLUP_MAINTENANCE;

/// Noon of a Saturday in November.
pub(crate) const NOON: Timestamp = Timestamp::from_millis(1_795_262_400_000);

/// Returns the options of a new database; see [`temporary::options`].
pub(crate) fn options(clock: &Clock) -> Options {
    Options { folding: Some(ROLLUP_MAINTENANCE), ..temporary::options(clock) }
}

/// Opens a new database at an instant.
pub(crate) fn store(now: Timestamp) -> (Db, Clock) {
    let clock = Clock::fixed(now);
    (Db::open(&options(&clock)).expect("a database"), clock)
}
