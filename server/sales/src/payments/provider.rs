//! The interface of payment providers.
//!
//! Every call carries an idempotency key: a repeated call returns the same answer and has no further effect, so a
//! caller may retry after a crash or a timeout. The caller limits the duration of a call; the answer is a future
//! because a provider may need the network. Calls are made outside any database transaction.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::http::HttpError;
use crate::money::Currency;

/// Limit: bytes of the provider's data on a session.
pub(crate) const MAX_DATA_BYTES: usize = 4_096;

/// A provider's data on a session or a payment; never card data.
pub type Data = Map<String, Value>;

/// The key in a session's data that says that the shopper is present when a saved method is charged, and can act
/// if the provider requires it.
pub(crate) const PRESENT: &str = "shopper_present";

/// Returns whether the shopper of a session is present.
pub(super) fn is_present(data: &Data) -> bool {
    data.get(PRESENT) == Some(&Value::Bool(true))
}

/// The reason of a refusal that the shopper can turn into a payment, by authenticating the card.
pub const AUTHENTICATION_REQUIRED: &str = "authentication_required";

/// A provider's answer.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, ProviderError>> + Send + 'a>>;

/// Why a provider returned no answer about the payment.
#[derive(Debug, Clone, PartialEq, Eq, Error, HttpError)]
pub enum ProviderError {
    #[error("{reason}")]
    #[http(invalid_data)]
    Invalid { reason: String },
    #[error("the payment provider did not answer")]
    #[http(unavailable(1))]
    Unavailable,
    #[error("the payment provider does not support this")]
    #[http(not_implemented)]
    Unsupported,
}

/// The purpose of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Pay,
    /// Nothing is due yet, but the method will be charged later.
    Setup,
}

/// An amount to authorize, capture or refund, and the provider's data on the payment.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The session's id for starting and authorizing; a key derived from the payment for the other calls.
    pub idempotency_key: &'a str,
    /// In minor units, greater than zero.
    pub amount_minor: i64,
    pub currency: Currency,
    /// The shopper's data when starting, otherwise the provider's last answer.
    pub data: &'a Data,
}

/// The outcome of an authorization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The amount is authorized and must be captured.
    Authorized {
        /// To store on the payment.
        data: Data,
    },
    /// The amount is captured.
    Captured {
        /// To store on the payment.
        data: Data,
    },
    /// The shopper must act first; another call with new data is not a repetition.
    RequiresMore {
        /// The required action, to store on the session.
        data: Data,
    },
    /// The payment is declined.
    Declined {
        /// A short code such as `card_declined`.
        reason: String,
    },
}

/// The outcome of a capture, a refund or a cancellation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// It succeeded.
    Done,
    /// It failed permanently.
    Failed {
        /// A short code such as `capture_failed`.
        reason: String,
    },
}

/// A customer to register with a provider.
#[derive(Debug, Clone, Copy)]
pub struct HolderRequest<'a> {
    pub customer_id: &'a str,
    pub email: &'a str,
}

/// A saved payment method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedMethod {
    /// The provider's id, to charge it with.
    pub reference: String,
    /// Brand, last four digits and expiry, if it is a card.
    pub card: Option<Value>,
    /// The same for the same card, whatever its id.
    pub fingerprint: Option<String>,
}

/// A payment provider. The calls with a default are optional.
pub trait Provider: fmt::Debug + Send + Sync {
    /// Returns the id that regions, sessions and payments refer to.
    fn id(&self) -> &'static str;

    /// Starts a payment; returns the data to store on the session.
    fn initiate<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data>;

    /// Starts a session that only saves its method: its amount is never charged.
    fn initiate_setup<'a>(&'a self, request: Request<'a>) -> Answer<'a, Data> {
        self.initiate(request)
    }

    /// Returns the data of a session with the method to save; none if the shopper has to act first.
    fn setup_data<'a>(&'a self, data: &'a Data) -> Answer<'a, Option<Data>> {
        ready(Ok(Some(data.clone())))
    }

    /// Authorizes a payment.
    fn authorize<'a>(&'a self, request: Request<'a>) -> Answer<'a, Outcome>;

    /// Captures an authorized payment, in full or in part.
    fn capture<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved>;

    /// Refunds a captured payment, in full or in part.
    fn refund<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved>;

    /// Cancels an authorization that is not captured.
    fn cancel<'a>(&'a self, request: Request<'a>) -> Answer<'a, Moved>;

    /// Changes the amount of a payment that is started but not authorized, and returns its data.
    fn update_amount<'a>(&'a self, _request: Request<'a>) -> Answer<'a, Data> {
        ready(Err(ProviderError::Unsupported))
    }

    /// Authorizes a payment with a token that the shopper's browser created.
    fn confirm<'a>(&'a self, _request: Request<'a>, _token: &'a str) -> Answer<'a, Outcome> {
        ready(Err(ProviderError::Unsupported))
    }

    /// Saves the method of a token created in the shopper's browser, for a session that only saves its method. Nothing is
    /// captured; its data contains the method once it can be charged.
    fn confirm_setup<'a>(&'a self, _request: Request<'a>, _token: &'a str) -> Answer<'a, Outcome> {
        ready(Err(ProviderError::Unsupported))
    }

    /// Charges a saved method of a holder, without the shopper.
    fn charge<'a>(
        &'a self,
        _request: Request<'a>,
        _holder: &'a str,
        _method: &'a str,
    ) -> Answer<'a, Outcome> {
        ready(Err(ProviderError::Unsupported))
    }

    /// Registers a customer, who can then have saved methods; returns the provider's id of the customer.
    fn create_holder<'a>(&'a self, _request: HolderRequest<'a>) -> Answer<'a, String> {
        ready(Err(ProviderError::Unsupported))
    }

    fn save_method<'a>(&'a self, _holder: &'a str, _data: &'a Data) -> Answer<'a, SavedMethod> {
        ready(Err(ProviderError::Unsupported))
    }

    /// Removes a saved method.
    fn delete_method<'a>(&'a self, _reference: &'a str) -> Answer<'a, ()> {
        ready(Err(ProviderError::Unsupported))
    }
}

/// The providers of a server.
#[derive(Debug, Clone)]
pub struct Providers(Vec<Arc<dyn Provider>>);

impl Providers {
    /// Creates the list from providers in order of preference.
    pub fn new(providers: Vec<Arc<dyn Provider>>) -> Self {
        Self(providers)
    }

    pub fn find(&self, id: &str) -> Option<&Arc<dyn Provider>> {
        self.0.iter().find(|provider| provider.id() == id)
    }

    /// Returns all ids, in order of preference.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().map(|provider| provider.id())
    }
}

/// Rejects amounts below one and data beyond its limit.
pub(super) fn check(request: &Request<'_>) -> Result<(), ProviderError> {
    let invalid = |reason: String| Err(ProviderError::Invalid { reason });
    if request.amount_minor < 1 {
        return invalid(format!("an amount of `{}` cannot be paid", request.amount_minor));
    }
    if request.idempotency_key.is_empty() {
        return invalid("a payment needs a key".to_owned());
    }
    check_data(request.data)
}

/// Rejects data beyond its limit.
pub(super) fn check_data(data: &Data) -> Result<(), ProviderError> {
    let bytes = serde_json::to_vec(data).map_or(usize::MAX, |text| text.len());
    if bytes > MAX_DATA_BYTES {
        let reason = format!("payment data has more than {MAX_DATA_BYTES} bytes");
        return Err(ProviderError::Invalid { reason });
    }
    Ok(())
}

/// Returns an answer that is immediately available.
pub(super) fn ready<'a, T: Send + 'a>(answer: Result<T, ProviderError>) -> Answer<'a, T> {
    Box::pin(std::future::ready(answer))
}
