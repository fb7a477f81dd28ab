//! A progress bar on the terminal while a file is read.

use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};

/// Shorter waits need no progress bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A reader that shows its progress.
#[derive(Debug)]
pub(crate) struct Progress<R> {
    inner: R,
    bar: ProgressBar,
    started: Instant,
}

impl<R: Read> Progress<R> {
    /// It appears after a delay, and only on a terminal.
    pub(crate) fn new(inner: R, length_bytes: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(length_bytes), ProgressDrawTarget::hidden());
        Self { inner, bar, started: Instant::now() }
    }
}

impl<R: Read> Read for Progress<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        if self.bar.is_hidden() && self.started.elapsed() > PATIENCE && io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(u64::try_from(length).unwrap_or(0));
        Ok(length)
    }
}

impl<R> Drop for Progress<R> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
