//! Deliveries: a notification is sent to a channel until the channel accepts it, with growing delays, and given up
//! after a while.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use hyper::header::{CONTENT_TYPE, HOST, USER_AGENT};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::alert::Alert;
use super::channel::{Channel, ChannelPolicy, WebhookTarget, is_public, signature};
use super::notification::{Notification, NotificationKind};
use super::queries;
use crate::clock::Clock;
use crate::config::Settings;
use crate::database::{Db, Error, Tx};
use crate::ids::AlertHistoryId;
use crate::jobs::{self, Job, JobError};
use crate::mail::{MailMessage, Mailer};

/// The job kind of deliveries.
pub const KIND: &str = "metrics.deliver_alert";

/// Limit: the time of one attempt.
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
pub struct Notifier {
    /// The clock for signatures.
    pub clock: Clock,
    /// Whether webhooks may call private addresses.
    allows_private: bool,
    mailer: Option<Mailer>,
}

impl Notifier {
    pub fn of(clock: Clock, settings: &Settings) -> Self {
        let allows_private = settings.alerts.webhook_private_targets;
        Self { clock, allows_private, mailer: Mailer::of(&settings.mail) }
    }

    pub const fn policy(&self) -> ChannelPolicy {
        ChannelPolicy { allows_private: self.allows_private, has_mail: self.mailer.is_some() }
    }
}

/// The job's payload. The channel is without its secret.
#[derive(Debug, Serialize, Deserialize)]
struct Delivery {
    channel: Channel,
    notification: Notification,
}

/// Schedules a delivery under its own key.
pub(super) fn order(
    tx: &Tx<'_>,
    key: &str,
    channel: &Channel,
    notification: &Notification,
) -> Result<(), Error> {
    let delivery = json!({ "channel": channel.without_secret(), "notification": notification });
    jobs::schedule(tx, KIND, key, tx.now(), &delivery.to_string())
}

/// Attempts a delivery once.
///
/// # Errors
/// If the channel does not accept it; the job is tried again.
pub async fn deliver(db: Db, notifier: Notifier, job: Job) -> Result<(), JobError> {
    let Ok(Delivery { channel, notification }) = serde_json::from_str(&job.payload) else {
        tracing::error!(job = job.key, "a delivery cannot be read and was dropped");
        return Ok(());
    };
    // The secret is read from the alert now; if the alert or the channel is gone, nothing is sent.
    let id = notification.data.id.clone();
    let alert = db.read::<_, Error>(move |tx| queries::find(tx, &id)).await?;
    let stored = alert.and_then(|alert| {
        alert
            .channels
            .into_iter()
            .find(|stored| stored.without_secret() == channel.without_secret())
    });
    let Some(channel) = stored else { return Ok(()) };
    job.delivered(send(&notifier, &channel, &job.key.replace('/', "_"), &notification).await)
}

/// Sends a test notification to every channel and returns the outcomes in channel order; nothing is retried.
pub(crate) async fn try_out(
    notifier: &Notifier,
    alert: &Alert,
) -> Vec<(Channel, Result<(), String>)> {
    let notification = Notification::of(NotificationKind::Tried, notifier.clock.now(), alert, None);
    let trial = AlertHistoryId::new();
    let mut running = JoinSet::new();
    for (index, channel) in alert.channels.iter().cloned().enumerate() {
        let (notifier, notification, id) =
            (notifier.clone(), notification.clone(), format!("{trial}_{index}"));
        running.spawn(async move {
            let outcome = send(&notifier, &channel, &id, &notification).await;
            (index, channel.without_secret(), outcome)
        });
    }
    let mut outcomes = running.join_all().await;
    outcomes.sort_by_key(|(index, ..)| *index);
    outcomes.into_iter().map(|(_, channel, outcome)| (channel, outcome)).collect()
}

/// Sends to a channel and returns the reason if that fails or times out.
async fn send(
    notifier: &Notifier,
    channel: &Channel,
    id: &str,
    notification: &Notification,
) -> Result<(), String> {
    let delivery = async {
        match (channel, &notifier.mailer) {
            (Channel::Log {}, _) => {
                notification.log();
                Ok(())
            }
            (Channel::Webhook { url, secret: Some(secret) }, _) => {
                let body = json!(notification).to_string();
                call(notifier, (url, secret), id, body).await
            }
            (Channel::Webhook { secret: None, .. }, _) => Err("it has no secret".to_owned()),
            (Channel::Email { to }, Some(mailer)) => {
                let (to, id) = (to.clone(), id.to_owned());
                let (subject, text) = (notification.subject(), notification.text());
                mailer.send(MailMessage { to, id, subject, text, html: None }).await
            }
            (Channel::Email { .. }, None) => Err("no mail server is configured".to_owned()),
        }
    };
    let outcome = tokio::time::timeout(TIMEOUT, delivery).await;
    outcome.unwrap_or_else(|_late| Err("it did not answer in time".to_owned()))
}

async fn call(
    notifier: &Notifier,
    (url, secret): (&str, &str),
    id: &str,
    body: String,
) -> Result<(), String> {
    let target = WebhookTarget::of(url).map_err(|error| error.to_string())?;
    let at_s = notifier.clock.now().as_millis().div_euclid(1_000);
    let signed = signature(secret, (id, at_s), &body).ok_or("the secret cannot sign")?;
    let request = Request::post(&target.path)
        .header(HOST, authority(&target))
        .header(CONTENT_TYPE, "application/json")
        .header(USER_AGENT, concat!("quotient-server/", env!("CARGO_PKG_VERSION")))
        .header("webhook-id", id)
        .header("webhook-timestamp", at_s.to_string())
        .header("webhook-signature", signed)
        .body(Full::new(Bytes::from(body)))
        .map_err(|error| error.to_string())?;
    let stream = connect(&target, notifier.allows_private).await?;
    if target.is_secure {
        let name = ServerName::try_from(target.host.clone()).map_err(|error| error.to_string())?;
        let stream = tls()?.connect(name, stream).await.map_err(|error| error.to_string())?;
        exchange(stream, request).await
    } else {
        exchange(stream, request).await
    }
}

fn authority(target: &WebhookTarget) -> String {
    let WebhookTarget { host, port, .. } = target;
    let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    let usual = if target.is_secure { 443 } else { 80 };
    if *port == usual { host } else { format!("{host}:{port}") }
}

/// Opens a connection. Addresses are checked after the name is resolved, so that no name leads to a private address.
async fn connect(target: &WebhookTarget, allows_private: bool) -> Result<TcpStream, String> {
    let resolved = tokio::net::lookup_host((target.host.as_str(), target.port)).await;
    // One message for both, so that it does not tell which names exist in the network of the server.
    let mut last = format!("{} is not a host with a public address", target.host);
    let addresses = resolved.map_err(|_unknown| last.clone())?;
    for address in addresses.filter(|address| allows_private || is_public(address.ip())) {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error.to_string(),
        }
    }
    Err(last)
}

fn tls() -> Result<TlsConnector, String> {
    let mut roots = RootCertStore::empty();
    let (_taken, _left) =
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Sends the request; any response but a success is a failure. Redirects are not followed.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
) -> Result<(), String> {
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|error| error.to_string())?;
    let running = tokio::spawn(connection);
    let answer = sender.send_request(request).await;
    running.abort();
    let status = answer.map_err(|error| error.to_string())?.status();
    if status.is_success() { Ok(()) } else { Err(format!("it answered {status}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_inside_the_network_is_answered_like_one_that_does_not_exist() {
        let mut messages = Vec::new();
        for host in ["localhost", "127.0.0.1", "nothing.invalid"] {
            let target = WebhookTarget::of(&format!("http://{host}:1/")).unwrap();
            let refused = connect(&target, false).await.map(drop).unwrap_err();
            messages.push(refused.replace(host, "it"));
        }
        messages.dedup();
        assert_eq!(messages, ["it is not a host with a public address"]);
    }
}
