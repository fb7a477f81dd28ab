//! The settings of e-mails.

use clap::{Args, ValueEnum};
use lettre::message::Mailbox;
use reqwest::Url;
use secrecy::SecretString;

use super::{invalid, is_local};

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

impl MailSettings {
    pub(super) fn check(&self) -> Result<(), clap::Error> {
        for (key, url) in [("storefront_url", &self.storefront_url), ("admin_url", &self.admin_url)]
        {
            if let Some(url) = url.as_deref().filter(|url| !is_page(url)) {
                return Err(invalid(key, &format!("`{url}` is not the address of a page")));
            }
        }
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
            let message = "a password is not sent over a network in the clear";
            return Err(invalid("smtp_encryption", message));
        }
        Ok(())
    }
}

/// Returns whether links can start with the text: an `http` or `https` URL to which a path can be added.
fn is_page(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.query().is_none()
            && url.fragment().is_none()
    })
}
