//! Deliveries: a webhook is called until it has answered, later each time, and given up after a while.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use hyper::header::{CONTENT_TYPE, HOST, USER_AGENT};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::channel::{Channel, Target, is_public, signature};
use crate::clock::Clock;
use crate::database::{Db, Error};
use crate::ids::AlertId;
use crate::jobs::{Job, JobError};
use crate::metrics::queries::alerts as queries;

/// The kind of job that delivers.
pub(crate) const KIND: &str = "metrics.deliver_alert";

/// Limit: calls of a webhook before it is given up, some six hours after the first.
const MAX_ATTEMPTS: u32 = 12;

/// Limit: the time of a call.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What a delivery needs.
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    /// The time, for signatures.
    pub(crate) clock: Clock,
    /// Whether webhooks may call the store's own network.
    pub(crate) allows_private: bool,
}

/// What a job of this kind says.
#[derive(Debug, Deserialize)]
struct Delivery {
    alert_id: AlertId,
    channel: Channel,
    body: String,
}

/// Delivers once.
///
/// # Errors
/// When it was not taken; the job is tried again.
pub(crate) async fn deliver(db: Db, outgoing: Outgoing, job: Job) -> Result<(), JobError> {
    let Ok(Delivery { alert_id, channel, body }) = serde_json::from_str(&job.payload) else {
        tracing::error!(job = job.key, "a delivery cannot be read and is given up");
        return Ok(());
    };
    // The secret is the alert's of now; where the alert or the channel is gone, nobody is to be told any more.
    let alert = db.read::<_, Error>(move |tx| queries::find(tx, &alert_id)).await?;
    let known = alert.and_then(|alert| {
        alert.channels.into_iter().find(|known| known.shown() == channel.shown())
    });
    let Some(Channel::Webhook { url, secret: Some(secret) }) = known else { return Ok(()) };
    let id = job.key.replace('/', "_");
    let called = tokio::time::timeout(TIMEOUT, call(&outgoing, (&url, &secret), &id, body)).await;
    let outcome = called.unwrap_or_else(|_late| Err("it did not answer in time".to_owned()));
    match outcome {
        Ok(()) => Ok(()),
        Err(reason) if job.attempt_count.saturating_add(1) >= MAX_ATTEMPTS => {
            tracing::error!(job = job.key, reason, "a webhook is given up");
            Ok(())
        }
        Err(reason) => Err(JobError(reason)),
    }
}

async fn call(
    outgoing: &Outgoing,
    (url, secret): (&str, &str),
    id: &str,
    body: String,
) -> Result<(), String> {
    let target = Target::of(url).map_err(|error| error.to_string())?;
    let at_s = outgoing.clock.now().as_millis().div_euclid(1_000);
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
    let stream = connect(&target, outgoing.allows_private).await?;
    if target.is_secure {
        let name = ServerName::try_from(target.host.clone()).map_err(|error| error.to_string())?;
        let stream = tls()?.connect(name, stream).await.map_err(|error| error.to_string())?;
        exchange(stream, request).await
    } else {
        exchange(stream, request).await
    }
}

fn authority(target: &Target) -> String {
    let Target { host, port, .. } = target;
    let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    let usual = if target.is_secure { 443 } else { 80 };
    if *port == usual { host } else { format!("{host}:{port}") }
}

/// Opens a connection. The address is judged after the name was looked up, so that no name leads inside.
async fn connect(target: &Target, allows_private: bool) -> Result<TcpStream, String> {
    let found = tokio::net::lookup_host((target.host.as_str(), target.port)).await;
    let addresses = found.map_err(|error| format!("{} is not known: {error}", target.host))?;
    let mut last = format!("{} has no public address", target.host);
    for address in addresses.filter(|address| allows_private || is_public(address.ip())) {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error.to_string(),
        }
    }
    Err(last)
}

/// Trusts whom the machine trusts.
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

/// Sends the request; any answer but a success is a failure. Redirects are not followed.
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
