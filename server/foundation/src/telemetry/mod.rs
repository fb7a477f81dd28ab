//! Logs and metrics.

mod metrics;

use std::io::IsTerminal;

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{Layer, fmt, registry};

pub use metrics::Metrics;

use crate::config::{LogFormat, LogSettings};

/// Starts logging to standard error.
///
/// # Errors
/// If a logger is already set.
pub fn start_logs(settings: &LogSettings) -> Result<(), TryInitError> {
    let is_text = match settings.log_format {
        LogFormat::Text => true,
        LogFormat::Json => false,
        LogFormat::Auto => std::io::stderr().is_terminal(),
    };
    let layer = fmt::layer().with_writer(std::io::stderr);
    let layer = if is_text { layer.boxed() } else { layer.json().boxed() };
    registry().with(layer.with_filter(settings.log.clone())).try_init()
}
