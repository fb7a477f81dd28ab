//! What computing notes between requests: what it did lately, and how often each user asked.

mod events;
mod windows;

use std::sync::Arc;

pub(crate) use events::{Computation, Events, Figures};
pub(crate) use windows::{Allowance, Limited, Windows};

use crate::clock::Clock;
use crate::config::LimitSettings;

/// All of it. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Workbench {
    pub events: Arc<Events>,
    pub windows: Arc<Windows>,
}

impl Workbench {
    pub(crate) fn new(clock: Clock, limits: &LimitSettings) -> Self {
        Self { events: Arc::default(), windows: Arc::new(Windows::new(clock, limits)) }
    }
}
