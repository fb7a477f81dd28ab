//! The progress of loading: a bar on a terminal, and log lines elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The number of log lines.
const LOG_PARTS: u64 = 5;

/// The progress in steps.
#[derive(Debug, Clone)]
pub(super) struct Progress {
    bar: ProgressBar,
    every: u64,
}

impl Progress {
    /// Creates the progress of a number of steps.
    pub(super) fn of(steps: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("demo store {bar:40} {percent:>3} %") {
            bar.set_style(style);
        }
        Self { bar, every: steps.checked_div(LOG_PARTS).unwrap_or(0).max(1) }
    }

    /// Advances by a number of steps.
    pub(super) fn step(&self, steps: u64) {
        self.bar.inc(steps);
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        if self.bar.is_hidden() && steps > 0 && done.checked_rem(self.every) == Some(0) {
            tracing::info!(done, all, "loading the demo store");
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
