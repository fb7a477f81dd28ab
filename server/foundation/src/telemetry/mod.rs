//! Logs and metrics.

mod metrics;

use std::io::IsTerminal;

use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{Layer, fmt, registry};

pub use metrics::Metrics;

use crate::config::{LogFormat, LogSettings};

/// Starts logging to standard error.
///
/// A thread writes the lines, so that a stalled reader delays no request; while its queue is full, lines are dropped. It
/// stops when the result is dropped, after it has written the queued lines.
///
/// # Errors
/// If a logger is already set.
pub fn start_logs(settings: &LogSettings) -> Result<WorkerGuard, TryInitError> {
    let is_text = match settings.log_format {
        LogFormat::Text => true,
        LogFormat::Json => false,
        LogFormat::Auto => std::io::stderr().is_terminal(),
    };
    let (writer, guard) = tracing_appender::non_blocking(std::io::stderr());
    let layer = fmt::layer().with_writer(writer).with_ansi(std::io::stderr().is_terminal());
    let layer = if is_text { layer.boxed() } else { layer.json().boxed() };
    registry().with(layer.with_filter(settings.log.clone())).try_init()?;
    Ok(guard)
}
