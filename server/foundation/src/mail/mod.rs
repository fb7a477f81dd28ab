//! E-mails, sent through the configured mail server. Their texts are in [`templates`], their delivery states in [`sent`].

mod queries;
pub mod sent;
pub mod templates;

use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use secrecy::{ExposeSecret as _, SecretString};

use crate::config::{MailSettings, SmtpEncryption};
use templates::Mail;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailMessage {
    pub to: String,
    /// Determines the `Message-ID`, by which mailboxes deduplicate.
    pub id: String,
    pub subject: String,
    pub text: String,
    /// The same as HTML, if there is an HTML version.
    pub html: Option<String>,
}

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// The mail server, and the sender address of all e-mails.
#[derive(Debug, Clone)]
pub struct Mailer {
    host: String,
    port: Option<u16>,
    encryption: SmtpEncryption,
    login: Option<(String, SecretString)>,
    from: Mailbox,
}

impl Mailer {
    /// Creates a mailer from the settings, if they name a mail server.
    pub fn of(settings: &MailSettings) -> Option<Self> {
        Some(Self {
            host: settings.smtp_host.clone()?,
            port: settings.smtp_port,
            encryption: settings.smtp_encryption,
            login: settings.smtp_user.clone().zip(settings.smtp_password.clone()),
            from: settings.smtp_from.clone()?,
        })
    }

    /// Returns the name of the shop: that of the sender, or the domain of its address.
    pub fn shop(&self) -> &str {
        self.from.name.as_deref().unwrap_or_else(|| self.from.email.domain())
    }

    /// Sends an e-mail to an address, under an id.
    ///
    /// # Errors
    /// Why it was not rendered, or not accepted by the mail server.
    pub async fn write(&self, mail: &impl Mail, to: (String, String)) -> Result<(), String> {
        self.send(mail.message(to)?).await
    }

    /// Sends an e-mail.
    ///
    /// # Errors
    /// Why the mail server did not accept it.
    pub async fn send(&self, message: MailMessage) -> Result<(), String> {
        let message = self.message(message)?;
        let transport = self.transport().map_err(|error| error.to_string())?;
        transport.send(message).await.map(drop).map_err(|error| error.to_string())
    }

    fn message(&self, message: MailMessage) -> Result<Message, String> {
        let MailMessage { to, id, subject, text, html } = message;
        let to: Address = to.parse().map_err(|_unreadable| format!("`{to}` is no address"))?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(to.into())
            .subject(subject)
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())));
        let message = match html {
            Some(html) => message.multipart(MultiPart::alternative_plain_html(text, html)),
            None => message.header(ContentType::TEXT_PLAIN).body(text),
        };
        let mut message = message.map_err(|error| error.to_string())?;
        // Asks for no automatic replies.
        let name = HeaderName::new_from_ascii_str("Auto-Submitted");
        message.headers_mut().insert_raw(HeaderValue::new(name, "auto-generated".to_owned()));
        Ok(message)
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
