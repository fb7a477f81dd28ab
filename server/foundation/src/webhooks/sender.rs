//! The HTTP client for addresses that users enter.
//!
//! Limits: 10 seconds per attempt, one address at a time, 1 KiB of a response. It follows no redirect, uses no proxy,
//! and keeps no connection, so that a name is resolved and its addresses are checked for every attempt.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode};
use thiserror::Error;

use super::Secret;
use super::address::{TargetError, is_public, target};
use super::signing::{self, Signed};
use crate::clock::Timestamp;
use crate::http_client;

/// Limit: the time of one attempt.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Limit: bytes of a response that are read.
const MAX_ANSWER_BYTES: usize = 1_024;

/// Why there is no response.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SendError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("it did not answer in time")]
    Late,
    #[error("{0}")]
    Failed(String),
}

#[derive(Debug, Clone, Copy)]
pub struct Delivery<'a> {
    pub url: &'a str,
    /// The secrets that sign it, newest first.
    pub secrets: &'a [Secret],
    /// The id, the same for every attempt.
    pub id: &'a str,
    /// The time of the attempt.
    pub at: Timestamp,
    /// The body, JSON.
    pub body: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: StatusCode,
    /// The seconds in `retry-after`, if it is a number.
    pub retry_after_s: Option<u32>,
    /// The first part of the body, as text.
    pub text: String,
}

impl Answer {
    /// Returns `Ok` for a success.
    ///
    /// # Errors
    /// The status as text; a redirect is not a success either.
    pub fn accepted(&self) -> Result<(), String> {
        if self.status.is_success() { Ok(()) } else { Err(format!("it answered {}", self.status)) }
    }
}

/// Sends deliveries. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sender {
    allows_private: bool,
    /// Created by the first delivery, because reading the system's certificates takes a while.
    client: Arc<OnceLock<Result<Client, String>>>,
}

impl Sender {
    /// Creates a sender that calls private addresses only if allowed.
    pub fn new(allows_private: bool) -> Self {
        Self { allows_private, client: Arc::default() }
    }

    pub const fn allows_private(&self) -> bool {
        self.allows_private
    }

    /// Attempts a delivery once.
    pub async fn send(&self, delivery: Delivery<'_>) -> Result<Answer, SendError> {
        let url = target(delivery.url, self.allows_private).map_err(|error| match error {
            TargetError::Private(host) => SendError::Failed(NoAddress(host).to_string()),
            TargetError::Unusable(_) => SendError::Target(error),
        })?;
        let at_s = delivery.at.as_millis().div_euclid(1_000).to_string();
        let signed = Signed { id: delivery.id, at_s: &at_s, body: delivery.body.as_bytes() };
        let request = self
            .client()?
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", delivery.id)
            .header("webhook-timestamp", &at_s)
            .header("webhook-signature", signing::sign(delivery.secrets, signed))
            .body(delivery.body.to_owned());
        let answer = request.send().await.map_err(|error| reason(&error))?;
        Ok(read(answer, delivery.at).await)
    }

    fn client(&self) -> Result<&Client, SendError> {
        let made = self.client.get_or_init(|| {
            http_client::builder()
                .no_proxy()
                .pool_max_idle_per_host(0)
                .timeout(TIMEOUT)
                .dns_resolver(Arc::new(Resolver { allows_private: self.allows_private }))
                .build()
                .map_err(|error| innermost(&error))
        });
        made.as_ref().map_err(|error| SendError::Failed(error.clone()))
    }
}

/// Resolves names to addresses that may be called.
#[derive(Debug, Clone, Copy)]
struct Resolver {
    allows_private: bool,
}

/// The same text for every host that is not called, so that it does not reveal which names exist in the server's network.
#[derive(Debug, Error)]
#[error("{0} is not a host with a public address")]
struct NoAddress(String);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { allows_private } = *self;
        Box::pin(async move {
            let none = || NoAddress(name.as_str().to_owned());
            let all =
                tokio::net::lookup_host((name.as_str(), 0)).await.map_err(|_unknown| none())?;
            let allowed: Vec<SocketAddr> =
                all.filter(|address| allows_private || is_public(address.ip())).collect();
            if allowed.is_empty() {
                return Err(none().into());
            }
            let addresses: Addrs = Box::new(allowed.into_iter());
            Ok(addresses)
        })
    }
}

/// Reads the first part of a response; an interrupted remainder is left out.
async fn read(mut answer: Response, at: Timestamp) -> Answer {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = answer.chunk().await {
        let left = MAX_ANSWER_BYTES.saturating_sub(bytes.len());
        bytes.extend(chunk.iter().take(left));
        if chunk.len() > left {
            break;
        }
    }
    Answer {
        status: answer.status(),
        retry_after_s: retry_after_s(answer.headers(), at),
        text: String::from_utf8_lossy(&bytes).into_owned(),
    }
}

/// Returns the seconds that a response asks for, as a number or as a date.
fn retry_after_s(headers: &HeaderMap, at: Timestamp) -> Option<u32> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(seconds);
    }
    let date = Timestamp::from(jiff::fmt::rfc2822::parse(value).ok()?.timestamp());
    let wait_ms = date.as_millis().saturating_sub(at.as_millis()).max(0);
    Some(u32::try_from(wait_ms.div_euclid(1_000)).unwrap_or(u32::MAX))
}

fn reason(error: &reqwest::Error) -> SendError {
    if error.is_timeout() { SendError::Late } else { SendError::Failed(innermost(error)) }
}

/// Returns the text of the innermost cause; the outer ones name the client's own parts and the URL.
fn innermost(error: &(dyn Error + 'static)) -> String {
    // Limit: sources followed, since a chain may be cyclic.
    const MAX_SOURCES: usize = 16;
    let mut first = error;
    for _ in 0..MAX_SOURCES {
        let Some(source) = first.source() else { break };
        first = source;
    }
    first.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn send(url: &str, allows_private: bool) -> Result<Answer, SendError> {
        let secrets = ["a secret of the receiver".parse().unwrap()];
        let at = Timestamp::from_millis(0);
        let delivery = Delivery { url, secrets: &secrets, id: "evt_1", at, body: "{}" };
        Sender::new(allows_private).send(delivery).await
    }

    #[test]
    fn an_answer_asks_for_time_by_a_number_or_a_date() {
        let at = "2026-11-21T12:00:00Z".parse().unwrap();
        for (text, seconds) in [
            ("120", Some(120)),
            ("Sat, 21 Nov 2026 12:02:00 GMT", Some(120)),
            ("Sat, 21 Nov 2026 11:00:00 GMT", Some(0)),
            ("Fri, 01 Jan 9999 00:00:00 GMT", Some(u32::MAX)),
            ("soon", None),
            ("-5", None),
        ] {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().unwrap())]);
            assert_eq!(retry_after_s(&headers, at), seconds, "{text}");
        }
    }

    #[tokio::test]
    async fn a_name_of_this_machine_is_not_called() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let refused = send(&format!("http://localhost:{port}/"), false).await;
        let text = "localhost is not a host with a public address";
        assert_eq!(refused, Err(SendError::Failed(text.to_owned())));

        let refused = send(&format!("http://127.0.0.1:{port}/"), false).await;
        let text = "127.0.0.1 is not a host with a public address";
        assert_eq!(refused, Err(SendError::Failed(text.to_owned())));

        let called = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(called.is_err(), "it was called");
    }

    #[tokio::test]
    async fn a_name_inside_the_network_is_answered_like_one_that_does_not_exist() {
        let mut messages = Vec::new();
        for host in ["localhost", "127.0.0.1", "nothing.invalid"] {
            let refused = send(&format!("http://{host}:1/"), false).await.unwrap_err();
            messages.push(refused.to_string().replace(host, "it"));
        }
        messages.dedup();
        assert_eq!(messages, ["it is not a host with a public address"]);
    }

    #[tokio::test]
    async fn a_closed_port_is_reported() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let refused = send(&format!("http://127.0.0.1:{port}/"), true).await.unwrap_err();
        assert!(refused.to_string().contains("refused"), "{refused}");
    }
}
