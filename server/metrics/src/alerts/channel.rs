//! Channels: where notifications are delivered, and which URLs a webhook may have.

use lettre::Address;
use serde::{Deserialize, Serialize};

use super::AlertError;
use crate::http::ToSchema;
use crate::webhooks::{self, Secret};

/// A recipient of an alert's notifications.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
#[schema(as = AlertChannel, example = json!({ "type": "webhook", "url": "https://hooks.shop.example/alerts",
    "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }))]
pub(crate) enum Channel {
    /// An HTTP endpoint; requests are signed as Standard Webhooks specifies.
    Webhook {
        /// The URL, `http` or `https`.
        #[schema(max_length = 2048)]
        url: String,
        /// The secret that requests are signed with; never returned.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, write_only, max_length = 255)]
        secret: Option<String>,
    },
    /// An e-mail address; needs a mail server.
    Email {
        /// The address, such as `ops@shop.example`.
        #[schema(max_length = 255)]
        to: String,
    },
    /// The server's log.
    Log {},
}

#[derive(Debug, Clone, Copy, Default)]
pub struct ChannelPolicy {
    /// Whether webhooks may call private addresses.
    pub(crate) allows_private: bool,
    /// Whether a mail server is configured.
    pub(crate) has_mail: bool,
}

impl Channel {
    pub(crate) fn without_secret(&self) -> Self {
        match self {
            Self::Webhook { url, .. } => Self::Webhook { url: url.clone(), secret: None },
            Self::Email { .. } | Self::Log {} => self.clone(),
        }
    }

    /// Checks that the channel can be delivered to.
    pub(super) fn check(&self, policy: ChannelPolicy) -> Result<(), AlertError> {
        let refused = |message: &str| Err(AlertError::Channel(message.to_owned()));
        match self {
            Self::Log {} => Ok(()),
            Self::Email { .. } if !policy.has_mail => refused(
                "E-mail is not configured: alerts can tell mailboxes once the server has an smtp_host",
            ),
            Self::Email { to } => match to.parse::<Address>() {
                Ok(_) => Ok(()),
                Err(_unreadable) => refused(&format!("`{to}` is no e-mail address")),
            },
            Self::Webhook { secret: None, .. } => refused("A webhook needs a secret"),
            Self::Webhook { url, secret: Some(secret) } => {
                if secret.parse::<Secret>().is_err() {
                    return refused(
                        "A webhook's secret must have 16 bytes or more, in base64 behind `whsec_`",
                    );
                }
                let target = webhooks::target(url, policy.allows_private);
                target.map(drop).map_err(|error| AlertError::Channel(error.to_string()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[test]
    fn a_webhook_has_a_secret_and_a_url_that_may_be_called() {
        let webhook = |url: &str, secret: &str| Channel::Webhook {
            url: url.to_owned(),
            secret: Some(secret.to_owned()),
        };
        for (url, secret, is_allowed) in [
            ("https://hooks.shop.example/a?b=c", SECRET, true),
            ("https://hooks.shop.example/a?b=c", "short", false),
            ("shop.example/alerts", SECRET, false),
            ("http://127.0.0.1:9000/", SECRET, false),
        ] {
            let checked = webhook(url, secret).check(ChannelPolicy::default());
            assert_eq!(checked.is_ok(), is_allowed, "{url}");
        }
        let own = webhook("http://127.0.0.1:9000/", SECRET);
        assert!(own.check(ChannelPolicy { allows_private: true, has_mail: false }).is_ok());
    }

    #[test]
    fn mail_is_sent_if_it_is_set_up_and_the_address_is_valid() {
        let mailbox = |to: &str| Channel::Email { to: to.to_owned() };
        let policy = ChannelPolicy { allows_private: false, has_mail: true };
        assert!(mailbox("ops@shop.example").check(policy).is_ok());
        for to in ["", "ops", "ops@", "a@b.example, c@d.example", "a@b.example\r\nBcc: c@d.example"]
        {
            assert!(mailbox(to).check(policy).is_err(), "{to}");
        }
        let refused = mailbox("ops@shop.example").check(ChannelPolicy::default()).unwrap_err();
        assert!(refused.to_string().contains("smtp_host"), "{refused}");
    }

    #[test]
    fn a_secret_is_not_shown() {
        let channel = Channel::Webhook {
            url: "https://a.example/".to_owned(),
            secret: Some(SECRET.to_owned()),
        };
        let json = serde_json::to_string(&channel.without_secret()).unwrap();
        assert_eq!(json, r#"{"type":"webhook","url":"https://a.example/"}"#);
    }
}
