//! The settings and their defaults, one struct per area.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rust_decimal::Decimal;
use secrecy::SecretString;

use super::invalid;
use super::mail::MailSettings;
use super::payments::PaymentSettings;
use super::visitors::VisitorSettings;
use super::webhooks::WebhookSettings;

/// The settings of the server.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// The settings file; defaults to `quotient.toml` in the working directory, if it exists.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Connections and requests.
    #[command(flatten, next_help_heading = "HTTP")]
    pub http: HttpSettings,
    /// Limits.
    #[command(flatten, next_help_heading = "Limits")]
    pub limits: LimitSettings,
    /// The database.
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
    /// Payments.
    #[command(flatten, next_help_heading = "Payments")]
    pub payments: PaymentSettings,
    /// Subscriptions.
    #[command(flatten, next_help_heading = "Subscriptions")]
    pub subscriptions: SubscriptionSettings,
    /// Notifications of alerts.
    #[command(flatten, next_help_heading = "Alerts")]
    pub alerts: AlertSettings,
    /// Webhooks that come in.
    #[command(flatten, next_help_heading = "Webhooks")]
    pub webhooks: WebhookSettings,
    /// Reviews, visits and text messages.
    #[command(flatten, next_help_heading = "Visitors")]
    pub visitors: VisitorSettings,
    /// The mail server, and links in e-mails.
    #[command(flatten, next_help_heading = "Mail")]
    pub mail: MailSettings,
    /// Partners who send shoppers.
    #[command(flatten, next_help_heading = "Partners")]
    pub partners: PartnerSettings,
    /// Logs.
    #[command(flatten, next_help_heading = "Logs")]
    pub log: LogSettings,
}

/// Connections and requests.
#[derive(Debug, Clone, Args)]
pub struct HttpSettings {
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1:9000", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// Origins whose pages may call the API, such as `https://shop.example`; repeated or separated by commas
    #[arg(long, value_delimiter = ',', value_name = "ORIGIN")]
    pub allowed_origins: Vec<String>,
    /// Addresses of proxies whose x-forwarded-for header is trusted
    #[arg(long, value_delimiter = ',', value_name = "IP")]
    pub trusted_proxies: Vec<IpAddr>,
    /// Maximum number of connections
    #[arg(long, default_value_t = 10_240,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,
    /// Maximum number of connections from one address, unless it is a trusted proxy
    #[arg(long, default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_address_connections: u32,
    /// Seconds within which the head of a request must arrive
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub header_timeout_s: u64,
    /// Seconds within which the body of a request must arrive
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub body_timeout_s: u64,
    /// Seconds within which a client must take some of a response
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub write_timeout_s: u64,
    /// Seconds within which a request must be answered after its body has arrived
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub request_timeout_s: u64,
    /// Seconds that running work may take to finish when the server stops
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub stop_timeout_s: u64,
}

/// Limits. Each `per_minute` limit is a token bucket that starts full.
#[derive(Debug, Clone, Args)]
pub struct LimitSettings {
    /// Failed logins, registrations and resets, each per minute, account and address; all of them per minute and address
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub login_per_minute: u32,
    /// Formula checks per minute and user
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub validate_per_minute: u32,
    /// Metrics queries per minute and user
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub metrics_per_minute: u32,
    /// Metrics snapshots per minute and user
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub snapshots_per_minute: u32,
    /// Metrics batches per minute and user
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub batches_per_minute: u32,
    /// Open sessions of flows from one address
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_open_flow_sessions: u32,
    /// Sessions of flows that pages begin per minute and address
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub flow_begins_per_minute: u32,
    /// Presses of buttons of flows on pages per minute and address
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub flow_presses_per_minute: u32,
    /// Reads of flows on pages per minute and address
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub flow_reads_per_minute: u32,
    /// Formula checks of the catalog per minute and user
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub catalog_validate_per_minute: u32,
    /// Other admin requests per minute and user, and per minute and address
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub admin_per_minute: u32,
    /// Store requests per minute and address
    #[arg(long, default_value_t = 1_200, value_parser = clap::value_parser!(u32).range(1..))]
    pub store_per_minute: u32,
    /// Webhooks per minute, receiver and address; those of the warehouse are not limited
    #[arg(long, default_value_t = 6_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub webhooks_per_minute: u32,
    /// Reports of partners' conversions per minute and address
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub conversions_per_minute: u32,
    /// Store requests running at once; every other class of routes gets a quarter of it
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u32).range(4..=65_536))]
    pub running_requests: u32,
    /// Store requests waiting to run; every other class of routes gets a quarter of it
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(4..=65_536))]
    pub waiting_requests: u32,
}

/// The database.
#[derive(Debug, Clone, Args)]
pub struct DatabaseSettings {
    /// The database file
    #[arg(long, default_value = "quotient.db", value_name = "FILE")]
    pub database: PathBuf,
    /// Folder of the backups that are made on demand, `backups` beside the database by default
    #[arg(long, value_name = "FOLDER")]
    pub backups: Option<PathBuf>,
    /// Number of read connections, in addition to one per processor
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub readers: u32,
    /// Writes that may wait before further ones are refused
    #[arg(long, default_value_t = 1_024, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub waiting_writes: u32,
    /// Milliseconds to wait while another process locks the database
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(..=60_000))]
    pub busy_timeout_ms: u32,
}

/// Credentials.
#[derive(Debug, Clone, Args)]
pub struct AuthSettings {
    /// Hours for which a token is valid
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=8_760))]
    pub token_hours: u32,
    /// Hours for which a session cookie is valid
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=8_760))]
    pub session_hours: u32,
    /// Whether cookies are sent over https only
    #[arg(long, value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set)]
    pub secure_cookies: bool,
}

/// Notifications of alerts.
#[derive(Debug, Clone, Args)]
pub struct AlertSettings {
    /// Whether webhooks may call private addresses, such as those of this machine
    #[arg(long, value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set)]
    pub webhook_private_targets: bool,
}

/// The first admin, who is created with the database.
#[derive(Debug, Clone, Args)]
pub struct FirstAdminSettings {
    /// The first admin's e-mail address
    #[arg(long, default_value = "admin@quotient.local", value_name = "EMAIL")]
    pub admin_email: String,
    /// The first admin's password; generated and printed once if absent
    #[arg(long, value_name = "PASSWORD")]
    pub admin_password: Option<SecretString>,
}

/// The store.
#[derive(Debug, Clone, Args)]
pub struct StoreSettings {
    /// The time zone of reports, an IANA name
    #[arg(long, default_value = "UTC", value_name = "ZONE")]
    pub timezone: String,
    /// Start with an empty store instead of the demo store
    #[arg(long, value_name = "BOOL", default_value_t = false,
          num_args = 0..=1, require_equals = true, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub empty: bool,
    /// Keep the dates of the demo store's data, instead of moving the last day to yesterday
    #[arg(long, value_name = "BOOL", default_value_t = false,
          num_args = 0..=1, require_equals = true, default_missing_value = "true", action = clap::ArgAction::Set)]
    pub keep_dates: bool,
    /// The most that one request may credit to a store credit account, in major units of its currency
    #[arg(long, default_value = "10000", value_name = "AMOUNT")]
    pub credit_max_amount: Decimal,
    /// Days for which personal data in the answers of flows is kept
    #[arg(long, default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub flow_answer_days: u32,
    /// Minutes for which the id of an order is enough to see the membership that it grants
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(0..=1_440))]
    pub membership_open_minutes: u32,
}

/// Limit: attempts after the first refusal of a cycle.
const MAX_RETRIES: usize = 7;

/// Subscriptions.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct SubscriptionSettings {
    /// Days after the first refusal of a renewal on which it is charged again; at most seven, ascending, up to 28
    #[arg(long, default_value = "1,3,5,7", value_delimiter = ',',
          value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=28))]
    pub subscription_retry_days: Vec<u32>,
    /// Days before a renewal at another price on which the customer is told
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=365))]
    pub subscription_price_notice_days: u32,
    /// Days before a renewal on which it is announced
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=28))]
    pub subscription_reminder_days: u32,
}

impl Default for SubscriptionSettings {
    fn default() -> Self {
        Self {
            subscription_retry_days: vec![1, 3, 5, 7],
            subscription_price_notice_days: 30,
            subscription_reminder_days: 3,
        }
    }
}

impl SubscriptionSettings {
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        let days = &self.subscription_retry_days;
        if days.len() > MAX_RETRIES || !days.is_sorted_by(|day, next| day < next) {
            let message = "expected at most seven days in ascending order";
            return Err(invalid("subscription_retry_days", message));
        }
        Ok(())
    }
}

/// Partners who send shoppers.
#[derive(Debug, Clone, Args)]
pub struct PartnerSettings {
    /// Whether the link of a partner sets its cookie also for browsers that ask not to be tracked (`Sec-GPC`)
    #[arg(long, value_enum, default_value_t = PartnerCookie::Always)]
    pub partner_cookie: PartnerCookie,
    /// Days after which the clicks of partners' links are deleted; their conversions stay
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=3_650))]
    pub partner_click_days: u32,
}

/// Whether the link of a partner sets its cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PartnerCookie {
    /// For every browser.
    Always,
    /// Unless the browser sends `Sec-GPC: 1`.
    UnlessGpc,
}

/// Logs.
#[derive(Debug, Clone, Args)]
pub struct LogSettings {
    /// Log filter: a level, or levels of modules, such as `info,quotient_sales=debug`
    #[arg(long, default_value = "info", value_name = "FILTER")]
    pub log: tracing_subscriber::filter::Targets,
    /// Log format
    #[arg(long, value_enum, default_value_t = LogFormat::Auto)]
    pub log_format: LogFormat,
}

/// The format of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Text on a terminal, JSON otherwise.
    Auto,
    /// Text.
    Text,
    /// One JSON object per line.
    Json,
}

impl Settings {
    /// Checks constraints that involve more than one value.
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        for origin in &self.http.allowed_origins {
            if !is_origin(origin) {
                return Err(invalid("allowed_origins", &format!("`{origin}` is not an origin")));
            }
        }
        if crate::clock::time_zone(&self.store.timezone).is_none() {
            let zone = &self.store.timezone;
            return Err(invalid("timezone", &format!("`{zone}` is not a time zone")));
        }
        self.subscriptions.check()?;
        self.webhooks.check()?;
        self.visitors.check()?;
        self.payments.stripe.check()?;
        self.mail.check()
    }
}

/// Returns whether the text is only a scheme and a host: `*` would allow every page.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| {
        !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || ".:-[]".contains(c))
    })
}
