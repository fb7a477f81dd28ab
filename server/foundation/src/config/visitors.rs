//! The settings for visitors' actions: reviews, visits and text messages.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use secrecy::{ExposeSecret as _, SecretString};

use super::invalid;

/// Limit: minimum bytes of the key of numbers.
const MIN_KEY_BYTES: usize = 16;

/// Reviews, visits and text messages.
#[derive(Debug, Clone, Args)]
pub struct VisitorSettings {
    /// Who can write reviews
    #[arg(long, value_enum, default_value_t = ReviewAuthors::Anyone)]
    pub review_authors: ReviewAuthors,
    /// Which reviews are shown without a moderator's approval
    #[arg(long, value_enum, default_value_t = ReviewAutoApprove::None)]
    pub review_auto_approve: ReviewAutoApprove,
    /// Whether the last names of reviewers are shown whole, instead of their initials
    #[arg(long, value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set)]
    pub review_last_names: bool,
    /// Whether events without a consent are counted without visit, customer and properties
    #[arg(long, value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set)]
    pub tracking_consent_required: bool,
    /// The header with the visitor's country, a two-letter code, as a proxy sets it
    #[arg(long, value_name = "HEADER")]
    pub tracking_country_header: Option<String>,
    /// Days after which visits and events are deleted
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub tracking_retention_days: u32,
    /// Who sends text messages; without one, nobody can be opted in
    #[arg(long, value_enum, default_value_t = SmsProvider::None)]
    pub sms_provider: SmsProvider,
    /// The key of the digests by which numbers stay blocked after an erasure, 16 bytes or more; needed with a provider, and
    /// never to be changed
    #[arg(long, value_name = "SECRET")]
    pub sms_number_key: Option<SecretString>,
    /// Whether a number must be confirmed with the code of a second message
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub sms_double_opt_in: bool,
    /// Append what the sandbox sends to this file: kind, key, number, text
    #[arg(long, value_name = "FILE")]
    pub sms_sandbox_outbox: Option<PathBuf>,
}

impl VisitorSettings {
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        let key_len = self.sms_number_key.as_ref().map_or(0, |key| key.expose_secret().len());
        if self.sms_provider != SmsProvider::None && key_len < MIN_KEY_BYTES {
            let message = "a provider of text messages needs a key of 16 bytes or more";
            return Err(invalid("sms_number_key", message));
        }
        Ok(())
    }
}

/// Who can write reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReviewAuthors {
    /// Guests too.
    Anyone,
    /// Customers who are logged in.
    Customers,
    /// Those who bought the product.
    Buyers,
}

/// Which reviews are shown without a moderator's approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReviewAutoApprove {
    /// None.
    None,
    /// Those of people who bought the product, unless something about them is suspicious.
    Verified,
}

/// Who sends text messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SmsProvider {
    /// Nobody.
    None,
    /// A provider in this process, which sends nothing.
    Sandbox,
}
