//! What the routes of this crate share.

use std::path::PathBuf;

use quotient_foundation::clock::Clock;
use quotient_foundation::database;
use quotient_foundation::parts;
use quotient_foundation::state::Shared;

use crate::alerts::delivery::Outgoing;
use crate::upkeep::UPKEEP;
use crate::{Library, Workbench};

/// How a store's database is opened: with the states of its metrics kept up.
pub fn database_options(path: impl Into<PathBuf>, clock: Clock) -> database::Options {
    database::Options { folding: Some(UPKEEP), ..database::Options::new(path, clock) }
}

/// What all routes share, and what metrics keep in memory. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    /// What all routes share.
    pub shared: Shared,
    /// The store's metrics, ready to compute.
    pub library: Library,
    /// What computing them keeps in memory.
    pub(crate) workbench: Workbench,
    /// How alerts tell.
    pub outgoing: Outgoing,
}

impl AppState {
    /// The state over what all routes share.
    pub fn new(shared: Shared) -> Self {
        Self {
            library: Library::default(),
            workbench: Workbench::new(shared.clock.clone(), &shared.settings.limits),
            outgoing: Outgoing::of(shared.clock.clone(), &shared.settings),
            shared,
        }
    }
}

parts!(AppState with shared: library: Library, workbench: Workbench, outgoing: Outgoing);
