//! Mail: notifications as messages, sent through the configured mail server.

use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use secrecy::{ExposeSecret as _, SecretString};

use super::notification::Notification;
use crate::config::{MailSettings, SmtpEncryption};

type Transport = AsyncSmtpTransport<Tokio1Executor>;

#[derive(Debug, Clone)]
pub(crate) struct Mailer {
    host: String,
    port: Option<u16>,
    encryption: SmtpEncryption,
    login: Option<(String, SecretString)>,
    from: Mailbox,
}

impl Mailer {
    /// Creates a mailer from the settings, if they name a mail server.
    pub(super) fn of(settings: &MailSettings) -> Option<Self> {
        Some(Self {
            host: settings.smtp_host.clone()?,
            port: settings.smtp_port,
            encryption: settings.smtp_encryption,
            login: settings.smtp_user.clone().zip(settings.smtp_password.clone()),
            from: settings.smtp_from.clone()?,
        })
    }

    /// Sends a notification to an address. The same id gives the same `Message-ID`, which mailboxes deduplicate by.
    pub(super) async fn send(
        &self,
        to: &str,
        id: &str,
        notification: &Notification,
    ) -> Result<(), String> {
        let message = self.letter(to, id, notification)?;
        let transport = self.transport().map_err(|error| error.to_string())?;
        transport.send(message).await.map(drop).map_err(|error| error.to_string())
    }

    fn letter(&self, to: &str, id: &str, notification: &Notification) -> Result<Message, String> {
        let to: Address = to.parse().map_err(|_unreadable| format!("`{to}` is no address"))?;
        let mut letter = Message::builder()
            .from(self.from.clone())
            .to(to.into())
            .subject(notification.subject())
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .header(ContentType::TEXT_PLAIN)
            .body(notification.text())
            .map_err(|error| error.to_string())?;
        // Asks for no automatic replies.
        let name = HeaderName::new_from_ascii_str("Auto-Submitted");
        letter.headers_mut().insert_raw(HeaderValue::new(name, "auto-generated".to_owned()));
        Ok(letter)
    }

    fn transport(&self) -> Result<Transport, lettre::transport::smtp::Error> {
        let builder = match self.encryption {
            SmtpEncryption::Tls => Transport::relay(&self.host)?,
            SmtpEncryption::Starttls => Transport::starttls_relay(&self.host)?,
            SmtpEncryption::None => Transport::builder_dangerous(&self.host),
        };
        let name = ClientId::Domain(self.from.email.domain().to_owned());
        let mut builder = builder.hello_name(name).timeout(Some(STEP));
        if let Some(port) = self.port {
            builder = builder.port(port);
        }
        if let Some((user, password)) = &self.login {
            let password = password.expose_secret().to_owned();
            builder = builder.credentials(Credentials::new(user.clone(), password));
        }
        Ok(builder.build())
    }
}

/// Limit: the time of each step of a delivery.
const STEP: Duration = Duration::from_secs(10);
