//! Settings: from the command line, then `QUOTIENT_*` variables, then `quotient.toml`, then defaults.
//!
//! One struct a concern; `--help` is the reference. A key of the file is the name of an argument with underscores, as
//! `store_per_minute = 1200`. Everything is checked before anything starts, and an error names its key.

mod command;
mod file;
mod settings;

pub use command::{AdminCommand, AuditCommand, Command, DemoCommand, KeyType, KeysCommand};
pub use settings::{
    AlertSettings, AuthSettings, DatabaseSettings, FirstAdminSettings, HttpSettings, LimitSettings,
    LogFormat, LogSettings, MailSettings, Settings, SmtpEncryption, StoreSettings,
};

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser};

/// A store's whole HTTP API on one binary.
#[derive(Debug, Clone, Parser)]
#[command(name = "quotient-server", version, about)]
pub struct CommandLine {
    /// What to do; `serve` when nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How.
    #[command(flatten)]
    pub settings: Settings,
}

impl CommandLine {
    /// Reads arguments, variables and the file.
    ///
    /// # Errors
    /// What is wrong and at which key; also the text of `--help` and `--version`, which `clap` calls errors.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        let command = Self::command().mut_args(|argument| argument.global(true));
        let command = file::with_defaults(command, &arguments)?;
        let line = Self::from_arg_matches(&command.try_get_matches_from(arguments)?)?;
        line.settings.check()?;
        Ok(line)
    }
}

#[cfg(test)]
mod tests;
