//! The HTTP client: form-encoded requests, the pinned version of the API, idempotency keys and retries.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, StatusCode, Url};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::payments::provider::ProviderError;

/// The API version in requests, whatever the account's own is.
const VERSION: &str = "2024-06-20";

/// Limit: the duration of one request. Several fit into the time that the gateway allows for an
/// operation.
const TIMEOUT: Duration = Duration::from_secs(4);

/// Limit: attempts of a request that had no effect.
const MAX_ATTEMPTS: u32 = 3;

/// The wait before a second attempt; doubled for the third.
const BACKOFF: Duration = Duration::from_millis(200);

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum StripeError {
    /// The card was declined.
    #[error("{code}")]
    Declined {
        /// The processor's code, such as `card_declined` or `insufficient_funds`.
        code: String,
    },
    /// The request is wrong; another attempt would fail too.
    #[error("{message}")]
    Invalid { message: String },
    /// There is no answer, so the effect is unknown.
    #[error("the processor did not answer")]
    Unavailable,
}

impl From<StripeError> for ProviderError {
    fn from(error: StripeError) -> Self {
        match error {
            StripeError::Declined { code: reason } | StripeError::Invalid { message: reason } => {
                Self::Invalid { reason }
            }
            StripeError::Unavailable => Self::Unavailable,
        }
    }
}

/// The body of a failure.
#[derive(Debug, Default, Deserialize)]
struct Failure {
    error: FailureDetails,
}

#[derive(Debug, Default, Deserialize)]
struct FailureDetails {
    #[serde(default, rename = "type")]
    kind: String,
    code: Option<String>,
    decline_code: Option<String>,
    #[serde(default)]
    message: String,
}

/// A client of the processor.
#[derive(Debug)]
pub(super) struct Client {
    http: reqwest::Client,
    /// The address of the API, without `v1`.
    base: Url,
    secret: SecretString,
}

impl Client {
    /// Returns a client; `None` if the system has no usable certificates.
    pub(super) fn new(base: Url, secret: SecretString) -> Option<Self> {
        let built = crate::http_client::builder().timeout(TIMEOUT).build();
        match built {
            Ok(http) => Some(Self { http, base, secret }),
            Err(error) => {
                tracing::error!(%error, "the client of the card processor cannot be created");
                None
            }
        }
    }

    /// Requests an object or a list.
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<T, StripeError> {
        let request = self.request(Method::GET, path)?.query(query);
        self.answer(request, true).await
    }

    /// Requests a change under an idempotency key.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        form: &[(&str, String)],
        key: &str,
    ) -> Result<T, StripeError> {
        let request = self.request(Method::POST, path)?.header("idempotency-key", key).form(form);
        self.answer(request, false).await
    }

    /// Requests a change that may be repeated. It has no key, because with one, an earlier answer would hide a later
    /// change.
    pub(super) async fn set<T: DeserializeOwned>(
        &self,
        path: &str,
        form: &[(&str, String)],
    ) -> Result<T, StripeError> {
        let request = self.request(Method::POST, path)?.form(form);
        self.answer(request, true).await
    }

    fn request(&self, method: Method, path: &str) -> Result<RequestBuilder, StripeError> {
        let url = self.base.join(&format!("v1/{path}"));
        let url = url.map_err(|error| StripeError::Invalid { message: error.to_string() })?;
        let request = self.http.request(method, url).header("stripe-version", VERSION);
        Ok(request.bearer_auth(self.secret.expose_secret()))
    }

    /// Sends a request, and retries it if it had no effect, or if repeating it is harmless.
    async fn answer<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        is_repeatable: bool,
    ) -> Result<T, StripeError> {
        let mut wait = BACKOFF;
        for attempt in 1..=MAX_ATTEMPTS {
            let Some(sent) = request.try_clone() else { break };
            let may_repeat = match sent.send().await {
                Ok(response) => match response.status() {
                    // Rejected before anything was done: too many requests, or the key is in use.
                    StatusCode::TOO_MANY_REQUESTS | StatusCode::CONFLICT => true,
                    status if status.is_server_error() => is_repeatable,
                    status => return read(status, response).await,
                },
                Err(error) => is_repeatable || error.is_connect(),
            };
            if !may_repeat || attempt == MAX_ATTEMPTS {
                break;
            }
            tokio::time::sleep(wait).await;
            wait = wait.saturating_mul(2);
        }
        Err(StripeError::Unavailable)
    }
}

async fn read<T: DeserializeOwned>(
    status: StatusCode,
    response: reqwest::Response,
) -> Result<T, StripeError> {
    // The request took effect, so an unreadable answer leaves it open.
    if status.is_success() {
        return response.json().await.map_err(|_unreadable| StripeError::Unavailable);
    }
    let Failure { error } = response.json().await.unwrap_or_default();
    if status == StatusCode::PAYMENT_REQUIRED || error.kind == "card_error" {
        let code = error.decline_code.or(error.code).unwrap_or_else(|| "card_declined".to_owned());
        return Err(StripeError::Declined { code });
    }
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        tracing::error!(%status, "the card processor refuses the secret key");
        return Err(StripeError::Unavailable);
    }
    if error.kind == "idempotency_error" {
        tracing::error!(message = error.message, "a key was used for two requests");
        let message = "the payment was asked for in another way before: begin a new one".to_owned();
        return Err(StripeError::Invalid { message });
    }
    let message =
        if error.message.is_empty() { format!("refused with {status}") } else { error.message };
    Err(StripeError::Invalid { message })
}
