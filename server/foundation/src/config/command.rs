//! What the binary can do.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

/// What to do.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Serve the API; the default.
    Serve,
    /// Admins.
    Admin {
        /// What about them.
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// API keys.
    Keys {
        /// What about them.
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// The demo store.
    Demo {
        /// What about it.
        #[command(subcommand)]
        command: DemoCommand,
    },
    /// Copy the database, also while it is served.
    Backup {
        /// The file to write, which must not be there.
        to: PathBuf,
    },
    /// Check the database: its pages, that its books agree, and the chain of its audit log.
    Check,
    /// The audit log of changes.
    Audit {
        /// What about it.
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Print the API's description, OpenAPI 3.1.
    Openapi,
}

/// What to do about the audit log of changes.
#[derive(Debug, Clone, Subcommand)]
pub enum AuditCommand {
    /// Follow its chain from the first entry to the last.
    Verify,
}

/// What to do about admins.
#[derive(Debug, Clone, Subcommand)]
pub enum AdminCommand {
    /// Make one; the password is read from the standard input unless `QUOTIENT_ADMIN_PASSWORD` holds it.
    Create {
        /// The address to log in with.
        email: String,
    },
}

/// What to do about API keys.
#[derive(Debug, Clone, Subcommand)]
pub enum KeysCommand {
    /// Make one and print it, once.
    Create {
        /// What it is for.
        title: String,
        /// What it may do.
        #[arg(long, value_enum, default_value_t = KeyType::Publishable)]
        r#type: KeyType,
    },
    /// Make one worthless.
    Revoke {
        /// Its id, as `apk_…`.
        id: String,
    },
}

/// What an API key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyType {
    /// Name a storefront's sales channels.
    Publishable,
    /// Everything an admin may.
    Secret,
}

/// What to do about the demo store.
#[derive(Debug, Clone, Subcommand)]
pub enum DemoCommand {
    /// Fill an empty database with it.
    Load {
        /// Take just the first invoices of the data, and the products that are on them
        #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
        invoices: Option<u32>,
    },
}
