//! The settings of payment providers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use reqwest::Url;
use secrecy::SecretString;

use super::{invalid, is_local};

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
    #[arg(long, default_value = "https://api.stripe.com/", value_name = "URL")]
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

impl StripeSettings {
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        let is_private =
            self.stripe_api.scheme() == "https" || self.stripe_api.host_str().is_some_and(is_local);
        if self.stripe_secret_key.is_some() && !is_private {
            return Err(invalid("stripe_api", "a key is not sent over a network in the clear"));
        }
        Ok(())
    }
}
