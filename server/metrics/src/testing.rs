//! Test databases with rollups.

use crate::clock::Clock;
use crate::database::{Options, temporary};
use crate::rollups::upkeep::UPKEEP;

/// Returns the options of a new database; see [`temporary::options`].
pub(crate) fn options(clock: &Clock) -> Options {
    Options { folding: Some(UPKEEP), ..temporary::options(clock) }
}
