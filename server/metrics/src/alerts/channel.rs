//! Channels: where notifications are delivered, and which URLs a webhook may have.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use hyper::Uri;
use lettre::Address;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use utoipa::ToSchema;

use super::AlertError;

/// The prefix of Standard Webhooks secrets; base64 follows.
const SECRET_PREFIX: &str = "whsec_";

/// Limit: minimum bytes of a secret, so that it cannot be guessed.
const MIN_SECRET_BYTES: usize = 16;

/// Limit: characters of a URL.
const MAX_URL_CHARS: usize = 2_048;

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
    /// The channel without its secret.
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
                if key(secret).is_none_or(|key| key.len() < MIN_SECRET_BYTES) {
                    return refused(
                        "A webhook's secret must have 16 bytes or more, in base64 behind `whsec_`",
                    );
                }
                let target = WebhookTarget::of(url)?;
                match target.address() {
                    Some(address) if !policy.allows_private && !is_public(address) => {
                        refused("A webhook must not call a private address")
                    }
                    Some(_) | None => Ok(()),
                }
            }
        }
    }
}

/// Returns the key of a secret: the decoded base64 after `whsec_`, or else the bytes of the text.
fn key(secret: &str) -> Option<Vec<u8>> {
    match secret.strip_prefix(SECRET_PREFIX) {
        Some(encoded) => STANDARD.decode(encoded).ok(),
        None => Some(secret.as_bytes().to_vec()),
    }
}

/// Returns the Standard Webhooks signature of an id, a time in seconds since 1970 and a body.
pub(super) fn signature(secret: &str, (id, at_s): (&str, i64), body: &str) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&key(secret)?).ok()?;
    mac.update(format!("{id}.{at_s}.{body}").as_bytes());
    Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
}

#[derive(Debug, Clone)]
pub(super) struct WebhookTarget {
    pub(super) is_secure: bool,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) path: String,
}

impl WebhookTarget {
    pub(super) fn of(url: &str) -> Result<Self, AlertError> {
        let wrong = || AlertError::Channel(format!("`{url}` is no address of a webhook"));
        if url.len() > MAX_URL_CHARS {
            return Err(wrong());
        }
        let uri: Uri = url.parse().map_err(|_unreadable| wrong())?;
        let is_secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            Some(_) | None => return Err(wrong()),
        };
        let authority = uri.authority().ok_or_else(wrong)?;
        if authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(wrong());
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = authority.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        let path = uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Ok(Self { is_secure, host, port, path })
    }

    fn address(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }
}

pub(super) fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = matches!(
        (first, second, third),
        (0 | 240..=255, ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18 | 19, _)
    );
    !(is_special
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast())
}

/// Accepts global unicast only, without 6to4 and Teredo, which embed IPv4 addresses.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_global = (0x2000..=0x3fff).contains(&first);
    is_global && first != 0x2002 && !(first == 0x2001 && (second < 0x0200 || second == 0x0db8))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[test]
    fn a_call_is_signed_as_standard_webhooks_says() {
        let body = r#"{"test": 2432232314}"#;
        let signed = signature(SECRET, ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330), body);
        assert_eq!(signed.as_deref(), Some("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
    }

    #[test]
    fn a_webhook_goes_to_the_public_network_only_unless_it_may_go_anywhere() {
        for (url, is_allowed) in [
            ("https://hooks.shop.example/a?b=c", true),
            ("http://203.0.114.1/", true),
            ("ftp://shop.example/", false),
            ("shop.example/alerts", false),
            ("https://user:word@shop.example/", false),
            ("http://127.0.0.1:9000/", false),
            ("http://10.1.2.3/", false),
            ("http://169.254.169.254/latest/meta-data", false),
            ("http://[::1]/", false),
            ("http://[::ffff:127.0.0.1]/", false),
            ("http://[fd00::1]/", false),
            ("http://0.0.0.0/", false),
            ("http://192.88.99.1/", false),
        ] {
            let channel = Channel::Webhook { url: url.to_owned(), secret: Some(SECRET.to_owned()) };
            assert_eq!(channel.check(ChannelPolicy::default()).is_ok(), is_allowed, "{url}");
        }
        let own = Channel::Webhook {
            url: "http://127.0.0.1:9000/".to_owned(),
            secret: Some(SECRET.to_owned()),
        };
        assert!(own.check(ChannelPolicy { allows_private: true, has_mail: false }).is_ok());
    }

    #[test]
    fn a_mailbox_is_told_where_there_is_mail_and_it_is_an_address() {
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
