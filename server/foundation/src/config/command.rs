//! The commands of the binary.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

/// A command of the binary.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Serve the API; the default.
    Serve,
    /// Manage admins.
    Admin {
        /// The command.
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Manage API keys.
    Keys {
        /// The command.
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Manage the demo store.
    Demo {
        /// The command.
        #[command(subcommand)]
        command: DemoCommand,
    },
    /// Copy the database, also while it is served.
    ///
    /// To restore a copy, stop the server, delete the files `-wal` and `-shm` beside the database, and put the copy in its
    /// place: a log of another state would damage it.
    Backup {
        /// The file to write, which must not exist.
        to: PathBuf,
    },
    /// Check the database: its pages, the consistency of its records, and the chain of its audit log.
    Check,
    /// Inspect the audit log.
    Audit {
        /// The command.
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Print the OpenAPI 3.1 description of the API.
    Openapi,
}

/// A command for the audit log.
#[derive(Debug, Clone, Subcommand)]
pub enum AuditCommand {
    /// Verify the chain from the first entry to the last.
    Verify,
}

/// A command for admins.
#[derive(Debug, Clone, Subcommand)]
pub enum AdminCommand {
    /// Create an admin; the password is read from standard input unless `QUOTIENT_ADMIN_PASSWORD` is set.
    Create {
        /// The e-mail address to log in with.
        email: String,
    },
}

/// A command for API keys.
#[derive(Debug, Clone, Subcommand)]
pub enum KeysCommand {
    /// Create an API key and print it, once.
    Create {
        /// The title.
        title: String,
        /// The type.
        #[arg(long, value_enum, default_value_t = KeyType::Publishable)]
        r#type: KeyType,
    },
    /// Revoke an API key.
    Revoke {
        /// The key's id, `apk_…`.
        id: String,
    },
}

/// The type of an API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyType {
    /// Identifies a storefront's sales channels.
    Publishable,
    /// Has the permissions of an admin.
    Secret,
}

/// A command for the demo store.
#[derive(Debug, Clone, Subcommand)]
pub enum DemoCommand {
    /// Load it into an empty database.
    Load {
        /// Take only the first invoices of the data, and their products
        #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
        invoices: Option<u32>,
    },
}
