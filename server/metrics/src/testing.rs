//! Test databases with rollups.

use crate::clock::Clock;
use crate::database::{Options, temporary};
use crate::rollups::maintenance::ROLLUP_MAINTENANCE;

/// Returns the options of a new database; see [`temporary::options`].
pub(crate) fn options(clock: &Clock) -> Options {
    Options { folding: Some(ROLLUP_MAINTENANCE), ..temporary::options(clock) }
}
