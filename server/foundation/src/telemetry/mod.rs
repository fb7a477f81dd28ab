//! Logs and metrics.

mod metrics;

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

pub use metrics::Metrics;

use crate::config::{LogFormat, LogSettings};

/// Starts logging to standard error.
///
/// # Errors
/// If a logger is already set.
pub fn start_logs(settings: &LogSettings) -> Result<(), TryInitError> {
    // The filter was checked with the settings.
    let filter = EnvFilter::new(&settings.log);
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let is_text = match settings.log_format {
        LogFormat::Text => true,
        LogFormat::Json => false,
        LogFormat::Auto => std::io::stderr().is_terminal(),
    };
    if is_text { builder.finish().try_init() } else { builder.json().finish().try_init() }
}
