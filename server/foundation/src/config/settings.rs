//! The settings and their defaults, one struct a concern.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, ValueEnum};
use lettre::message::Mailbox;
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
    /// The mail server that they are sent through.
    #[command(flatten, next_help_heading = "Mail")]
    pub mail: MailSettings,
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

/// The mail server that alerts are sent through. Without a host there is none, and no alert tells a mailbox.
#[derive(Debug, Clone, Args)]
pub struct MailSettings {
    /// The mail server that alerts are sent through; without it none can tell a mailbox
    #[arg(long, env = "QUOTIENT_SMTP_HOST", value_name = "HOST")]
    pub smtp_host: Option<String>,
    /// Its port; 587 for starttls, 465 for tls and 25 for none when nothing is said
    #[arg(long, env = "QUOTIENT_SMTP_PORT", value_name = "PORT",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub smtp_port: Option<u16>,
    /// How mail is kept from others on its way there
    #[arg(long, env = "QUOTIENT_SMTP_ENCRYPTION", value_enum, default_value_t = SmtpEncryption::Starttls)]
    pub smtp_encryption: SmtpEncryption,
    /// Who logs in there; nobody when nothing is said
    #[arg(long, env = "QUOTIENT_SMTP_USER", value_name = "USER")]
    pub smtp_user: Option<String>,
    /// The password to log in with
    #[arg(
        long,
        env = "QUOTIENT_SMTP_PASSWORD",
        hide_env_values = true,
        hide_default_value = true,
        value_name = "PASSWORD"
    )]
    pub smtp_password: Option<SecretString>,
    /// The address that mail comes from, as `Shop <alerts@shop.example>`
    #[arg(long, env = "QUOTIENT_SMTP_FROM", value_name = "MAILBOX")]
    pub smtp_from: Option<Mailbox>,
}

/// How mail is kept from others on its way to the mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SmtpEncryption {
    /// From the first byte.
    Tls,
    /// After a word in the clear; a server that cannot is sent nothing.
    Starttls,
    /// Not at all; for a server on the same machine.
    None,
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
    #[arg(
        long,
        env = "QUOTIENT_ADMIN_PASSWORD",
        hide_env_values = true,
        hide_default_value = true,
        value_name = "PASSWORD"
    )]
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
    pub log: tracing_subscriber::filter::Targets,
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
        self.mail.check()
    }
}

impl MailSettings {
    fn check(&self) -> Result<(), clap::Error> {
        let is_local = match self.smtp_host.as_deref() {
            None if self.smtp_from.is_some()
                || self.smtp_user.is_some()
                || self.smtp_port.is_some() =>
            {
                return Err(invalid("smtp_host", "mail needs the host of a mail server"));
            }
            Some(_) if self.smtp_from.is_none() => {
                return Err(invalid("smtp_from", "mail needs an address that it comes from"));
            }
            None => true,
            Some(host) => {
                host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
            }
        };
        if self.smtp_user.is_some() != self.smtp_password.is_some() {
            return Err(invalid("smtp_password", "a user and a password belong together"));
        }
        if self.smtp_encryption == SmtpEncryption::None && self.smtp_user.is_some() && !is_local {
            return Err(invalid(
                "smtp_encryption",
                "a password is not sent over a network in the clear",
            ));
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
