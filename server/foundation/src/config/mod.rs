//! Settings: from the command line, then `QUOTIENT_*` variables, then `quotient.toml`, then defaults.
//!
//! One struct per area; `--help` is the reference. A key in the file is the name of an argument with underscores, such
//! as `store_per_minute = 1200`. Everything is checked before anything starts, and an error names its key.

mod command;
mod file;
mod mail;
mod payments;
mod settings;
mod visitors;
mod webhooks;

pub use command::{AdminCommand, AuditCommand, Command, DemoCommand, KeyType, KeysCommand};
pub use mail::{MailSettings, SmtpEncryption};
pub use payments::{CaptureMethod, PaymentSettings, StripeSettings};
pub use settings::{
    AlertSettings, AuthSettings, DatabaseSettings, FirstAdminSettings, HttpSettings, LimitSettings,
    LogFormat, LogSettings, PartnerCookie, PartnerSettings, Settings, StoreSettings,
    SubscriptionSettings,
};
pub use visitors::{ReviewAuthors, ReviewAutoApprove, SmsProvider, VisitorSettings};
pub use webhooks::{WebhookMode, WebhookScheme, WebhookSettings};

use std::any::TypeId;
use std::ffi::OsString;
use std::net::IpAddr;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use secrecy::SecretString;

/// A store's whole HTTP API on one binary.
#[derive(Debug, Clone, Parser)]
#[command(name = "quotient-server", version)]
pub struct CommandLine {
    /// The command; defaults to `serve`.
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub settings: Settings,
}

impl CommandLine {
    /// Reads arguments, variables and the file.
    ///
    /// # Errors
    /// An invalid setting with its key; also the text of `--help` and `--version`, which `clap` returns as errors.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        let command = command().mut_args(|argument| {
            let is_secret = argument.get_value_parser().type_id() == TypeId::of::<SecretString>();
            argument.global(true).hide_env_values(is_secret).hide_default_value(is_secret)
        });
        let command = file::with_defaults(command, &arguments)?;
        let line = Self::from_arg_matches(&command.try_get_matches_from(arguments)?)?;
        line.settings.check()?;
        Ok(line)
    }
}

/// Returns the command line, with the environment variable of each setting: its name in capitals, with a prefix.
fn command() -> clap::Command {
    CommandLine::command().mut_args(|argument| {
        if argument.get_env().is_some() {
            return argument;
        }
        let variable = format!("QUOTIENT_{}", argument.get_id().as_str().to_uppercase());
        argument.env(variable)
    })
}

/// Returns the environment variables that have the prefix of settings but are not settings.
pub fn unknown_variables() -> Vec<String> {
    without_setting(std::env::vars_os().map(|(name, _)| name))
}

fn without_setting(names: impl IntoIterator<Item = OsString>) -> Vec<String> {
    let command = command();
    let is_setting = |name: &OsString| {
        command.get_arguments().any(|own| own.get_env() == Some(name.as_os_str()))
    };
    let unknown = names.into_iter().filter(|name| !is_setting(name));
    let unknown = unknown.filter_map(|name| name.into_string().ok());
    unknown.filter(|name| name.starts_with("QUOTIENT_")).collect()
}

#[cfg(test)]
mod tests;

fn invalid(key: &str, message: &str) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{key}: {message}\n"))
}

/// Returns whether a host, in a URL or alone, is this machine.
fn is_local(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}
