//! The settings and their defaults, one struct per area.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, ValueEnum};
use lettre::message::Mailbox;
use reqwest::Url;
use rust_decimal::Decimal;
use secrecy::SecretString;

use super::partners::PartnerSettings;
use super::subscriptions::SubscriptionSettings;
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
    /// Webhooks per minute and receiver; those of the warehouse are not limited
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
    /// Number of read connections
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

/// The mail server. Without a host, no e-mails are sent and alerts cannot notify e-mail addresses.
#[derive(Debug, Clone, Args)]
pub struct MailSettings {
    /// The mail server; without it, no e-mails are sent
    #[arg(long, value_name = "HOST")]
    pub smtp_host: Option<String>,
    /// The mail server's port; defaults to 587 for starttls, 465 for tls and 25 for none
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub smtp_port: Option<u16>,
    /// The encryption of the connection to the mail server
    #[arg(long, value_enum, default_value_t = SmtpEncryption::Starttls)]
    pub smtp_encryption: SmtpEncryption,
    /// The user to log in with; no login if absent
    #[arg(long, value_name = "USER")]
    pub smtp_user: Option<String>,
    /// The password to log in with
    #[arg(long, value_name = "PASSWORD")]
    pub smtp_password: Option<SecretString>,
    /// The sender address, such as `Shop <alerts@shop.example>`
    #[arg(long, value_name = "MAILBOX")]
    pub smtp_from: Option<Mailbox>,
    /// The storefront, for links in e-mails: `URL/reset-password?token=…`; without it, e-mails contain codes
    #[arg(long, value_name = "URL")]
    pub storefront_url: Option<String>,
    /// The pages of administrators, for links in e-mails: `URL/reset-password?token=…` and `URL/invite?token=…`
    #[arg(long, value_name = "URL")]
    pub admin_url: Option<String>,
}

/// The encryption of the connection to the mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SmtpEncryption {
    /// From the first byte.
    Tls,
    /// By upgrading a plain connection; mail is not sent if the server cannot.
    Starttls,
    /// None; for a server on the same machine.
    None,
}

/// The first admin, who is created with the database.
#[derive(Debug, Clone, Args)]
pub struct FirstAdminSettings {
    /// The first admin's e-mail address
    #[arg(long)]
    #[arg(default_value = "admin@quotient.local", value_name = "EMAIL")]
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

/// Payments.
#[derive(Debug, Clone, Args)]
pub struct PaymentSettings {
    /// Append every movement of money of the sandbox provider to this file: kind, key, amount in minor units, currency
    #[arg(long, value_name = "FILE")]
    pub sandbox_ledger: Option<PathBuf>,
    /// Whether the test cards of the sandbox pay; defaults to true without a card processor and to false with one
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub sandbox_payments: Option<bool>,
    #[command(flatten)]
    pub stripe: StripeSettings,
}

/// The card processor.
#[derive(Debug, Clone, Args)]
pub struct StripeSettings {
    /// The secret key of the card processor; from the environment or the settings file. Without it there is no processor
    #[arg(long, value_name = "KEY")]
    pub stripe_secret_key: Option<SecretString>,
    /// The address of the card processor's API
    #[arg(long)]
    #[arg(default_value = "https://api.stripe.com/", value_name = "URL")]
    pub stripe_api: Url,
    /// When a card is charged: by the completion of the cart, or later by an administrator
    #[arg(long, value_enum, default_value_t = CaptureMethod::Automatic)]
    pub stripe_capture: CaptureMethod,
}

/// When a card is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CaptureMethod {
    /// By the completion of the cart.
    Automatic,
    /// Later, by an administrator.
    Manual,
}

impl CaptureMethod {
    /// Returns the processor's word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Manual => "manual",
        }
    }
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

impl StripeSettings {
    fn check(&self) -> Result<(), clap::Error> {
        let is_private =
            self.stripe_api.scheme() == "https" || self.stripe_api.host_str().is_some_and(is_local);
        if self.stripe_secret_key.is_some() && !is_private {
            return Err(invalid("stripe_api", "a key is not sent over a network in the clear"));
        }
        Ok(())
    }
}

impl MailSettings {
    /// Checks the base URLs of links in e-mails.
    fn check_links(&self) -> Result<(), clap::Error> {
        for (key, url) in [("storefront_url", &self.storefront_url), ("admin_url", &self.admin_url)]
        {
            if let Some(url) = url.as_deref().filter(|url| !is_page(url)) {
                return Err(invalid(key, &format!("`{url}` is not the address of a page")));
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), clap::Error> {
        self.check_links()?;
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
            Some(host) => is_local(host),
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

/// Returns whether a host, in a URL or alone, is this machine.
fn is_local(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// Returns whether links can start with the text: an `http` or `https` URL to which a path can be added.
fn is_page(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.query().is_none()
            && url.fragment().is_none()
    })
}

/// Returns whether the text is only a scheme and a host: `*` would allow every page.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| {
        !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || ".:-[]".contains(c))
    })
}

pub(super) fn invalid(key: &str, message: &str) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{key}: {message}\n"))
}
