//! The settings and their defaults, one struct a concern.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, ValueEnum};
use secrecy::SecretString;

/// How the server runs.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// The file of settings; `quotient.toml` of the working directory when it is there.
    #[arg(long, env = "QUOTIENT_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Connections and answers.
    #[command(flatten, next_help_heading = "HTTP")]
    pub http: HttpSettings,
    /// How much of it.
    #[command(flatten, next_help_heading = "Limits")]
    pub limits: LimitSettings,
    /// Where data is kept.
    #[command(flatten, next_help_heading = "Database")]
    pub database: DatabaseSettings,
    /// Credentials.
    #[command(flatten, next_help_heading = "Credentials")]
    pub auth: AuthSettings,
    /// The first admin.
    #[command(flatten, next_help_heading = "First start")]
    pub first_admin: FirstAdminSettings,
    /// The store.
    #[command(flatten, next_help_heading = "Store")]
    pub store: StoreSettings,
    /// Whom alerts tell.
    #[command(flatten, next_help_heading = "Alerts")]
    pub alerts: AlertSettings,
    /// Logs.
    #[command(flatten, next_help_heading = "Logs")]
    pub log: LogSettings,
}

/// Connections and answers.
#[derive(Debug, Clone, Args)]
pub struct HttpSettings {
    /// The address to listen on
    #[arg(long, env = "QUOTIENT_LISTEN", default_value = "127.0.0.1:9000", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// Origins whose pages may call the API, as `https://shop.example`; repeated or with commas
    #[arg(long, env = "QUOTIENT_ALLOWED_ORIGINS", value_delimiter = ',', value_name = "ORIGIN")]
    pub allowed_origins: Vec<String>,
    /// Addresses of proxies whose x-forwarded-for counts
    #[arg(long, env = "QUOTIENT_TRUSTED_PROXIES", value_delimiter = ',', value_name = "IP")]
    pub trusted_proxies: Vec<IpAddr>,
    /// Connections at once
    #[arg(long, env = "QUOTIENT_MAX_CONNECTIONS", default_value_t = 4096,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,
    /// Seconds in which a request's head must have come
    #[arg(long, env = "QUOTIENT_HEADER_TIMEOUT_S", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(1..=600))]
    pub header_timeout_s: u64,
    /// Seconds in which a request's body must have come
    #[arg(long, env = "QUOTIENT_BODY_TIMEOUT_S", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(1..=600))]
    pub body_timeout_s: u64,
    /// Seconds in which a request must be answered once its body is there
    #[arg(long, env = "QUOTIENT_REQUEST_TIMEOUT_S", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(1..=600))]
    pub request_timeout_s: u64,
    /// Seconds in which what runs may finish when the server stops
    #[arg(long, env = "QUOTIENT_STOP_TIMEOUT_S", default_value_t = 8,
          value_parser = clap::value_parser!(u64).range(1..=600))]
    pub stop_timeout_s: u64,
}

/// How much of it. What is `per_minute` is a token bucket that starts full.
#[derive(Debug, Clone, Args)]
pub struct LimitSettings {
    /// Attempts to log in per minute and address
    #[arg(long, env = "QUOTIENT_LOGIN_PER_MINUTE", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub login_per_minute: u32,
    /// Checks of a formula per minute and user
    #[arg(long, env = "QUOTIENT_VALIDATE_PER_MINUTE", default_value_t = 60,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub validate_per_minute: u32,
    /// Questions for metrics per minute and user
    #[arg(long, env = "QUOTIENT_METRICS_PER_MINUTE", default_value_t = 60,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub metrics_per_minute: u32,
    /// Snapshots of metrics per minute and user
    #[arg(long, env = "QUOTIENT_SNAPSHOTS_PER_MINUTE", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub snapshots_per_minute: u32,
    /// Batches of metrics per minute and user
    #[arg(long, env = "QUOTIENT_BATCHES_PER_MINUTE", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub batches_per_minute: u32,
    /// Checks of a catalog metric's formula per minute and user
    #[arg(long, env = "QUOTIENT_CATALOG_VALIDATE_PER_MINUTE", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub catalog_validate_per_minute: u32,
    /// Other admin calls per minute and user, and per minute and address
    #[arg(long, env = "QUOTIENT_ADMIN_PER_MINUTE", default_value_t = 600,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub admin_per_minute: u32,
    /// Store calls per minute and address
    #[arg(long, env = "QUOTIENT_STORE_PER_MINUTE", default_value_t = 1_200,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub store_per_minute: u32,
    /// Store calls that run at once; each other class of routes has a quarter of it
    #[arg(long, env = "QUOTIENT_RUNNING_REQUESTS", default_value_t = 4_096,
          value_parser = clap::value_parser!(u32).range(4..=65_536))]
    pub running_requests: u32,
    /// Store calls that wait for their turn; each other class of routes has a quarter of it
    #[arg(long, env = "QUOTIENT_WAITING_REQUESTS", default_value_t = 1_024,
          value_parser = clap::value_parser!(u32).range(4..=65_536))]
    pub waiting_requests: u32,
}

/// Where data is kept.
#[derive(Debug, Clone, Args)]
pub struct DatabaseSettings {
    /// The database
    #[arg(long, env = "QUOTIENT_DATABASE", default_value = "quotient.db", value_name = "FILE")]
    pub database: PathBuf,
    /// Connections that read
    #[arg(long, env = "QUOTIENT_READERS", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    pub readers: u32,
    /// Writes that wait for their turn before others are refused
    #[arg(long, env = "QUOTIENT_WAITING_WRITES", default_value_t = 1_024,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub waiting_writes: u32,
    /// Milliseconds to wait for another process that holds the database
    #[arg(long, env = "QUOTIENT_BUSY_TIMEOUT_MS", default_value_t = 5_000,
          value_parser = clap::value_parser!(u32).range(..=60_000))]
    pub busy_timeout_ms: u32,
}

/// Credentials.
#[derive(Debug, Clone, Args)]
pub struct AuthSettings {
    /// Hours for which a token holds
    #[arg(long, env = "QUOTIENT_TOKEN_HOURS", default_value_t = 24,
          value_parser = clap::value_parser!(u32).range(1..=8_760))]
    pub token_hours: u32,
    /// Hours for which a session's cookie holds
    #[arg(long, env = "QUOTIENT_SESSION_HOURS", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=8_760))]
    pub session_hours: u32,
    /// Whether cookies are for https only
    #[arg(long, env = "QUOTIENT_SECURE_COOKIES", value_name = "BOOL", default_value_t = false,
          action = clap::ArgAction::Set)]
    pub secure_cookies: bool,
}

/// Whom alerts tell.
#[derive(Debug, Clone, Args)]
pub struct AlertSettings {
    /// Whether webhooks may call private addresses, as those of this machine
    #[arg(long, env = "QUOTIENT_WEBHOOK_PRIVATE_TARGETS", value_name = "BOOL", default_value_t = false,
          action = clap::ArgAction::Set)]
    pub webhook_private_targets: bool,
}

/// The first admin, who is made when the database is.
#[derive(Debug, Clone, Args)]
pub struct FirstAdminSettings {
    /// The first admin's address
    #[arg(
        long,
        env = "QUOTIENT_ADMIN_EMAIL",
        default_value = "admin@quotient.local",
        value_name = "EMAIL"
    )]
    pub admin_email: String,
    /// The first admin's password; made and printed once when there is none
    #[arg(long, env = "QUOTIENT_ADMIN_PASSWORD", hide_env_values = true, value_name = "PASSWORD")]
    pub admin_password: Option<SecretString>,
}

/// The store.
#[derive(Debug, Clone, Args)]
pub struct StoreSettings {
    /// The time zone whose days reports count, an IANA name
    #[arg(long, env = "QUOTIENT_TIMEZONE", default_value = "UTC", value_name = "ZONE")]
    pub timezone: String,
    /// Start with an empty store instead of the demo store
    #[arg(long, env = "QUOTIENT_EMPTY", value_name = "BOOL", default_value_t = false,
          num_args = 0..=1, require_equals = true, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub empty: bool,
    /// Leave the demo store's dates as they are in its data, instead of moving the last day to yesterday
    #[arg(long, env = "QUOTIENT_KEEP_DATES", value_name = "BOOL", default_value_t = false,
          num_args = 0..=1, require_equals = true, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub keep_dates: bool,
}

/// Logs.
#[derive(Debug, Clone, Args)]
pub struct LogSettings {
    /// What is logged: a level, or a level for a module, as `info,quotient_server=debug`
    #[arg(long, env = "QUOTIENT_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,
    /// How it is written
    #[arg(long, env = "QUOTIENT_LOG_FORMAT", value_enum, default_value_t = LogFormat::Auto)]
    pub log_format: LogFormat,
}

/// How logs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Text on a terminal, JSON otherwise.
    Auto,
    /// Text.
    Text,
    /// One JSON object a line.
    Json,
}

impl Settings {
    /// Checks what one value alone cannot show.
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        for origin in &self.http.allowed_origins {
            if !is_origin(origin) {
                return Err(invalid("allowed_origins", &format!("`{origin}` is not an origin")));
            }
        }
        if jiff::tz::TimeZone::get(&self.store.timezone).is_err() {
            let zone = &self.store.timezone;
            return Err(invalid("timezone", &format!("`{zone}` is not a time zone")));
        }
        if let Err(error) = self.log.log.parse::<tracing_subscriber::EnvFilter>() {
            return Err(invalid("log", &error.to_string()));
        }
        Ok(())
    }
}

/// A scheme and a host, and nothing behind them: `*` would let every page in.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| {
        !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || ".:-[]".contains(c))
    })
}

fn invalid(key: &str, message: &str) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{key}: {message}\n"))
}
